//! Where in an input a compared number comes from as bytes, and the bytes that would make it another.
//!
//! Two inputs that take the same way, and differ in as many bytes as they can, tell: a stretch of bytes read as a number
//! must have moved by as much as the compared number did, or in the same bits. Stretches are found by how they moved, so
//! that a comparison costs a look-up and not a pass over the input.
use std::cmp::Reverse;

use super::{edit::Edit, log::mask};

/// The same input twice: as it is, and with other bytes that do not change its way.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// As it is.
    pub plain: &'a [u8],
    /// With other bytes; as long.
    pub coloured: &'a [u8],
}

/// Sizes of numbers, in bytes.
const SIZES: [usize; 5] = [8, 4, 3, 2, 1];
/// Only so many places of an input are looked at, from its start.
const PLACES: usize = 4096;
const BUCKETS: usize = 4096;
const NONE: u32 = u32::MAX;

/// How the compared number comes from the one in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moved {
    /// By the same difference, or not at all.
    Along,
    /// In the same bits.
    Bits,
}

/// A stretch of bytes as a number.
#[derive(Debug, Clone, Copy)]
struct Field {
    at: u32,
    size: u8,
    big: bool,
    how: Moved,
    /// The number, and how it moved; the same number for one that did not.
    values: [u64; 2],
    next: u32,
}

/// The stretches of an input, by how they moved.
#[derive(Debug)]
pub struct Fields {
    heads: Vec<u32>,
    fields: Vec<Field>,
}

/// Bytes as a number.
pub fn read(bytes: &[u8], big: bool) -> u64 {
    let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    if big { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
}

/// A number as bytes.
pub fn write(value: u64, size: usize, big: bool) -> Vec<u8> {
    let mut bytes = value.to_le_bytes()[..size].to_vec();
    if big {
        bytes.reverse();
    }
    bytes
}

/// What is the same for a compared number and the field it comes from, in its lowest byte: fields of any width meet
/// there.
fn bucket(how: Moved, values: [u64; 2]) -> usize {
    let same = match how {
        Moved::Along if values[0] == values[1] => values[0] as u8,
        Moved::Along => values[1].wrapping_sub(values[0]) as u8,
        Moved::Bits => (values[0] ^ values[1]) as u8,
    };
    let kind = match how {
        Moved::Along if values[0] == values[1] => 0,
        Moved::Along => 1,
        Moved::Bits => 2,
    };
    (kind << 8 | usize::from(same)) % BUCKETS
}

impl Fields {
    /// Looks at every stretch of the input.
    pub fn new(pair: Pair<'_>) -> Self {
        let mut fields = Self { heads: vec![NONE; BUCKETS], fields: Vec::new() };
        for size in SIZES.into_iter().rev().filter(|size| *size <= pair.plain.len()) {
            let places = (pair.plain.len() - size + 1).min(PLACES);
            for at in (0..places).rev() {
                let (plain, coloured) = (&pair.plain[at..at + size], &pair.coloured[at..at + size]);
                for big in [true, false].into_iter().skip(usize::from(size == 1)) {
                    let values = [read(plain, big), read(coloured, big)];
                    let field =
                        Field { at: at as u32, size: size as u8, big, how: Moved::Along, values, next: NONE };
                    if plain != coloured {
                        fields.add(Field { how: Moved::Bits, ..field });
                    }
                    fields.add(field);
                }
            }
        }
        fields
    }

    fn add(&mut self, mut field: Field) {
        let head = &mut self.heads[bucket(field.how, field.values)];
        field.next = *head;
        *head = self.fields.len() as u32;
        self.fields.push(field);
    }

    fn like(&self, how: Moved, value: [u64; 2]) -> impl Iterator<Item = &Field> {
        let first = self.heads[bucket(how, value)];
        std::iter::successors(self.fields.get(first as usize), |field| self.fields.get(field.next as usize))
            .filter(move |field| field.how == how)
    }

    /// Edits that give the number, which was `value` in the two runs, one of the wanted values. At most `limit` places,
    /// the most telling first.
    pub fn edits(&self, value: [u64; 2], width: u32, wanted: &[u64], limit: usize) -> Vec<Edit> {
        let ones = mask(width);
        let has_moved = value[0] != value[1];
        let fits = |field: &&Field| u32::from(field.size) * 8 <= width.max(8);
        let difference = |values: [u64; 2]| values[1].wrapping_sub(values[0]) & ones;
        let along = self.like(Moved::Along, value).filter(fits).filter(|field| match has_moved {
            true => field.values[0] != field.values[1] && difference(field.values) == difference(value),
            // What was the same both times tells little: only an exact match does.
            false => field.values == value,
        });
        let bits = self.like(Moved::Bits, value).filter(fits).filter(|field| {
            has_moved && (field.values[0] ^ field.values[1]) & ones == (value[0] ^ value[1]) & ones
        });
        let mut found: Vec<&Field> = along.chain(bits).take(64 * limit).collect();
        let is_exact = |field: &Field| field.values == value;
        found.sort_by_key(|field| (!is_exact(field), Reverse(field.size), field.at));
        let edit = |field: &Field, wanted: u64| {
            let number = match field.how {
                Moved::Along => field.values[0].wrapping_add(wanted.wrapping_sub(value[0])) & ones,
                Moved::Bits => (field.values[0] ^ value[0] ^ wanted) & ones,
            };
            let size = usize::from(field.size);
            let fits = number <= mask(u32::from(field.size) * 8);
            fits.then(|| Edit { at: field.at as usize, len: size, with: write(number, size, field.big) })
        };
        found.truncate(limit);
        found.iter().flat_map(|field| wanted.iter().filter_map(|wanted| edit(field, *wanted))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &[u8] = b"ab\x01\x02\x03\x04xyz";
    const COLOURED: &[u8] = b"ab\x91\x82\x73\x64xyz";

    #[test]
    fn finds_fields_in_both_orders_and_through_arithmetic() {
        let fields = Fields::new(Pair { plain: PLAIN, coloured: COLOURED });
        for (value, with) in [
            ([0x0403_0201, 0x6473_8291], *b"\xef\xbe\xad\xde"),
            ([0x0102_0304, 0x9182_7364], *b"\xde\xad\xbe\xef"),
        ] {
            let expected = Edit { at: 2, len: 4, with: with.to_vec() };
            let edits = fields.edits(value, 32, &[0xdead_beef], 4);
            assert_eq!(edits[0], expected, "{edits:?}");
            let edits = fields.edits(value.map(|value| value + 7), 32, &[0xdead_beef + 7], 4);
            assert!(edits.contains(&expected), "{edits:?}");
            let edits =
                fields.edits(value.map(|value| value ^ 0x5555_5555), 32, &[0xdead_beef ^ 0x5555_5555], 4);
            assert!(edits.contains(&expected), "{edits:?}");
        }
        assert_eq!(fields.edits([77, 99], 32, &[5], 4), [], "a number that comes from nowhere");
        let still = fields.edits([0x6261, 0x6261], 16, &[0x4241], 4);
        assert_eq!(still, [Edit { at: 0, len: 2, with: b"AB".to_vec() }]);
    }
}
