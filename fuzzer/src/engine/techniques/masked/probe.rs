//! Finds the mask of an input by trial (algorithm 6), not byte by byte but for whole stretches at once, and for halves of
//! those that cannot be changed: most bytes of a long input do not matter, so this takes far fewer runs.
use std::{collections::VecDeque, ops::Range};

use libafl_bolts::rands::Rand;

use super::mask::{Change, Mask};

/// So many runs may be spent on each of the three kinds of change. What is not known then may not be changed.
const MOST_TRIALS: usize = 192;

/// The mask of `input`: where it may be changed so that `holds` still says yes. Also, how often that was.
pub fn mask<E>(
    input: &[u8],
    max_len: usize,
    rand: &mut impl Rand,
    mut holds: impl FnMut(&[u8]) -> Result<bool, E>,
) -> Result<(Mask, usize), E> {
    let mut mask = Mask::closed(input.len());
    let mut kept = 0;
    for change in Change::ALL {
        let n = input.len() + usize::from(change == Change::Insert);
        let mut todo = VecDeque::new();
        todo.push_back(0..n);
        let mut left = MOST_TRIALS;
        while let Some(range) = todo.pop_front().filter(|_| left > 0) {
            if range.is_empty() {
                continue;
            }
            let mut free = true;
            // Another value may do where its opposite did not, so what is to be overwritten by anything is tried twice.
            for round in 0..if change == Change::Overwrite { 2 } else { 1 } {
                let Some(tried) = changed(input, change, &range, round, max_len, rand) else {
                    free = false;
                    break;
                };
                left = left.saturating_sub(1);
                free = holds(&tried)?;
                kept += usize::from(free);
                if !free {
                    break;
                }
            }
            if free {
                mask.allow(change, range);
            } else if range.len() > 1 {
                let middle = range.start + range.len() / 2;
                todo.extend([range.start..middle, middle..range.end]);
            }
        }
    }
    Ok((mask, kept))
}

/// The input with all bytes of a stretch changed: overwritten by their opposite, or by anything in a second round; gone;
/// with one more before each. `None` if it became too long.
fn changed(
    input: &[u8],
    change: Change,
    range: &Range<usize>,
    round: usize,
    max_len: usize,
    rand: &mut impl Rand,
) -> Option<Vec<u8>> {
    let mut tried = input.to_vec();
    match change {
        Change::Overwrite => {
            for byte in &mut tried[range.clone()] {
                *byte = if round == 0 { *byte ^ 0xff } else { rand.next() as u8 };
            }
        }
        Change::Delete => drop(tried.drain(range.clone())),
        Change::Insert => {
            let pairs = range.clone().flat_map(|at| [Some(rand.next() as u8), input.get(at).copied()]);
            let pairs: Vec<u8> = pairs.flatten().collect();
            tried.splice(range.start..range.end.min(input.len()), pairs);
        }
    }
    (tried.len() <= max_len).then_some(tried)
}

/// A shorter input for which `holds` still says yes: blocks are left out, large ones first, within so many runs.
pub fn trim<E>(
    input: &[u8],
    trials: usize,
    mut holds: impl FnMut(&[u8]) -> Result<bool, E>,
) -> Result<Vec<u8>, E> {
    const SMALLEST: usize = 4;
    let mut short = input.to_vec();
    let mut left = trials;
    let mut size = input.len() / 2;
    while size >= SMALLEST {
        // From the end, since what comes later depends on what comes earlier more often than the other way round.
        let mut end = short.len();
        while end > 0 && left > 0 {
            let start = end.saturating_sub(size);
            let mut tried = short.clone();
            tried.drain(start..end);
            left -= 1;
            if holds(&tried)? {
                short = tried;
            }
            end = start.min(short.len());
        }
        size /= 2;
    }
    Ok(short)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use libafl_bolts::rands::StdRand;
    use proptest::prelude::*;

    use super::*;

    /// A target that is hit by inputs which begin with the magic, whatever follows.
    fn begins(magic: &'static [u8]) -> impl Fn(&[u8]) -> Result<bool, Infallible> {
        move |input| Ok(input.starts_with(magic))
    }

    #[test]
    fn what_matters_is_closed_and_the_rest_is_open() {
        let input: Vec<u8> = b"<!ATTLIST".iter().copied().chain(b'a'..=b'z').chain(vec![7; 900]).collect();
        let mut runs = 0;
        let holds = |input: &[u8]| {
            runs += 1;
            begins(b"<!ATTLIST")(input)
        };
        let Ok((mask, kept)) = mask(&input, 4096, &mut StdRand::with_seed(1), holds);
        assert!((4..200).contains(&runs) && kept > 3, "{runs} runs, {kept} kept it");
        for at in 0..input.len() {
            for change in [Change::Overwrite, Change::Delete] {
                assert_eq!(mask.allows(change, at, 1), at >= 9, "{change:?} at {at}");
            }
            assert_eq!(mask.allows(Change::Insert, at, 1), at >= 9, "insert at {at}");
        }
        assert!(mask.allows(Change::Insert, input.len(), 1));
    }

    #[test]
    fn nothing_is_open_where_nothing_helps() {
        let input = b"just this".to_vec();
        let only = |tried: &[u8]| Ok::<_, Infallible>(tried == input);
        let Ok((mask, kept)) = mask(&input, 100, &mut StdRand::with_seed(1), only);
        assert!(kept == 0 && !mask.allows_anything());
    }

    #[test]
    fn trimming_keeps_what_matters() {
        let input: Vec<u8> = b"MAGIC".iter().copied().chain(vec![1; 500]).collect();
        let Ok(short) = trim(&input, 64, begins(b"MAGIC"));
        assert!(short.starts_with(b"MAGIC") && short.len() < 16, "{} bytes", short.len());
    }

    proptest! {
        /// Whatever the target: what is tried is never too long, and what the mask allows was seen to hold.
        #[test]
        fn trials_keep_to_the_limit(
            seed: u64,
            input in prop::collection::vec(any::<u8>(), 0..200),
            room in 0..50usize,
            wanted: u8,
        ) {
            let max_len = input.len() + room;
            let mut longest = 0;
            let holds = |tried: &[u8]| {
                longest = longest.max(tried.len());
                Ok::<_, Infallible>(tried.contains(&wanted))
            };
            let Ok((mask, kept)) = mask(&input, max_len, &mut StdRand::with_seed(seed), holds);
            prop_assert!(longest <= max_len);
            prop_assert!(kept > 0 || !mask.allows_anything());
            let has = |tried: &[u8]| Ok::<_, Infallible>(tried.contains(&wanted));
            let Ok(short) = trim(&input, 64, has);
            prop_assert!(short.len() <= input.len());
            prop_assert_eq!(short.contains(&wanted), input.contains(&wanted));
        }
    }
}
