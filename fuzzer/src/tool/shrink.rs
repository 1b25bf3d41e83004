//! The search for a smaller input: which one to try next, given how the last one did. It runs nothing itself.
//!
//! First blocks are left out, from large to small; then single bytes, until no single one can be; then bytes are
//! made simpler, and if that helped, single bytes are left out again.
use crate::structure::{Language, shrink::TreeSearch};

/// First the parts of a tree, where the input has one, then bytes.
#[derive(Debug)]
pub struct Shrink {
    trees: Option<TreeSearch>,
    bytes: Search,
    /// Candidates that were trees.
    calls: u64,
}

impl Shrink {
    /// Starts from `input`.
    pub fn new(language: Option<&'static Language>, input: &[u8]) -> Self {
        let trees = language.and_then(|language| TreeSearch::new(language, input));
        let mut shrink = Self { trees, bytes: Search::new(input.to_vec()), calls: 0 };
        shrink.settle();
        shrink
    }

    /// The smallest input so far.
    pub fn best(&self) -> &[u8] {
        self.trees.as_ref().map_or_else(|| self.bytes.best(), TreeSearch::best)
    }

    /// How many candidates have been answered.
    pub fn calls(&self) -> u64 {
        self.calls + self.trees.as_ref().map_or_else(|| self.bytes.calls(), TreeSearch::calls)
    }

    /// What to try next; nothing when the search is over.
    pub fn candidate(&self) -> Option<Vec<u8>> {
        match &self.trees {
            Some(trees) => trees.candidate().map(<[u8]>::to_vec),
            None => self.bytes.candidate(),
        }
    }

    /// Whether the candidate is still what the original was.
    pub fn answer(&mut self, keeps: bool) {
        match &mut self.trees {
            Some(trees) => trees.answer(keeps),
            None => self.bytes.answer(keeps),
        }
        self.settle();
    }

    /// Goes on to bytes when there is nothing left to try with trees.
    fn settle(&mut self) {
        if let Some(trees) = self.trees.take_if(|trees| trees.candidate().is_none()) {
            self.calls = trees.calls();
            self.bytes = Search::new(trees.best().to_vec());
        }
    }
}

/// What a byte is made into, simplest first.
const SIMPLE: [u8; 3] = [b'0', b' ', 0];

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Leave out `block` bytes from `at` on.
    Blocks { block: usize, at: usize },
    /// Leave out the byte `at`, round and round until as many attempts failed in a row as there are bytes.
    Bytes { at: usize, failed: usize, simplify_next: bool },
    /// Make the byte `at` into the simple byte of this number.
    Simplify { at: usize, choice: usize, changed: bool },
    /// Nothing left to try.
    Done,
}

/// The smallest input so far and what to try next.
#[derive(Debug, Clone)]
pub struct Search {
    best: Vec<u8>,
    step: Step,
    calls: u64,
}

impl Search {
    /// Starts from `input`.
    pub fn new(input: Vec<u8>) -> Self {
        let block = input.len().next_power_of_two();
        let mut search = Self { best: input, step: Step::Blocks { block, at: 0 }, calls: 0 };
        search.settle();
        search
    }

    /// The smallest input so far.
    pub fn best(&self) -> &[u8] {
        &self.best
    }

    /// How many candidates have been answered.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// What to try next; nothing when the search is over.
    pub fn candidate(&self) -> Option<Vec<u8>> {
        let mut candidate = self.best.clone();
        match self.step {
            Step::Blocks { block, at } => drop(candidate.drain(at..(at + block).min(self.best.len()))),
            Step::Bytes { at, .. } => drop(candidate.remove(at)),
            Step::Simplify { at, choice, .. } => candidate[at] = SIMPLE[choice],
            Step::Done => return None,
        }
        Some(candidate)
    }

    /// Whether the candidate is still what the original was.
    pub fn answer(&mut self, keeps: bool) {
        if keeps && let Some(candidate) = self.candidate() {
            self.best = candidate;
        }
        self.calls += 1;
        match &mut self.step {
            Step::Blocks { .. } | Step::Done if keeps => {}
            Step::Blocks { block, at } => *at += *block,
            Step::Bytes { failed, simplify_next, .. } if keeps => (*failed, *simplify_next) = (0, true),
            Step::Bytes { at, failed, .. } => (*at, *failed) = (*at + 1, *failed + 1),
            Step::Simplify { at, choice, changed } if keeps => (*at, *choice, *changed) = (*at + 1, 0, true),
            Step::Simplify { choice, .. } => *choice += 1,
            Step::Done => {}
        }
        self.settle();
    }

    /// Goes on to a step that has a candidate.
    fn settle(&mut self) {
        let len = self.best.len();
        loop {
            self.step = match self.step {
                Step::Blocks { block, at } if at >= len && block > 2 => {
                    Step::Blocks { block: block / 2, at: 0 }
                }
                Step::Blocks { at, .. } if at >= len => Step::Bytes { at: 0, failed: 0, simplify_next: true },
                Step::Bytes { failed, simplify_next, .. } if failed >= len => {
                    if simplify_next {
                        Step::Simplify { at: 0, choice: 0, changed: false }
                    } else {
                        Step::Done
                    }
                }
                Step::Bytes { at, failed, simplify_next } if at >= len => {
                    Step::Bytes { at: 0, failed, simplify_next }
                }
                Step::Simplify { at, changed, .. } if at >= len => {
                    if changed {
                        Step::Bytes { at: 0, failed: 0, simplify_next: false }
                    } else {
                        Step::Done
                    }
                }
                Step::Simplify { at, choice, changed } if choice >= simplicity(self.best[at]) => {
                    Step::Simplify { at: at + 1, choice: 0, changed }
                }
                _ => return,
            };
        }
    }
}

/// How many bytes are simpler than this one.
fn simplicity(byte: u8) -> usize {
    SIMPLE.iter().position(|simple| *simple == byte).unwrap_or(SIMPLE.len())
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use proptest::prelude::*;

    use super::*;

    /// Searches to the end.
    fn shrink(input: &[u8], keeps: impl Fn(&[u8]) -> bool) -> Search {
        let mut search = Search::new(input.to_vec());
        while let Some(candidate) = search.candidate() {
            search.answer(keeps(&candidate));
        }
        search
    }

    fn without(input: &[u8], at: usize) -> Vec<u8> {
        [&input[..at], &input[at + 1..]].concat()
    }

    /// Holds of the original, and of others as if by chance: the worst a target can do to the search.
    fn by_chance(input: &[u8], one_in: u64, salt: u64) -> impl Fn(&[u8]) -> bool + use<> {
        let original = input.to_vec();
        move |candidate: &[u8]| {
            let mut hasher = DefaultHasher::new();
            (salt, candidate).hash(&mut hasher);
            candidate == original || hasher.finish().is_multiple_of(one_in)
        }
    }

    #[test]
    fn finds_the_needle_and_makes_the_rest_simple() {
        let input = b"some header, a [needle] and a long tail of nothing in particular".repeat(20);
        let search = shrink(&input, |candidate| candidate.windows(6).any(|window| window == b"needle"));
        assert_eq!(search.best(), b"needle");
        assert!(search.calls() < 400, "{} calls", search.calls());
        let search = shrink(b"\xff\xfe\xfd\xfcabc", |candidate| candidate.len() >= 4 && candidate[3] != b'0');
        assert_eq!(search.best(), b"000 ");
        assert_eq!(shrink(b"anything", |_| true).best(), b"");
        assert_eq!(shrink(b"", |_| true).calls(), 0);
        assert_eq!(shrink(b"rigid", |candidate| candidate == b"rigid").best(), b"rigid");
    }

    proptest! {
        #[test]
        fn keeps_the_property_and_is_minimal_after_a_bounded_number_of_calls(
            input in prop::collection::vec(any::<u8>(), 0..60), one_in in 1..40u64, salt: u64,
        ) {
            let keeps = by_chance(&input, one_in, salt);
            let search = shrink(&input, &keeps);
            prop_assert!(keeps(search.best()));
            prop_assert!(search.best().len() <= input.len());
            for at in 0..search.best().len() {
                prop_assert!(!keeps(&without(search.best(), at)), "byte {at} of {:?}", search.best());
            }
            let n = input.len() as u64 + 2;
            prop_assert!(search.calls() <= 6 * n * n, "{} calls for {} bytes", search.calls(), input.len());
        }

        #[test]
        fn every_candidate_is_smaller_or_simpler(
            input in prop::collection::vec(any::<u8>(), 0..40), salt: u64,
        ) {
            let keeps = by_chance(&input, 5, salt);
            let weight = |bytes: &[u8]| (bytes.len(), bytes.iter().map(|byte| simplicity(*byte)).sum::<usize>());
            let mut search = Search::new(input);
            while let Some(candidate) = search.candidate() {
                prop_assert!(weight(&candidate) < weight(search.best()));
                search.answer(keeps(&candidate));
            }
        }

        #[test]
        fn bytes_in_a_row_that_matter_are_what_stays(
            before in prop::collection::vec(any::<u8>(), 0..200),
            needle in prop::collection::vec(any::<u8>(), 1..8),
            after in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let input = [before, needle.clone(), after].concat();
            let found = |candidate: &[u8]| candidate.windows(needle.len()).any(|window| window == needle);
            let search = shrink(&input, found);
            prop_assert_eq!(search.best(), &needle[..]);
        }
    }
}
