//! What may be written into an input to give a comparison what it wants, whatever it compares.
use super::{
    bits,
    edit::Edit,
    fields::{Fields, Pair},
    log::{Sides, mask},
    numbers, texts,
};

/// So many places of an input are tried for one comparison.
const PLACES: usize = 6;
/// Numbers up to this one need no guessing: they come up soon enough.
const SMALL: u64 = 0xff;

/// Edits that may give the other side of a comparison what one side, `wanted`, is.
pub fn of(
    pair: Pair<'_>,
    fields: &Fields,
    plain: &Sides,
    coloured: &Sides,
    wanted: usize,
    max_len: usize,
) -> Vec<Edit> {
    let given = 1 - wanted;
    match (plain, coloured) {
        (Sides::Numbers { width, ordered, sides }, Sides::Numbers { sides: other, .. }) => {
            let value = [sides[given], other[given]];
            let target = sides[wanted];
            let around =
                [target, target.wrapping_add(1) & mask(*width), target.wrapping_sub(1) & mask(*width)];
            let targets = if *ordered { &around[..] } else { &around[..1] };
            // What is asked whether it is 0 may have to be small and something: a bound that varies is not recorded.
            let in_place =
                if !*ordered && target == 0 && value[0] != value[1] { &around[..2] } else { targets };
            let mut edits = fields.edits(value, *width, in_place, PLACES);
            if edits.is_empty() {
                edits = bits::edits(pair, value, target, PLACES);
            }
            edits.extend(numbers::digits(pair, value, *width, targets, PLACES));
            edits.extend(lengths(pair.plain, value, targets, max_len));
            if value[0] == value[1] && target > SMALL {
                let texts = [target.to_string(), format!("{target:x}")];
                edits.extend(numbers::guesses(pair.plain, &texts, PLACES));
            }
            // What is compared behind the end is often 0, or -1.
            if value[0] == value[1] && target <= SMALL && [0, mask(*width)].contains(&value[0]) {
                edits.push(Edit { at: pair.plain.len(), len: 0, with: vec![target as u8] });
            }
            edits
        }
        (Sides::Floats(sides), Sides::Floats(other)) => {
            let target = sides[wanted];
            let targets = [target, target.next_up(), target.next_down(), target + 1.0, target - 1.0];
            let value = [sides[given], other[given]];
            let mut edits = numbers::floats(pair, value, &targets, PLACES);
            // What could not be read is 0.
            if value == [0.0, 0.0] && target != 0.0 {
                edits.extend(numbers::guesses(pair.plain, &[target.to_string()], PLACES));
            }
            edits
        }
        (Sides::Texts(sides), Sides::Texts(other)) => {
            texts::replace(pair, [&sides[given], &other[given]], &sides[wanted], PLACES)
        }
        _ => Vec::new(),
    }
}

/// Edits that make the input as long as is wanted, where its length is what was compared.
fn lengths(plain: &[u8], value: [u64; 2], targets: &[u64], max_len: usize) -> Vec<Edit> {
    if value != [plain.len() as u64; 2] {
        return Vec::new();
    }
    let fitting = targets.iter().filter(|target| **target <= max_len as u64).map(|target| *target as usize);
    let resized = |target: usize| match target.checked_sub(plain.len()) {
        Some(more) => Edit { at: plain.len(), len: 0, with: vec![b'0'; more] },
        None => Edit { at: target, len: plain.len() - target, with: Vec::new() },
    };
    fitting.map(resized).collect()
}
