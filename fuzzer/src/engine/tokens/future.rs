//! The future of a phrase: what each test adds to the run when it stands behind.
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use super::{
    Counts, Halt, Learner, Prober,
    phrase::{tests, text, with},
    prober::differences,
};

/// So many tests are chosen for how well they told the last round's states apart, and so many are made at most.
const TELLING: usize = 16;
const MOST: usize = 28;

/// What the tests say behind a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Future {
    answers: Rc<Vec<u64>>,
    /// Nothing behind the phrase is read.
    pub silent: bool,
    /// Almost everything behind the phrase reads the same, as in a comment or a text in quotes.
    pub absorbing: bool,
}

impl Future {
    fn new(answers: Vec<u64>) -> Self {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        answers.iter().for_each(|answer| *counts.entry(*answer).or_default() += 1);
        let most = counts.into_iter().max_by_key(|(answer, count)| (*count, *answer));
        let absorbing = most.is_some_and(|(answer, count)| answer != 0 && count * 4 >= answers.len() * 3);
        Self { silent: answers.iter().all(|answer| *answer == 0), absorbing, answers: answers.into() }
    }

    /// Whether two futures are one, whatever the test with this number says: a name that is known already reads
    /// otherwise.
    pub fn is_like(&self, other: &Self, but: Option<usize>) -> bool {
        let mut pairs = self.answers.iter().zip(other.answers.iter()).enumerate();
        self.answers.len() == other.answers.len() && pairs.all(|(n, (a, b))| a == b || Some(n) == but)
    }
}

/// One number of two.
pub fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What changed from one run to the other, as a number: 0 if nothing did.
pub fn change(first: &Counts, second: &Counts) -> u64 {
    let differences = differences(first, second);
    differences.iter().fold(0, |hash, (key, more)| mix(hash, u64::from(*key) << 1 | u64::from(*more)))
}

impl<P: Prober> Learner<'_, P> {
    /// The future of a phrase.
    pub(super) fn future(&mut self, phrase: &[Vec<u8>]) -> Result<Future, Halt<P::Error>> {
        let bytes = text(phrase);
        if let Some(future) = self.futures.get(&bytes) {
            return Ok(future.clone());
        }
        let base = self.read(&bytes)?;
        let mut answers = Vec::with_capacity(self.tests.len());
        for n in 0..self.tests.len() {
            if n == TELLING && self.is_chosen && answers.iter().all(|answer| *answer == 0) {
                break;
            }
            let run = self.read(&text(&with(phrase, &self.tests[n])))?;
            answers.push(change(&base, &run));
        }
        if answers.len() == self.tests.len() {
            self.answers.push(answers.clone());
        }
        let future = Future::new(answers);
        self.futures.insert(bytes, future.clone());
        Ok(future)
    }

    /// The future of a phrase with one token more.
    pub(super) fn future_with(&mut self, phrase: &[Vec<u8>], token: &[u8]) -> Result<Future, Halt<P::Error>> {
        self.future(&with(phrase, token))
    }

    /// The few tests that tell most of the last round's states apart, and some new ones.
    pub(super) fn telling_tests(&self, all: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut chosen: Vec<usize> = (0..tests().len()).collect();
        let part = |answers: &Vec<u64>| chosen.iter().fold(0, |hash, n| mix(hash, answers[*n]));
        let mut parts: Vec<u64> = self.answers.iter().map(part).collect();
        while chosen.len() < TELLING {
            let split = |n: usize| {
                let parts = self.answers.iter().zip(&parts).map(|(answers, part)| mix(*part, answers[n]));
                parts.collect::<HashSet<u64>>().len()
            };
            let others = (0..self.tests.len()).rev().filter(|n| !chosen.contains(n));
            let Some(best) = others.max_by_key(|n| split(*n)) else { break };
            if split(best) == parts.iter().collect::<HashSet<_>>().len() {
                break;
            }
            self.answers.iter().zip(&mut parts).for_each(|(answers, part)| *part = mix(*part, answers[best]));
            chosen.push(best);
        }
        let mut telling: Vec<Vec<u8>> = chosen.into_iter().map(|n| self.tests[n].clone()).collect();
        let new: Vec<Vec<u8>> = all.into_iter().filter(|test| !self.tests.contains(test)).collect();
        telling.extend(new.into_iter().take(MOST - telling.len()));
        telling
    }

    /// The number of the test that is just this token.
    pub(super) fn test_of(&self, token: &[u8]) -> Option<usize> {
        self.tests.iter().position(|test| test == token)
    }
}
