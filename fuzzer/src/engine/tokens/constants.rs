//! Words among the program's own texts: a tokeniser that finds them by hash compares a name with nothing it is not.
use std::collections::{HashMap, HashSet};

use super::{
    Halt, Learner, Prober, held,
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
/// Stands for the place of the comparison that was not seen.
const NOWHERE: Site = (usize::MAX, 0);
const HELD: Site = (usize::MAX, 2);

/// Whether a text of the program may be a word.
fn can_be_word(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-?!".contains(byte);
    (2..=LONGEST).contains(&text.len()) && text[0].is_ascii_alphabetic() && text.iter().all(is_part)
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
        self.texts = words(self.prober.texts());
        self.held = words(held::texts());
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
        for (site, texts, is_held) in [(NOWHERE, self.texts.clone(), false), (HELD, self.held.clone(), true)] {
            self.try_each(phrase, site, texts, is_held)?;
        }
        Ok(())
    }

    fn try_each(
        &mut self,
        phrase: &[Vec<u8>],
        site: Site,
        mut texts: Vec<Vec<u8>>,
        is_held: bool,
    ) -> Result<(), Halt<P::Error>> {
        texts.retain(|word| !self.words.contains_key(word));
        let mut reached = HashSet::new();
        let alike =
            (0..4).flat_map(|n| texts.iter().filter_map(move |word| neighbours(word).into_iter().nth(n)));
        for neighbour in alike.take(ALIKE) {
            let run = self.read(&text(&with(phrase, &neighbour)))?;
            reached.extend(run.into_iter().map(|(key, _)| key));
        }
        let mut runs: Vec<Vec<u32>> = Vec::new();
        for word in &texts {
            let run = self.read(&text(&with(phrase, word)))?;
            runs.push(run.into_iter().map(|(key, _)| key).filter(|key| !reached.contains(key)).collect());
        }
        if is_held {
            // Whatever is held is found in its table, be it a word or not.
            let mut times: HashMap<u32, usize> = HashMap::new();
            runs.iter().flatten().for_each(|key| *times.entry(*key).or_default() += 1);
            runs.iter_mut().for_each(|keys| keys.retain(|key| 2 * times[key] < texts.len()));
        }
        let slot = with(phrase, NAME);
        for (word, _) in texts.into_iter().zip(runs).filter(|(_, keys)| !keys.is_empty()) {
            if self.try_word(Slot { phrase: &slot, at: phrase.len() }, &word, true)? {
                self.words.entry(word.clone()).or_default().sites.insert(site);
                self.words_of_site.entry(site).or_default().insert(word);
            }
        }
        Ok(())
    }
}
