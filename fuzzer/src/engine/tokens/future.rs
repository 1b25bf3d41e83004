//! The future of a phrase: what each test adds to the run when it stands behind.
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    rc::Rc,
};

use super::{
    Counts, Halt, Learner, Prober,
    phrase::{NAME, OTHER_NAME, Phrase, key, tests, text, with},
    prober::differences,
};

/// So many tests are chosen for how well they told the last round's states apart, and so many are made at most.
const TELLING: usize = 16;
const MOST: usize = 28;

/// A tokeniser reads whatever comes: so many tests show whether it is asked for more.
const FIRST: usize = 3;

/// What everything reads as where only the way through a table differs.
const ALIKE: u64 = 1;

/// What the tests say behind a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Future {
    answers: Rc<Vec<u64>>,
    /// Nothing behind the phrase is read.
    pub silent: bool,
    /// What almost everything behind the phrase reads as, if there is such a thing, as in a comment or a text in quotes.
    pub absorbed: Option<u64>,
    /// The signs that are looked for there: one of them ends it.
    pub asked: Rc<BTreeSet<u8>>,
}

impl Future {
    fn new(answers: Vec<u64>, are_alike: bool) -> Self {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        answers.iter().for_each(|answer| *counts.entry(*answer).or_default() += 1);
        let most = counts.into_iter().max_by_key(|(answer, count)| (*count, *answer));
        let is_absorbed = |(answer, count): &(u64, usize)| *answer != 0 && count * 4 >= answers.len() * 3;
        let absorbed = most.filter(is_absorbed).map(|(answer, _)| answer);
        let absorbed = if are_alike { Some(ALIKE) } else { absorbed };
        let silent = answers.iter().all(|answer| *answer == 0);
        Self { answers: answers.into(), silent, absorbed, asked: Rc::default() }
    }
}

impl Future {
    /// Whether three tests in four say the same behind both.
    pub fn is_much_like(&self, other: &Self) -> bool {
        let alike = self.answers.iter().zip(&*other.answers).filter(|(own, other)| own == other).count();
        alike * 4 >= self.answers.len() * 3
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

/// Whether almost all tests are read but reach nothing that neither a name nor a number reaches. The way through a table is
/// longer for some bytes than for others, and still they may all do the same.
fn are_alike(answers: &[u64], fresh: &[Vec<u32>], plain: &[usize]) -> bool {
    let reached: HashSet<&u32> = plain.iter().filter_map(|test| fresh.get(*test)).flatten().collect();
    let is_plain =
        |(answer, keys): &(&u64, &Vec<u32>)| **answer != 0 && keys.iter().all(|key| reached.contains(key));
    answers.iter().zip(fresh).filter(is_plain).count() * 4 >= answers.len() * 3
}

impl<P: Prober> Learner<'_, P> {
    /// What a test says behind a phrase; nothing if that test is not made there. Tests are made when they are asked for,
    /// one after the other: most phrases are told apart by the first few.
    pub(super) fn answer(&mut self, phrase: &[Vec<u8>], test: usize) -> Result<Option<u64>, Halt<P::Error>> {
        let key = key(phrase);
        let mut answers = self.answers.remove(&key).unwrap_or_default();
        while answers.len() <= test && answers.len() < self.tests.len() {
            let is_hopeless =
                self.is_chosen && (answers.len() == TELLING || (answers.len() == FIRST && self.reads_any));
            if is_hopeless && answers.iter().all(|answer| *answer == 0) {
                break;
            }
            if !self.bases.contains_key(&key) {
                let base = self.read(&text(phrase))?;
                self.bases.insert(key.clone(), base);
            }
            let run = self.read(&text(&with(phrase, &self.tests[answers.len()])))?;
            let base = &self.bases[&key];
            let is_unread = self.is_unparsed(&run) || self.is_unparsed(base);
            answers.push(if is_unread { 0 } else { change(base, &run) });
            if self.tables.are_read {
                let base = &self.bases[&key];
                let is_fresh = |key: &u32| base.binary_search_by_key(key, |(own, _)| *own).is_err();
                let fresh = run.into_iter().map(|(key, _)| key).filter(is_fresh).collect();
                self.tables.fresh.entry(key.clone()).or_default().push(fresh);
            }
        }
        let answer = answers.get(test).copied();
        self.answers.insert(key, answers);
        Ok(answer)
    }

    /// The future of a phrase.
    pub(super) fn future(&mut self, phrase: &[Vec<u8>]) -> Result<Future, Halt<P::Error>> {
        let key = key(phrase);
        if let Some(future) = self.futures.get(&key) {
            return Ok(future.clone());
        }
        self.answer(phrase, usize::MAX)?;
        let plain: Vec<usize> =
            [OTHER_NAME, b"1"].into_iter().filter_map(|test| self.test_of(test)).collect();
        let answers = self.answers[&key].clone();
        // In a text there may be any number of names.
        let are_alike = self.tables.fresh.get(&key).is_some_and(|fresh| are_alike(&answers, fresh, &plain))
            && !self.is_silent(&with(&with(phrase, OTHER_NAME), NAME))?;
        let mut future = Future::new(answers, are_alike);
        if future.absorbed.is_some() {
            future.asked = self.asked_for(phrase)?.into();
        }
        self.futures.insert(key, future.clone());
        Ok(future)
    }

    /// Whether nothing behind a phrase is read.
    pub(super) fn is_silent(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        for test in 0.. {
            match self.answer(phrase, test)? {
                None => break,
                Some(0) => {}
                Some(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether what stands behind a phrase is read, and otherwise than behind each of the others, whatever the tests with
    /// these numbers say: a name that is known already reads otherwise.
    pub(super) fn is_other(
        &mut self,
        phrase: &[Vec<u8>],
        others: &[Phrase],
        but: &[Option<usize>],
    ) -> Result<bool, Halt<P::Error>> {
        if self.is_silent(phrase)? {
            return Ok(false);
        }
        let mut alike: Vec<&Phrase> = others.iter().collect();
        for test in 0.. {
            let Some(own) = self.answer(phrase, test)? else { break };
            let mut still = Vec::with_capacity(alike.len());
            for other in alike {
                // Behind what seems silent not all tests are made.
                if self.answer(other, test)?.unwrap_or(0) == own || but.contains(&Some(test)) {
                    still.push(other);
                }
            }
            alike = still;
            if alike.is_empty() {
                return Ok(true);
            }
        }
        if self.future(phrase)?.absorbed.is_none() {
            return Ok(false);
        }
        // Texts may read alike and still end otherwise. A sign that stands there may be asked for once more.
        let last = phrase.last().cloned().unwrap_or_default();
        let but_last =
            |ends: &[u8]| -> Vec<u8> { ends.iter().copied().filter(|sign| last != [*sign]).collect() };
        let own = but_last(&self.ends(phrase)?);
        if own.is_empty() {
            return Ok(false);
        }
        for other in alike {
            if but_last(&self.ends(other)?) == own {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether something was read behind each phrase behind which anything was: the reader has a tokeniser.
    pub(super) fn finds_any_read(&self) -> bool {
        let is_read = |answers: &[u64]| answers.iter().any(|answer| *answer != 0);
        let mut read =
            self.answers.values().filter(|answers| answers.len() == self.tests.len() && is_read(answers));
        read.all(|answers| is_read(&answers[..FIRST]))
    }

    /// The few tests that tell most of the last round's states apart, and some new ones.
    pub(super) fn telling_tests(&self, all: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut chosen: Vec<usize> = (0..tests().len()).collect();
        let states: Vec<&Vec<u64>> =
            self.answers.values().filter(|answers| answers.len() == self.tests.len()).collect();
        let part = |answers: &&Vec<u64>| chosen.iter().fold(0, |hash, n| mix(hash, answers[*n]));
        let mut parts: Vec<u64> = states.iter().map(part).collect();
        while chosen.len() < TELLING {
            let split = |n: usize| {
                let parts = states.iter().zip(&parts).map(|(answers, part)| mix(*part, answers[n]));
                parts.collect::<HashSet<u64>>().len()
            };
            let others = (0..self.tests.len()).rev().filter(|n| !chosen.contains(n));
            let Some(best) = others.max_by_key(|n| split(*n)) else { break };
            if split(best) == parts.iter().collect::<HashSet<_>>().len() {
                break;
            }
            states.iter().zip(&mut parts).for_each(|(answers, part)| *part = mix(*part, answers[best]));
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
