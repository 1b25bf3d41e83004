//! The pass over the counters after every run: is any count in a bucket that its key has not seen?
//!
//! Functions whose entry counter is 0 are skipped whole. The rest is looked at eight counters at a time, with
//! the vector instructions that the machine has.
use multiversion::multiversion;

/// The counters of one function, as a range of indices. The first one counts entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

const LANES: usize = 8;

/// What the pass found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scanned {
    /// Some counter has a bucket that it has not seen.
    pub is_new: bool,
    /// How many edges were taken, each time counted.
    pub length: u64,
}

/// Whether some counter has a bucket that is not in `seen`, and the sum of all counters. Fills `entered` with the spans of
/// the functions that ran, in order, adjoining ones joined: what must be reset before the next run.
///
/// `functions` must be sorted, disjoint and within `counters`; `seen` is as long as `counters`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt", "x86_64+sse4.2+popcnt", "aarch64+neon"))]
pub fn scan(counters: &[u32], seen: &[u8], functions: &[Span], entered: &mut Vec<Span>) -> Scanned {
    entered.clear();
    let mut new = 0u8;
    let mut lengths = [0u64; LANES];
    // Everything below this index has been looked at: a group of lanes may reach into the next function.
    let mut done = 0usize;
    for function in functions {
        let (start, end) = (function.start as usize, function.end as usize);
        if counters[start] == 0 {
            continue;
        }
        match entered.last_mut() {
            Some(last) if last.end == function.start => last.end = function.end,
            _ => entered.push(*function),
        }
        let mut at = start.max(done);
        while at < end {
            let group = counters.get(at..at + LANES).zip(seen.get(at..at + LANES));
            let Some((counts, seen)) = group else {
                // The last few, in lanes of their own.
                let (mut last, mut last_seen) = ([0; LANES], [0; LANES]);
                for (lane, (count, seen)) in counters[at..].iter().zip(&seen[at..]).enumerate().take(LANES) {
                    (last[lane], last_seen[lane]) = (*count, *seen);
                }
                new |= has_new(&last, &last_seen);
                add(&mut lengths, &last);
                at = counters.len();
                break;
            };
            new |= has_new(counts, seen);
            add(&mut lengths, counts);
            at += LANES;
        }
        done = at;
    }
    Scanned { is_new: new != 0, length: lengths.iter().sum() }
}

#[inline(always)]
fn add(lengths: &mut [u64; LANES], counts: &[u32]) {
    for lane in 0..LANES {
        lengths[lane] += u64::from(counts[lane]);
    }
}

/// Whether some lane has a bucket that it has not seen, as 1 or 0.
#[inline(always)]
fn has_new(counts: &[u32], seen: &[u8]) -> u8 {
    let mut lanes = [0u8; LANES];
    for lane in 0..LANES {
        lanes[lane] = bucket(counts[lane]) & !seen[lane];
    }
    u8::from(u64::from_ne_bytes(lanes) != 0)
}

/// The bucket of a count as one bit, as `waypoint_domains::bucket` has it, without a branch.
#[inline(always)]
pub fn bucket(count: u32) -> u8 {
    let above = |bound: u32| u32::from(count >= bound);
    let index = above(2) + above(3) + above(4) + above(8) + above(16) + above(32) + above(128);
    ((1u32 << index) & above(1).wrapping_neg()) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn buckets_are_those_of_the_domain() {
        for count in (0..1000).chain([u32::MAX - 1, u32::MAX, 1 << 31]) {
            assert_eq!(u64::from(bucket(count)), waypoint_domains::bucket(count.into()), "{count}");
        }
    }

    proptest! {
        /// Against the plain definition, on functions of any size, with counters that the skipped ones leave 0.
        #[test]
        fn agrees_with_the_plain_definition(
            sizes in prop::collection::vec(1..40usize, 1..12),
            counts in prop::collection::vec(prop_oneof![3 => Just(0u32), 2 => 1..300u32], 500),
            seen in prop::collection::vec(prop_oneof![Just(0u8), Just(0xff), any::<u8>()], 500),
        ) {
            let mut functions = Vec::new();
            let mut counters = Vec::new();
            for size in sizes {
                let start = counters.len();
                counters.extend_from_slice(&counts[start..start + size]);
                if counters[start] == 0 {
                    counters[start..].fill(0);
                }
                functions.push(Span { start: start as u32, end: counters.len() as u32 });
            }
            let seen = &seen[..counters.len()];
            let expected = counters.iter().zip(seen).any(|(count, seen)| bucket(*count) & !seen != 0);
            let mut entered = Vec::new();
            let length = counters.iter().copied().map(u64::from).sum();
            prop_assert_eq!(scan(&counters, seen, &functions, &mut entered), Scanned { is_new: expected, length });

            for span in &entered {
                counters[span.start as usize..span.end as usize].fill(0);
            }
            prop_assert!(counters.iter().all(|count| *count == 0), "not everything would be reset");
        }
    }
}
