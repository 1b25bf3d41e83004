//! The choice of few, cheap inputs that together reach all that all of them reach.
use std::{cmp::Ordering, collections::BinaryHeap, collections::HashMap};

/// An input that may be chosen.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What it costs to have it.
    pub cost: u64,
    /// What it reaches, each once.
    pub reached: Vec<u64>,
}

/// How much an input would add, for its cost; the larger the better.
#[derive(Debug, PartialEq, Eq)]
struct Offer {
    gain: u64,
    cost: u64,
    index: usize,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let (ours, theirs) =
            (u128::from(self.gain) * u128::from(other.cost), u128::from(other.gain) * u128::from(self.cost));
        ours.cmp(&theirs).then(other.cost.cmp(&self.cost)).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The numbers of the chosen, in order. None of them could be left out.
pub fn cover(candidates: &[Candidate]) -> Vec<usize> {
    // How many of the chosen reach each key.
    let mut reached: HashMap<u64, u32> = HashMap::new();
    let mut chosen = Vec::new();
    let offer = |index: usize, reached: &HashMap<u64, u32>| {
        let candidate = &candidates[index];
        let gain = candidate.reached.iter().filter(|key| !reached.contains_key(key)).count() as u64;
        Offer { gain, cost: candidate.cost.max(1), index }
    };
    let mut offers: BinaryHeap<Offer> = (0..candidates.len()).map(|index| offer(index, &reached)).collect();
    while let Some(best) = offers.pop() {
        // What an input would add only shrinks, so the best of yesterday is only to be compared with its own today.
        let today = offer(best.index, &reached);
        if today.gain == 0 {
            continue;
        }
        if offers.peek().is_some_and(|next| *next > today) {
            offers.push(today);
            continue;
        }
        chosen.push(best.index);
        for key in &candidates[best.index].reached {
            *reached.entry(*key).or_insert(0) += 1;
        }
    }
    // Later choices may have made earlier ones superfluous; the dearest go first.
    chosen.sort_by_key(|index| (std::cmp::Reverse(candidates[*index].cost), *index));
    chosen.retain(|index| {
        let keys = &candidates[*index].reached;
        let superfluous = keys.iter().all(|key| reached.get(key).is_some_and(|count| *count > 1));
        if superfluous {
            keys.iter().for_each(|key| {
                reached.entry(*key).and_modify(|count| *count -= 1);
            });
        }
        !superfluous
    });
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn reached<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> BTreeSet<u64> {
        candidates.flat_map(|candidate| candidate.reached.iter().copied()).collect()
    }

    #[test]
    fn prefers_what_is_cheap_for_what_it_adds() {
        let candidate = |cost, reached: &[u64]| Candidate { cost, reached: reached.to_vec() };
        let all =
            [candidate(10, &[1]), candidate(10, &[2]), candidate(15, &[1, 2]), candidate(90, &[1, 2, 3])];
        assert_eq!(cover(&all[..3]), [2]);
        assert_eq!(cover(&all), [3], "what is needed anyway makes the others superfluous");
        assert_eq!(cover(&[candidate(5, &[]), candidate(0, &[7])]), [1]);
        assert_eq!(cover(&[]), [0usize; 0]);
    }

    proptest! {
        #[test]
        fn reaches_everything_and_none_can_be_left_out(
            sets in prop::collection::vec((0..50u64, prop::collection::btree_set(0..40u64, 0..12)), 0..25),
        ) {
            let of = |(cost, keys): (u64, BTreeSet<u64>)| Candidate { cost, reached: keys.into_iter().collect() };
            let candidates: Vec<Candidate> = sets.into_iter().map(of).collect();
            let chosen = cover(&candidates);
            let all = reached(candidates.iter());
            prop_assert_eq!(reached(chosen.iter().map(|index| &candidates[*index])), all.clone());
            for without in &chosen {
                let rest = chosen.iter().filter(|index| *index != without).map(|index| &candidates[*index]);
                prop_assert_ne!(reached(rest), all.clone());
            }
        }
    }
}
