//! Words that are tried in their place: those that reach more than words like them, and lead to another state.
use std::collections::HashSet;

use super::{
    Halt, Learner, Prober,
    phrase::{NAME, Phrase, TIGHT, is_sign, with},
    words::Slot,
};

impl<P: Prober> Learner<'_, P> {
    /// Whether a word reaches code that no word like it reaches. If it leads to another state too, or may do so only with a
    /// sign right behind it and does, it is a token.
    pub(super) fn try_word(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        may_open: bool,
    ) -> Result<bool, Halt<P::Error>> {
        let mut others: Vec<Vec<u8>> = self.neighbours(word);
        others.push(NAME.to_vec());
        let mut reached = HashSet::new();
        for other in &others {
            let run = self.read(&slot.bytes(other, 0))?;
            reached.extend(run.into_iter().map(|(key, _)| key));
        }
        let run = self.read(&slot.bytes(word, 0))?;
        if run.iter().all(|(key, _)| reached.contains(key)) {
            return Ok(false);
        }
        // Whoever asks for an end first, and for the rest only where that is right, looks for nothing else than such words.
        if self.ended.contains(word) {
            *self.strong.entry(word.to_vec()).or_default() += 1;
            return Ok(true);
        }
        if self.is_behind_another(slot, word, &run)? || self.reads_as_two(slot, word, &run)? {
            return Ok(false);
        }
        self.words.entry(word.to_vec()).or_default().reaches_more = true;
        let others: Vec<Phrase> = others.iter().map(|other| slot.phrase(other)).collect();
        if (word.len() > 1 || !word[0].is_ascii_alphanumeric())
            && (self.is_other_word(slot, word, &others)? || (may_open && self.opens(slot, word, &others)?))
        {
            *self.strong.entry(word.to_vec()).or_default() += 1;
            self.try_small(slot, word, &run)?;
        }
        Ok(true)
    }

    /// Whether a word leads to another state with a sign right behind it: the name of a function may count only so.
    fn opens(&mut self, slot: Slot<'_>, word: &[u8], others: &[Phrase]) -> Result<bool, Halt<P::Error>> {
        if slot.at + 1 < slot.phrase.len() {
            return Ok(false);
        }
        let others: Vec<Phrase> = others.iter().map(|other| with(other, TIGHT)).collect();
        let words = (0..self.tests.len()).filter(|test| !is_sign(&self.tests[*test])).map(Some);
        let words: Vec<Option<usize>> = words.collect();
        self.is_other(&with(&slot.phrase(word), TIGHT), &others, &words)
    }
}
