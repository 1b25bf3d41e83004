//! Random mutations that keep to a mask: each looks for a place where it may be, or does nothing.
use libafl_bolts::rands::Rand;

use super::mask::{Change, Mask};

/// An input under way, with its mask.
#[derive(Debug)]
pub struct Draft<'a> {
    /// The bytes so far.
    pub bytes: &'a mut Vec<u8>,
    /// Where they may be changed.
    pub mask: &'a mut Mask,
    /// How many there may be.
    pub max_len: usize,
}

/// What can be put into an input: the tokens, and another input to take blocks from.
#[derive(Debug, Clone, Copy)]
pub struct Stock<'a> {
    /// The tokens.
    pub tokens: &'a [Vec<u8>],
    /// Another input.
    pub other: &'a [u8],
}

/// Values at which programs often take another turn.
const EDGES: [i64; 14] = [0, 1, -1, 16, 32, 64, 100, 127, 128, 255, 256, 32_767, 65_535, i32::MAX as i64];

impl Draft<'_> {
    /// Applies one mutation, and another one if the first found no place; whether one did.
    pub fn mutate(&mut self, stock: Stock<'_>, rand: &mut impl Rand) -> bool {
        const TRIES: usize = 6;
        (0..TRIES).any(|_| self.mutate_once(stock, rand))
    }

    fn mutate_once(&mut self, stock: Stock<'_>, rand: &mut impl Rand) -> bool {
        match rand.below_or_zero(20) {
            0 | 1 => {
                let bit = 1 << rand.below_or_zero(8);
                self.overwrite(1, rand, |bytes, _| bytes[0] ^= bit)
            }
            2 | 3 => self.overwrite(1, rand, |bytes, rand| bytes[0] ^= 1 + rand.below_or_zero(255) as u8),
            4 | 5 => self.add(rand),
            6 | 7 => {
                let value = EDGES[rand.below_or_zero(EDGES.len())];
                self.number(rand, |_, _| value)
            }
            8 => self.overwrite(1, rand, |bytes, rand| {
                // A digit stays one, anything else becomes one.
                let step = 1 + rand.below_or_zero(9) as u8;
                let digit = bytes[0].wrapping_sub(b'0') % 10;
                bytes[0] = b'0' + (digit + step) % 10;
            }),
            9 => {
                let len = block(rand, self.bytes.len());
                self.overwrite(len, rand, |bytes, rand| {
                    let byte = rand.next() as u8;
                    bytes.fill(byte);
                })
            }
            10 => self.copy(rand),
            11 => {
                let source = piece(stock.other, rand);
                self.write(source, rand)
            }
            12 | 13 => {
                let len = block(rand, self.bytes.len());
                self.delete(len, rand)
            }
            14 | 15 => {
                let len = block(rand, self.max_len);
                let byte = rand.next() as u8;
                let run = vec![byte; len];
                self.insert(&run, rand)
            }
            16 => {
                let piece = piece(self.bytes, rand).to_vec();
                self.insert(&piece, rand)
            }
            17 => {
                let source = piece(stock.other, rand);
                self.insert(source, rand)
            }
            18 => token(stock, rand).is_some_and(|token| self.write(token, rand)),
            _ => token(stock, rand).is_some_and(|token| self.insert(token, rand)),
        }
    }

    /// Overwrites `len` bytes, or fewer where there is no such stretch.
    fn overwrite<R: Rand>(&mut self, len: usize, rand: &mut R, f: impl FnOnce(&mut [u8], &mut R)) -> bool {
        let mut len = len;
        while len > 0 {
            if let Some(at) = self.mask.choose(Change::Overwrite, len, rand) {
                f(&mut self.bytes[at..at + len], rand);
                return true;
            }
            len /= 2;
        }
        false
    }

    /// Overwrites just as many bytes as there are in `source`.
    fn write(&mut self, source: &[u8], rand: &mut impl Rand) -> bool {
        let at = Some(source.len()).filter(|len| *len > 0);
        let Some(at) = at.and_then(|len| self.mask.choose(Change::Overwrite, len, rand)) else {
            return false;
        };
        self.bytes[at..at + source.len()].copy_from_slice(source);
        true
    }

    /// A block of the input is written over another one.
    fn copy(&mut self, rand: &mut impl Rand) -> bool {
        let piece = piece(self.bytes, rand).to_vec();
        self.write(&piece, rand)
    }

    fn add(&mut self, rand: &mut impl Rand) -> bool {
        const MOST: usize = 35;
        let step = 1 + rand.below_or_zero(MOST) as i64;
        let step = if rand.below_or_zero(2) == 0 { step } else { -step };
        self.number(rand, |old, _| old.wrapping_add(step))
    }

    /// Changes a number of one, two or four bytes in either order.
    fn number<R: Rand>(&mut self, rand: &mut R, f: impl FnOnce(i64, &mut R) -> i64) -> bool {
        let len = 1 << rand.below_or_zero(3);
        let big = rand.below_or_zero(2) == 0;
        self.overwrite(len, rand, |bytes, rand| {
            if big {
                bytes.reverse();
            }
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            let new = f(i64::from_le_bytes(wide), rand).to_le_bytes();
            let n = bytes.len();
            bytes.copy_from_slice(&new[..n]);
            if big {
                bytes.reverse();
            }
        })
    }

    fn delete(&mut self, len: usize, rand: &mut impl Rand) -> bool {
        let mut len = len;
        while len > 0 {
            if let Some(at) = self.mask.choose(Change::Delete, len, rand) {
                self.bytes.drain(at..at + len);
                self.mask.delete(at, len);
                return true;
            }
            len /= 2;
        }
        false
    }

    fn insert(&mut self, source: &[u8], rand: &mut impl Rand) -> bool {
        let room = self.max_len.saturating_sub(self.bytes.len());
        let source = &source[..source.len().min(room)];
        if source.is_empty() {
            return false;
        }
        let Some(at) = self.mask.choose(Change::Insert, 1, rand) else { return false };
        self.bytes.splice(at..at, source.iter().copied());
        self.mask.insert(at, source.len());
        true
    }
}

/// A length for a block: short ones often, long ones sometimes.
fn block(rand: &mut impl Rand, most: usize) -> usize {
    let limit = match rand.below_or_zero(8) {
        0 => 1500,
        1 | 2 => 256,
        _ => 32,
    };
    if most == 0 { 0 } else { 1 + rand.below_or_zero(limit.min(most)) }
}

/// Some bytes of an input.
fn piece<'a>(source: &'a [u8], rand: &mut impl Rand) -> &'a [u8] {
    let len = block(rand, source.len());
    let at = rand.below_or_zero(source.len() - len + 1);
    &source[at..at + len]
}

fn token<'a>(stock: Stock<'a>, rand: &mut impl Rand) -> Option<&'a [u8]> {
    stock.tokens.get(rand.below_or_zero(stock.tokens.len())).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use libafl_bolts::rands::StdRand;
    use proptest::prelude::*;

    use super::*;

    fn closed_bytes(bytes: &[u8], mask: &Mask) -> Vec<u8> {
        let closed =
            |at: &usize| !mask.allows(Change::Overwrite, *at, 1) && !mask.allows(Change::Delete, *at, 1);
        (0..bytes.len()).filter(closed).map(|at| bytes[at]).collect()
    }

    /// Whether a stretch in which nothing may be done at all is somewhere in the bytes.
    fn has(bytes: &[u8], stretch: &[u8]) -> bool {
        stretch.is_empty() || bytes.windows(stretch.len()).any(|window| window == stretch)
    }

    proptest! {
        /// However many are stacked: what may not be touched is there, in order and in one piece, within the limit.
        #[test]
        fn never_touches_what_the_mask_forbids(
            seed: u64,
            before in prop::collection::vec(any::<u8>(), 1..120),
            closed in (0..120usize, 0..120usize),
            flags in prop::collection::vec(0..8u8, 121),
            tokens in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..20), 0..4),
            other in prop::collection::vec(any::<u8>(), 0..60),
            room in 0..100usize,
        ) {
            let mut mask = Mask::closed(before.len());
            let closed = closed.0.min(closed.1)..closed.0.max(closed.1).min(before.len());
            for (at, flags) in flags.iter().enumerate().take(before.len() + 1) {
                for change in Change::ALL {
                    // A stretch is closed when nothing may come between its bytes either.
                    if flags & change as u8 != 0 && !closed.contains(&at) {
                        mask.allow(change, at..at + 1);
                    }
                }
            }
            let kept = closed_bytes(&before, &mask);
            let stretch = before.get(closed).unwrap_or_default().to_vec();
            let (mut bytes, max_len) = (before.clone(), before.len() + room);
            let mut rand = StdRand::with_seed(seed);
            let mut draft = Draft { bytes: &mut bytes, mask: &mut mask, max_len };
            for _ in 0..128 {
                draft.mutate(Stock { tokens: &tokens, other: &other }, &mut rand);
            }
            prop_assert!(bytes.len() <= max_len);
            prop_assert_eq!(closed_bytes(&bytes, &mask), kept);
            prop_assert!(has(&bytes, &stretch));
        }
    }

    #[test]
    fn everything_changes_where_everything_may() {
        let before = vec![b'x'; 64];
        let mut rand = StdRand::with_seed(5);
        let stock = Stock { tokens: &[b"token".to_vec()], other: b"something else" };
        let (mut longer, mut shorter, mut tokens, mut others) = (0, 0, 0, 0);
        for _ in 0..2000 {
            let (mut bytes, mut mask) = (before.clone(), Mask::open(64));
            Draft { bytes: &mut bytes, mask: &mut mask, max_len: 200 }.mutate(stock, &mut rand);
            longer += usize::from(bytes.len() > 64);
            shorter += usize::from(bytes.len() < 64);
            tokens += usize::from(has(&bytes, b"token"));
            others += usize::from(has(&bytes, b"some"));
        }
        assert!(longer > 200 && shorter > 100 && tokens > 50 && others > 20);
    }

    #[test]
    fn nothing_changes_where_nothing_may() {
        let (mut bytes, mut mask) = (b"fixed".to_vec(), Mask::closed(5));
        let mut draft = Draft { bytes: &mut bytes, mask: &mut mask, max_len: 100 };
        let stock = Stock { tokens: &[], other: b"x" };
        assert!(!(0..500).any(|_| draft.mutate(stock, &mut StdRand::with_seed(2))));
        assert_eq!(bytes, b"fixed");
    }
}
