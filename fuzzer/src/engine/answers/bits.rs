//! Where in an input a compared number comes from as some of the bits of its bytes, behind a shift or a mask.
//!
//! Without the zeros below it, such a number is a run of bits of the input, in one of the byte orders.
use super::{
    edit::Edit,
    fields::{Pair, read, write},
    log::mask,
};

/// Fewer bits that moved would tell nothing.
const TELLING: u32 = 4;
/// Only so many places of an input are looked at, from its start: here every comparison costs a pass over them.
const PLACES: usize = 256;
/// A run of bits is looked for in this many bytes.
const WINDOW: usize = 8;

/// Edits that give the number, which was `value` in the two runs, the wanted value. At most `limit` places.
pub fn edits(pair: Pair<'_>, value: [u64; 2], wanted: u64, limit: usize) -> Vec<Edit> {
    let all = value[0] | value[1] | wanted;
    if (value[0] ^ value[1]).count_ones() < TELLING {
        return Vec::new();
    }
    let below = all.trailing_zeros();
    let ones = mask(u64::BITS - (all >> below).leading_zeros());
    let value = value.map(|value| value >> below);
    let places = pair.plain.len().min(PLACES);
    let mut edits = Vec::new();
    for (at, big) in (0..places).flat_map(|at| [(at, false), (at, true)]) {
        // Shifts by whole bytes are other places: windows begin, or end in the order of big ends, at each of them.
        let window =
            if big { (at + 1).saturating_sub(WINDOW)..at + 1 } else { at..pair.plain.len().min(at + WINDOW) };
        let [plain, coloured] = [pair.plain, pair.coloured].map(|bytes| read(&bytes[window.clone()], big));
        let holds = |shift: &u32| plain >> shift & ones == value[0] && coloured >> shift & ones == value[1];
        let Some(shift) = (0..8).find(holds) else { continue };
        let fits = ones << shift >> shift == ones && ones << shift <= mask(8 * window.len() as u32);
        if fits {
            let number = plain & !(ones << shift) | wanted >> below << shift;
            edits.push(Edit { at: window.start, len: window.len(), with: write(number, window.len(), big) });
        }
        if edits.len() == limit {
            break;
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_numbers_behind_shifts_and_masks() {
        let pair = Pair { plain: b"ab\x12\x34\x56yz", coloured: b"ab\x98\x76\xb9yz" };
        for (value, wanted, expected) in [
            ([0x12345, 0x9876b], 0xd00d5, b"ab\xd0\x0d\x56yz"),
            ([0x123450, 0x9876b0], 0xd00d50, b"ab\xd0\x0d\x56yz"),
            ([0x234, 0x876], 0xb1d, b"ab\x1b\x1d\x56yz"),
            ([0x634, 0x976], 0xb1d, b"ab\x12\x1d\x5byz"),
        ] {
            let edits = edits(pair, value, wanted, 4);
            let results: Vec<Vec<u8>> = edits.iter().filter_map(|edit| edit.apply(pair.plain, 9)).collect();
            assert!(results.contains(&expected.to_vec()), "{value:x?}: {results:x?}");
        }
        assert_eq!(edits(pair, [0x12345, 0x12346], 5, 4), [], "too few bits have moved");
    }
}
