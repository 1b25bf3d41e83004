//! Names that are judged only when something has been read behind them: functions with their arguments, keys with the sign
//! that makes them keys, words of a line with its end, those in brackets or quotes with what closes them.
use std::collections::{BTreeSet, HashSet};

use super::{
    Future, Halt, Learner, Prober,
    asked::Behind,
    phrase::{NAME, Phrase, TIGHT, ends_in_sign, punctuation, text, with},
    words::Slot,
};

/// Names are looked at so in so many states, and in one more every round.
const STATES: usize = 3;
/// So many texts in quotes and the like are looked into, each with so many signs that end it.
const TEXTS: usize = 6;
const ENDS: usize = 3;
/// So many runs are made for one state, and so many more for each word that proves itself.
const RUNS: usize = 2500;
const RUNS_A_WORD: usize = 500;
/// Whoever compares a name with more words looks it up in what the program, and no parser, knows.
pub const MOST: usize = 600;
/// So many phrases are gone on from.
const STARTS: usize = 4;
/// Whoever reads one token ahead has read the first thing behind when it judges: only what follows that differs.
pub const AHEAD: [&[u8]; 2] = [b" q q", b" q ("];

/// So many tests show whether anything is read behind a phrase, mostly.
const FIRST: usize = 6;

const OPENER: &[u8] = b"(";
/// Arguments, as many as functions have: who asks how many there are asks that together with the name, or behind it.
const CALLS: [&[u8]; 8] = [b"()", b"(1)", b"(x)", b"(1,1)", b"(x,x)", b"(1,1,1)", b"(x,x,x)", b"(1,1,1,1)"];
/// What makes a line, a record or the like of a name.
const RECORDS: [&[u8]; 9] = [b"\n", b" 1\n", b" x\n", b"=1\n", b":1\n", b"=1;", b":1,", b"=\"1\"", b"[1]"];
/// Behind what ends a text.
const KEYS: [&[u8]; 3] = [b"", b":", b"="];

/// What is known of such names.
#[derive(Debug, Default)]
pub struct Judged {
    states: usize,
    texts: usize,
    /// What stands behind the names that were looked at in this round.
    futures: HashSet<Future>,
    /// The texts that were looked into.
    openers: HashSet<Vec<u8>>,
    /// What names were compared with, and may be proved with something else behind.
    words: BTreeSet<Vec<u8>>,
    starts: usize,
    /// The brackets and the like that were looked into.
    inside: HashSet<u8>,
}

impl Judged {
    pub fn begin_round(&mut self) {
        self.futures.clear();
    }
}

/// Phrases to look at, and what they cost.
pub type Opened = Vec<(usize, Phrase)>;

impl<P: Prober> Learner<'_, P> {
    /// Looks at names behind a phrase together with what may stand behind them.
    pub(super) fn find_judged(&mut self, phrase: &[Vec<u8>]) -> Result<Opened, Halt<P::Error>> {
        let mut opened = Opened::new();
        let front = match phrase.last() {
            Some(last) if ends_in_sign(last) => with(phrase, TIGHT),
            _ => phrase.to_vec(),
        };
        let named = with(&front, NAME);
        if self.judged.states >= STATES + self.round {
            return Ok(opened);
        }
        let there = self.future(&named)?;
        if there.absorbed.is_some() || (!self.judged.futures.insert(there.clone()) && !there.silent) {
            return Ok(opened);
        }
        self.judged.states += 1;
        let (runs, words) = (self.runs, self.strong.len());
        for behind in self.things_behind(&front)? {
            if self.runs - runs > RUNS + RUNS_A_WORD * (self.strong.len() - words) {
                break;
            }
            let words = self.judge(&front, &behind)?;
            let whole = with(&with(&named, TIGHT), &behind);
            // What follows an argument is another thing to look at, and what follows an element.
            let first = behind[0];
            let is_live = behind.get(1) == Some(&b'1') && (!words.is_empty() || !self.is_silent(&whole)?);
            if is_live && first.is_ascii_punctuation() && self.judged.inside.insert(first) {
                let name = words.first().cloned().unwrap_or_else(|| NAME.to_vec());
                opened.push((1, with(&with(&with(&front, &name), &[first]), b"1")));
            }
            // A sign that nothing else is read behind has not been seen yet.
            let is_new = behind.iter().all(u8::is_ascii_punctuation)
                && !self.operators.contains(&behind)
                && !self.strong.contains_key(&behind);
            if !is_new || words.is_empty() || !self.is_silent(&whole)? {
                continue;
            }
            let first = with(&front, &words[0]);
            if behind.len() > 1 && self.is_silent(&with(&with(&first, TIGHT), &behind[..1]))? {
                self.operators.insert(behind.clone());
            }
            if self.judged.starts < STARTS {
                self.judged.starts += 1;
                self.starts.push(first.clone());
                opened.push((0, first));
            }
            for word in words {
                let known = with(&with(&with(&front, &word), TIGHT), &behind);
                opened.push((known.len(), known));
            }
        }
        Ok(opened)
    }

    /// Looks at names that are all of a text in quotes or the like, which this phrase opens.
    pub(super) fn find_judged_text(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        let Some(opener) = phrase.last().filter(|last| ends_in_sign(last)) else { return Ok(()) };
        if self.judged.texts == TEXTS || !self.judged.openers.insert(opener.clone()) {
            return Ok(());
        }
        self.judged.texts += 1;
        let front = with(phrase, TIGHT);
        let ends = self.ends(phrase)?;
        for end in ends.iter().take(ENDS) {
            for behind in KEYS.map(|key| [&[*end], key].concat()) {
                self.judge(&front, &behind)?;
            }
        }
        Ok(())
    }

    /// What may stand behind a name, as far as it is read there.
    fn things_behind(&mut self, front: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Halt<P::Error>> {
        let mut things = Vec::new();
        let named = &with(front, NAME);
        let tight = with(named, TIGHT);
        let junk = self.read_behind(&tight, self.junk.as_bytes())?;
        let spaces = self.changed_by_spaces(named)?;
        for sign in punctuation() {
            // What names are made of stands behind none.
            if sign == b"_" || self.read_behind(&tight, &sign)? == junk || self.is_in_names(front, sign[0])? {
                continue;
            }
            let Behind { next, .. } = self.asked_behind(&tight, &sign)?;
            let bytes = text(&with(&tight, &sign));
            for other in next.into_iter().filter(u8::is_ascii_punctuation) {
                let pair = [&bytes[..], &[other], b" q"].concat();
                let apart = [&bytes[..], b" ", &[other], b" q"].concat();
                if !self.changes(&pair, &apart)?.is_subset(&spaces) {
                    things.push([&sign[..], &[other]].concat());
                }
            }
            things.push(sign);
        }
        if !self.is_silent(&with(&tight, OPENER))? {
            things.extend(CALLS.map(<[u8]>::to_vec));
        }
        things.extend(RECORDS.map(<[u8]>::to_vec));
        Ok(things)
    }

    /// What names right before this are compared with; those that prove to be tokens so.
    fn judge(&mut self, front: &[Vec<u8>], behind: &[u8]) -> Result<Vec<Vec<u8>>, Halt<P::Error>> {
        self.bases.clear();
        let phrase = with(&with(&with(front, NAME), TIGHT), behind);
        let slot = Slot { phrase: &phrase, at: front.len(), behind: AHEAD };
        let before = self.strong.clone();
        let known: HashSet<Vec<u8>> = self.words.keys().cloned().collect();
        let mut compared = self.find_words_in(slot)?;
        // What reaches nothing even so leads nowhere.
        self.words.retain(|word, seen| seen.reaches_more || known.contains(word));
        let plain: HashSet<u32> = self.read(&slot.bytes(NAME, 0))?.into_iter().map(|(key, _)| key).collect();
        // What was seen with something else behind is not compared anew.
        for word in self.judged.words.clone() {
            if compared.contains(&word) || self.strong.contains_key(&word) {
                continue;
            }
            let run = self.read(&slot.bytes(&word, 0))?;
            if run.iter().any(|(key, _)| !plain.contains(key)) && self.goes_on_behind(&slot.phrase(&word))? {
                self.try_word(slot, &word, false)?;
                compared.push(word);
            }
        }
        let proved = compared.iter().filter(|word| self.strong.get(*word) > before.get(*word));
        let proved = proved.cloned().collect();
        let words: Vec<Vec<u8>> = compared.into_iter().filter(|word| self.may_be_whole(word)).collect();
        self.judged.words.extend(words);
        self.tell();
        Ok(proved)
    }

    /// Whether any of the first few tests is read behind a phrase.
    fn goes_on_behind(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        for test in 0..FIRST {
            if self.answer(phrase, test)?.is_some_and(|answer| answer != 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
