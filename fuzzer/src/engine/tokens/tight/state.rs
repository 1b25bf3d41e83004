//! A state of a reader that takes byte after byte: which of them are read otherwise than most.
use std::{collections::BTreeSet, rc::Rc};

use super::super::Counts;

/// What is only looked at reaches so little more than any other byte: the place where it is compared, and the way back.
const LITTLE: usize = 2;
/// So many bytes in order that are read alike are a class.
const CLASS: usize = 5;
/// Ordinary bytes that are taken before others.
const PLAIN: &[u8] = b"qxzjk";

/// The counters that a run reached, in order.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Edges(Vec<u32>);

impl Edges {
    pub fn of(run: &Counts) -> Self {
        Self(run.iter().map(|(key, _)| *key).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn has(&self, key: u32) -> bool {
        self.0.binary_search(&key).is_ok()
    }

    /// How many of these another run did not reach.
    pub fn beyond(&self, other: &Self) -> usize {
        self.0.iter().filter(|key| !other.has(**key)).count()
    }

    /// In how many two runs differ.
    pub fn apart(&self, other: &Self) -> usize {
        self.beyond(other) + other.beyond(self)
    }

    /// How many of these none of the other runs reached.
    pub fn only(&self, others: &[Rc<Self>]) -> usize {
        self.0.iter().filter(|key| others.iter().all(|other| !other.has(**key))).count()
    }
}

/// The bytes that are tried.
pub fn bytes() -> impl Iterator<Item = u8> {
    (b' '..=b'~').chain([b'\n'])
}

/// What each next byte does.
#[derive(Debug)]
pub struct State {
    /// One of those that are read as most are.
    pub ordinary: u8,
    /// Those that are not read as most are.
    pub told: BTreeSet<u8>,
    /// Those of them that are more than looked at.
    pub special: BTreeSet<u8>,
    /// Those that many others are read like: a class, as of digits.
    pub classes: BTreeSet<u8>,
}

fn share(first: &BTreeSet<u8>, second: &BTreeSet<u8>) -> f64 {
    let all = first.union(second).count();
    if all == 0 { 1. } else { first.intersection(second).count() as f64 / all as f64 }
}

impl State {
    pub fn new(runs: &[(u8, Rc<Edges>)]) -> Self {
        let alike = |run: &Edges| runs.iter().filter(|(_, other)| **other == *run).count();
        // The first one of those that most are like.
        let mut most = (0, &runs[0].1);
        for (_, run) in runs {
            let many = alike(run);
            if many > most.0 {
                most = (many, run);
            }
        }
        let base = most.1;
        let is_ordinary = |byte: u8| runs.iter().any(|(own, run)| *own == byte && run == base);
        let first = runs.iter().find(|(_, run)| run == base).map_or(0, |(byte, _)| *byte);
        let ordinary = PLAIN.iter().copied().find(|byte| is_ordinary(*byte)).unwrap_or(first);
        let told = runs.iter().filter(|(_, run)| run != base);
        let is_special = |run: &Edges| run.beyond(base) > LITTLE || 4 * base.beyond(run) > base.len();
        let is_alike =
            |n: usize, run: &Edges| runs.get(n).is_some_and(|(_, other)| run.apart(other) <= LITTLE);
        let in_order = |n: usize, run: &Edges| {
            let behind = (n + 1..runs.len()).take_while(|n| is_alike(*n, run)).count();
            behind + (0..n).rev().take_while(|n| is_alike(*n, run)).count() + 1
        };
        let classes = runs.iter().enumerate();
        let classes = classes.filter(|(n, (_, run))| is_special(run) && in_order(*n, run) >= CLASS);
        let classes = classes.map(|(_, (byte, _))| *byte);
        Self {
            ordinary,
            told: told.clone().map(|(byte, _)| *byte).collect(),
            classes: classes.collect(),
            special: told.filter(|(_, run)| is_special(run)).map(|(byte, _)| *byte).collect(),
        }
    }

    /// How much alike two states are, from 0 to 1.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.special.is_empty() || other.special.is_empty() {
            return share(&self.special, &other.special).min(share(&self.told, &other.told));
        }
        share(&self.special, &other.special)
    }

    /// How much alike the signs of two states are.
    pub fn likeness_of_signs(&self, other: &Self) -> f64 {
        let signs = |state: &Self| {
            let known = state.special.difference(&state.classes);
            known.copied().filter(u8::is_ascii_punctuation).collect::<BTreeSet<u8>>()
        };
        let (own, others) = (signs(self), signs(other));
        if own.is_empty() && others.is_empty() {
            return share(&self.special, &other.special);
        }
        share(&own, &others)
    }

    /// What part of the bytes that another state tells apart is told apart here too.
    pub fn tells(&self, other: &Self) -> f64 {
        share(&self.told.intersection(&other.told).copied().collect(), &other.told)
    }

    /// What part of another state's special bytes are special here too; where none are, how much alike the two are.
    pub fn returns_to(&self, other: &Self) -> f64 {
        if other.special.is_empty() {
            return self.likeness(other);
        }
        share(&self.special.intersection(&other.special).copied().collect(), &other.special)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(special: &[u8], looked_at: &[u8]) -> State {
        let run = |byte: u8| match byte {
            _ if special.contains(&byte) => vec![1, 2, 10 + u32::from(byte), 200, 300],
            _ if looked_at.contains(&byte) => vec![1, 2, 10 + u32::from(byte)],
            _ => vec![1, 2],
        };
        State::new(&bytes().map(|byte| (byte, Rc::new(Edges(run(byte))))).collect::<Vec<_>>())
    }

    #[test]
    fn what_most_bytes_do_is_ordinary() {
        let state = state(b"\\[", b"q&");
        assert_eq!(state.ordinary, b'x');
        assert_eq!(state.told, b"\\[q&".iter().copied().collect());
        assert_eq!(state.special, b"\\[".iter().copied().collect());
    }

    #[test]
    fn states_are_alike_if_the_same_bytes_are_special() {
        let (first, second) = (state(b"\\[(", b""), state(b"\\[(:", b""));
        assert!(first.likeness(&second) > 0.7 && second.returns_to(&first) > 0.9);
        assert!(state(b"]", b"&").likeness(&first) < 0.1);
    }

    #[test]
    fn edges_are_sets() {
        let (first, second) = (Edges(vec![1, 3, 5]), Edges(vec![3, 4]));
        assert_eq!((first.beyond(&second), first.apart(&second)), (2, 3));
        assert_eq!(first.only(&[Rc::new(second), Rc::new(Edges(vec![5]))]), 1);
    }
}
