//! Words among the program's own texts: a tokeniser that finds them by hash compares a name with nothing it is not.
use std::collections::{HashMap, HashSet};

use super::{
    Counts, Halt, Learner, Prober, packed,
    phrase::{NAME, text, with},
    votes::Site,
    wanted::neighbours,
    words::Slot,
};

/// The texts are tried in so many states, the first ones. A tokeniser knows its words anywhere.
const STATES: usize = 4;
/// More texts are not tried, and so many words like them are compared with.
const MOST: usize = 2000;
const ALIKE: usize = 600;
const LONGEST: usize = 20;
/// So many words show how a table says that one was found.
const MANY: usize = 20;
/// Stands for the place of the comparison that was not seen.
const NOWHERE: Site = (usize::MAX, 0);
const HELD: Site = (usize::MAX, 2);

/// Whether a text of the program may be a word.
fn can_be_word(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-?!".contains(byte);
    // What begins with a digit and has nothing else than numbers have is one.
    let begins_as_word = text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        || (text.first().is_some_and(u8::is_ascii_digit) && text.iter().any(|byte| b"_-".contains(byte)));
    (2..=LONGEST).contains(&text.len())
        && begins_as_word
        && text.iter().any(u8::is_ascii_alphabetic)
        && text.iter().all(is_part)
}

impl<P: Prober> Learner<'_, P> {
    /// The texts to try: the program's constants, and what it holds in memory once it has run.
    pub(super) fn find_texts(&mut self) -> Result<(), Halt<P::Error>> {
        self.prober.read(&[])?;
        let words = |mut texts: Vec<Vec<u8>>| {
            texts.retain(|text| can_be_word(text));
            texts.sort();
            texts.dedup();
            texts.truncate(MOST);
            texts
        };
        let texts = self.prober.texts();
        self.pieces = packed::pieces(&texts);
        self.texts = words(texts);
        self.held = words(self.prober.held());
        self.held.retain(|text| self.texts.binary_search(text).is_err());
        Ok(())
    }

    /// Tries the program's texts behind a phrase: which of them reach what none of many words like them reaches? Who
    /// stores names by hash treats some of them otherwise too, but no more these than others.
    pub(super) fn try_texts(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        if self.tried_texts == STATES {
            return Ok(());
        }
        self.tried_texts += 1;
        self.unpack(phrase)?;
        // Whatever is held is found in its table, be it a word or not.
        let held = self.unknown(&self.held);
        let runs = self.runs_of(phrase, &held)?;
        let mut times: HashMap<u32, usize> = HashMap::new();
        runs.iter().flatten().for_each(|key| *times.entry(*key).or_default() += 1);
        let common: HashSet<u32> =
            times.into_iter().filter(|(_, times)| 2 * times >= held.len()).map(|(key, _)| key).collect();
        self.try_those(phrase, HELD, held, runs, &common)?;
        let texts = self.unknown(&self.texts);
        let runs = self.runs_of(phrase, &texts)?;
        self.try_those(phrase, NOWHERE, texts, runs, &common)
    }

    fn unknown(&self, texts: &[Vec<u8>]) -> Vec<Vec<u8>> {
        texts.iter().filter(|word| !self.words.contains_key(*word)).cloned().collect()
    }

    /// What these words reach behind a phrase.
    pub(super) fn runs_of(
        &mut self,
        phrase: &[Vec<u8>],
        words: &[Vec<u8>],
    ) -> Result<Vec<Vec<u32>>, Halt<P::Error>> {
        let keys = |run: Counts| run.into_iter().map(|(key, _)| key).collect();
        words.iter().map(|word| self.read(&text(&with(phrase, word))).map(keys)).collect()
    }

    /// A word in small letters if it reaches the same so: who knows it in any case compares it with none of them, and what
    /// the program calls it is no way to write it.
    fn in_small_letters(
        &mut self,
        phrase: &[Vec<u8>],
        word: Vec<u8>,
        run: &[u32],
    ) -> Result<Vec<u8>, Halt<P::Error>> {
        let small = word.to_ascii_lowercase();
        if small == word || self.runs_of(phrase, std::slice::from_ref(&small))?[0] != run {
            return Ok(word);
        }
        Ok(small)
    }

    /// Tries those of some texts that reach more than words like them, and than this.
    fn try_those(
        &mut self,
        phrase: &[Vec<u8>],
        site: Site,
        texts: Vec<Vec<u8>>,
        runs: Vec<Vec<u32>>,
        common: &HashSet<u32>,
    ) -> Result<(), Halt<P::Error>> {
        let alike =
            (0..4).flat_map(|n| texts.iter().filter_map(move |word| neighbours(word).into_iter().nth(n)));
        let is_text =
            |word: &Vec<u8>| self.texts.binary_search(word).is_ok() || self.words.contains_key(word);
        let alike: Vec<Vec<u8>> = alike.filter(|word| !is_text(word)).take(ALIKE).collect();
        let mut reached = common.clone();
        reached.extend(self.runs_of(phrase, &alike)?.into_iter().flatten());
        let slot = with(phrase, NAME);
        let mut found: Vec<(Vec<u8>, Vec<u32>)> = Vec::new();
        for (word, run) in texts.into_iter().zip(runs) {
            let word = self.in_small_letters(phrase, word, &run)?;
            if self.words.contains_key(&word) {
                continue;
            }
            let fresh: Vec<u32> = run.into_iter().filter(|key| !reached.contains(key)).collect();
            if !fresh.is_empty() && self.try_word(Slot::new(&slot, phrase.len()), &word, true)? {
                found.push((word, fresh));
            }
        }
        for word in found_alike(found) {
            let known = self.words.entry(word.clone()).or_default();
            known.sites.insert(site);
            known.is_whole = true;
            self.words_of_site.entry(site).or_default().insert(word);
        }
        Ok(())
    }
}

/// A table has one place where it says that a word was found. Where almost all of many words reach one, the others only
/// happen to fall beside a word.
fn found_alike(words: Vec<(Vec<u8>, Vec<u32>)>) -> Vec<Vec<u8>> {
    let mut times: HashMap<u32, usize> = HashMap::new();
    words.iter().flat_map(|(_, fresh)| fresh).for_each(|key| *times.entry(*key).or_default() += 1);
    let common: HashSet<u32> =
        times.into_iter().filter(|(_, times)| times * 4 >= words.len() * 3).map(|(key, _)| key).collect();
    let is_alike = |fresh: &[u32]| fresh.iter().any(|key| common.contains(key));
    let is_table = words.len() >= MANY && !common.is_empty();
    words.into_iter().filter(|(_, fresh)| !is_table || is_alike(fresh)).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_beside_the_words_of_a_table_is_none() {
        let words = |many: u8| -> Vec<(Vec<u8>, Vec<u32>)> {
            let own = (0..many).map(|n| (vec![b'a', n], vec![7, u32::from(n) + 100]));
            own.chain([(b"beside".to_vec(), vec![3])]).collect()
        };
        assert_eq!(found_alike(words(30)).len(), 30);
        // Of few nothing can be said.
        assert_eq!(found_alike(words(5)).len(), 6);
    }
}
