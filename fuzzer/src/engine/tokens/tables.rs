//! Readers that look every byte up in a table, as generated ones do, compare it with nothing. What they tell apart shows in
//! the counters of the run, to the last count: the way through a table is longer for some bytes than for others.
use std::collections::{BTreeSet, HashSet};

use super::{
    Counts, Halt, Learner, Prober,
    future::change,
    junk::ordinary,
    phrase::{punctuation, text, with},
};

/// So many states are looked at without the help of comparisons, in each round.
const STATES: usize = 12;

/// What is known of the reader's tables.
#[derive(Debug, Default)]
pub struct Tables {
    /// Most signs that are told apart are compared with nothing.
    pub are_read: bool,
    /// In how many states of this round signs were tried.
    states: usize,
    /// In how many states words were spelt.
    pub spelt: usize,
}

impl Tables {
    /// Another round begins.
    pub fn begin_round(&mut self) {
        self.states = 0;
    }

    /// Whether signs are to be tried in one more state.
    pub fn take_state(&mut self) -> bool {
        let is_taken = self.are_read && self.states < STATES;
        self.states += usize::from(is_taken);
        is_taken
    }
}

impl<P: Prober> Learner<'_, P> {
    /// Finds out whether the reader tells signs apart that it does not compare.
    pub(super) fn find_tables(&mut self) -> Result<(), Halt<P::Error>> {
        let asked = self.asked_for(&[])?;
        let base = self.read(&[])?;
        let mut plain = HashSet::new();
        for element in ordinary(self.junk) {
            plain.insert(change(&base, &self.read(element)?));
        }
        let (mut told, mut compared) = (0, 0);
        for sign in punctuation() {
            if !plain.contains(&change(&base, &self.read(&sign)?)) {
                told += 1;
                compared += usize::from(asked.contains(&sign[0]));
            }
        }
        self.tables.are_read = told > 2 * compared;
        Ok(())
    }

    /// The run of some bytes right behind a phrase and a space.
    pub(super) fn read_behind(&mut self, phrase: &[Vec<u8>], bytes: &[u8]) -> Result<Counts, Halt<P::Error>> {
        self.read(&text(&with(phrase, bytes)))
    }

    /// The signs that are not read as junk is, behind a phrase and right behind a beginning.
    fn told_from_junk(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
    ) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let junk = self.read_behind(phrase, &[beginning, self.junk.as_bytes()].concat())?;
        let mut told = BTreeSet::new();
        for sign in punctuation() {
            if self.read_behind(phrase, &[beginning, &sign].concat())? != junk {
                told.extend(sign);
            }
        }
        Ok(told)
    }

    /// Whether some bytes behind a phrase reach what none of the others reaches.
    fn reaches_more(
        &mut self,
        phrase: &[Vec<u8>],
        bytes: &[u8],
        others: &[Vec<u8>],
    ) -> Result<bool, Halt<P::Error>> {
        let mut run = self.read_behind(phrase, bytes)?;
        for other in others {
            let reached: HashSet<u32> =
                self.read_behind(phrase, other)?.iter().map(|(key, _)| *key).collect();
            run.retain(|(key, _)| !reached.contains(key));
        }
        Ok(!run.is_empty())
    }

    /// Whether a sign right behind a beginning reaches what it does not reach behind a space, or the other way round, in a
    /// line that goes on or one that ends. Both inputs are of one length, for that alone may lead elsewhere.
    fn counts_tight(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
        sign: u8,
    ) -> Result<bool, Halt<P::Error>> {
        for behind in [&b" q"[..], b"\n"] {
            let tight = [b" ", beginning, &[sign], behind].concat();
            let apart = [beginning, b" ", &[sign], behind].concat();
            if self.reaches_more(phrase, &tight, std::slice::from_ref(&apart))?
                || self.reaches_more(phrase, &apart, &[tight])?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The signs that are read otherwise than anything ordinary, right behind a beginning, and make no known operator.
    pub(super) fn signs_told_behind(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
    ) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let mut told = self.told_from_junk(phrase, beginning)?;
        told.retain(|sign| !self.operators.contains(&[beginning, &[*sign]].concat()));
        if told.is_empty() {
            return Ok(told);
        }
        let base = self.read_behind(phrase, beginning)?;
        let mut plain = HashSet::new();
        for element in ordinary(self.junk) {
            plain.insert(change(&base, &self.read_behind(phrase, &[beginning, element].concat())?));
        }
        let mut signs = BTreeSet::new();
        for sign in told {
            if !plain.contains(&change(&base, &self.read_behind(phrase, &[beginning, &[sign]].concat())?))
                && self.counts_tight(phrase, beginning, sign)?
            {
                signs.insert(sign);
            }
        }
        Ok(signs)
    }

    /// The signs that lead out of a comment or the like right behind a first one, as far as they reach anything more.
    pub(super) fn ends_told_behind(
        &mut self,
        phrase: &[Vec<u8>],
        first: u8,
    ) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let mut ends = BTreeSet::new();
        for sign in self.told_from_junk(phrase, &[first])? {
            let others = [vec![first, b'q'], vec![b'q', sign], vec![first, b' ', sign]];
            if self.reaches_more(phrase, &[first, sign], &others)? {
                ends.insert(sign);
            }
        }
        Ok(ends)
    }
}
