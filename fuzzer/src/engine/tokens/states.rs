//! The search through the states of the parser, the shortest phrases and those that reach new code first.
use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Counts, Future, Halt, Learner, Prober,
    future::change,
    junk::ordinary,
    phrase::{
        LINE, NAME, OTHER_NAME, Phrase, TIGHT, ends_in_sign, is_alphanumeric, is_sign, is_word, text, with,
    },
};

/// Nobody needs more states to be a token.
const ENOUGH_STATES: u32 = 3;
/// Where lines begin is looked at like anything else in so many rounds.
const FIRST_ROUNDS: usize = 2;
/// Where so many states have shown no words, those are spelt before the others are looked at.
const SPELT: usize = 8;
/// What a phrase that reaches nothing new waits longer, in tokens.
const WAIT: usize = 1;

/// Elements that change a run in the same way lead to the same state, mostly.
struct Group {
    change: u64,
    members: Vec<Vec<u8>>,
}

/// A phrase with everything behind it that is no token, and how that changes its run.
#[derive(Default)]
struct Ordinary {
    changes: HashSet<u64>,
    phrases: Vec<Phrase>,
}

impl<P: Prober> Learner<'_, P> {
    /// Looks at so many states, with phrases made of these elements.
    pub(super) fn explore(&mut self, elements: &[Vec<u8>], limit: usize) -> Result<(), Halt<P::Error>> {
        let mut waiting: BTreeMap<(usize, usize), (Phrase, bool)> = BTreeMap::new();
        let starts = std::iter::once(Vec::new()).chain(self.starts.clone());
        waiting.extend(starts.enumerate().map(|(n, start)| ((0, n), (start, false))));
        let mut opened: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut came = waiting.len();
        let mut known: HashSet<Future> = HashSet::new();
        let mut unspelt: Vec<Phrase> = Vec::new();
        while let Some(((cost, _), (phrase, is_within))) = waiting.pop_first().filter(|_| known.len() < limit)
        {
            self.bases.clear();
            // What was seen with noise is seen anew.
            if std::mem::take(&mut self.blind.is_news) {
                self.answers.clear();
                self.futures.clear();
                known.clear();
            }
            let here = self.future(&phrase)?;
            let is_absorbing = here.absorbed.is_some();
            // What quotes and comments hold is read alike wherever they stand, but not what stands behind them.
            if is_absorbing && let Some(last) = phrase.last() {
                let times = opened.entry(last.clone()).or_default();
                if *times == ENOUGH_STATES {
                    if !is_within && self.quotes.contains(&last.repeat(2)) {
                        came += 1;
                        waiting.insert((phrase.len() + 1, came), (with(&phrase, last), true));
                    }
                    continue;
                }
                *times += 1;
                if !is_within {
                    self.find_quotes(&phrase)?;
                }
            }
            // The end of a line mostly leads back to where it stands.
            if phrase.len() > 1 && phrase.last().is_some_and(|token| token == LINE) {
                let before = self.future(&phrase[..phrase.len() - 1])?;
                if here.is_much_like(&before) {
                    continue;
                }
            }
            if !known.insert(here.clone()) && cost > 0 {
                continue;
            }
            // Nothing in a text is a token, but what stands behind it may be.
            if !is_absorbing && self.opens_unended(&phrase)? {
                came += 1;
                let ended = phrase.last().map(|sign| with(&phrase, sign));
                waiting.extend(ended.map(|ended| ((phrase.len() + 1, came), (ended, false))));
                continue;
            }
            let plain = self.ordinary(&phrase)?;
            self.find_words(&with(&phrase, NAME), phrase.len())?;
            if !is_absorbing {
                self.try_texts(&phrase)?;
            }
            self.tell();
            let is_tight = phrase.last().is_some_and(|token| token == TIGHT);
            let is_behind_sign =
                is_tight && phrase.iter().rev().nth(1).is_some_and(|token| ends_in_sign(token));
            for group in self.groups(&phrase, elements)? {
                // What changes the run just as something ordinary does is read as that is.
                if plain.changes.contains(&group.change)
                    && !ordinary(self.junk).contains(&&group.members[0][..])
                {
                    continue;
                }
                if self.is_like_neighbours(&phrase, &group)? {
                    continue;
                }
                // Where almost everything reads the same, as the content of names and texts does, what has no meaning may
                // still read otherwise, as it falls into a table. Who has one is looked for.
                let mut candidates = group.members.clone();
                if is_absorbing && !self.leads_out(&with(&phrase, &group.members[0]))? {
                    candidates.retain(|token| matches!(token[..], [sign] if here.asked.contains(&sign)));
                }
                // A sign right behind another one is part of an operator, if it is anything.
                if is_behind_sign {
                    candidates.retain(|token| !is_sign(token));
                }
                self.vote(&phrase, &candidates, &plain.phrases)?;
                let mut child = with(&phrase, &group.members[0]);
                let mut is_silent = self.is_silent(&child)?;
                // What a sign opens may need to be closed right behind a name.
                let is_named = is_absorbing && self.parsed.is_empty() && is_tight && group.members[0] == NAME;
                if is_silent && (is_named || ends_in_sign(&group.members[0])) {
                    child.push(TIGHT.to_vec());
                    is_silent = !self.reads_words(&child)?;
                }
                let run = self.prober.offer(&text(&child), !is_silent)?;
                let is_new = self.take(&run);
                if is_new && let Some(name) = child.iter().rposition(|token| token == NAME) {
                    self.find_words(&child, name)?;
                }
                if !is_silent {
                    came += 1;
                    // What the end of a line leads to is seen in the first rounds; tables tell it from a space anywhere.
                    let is_late = self.tables.are_read || self.round >= FIRST_ROUNDS;
                    let is_late = is_late && group.members[0] == LINE;
                    let waits = if is_new { 0 } else { 1 + usize::from(is_late) };
                    waiting.insert((child.len() + WAIT * waits, came), (child, is_absorbing));
                }
            }
            self.tell();
            if !is_tight {
                self.find_operators(&phrase, is_absorbing, &plain.phrases)?;
            }
            // What takes more runs comes last.
            if is_absorbing {
                self.find_judged_text(&phrase)?;
            } else {
                self.find_led(&phrase)?;
                unspelt.push(phrase.clone());
                if unspelt.len() == SPELT && !self.strong.keys().any(|token| is_word(token)) {
                    self.spell_sooner(&unspelt[0])?;
                }
            }
            if !is_absorbing && !is_tight {
                for (cost, start) in self.find_judged(&phrase)? {
                    came += 1;
                    waiting.insert((cost, came), (start, false));
                }
            }
            self.tell();
        }
        // What takes most runs comes when all that is easier has been learnt.
        if !self.is_packed {
            self.spell_behind(&unspelt)?;
        }
        Ok(())
    }

    /// Whether words like the first of a group are read just as it is: a long name may be stored elsewhere than a
    /// short one, and be compared with more.
    fn is_like_neighbours(&mut self, phrase: &[Vec<u8>], group: &Group) -> Result<bool, Halt<P::Error>> {
        let word = &group.members[0];
        if !is_word(word) || word.len() < 2 {
            return Ok(false);
        }
        let own = self.read_behind(phrase, word)?;
        for neighbour in self.neighbours(word) {
            if self.read_behind(phrase, &neighbour)? == own {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn tell(&mut self) {
        let tokens = self.tokens();
        self.prober.tell(tokens);
    }

    /// The elements by how they change the run of a phrase.
    fn groups(&mut self, phrase: &[Vec<u8>], elements: &[Vec<u8>]) -> Result<Vec<Group>, Halt<P::Error>> {
        let base = self.read(&text(phrase))?;
        let mut groups: Vec<Group> = Vec::new();
        for element in elements {
            let run = self.read(&text(&with(phrase, element)))?;
            let change = change(&base, &run);
            match groups.iter_mut().find(|group| group.change == change) {
                Some(group) => group.members.push(element.clone()),
                None => groups.push(Group { change, members: vec![element.clone()] }),
            }
        }
        Ok(groups)
    }

    /// A phrase with everything behind it that is no token, as far as that reads differently.
    fn ordinary(&mut self, phrase: &[Vec<u8>]) -> Result<Ordinary, Halt<P::Error>> {
        let base = self.read(&text(phrase))?;
        let Ordinary { mut changes, mut phrases } = Ordinary::default();
        for element in ordinary(self.junk) {
            let longer = with(phrase, element);
            let run = self.read(&text(&longer))?;
            if changes.insert(change(&base, &run)) {
                phrases.push(longer);
            }
        }
        Ok(Ordinary { changes, phrases })
    }

    /// Who is a token behind this phrase: what has another future than anything ordinary.
    fn vote(
        &mut self,
        phrase: &[Vec<u8>],
        candidates: &[Vec<u8>],
        ordinary: &[Phrase],
    ) -> Result<(), Halt<P::Error>> {
        for (n, token) in candidates.iter().enumerate() {
            let is_single = token.len() == 1 && !token[0].is_ascii_punctuation();
            let is_known = self.operators.contains(token)
                || self.quotes.contains(token)
                || self.words.get(token).is_some_and(|word| self.is_voted_for(word))
                || self.strong.get(token).is_some_and(|states| *states >= ENOUGH_STATES);
            if is_single || is_known {
                continue;
            }
            let mut others = ordinary.to_vec();
            if is_word(token) {
                others.extend(self.neighbours(token).iter().map(|neighbour| with(phrase, neighbour)));
            }
            let longer = with(phrase, token);
            let own = self.test_of(token);
            if self.is_other(&longer, &others, &[own])?
                || self.is_other_tight(&longer, &others)?
                || self.is_only_end(phrase, token)?
            {
                *self.strong.entry(token.clone()).or_default() += 1;
            } else if n == 0 && is_sign(token) && self.is_silent(&longer)? {
                // Those that are read like it lead nowhere either.
                break;
            }
        }
        Ok(())
    }

    /// Whether a sign behind which nothing is read counts for a word right behind it. With a sign there it is an operator.
    pub(super) fn is_other_tight(
        &mut self,
        phrase: &[Vec<u8>],
        others: &[Phrase],
    ) -> Result<bool, Halt<P::Error>> {
        let (tight, Some(last)) = (with(phrase, TIGHT), phrase.last()) else { return Ok(false) };
        if !ends_in_sign(last) || !self.is_silent(phrase)? || !self.reads_words(&tight)? {
            return Ok(false);
        }
        // Numbers may begin with several signs.
        if !is_sign(last) && !self.reads_names(phrase)? {
            return Ok(false);
        }
        let others: Vec<Phrase> = others.iter().map(|other| with(other, TIGHT)).collect();
        let signs: Vec<Option<usize>> =
            (0..self.tests.len()).filter(|test| !is_alphanumeric(&self.tests[*test])).map(Some).collect();
        self.is_other(&tight, &others, &signs)
    }

    /// Whether a phrase leads out of a text that is read through a table, in which nothing is asked for.
    fn leads_out(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        Ok(self.tables.are_read && self.future(phrase)?.absorbed.is_none())
    }

    /// Whether names are read right behind a phrase, otherwise than junk is.
    fn reads_names(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        let tight = with(phrase, TIGHT);
        let junk = self.read(&text(&with(&tight, self.junk.as_bytes())))?;
        let name = self.read(&text(&with(&tight, OTHER_NAME)))?;
        let own = self.read(&text(&with(&tight, NAME)))?;
        Ok(change(&junk, &name) != 0 || change(&junk, &own) != 0)
    }

    /// Whether any name, number or known word is read behind a phrase.
    pub(super) fn reads_words(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        for test in 0..self.tests.len() {
            if is_alphanumeric(&self.tests[test])
                && self.answer(phrase, test)?.is_some_and(|answer| answer != 0)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a run reached anything for the first time.
    fn take(&mut self, run: &Counts) -> bool {
        let before = self.reached.len();
        self.reached.extend(run.iter().map(|(key, _)| *key));
        self.reached.len() > before
    }
}
