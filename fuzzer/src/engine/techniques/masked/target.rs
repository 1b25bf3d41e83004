//! What masked mutations hold on to: a rarely hit branch, or the value that an entry has for a key of a domain.
use crate::{engine::run_maps::RunMaps, guidance::Claim};

/// Something that a run has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// It reaches this counter.
    Counter(usize),
    /// It is as good in this key as the value says, by the reducer of the domain.
    Key(Claim),
}

impl Target {
    /// Whether the last run has it.
    pub fn holds(self, maps: &RunMaps) -> bool {
        match self {
            Self::Counter(key) => maps.counters.is_hit(key),
            Self::Key(Claim { domain, key, value }) => {
                let guide = maps.movable().iter().find(|guide| guide.index == domain);
                guide.is_some_and(|guide| guide.is_as_good(guide.value_of(maps.touched(), key), value))
            }
        }
    }

    /// No change of any input keeps it: it is not to be tried for other entries.
    pub fn give_up(self, maps: &RunMaps) {
        if let Self::Counter(key) = self {
            maps.counters.give_up(key);
        }
    }
}

/// The most hits with which a counter is rare: the smallest power of two that is not below the fewest (definition 16).
pub fn cutoff(fewest: u32) -> u32 {
    fewest.checked_next_power_of_two().unwrap_or(u32::MAX)
}

/// The rarest branches that the last run reached (definition 17), if they are rare; all that are equally rare. One that was
/// aimed at so many `times` counts as hit twice as often for each.
pub fn rarest(maps: &RunMaps, cutoff: u32, times: impl Fn(Target) -> u32) -> Vec<Target> {
    let (mut fewest, mut all) = (cutoff, Vec::new());
    maps.counters.for_each_hit(|key, hits| {
        if hits > fewest {
            return;
        }
        let target = Target::Counter(key);
        let hits = hits.saturating_mul(1u32.checked_shl(times(target)).unwrap_or(u32::MAX));
        if hits < fewest {
            all.clear();
            fewest = hits;
        }
        if hits == fewest {
            all.push(target);
        }
    });
    all
}

/// The keys of a domain that an entry holds, by its run, which was the last: those that were aimed at least often.
pub fn held(maps: &RunMaps, domain: usize, entry: usize, times: impl Fn(Target) -> u32) -> Vec<Target> {
    let (mut fewest, mut all) = (u32::MAX, Vec::new());
    if let Some(guide) = maps.movable().iter().find(|guide| guide.index == domain) {
        guide.for_each_held_by(maps.touched(), entry as u32, |key, value| {
            let target = Target::Key(Claim { domain, key, value });
            let times = times(target);
            if times < fewest {
                all.clear();
                fewest = times;
            }
            if times == fewest {
                all.push(target);
            }
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_is_up_to_the_next_power_of_two() {
        assert_eq!([1, 2, 3, 17, 32, 33].map(cutoff), [1, 2, 4, 32, 32, 64]);
        assert_eq!(cutoff(u32::MAX), u32::MAX);
    }
}
