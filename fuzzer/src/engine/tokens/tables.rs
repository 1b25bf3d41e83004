//! Readers that look every byte up in a table, as generated ones do, compare it with nothing. What they tell apart shows in
//! the counters of the run, to the last count: the way through a table is longer for some bytes than for others.
use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    super::answers::log::Sides,
    Counts, Halt, Learner, Prober,
    future::change,
    junk::{end, ordinary},
    phrase::{punctuation, text, with},
    votes::Site,
};

/// So many states are looked at without the help of comparisons, in each round.
const STATES: usize = 12;
/// Signs are tried together in so many states, and in one more every round: a scanner knows its signs in any state.
const TRIES: usize = 3;

/// What is known of the reader's tables.
#[derive(Debug, Default)]
pub struct Tables {
    /// Most signs that are told apart are compared with nothing.
    pub are_read: bool,
    /// In how many states of this round signs were tried.
    states: usize,
    /// How often signs are tried together by now, and how often each were.
    most_tries: usize,
    tries: HashMap<Vec<u8>, usize>,
    /// Signs that are read otherwise together than apart.
    pairs: BTreeSet<Vec<u8>>,
    /// What each test reached behind a phrase that was not reached without it.
    pub fresh: HashMap<Vec<u8>, Vec<Vec<u32>>>,
    /// In how many states words were spelt.
    pub spelt: usize,
    /// How often it was looked which letters lead on.
    pub looked: usize,
    /// Letters were told there by the comparisons that held.
    pub is_compared: bool,
}

impl Tables {
    /// Another round begins, the first one with number 0.
    pub fn begin_round(&mut self, round: usize) {
        self.states = 0;
        self.fresh.clear();
        self.most_tries = TRIES + round;
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
                // Who looks up which texts begin with a byte compares those with what follows.
                let is_compared = asked.contains(&sign[0]) || self.compares_texts(&sign)?;
                compared += usize::from(is_compared);
            }
        }
        self.tables.are_read = told > 2 * compared;
        Ok(())
    }

    /// Whether an input that begins with a sign is compared with a text that does.
    fn compares_texts(&mut self, sign: &[u8]) -> Result<bool, Halt<P::Error>> {
        let log = self.trace(&[sign, &end(self.junk)].concat())?;
        let begins = |(_, sides): &(Site, Sides)| match sides {
            Sides::Texts(texts) => texts.iter().all(|text| text.starts_with(sign)),
            _ => false,
        };
        Ok(log.iter().any(begins))
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
    pub(super) fn reaches_more(
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
        let all: BTreeSet<u8> = punctuation().flatten().collect();
        let with_sign = |sign: &u8| [beginning, &[*sign]].concat();
        let is_new = |sign: &u8| !self.operators.contains(&with_sign(sign));
        let mut signs: BTreeSet<u8> = all
            .into_iter()
            .filter(|sign| self.tables.pairs.contains(&with_sign(sign)) && is_new(sign))
            .collect();
        let tries = self.tables.tries.entry(beginning.to_vec()).or_default();
        if *tries >= self.tables.most_tries {
            return Ok(signs);
        }
        *tries += 1;
        let mut told = self.told_from_junk(phrase, beginning)?;
        told.retain(|sign| !signs.contains(sign) && !self.operators.contains(&with_sign(sign)));
        if told.is_empty() {
            return Ok(signs);
        }
        let base = self.read_behind(phrase, beginning)?;
        let mut plain = HashSet::new();
        for element in ordinary(self.junk) {
            plain.insert(change(&base, &self.read_behind(phrase, &[beginning, element].concat())?));
        }
        for sign in told {
            if !plain.contains(&change(&base, &self.read_behind(phrase, &[beginning, &[sign]].concat())?))
                && self.counts_tight(phrase, beginning, sign)?
            {
                self.tables.pairs.insert(with_sign(&sign));
                signs.insert(sign);
            }
        }
        Ok(signs)
    }

    /// The signs that lead out of a comment or the like right behind others, as far as they reach anything more.
    pub(super) fn ends_told_behind(
        &mut self,
        phrase: &[Vec<u8>],
        first: &[u8],
    ) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let mut ends = BTreeSet::new();
        for sign in self.told_from_junk(phrase, first)? {
            let others = [[first, b"q"].concat(), vec![b'q', sign], [first, b" ", &[sign]].concat()];
            if self.reaches_more(phrase, &[first, &[sign]].concat(), &others)? {
                ends.insert(sign);
            }
        }
        Ok(ends)
    }
}
