//! How many runs hit each counter, which tells the rare ones: every kept input counts once, and of all runs one in so many
//! counts for those between.
use multiversion::multiversion;

use super::Counters;

/// One in so many runs is looked at and stands for all of them, so that counting costs next to nothing. A rare counter is
/// one that hardly any of these hit.
pub const EVERY: u32 = 64;

/// A counter that is rare and cannot be aimed at: it counts as one that is hit all the time.
const HOPELESS: u32 = u32::MAX;

impl Counters {
    /// Counts the last run for every counter that it reached.
    pub fn count_hits(&self, weight: u32) {
        for part in &self.parts {
            let counters = part.object.counters();
            for span in &part.entered {
                let range = span.start as usize..span.end as usize;
                let hits = self.aggregates.hits(part.base + range.start, range.len());
                add(hits, &counters[range], weight);
            }
        }
    }

    /// The fewest hits that a counter has which was hit at all.
    pub fn fewest_hits(&self) -> Option<u32> {
        let all = self.parts.iter().flat_map(|part| {
            let n = part.object.n_counters();
            let unstable = self.aggregates.unstable(part.base, n);
            self.aggregates.hits(part.base, n).iter().zip(unstable).filter(|(_, unstable)| **unstable == 0)
        });
        all.map(|(hits, _)| *hits).filter(|hits| *hits > 0).min()
    }

    /// Calls `f` with every steady counter that the last run reached and its hits.
    pub fn for_each_hit(&self, mut f: impl FnMut(usize, u32)) {
        for part in &self.parts {
            let counters = part.object.counters();
            let hits = self.aggregates.hits(part.base, counters.len());
            let unstable = self.aggregates.unstable(part.base, counters.len());
            for key in part.entered.iter().flat_map(|span| span.start as usize..span.end as usize) {
                if counters[key] != 0 && unstable[key] == 0 {
                    f(part.base + key, hits[key]);
                }
            }
        }
    }

    /// Whether the last run reached this counter.
    pub fn is_hit(&self, key: usize) -> bool {
        self.parts.iter().any(|part| {
            let index = key.checked_sub(part.base).filter(|index| *index < part.object.n_counters());
            index.is_some_and(|index| part.object.counters()[index] != 0)
        })
    }

    /// This counter is not to be called rare any more.
    pub fn give_up(&self, key: usize) {
        self.aggregates.hits(key, 1)[0] = HOPELESS;
    }
}

/// Adds `weight` to the hits of every counter that is not 0, as far as it goes; without a branch, so that it can be done to
/// several at once.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt", "x86_64+sse4.2+popcnt", "aarch64+neon"))]
fn add(hits: &mut [u32], counts: &[u32], weight: u32) {
    for (hits, count) in hits.iter_mut().zip(counts) {
        let more = u32::from(*count != 0).wrapping_neg() & weight;
        let sum = hits.wrapping_add(more);
        *hits = sum | u32::from(sum < more).wrapping_neg();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn adds_where_something_was_counted_and_never_overflows(
            counters in prop::collection::vec((prop_oneof![0..9u32, (u32::MAX - 9)..=u32::MAX], 0..3u32), 0..70),
            weight in prop_oneof![Just(1u32), Just(EVERY), Just(u32::MAX)],
        ) {
            let (mut hits, counts): (Vec<u32>, Vec<u32>) = counters.iter().copied().unzip();
            add(&mut hits, &counts, weight);
            for ((before, count), after) in counters.into_iter().zip(hits) {
                prop_assert_eq!(after, if count == 0 { before } else { before.saturating_add(weight) });
            }
        }
    }
}
