//! Sizes: what the target allocates follows some bytes of an input, which shows while it is coloured; they are made large
//! at once, where a domain asks for memory.
//!
//! Random mutations would have to hit the highest byte of a size in the one entry of hundreds that has it. What comes of a
//! size that is larger is for [`Climber`](crate::engine::climb::Climber) to go on with.
use std::{ops::Range, time::Duration};

use libafl::Error;

use super::{AnswerStage, give::Entry, repair::Repair};
use crate::{
    engine::parts::Parts,
    origin::{Op, Origin},
};

/// Sizes have so many bytes at most.
const WIDEST: usize = 4;
/// So many bytes of an entry are taken for parts of sizes: where everything allocates, none of them says much.
const MOST: usize = 64;
/// They are made larger for no longer than this: memory that is filled takes time.
const LONGEST: Duration = Duration::from_millis(100);

/// Which bytes of an entry what is allocated follows, found out by runs that are made anyway.
#[derive(Debug)]
pub struct Sizes {
    /// What the input that is coloured allocates, as far as it is coloured; nothing if nobody asks.
    allocated: Option<u64>,
    found: Vec<usize>,
}

impl Sizes {
    /// Of an input that allocates so much, if somebody asks.
    pub fn new(allocated: Option<u64>) -> Self {
        Self { allocated, found: Vec::new() }
    }

    /// The last run was of the coloured input with other bytes here, and is what is coloured from now on or not.
    pub fn look(&mut self, parts: &Parts<'_>, range: &Range<usize>, is_kept: bool) {
        let Some(allocated) = self.allocated else { return };
        let now = parts.executor.maps().allocated();
        if range.len() == 1
            && now != allocated
            && self.found.len() < MOST
            && !self.found.contains(&range.start)
        {
            self.found.push(range.start);
        }
        if is_kept {
            self.allocated = Some(now);
        }
    }
}

impl AnswerStage {
    /// Makes the sizes of an entry larger.
    pub(super) fn enlarge(
        &mut self,
        parts: &mut Parts<'_>,
        entry: &Entry<'_>,
        sizes: &Sizes,
        repairs: &[Repair],
    ) -> Result<(), Error> {
        let origin = Origin { parent: parts.number_of(entry.id), op: Op::Climb, rep: 1 };
        let patience = self.keeper.patience(LONGEST);
        for at in &sizes.found {
            for larger in larger(entry.plain, *at) {
                if self.limit.ends(self.shared.control) || patience.is_over() {
                    return Ok(());
                }
                if self.consider_mended(parts, &larger, repairs, None, origin)? {
                    self.climber.climb(parts, entry.id)?;
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The input with a large number where this byte may be a part of one, the largest first.
fn larger(plain: &[u8], at: usize) -> Vec<Vec<u8>> {
    let with =
        |range: Range<usize>, bytes: &[u8]| [&plain[..range.start], bytes, &plain[range.end..]].concat();
    if plain[at].is_ascii_hexdigit() {
        let before = plain[..at].iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let behind = plain[at..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let digits = at - before..at + behind;
        if digits.len() > 1 {
            return [b'7', b'9', b'f'].map(|digit| with(digits.clone(), &vec![digit; digits.len()])).to_vec();
        }
    }
    let mut all = Vec::new();
    for width in (1..=WIDEST).rev() {
        // The largest with a sign is the largest that is allowed more often than not.
        let mut number = vec![0xff; width];
        number[0] = if width == WIDEST { 0x7f } else { 0xff };
        if at + 1 >= width {
            all.push(with(at + 1 - width..at + 1, &number));
        }
        number.reverse();
        if width > 1 && at + width <= plain.len() {
            all.push(with(at..at + width, &number));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::larger;

    #[test]
    fn numbers_are_made_large_in_both_byte_orders_and_as_digits() {
        let all = larger(b"\0\0\0\x05\0\0\0\0", 3);
        assert_eq!(all[0], b"\x7f\xff\xff\xff\0\0\0\0");
        assert_eq!(all[1], b"\0\0\0\xff\xff\xff\x7f\0");
        assert_eq!(all.last().unwrap(), b"\0\0\0\xff\0\0\0\0");
        assert_eq!(larger(b"\x05", 0), [b"\xff"]);
        assert_eq!(larger(b"(0012)", 3), [b"(7777)", b"(9999)", b"(ffff)"]);
    }
}
