//! Words in a text that is looked up: what is done with any name there tells no word.
use std::collections::HashSet;

use super::{
    Halt, Learner, Prober,
    phrase::{Phrase, text, with},
    words::Slot,
};

/// Names that are read in so many ways are no test of a word.
const VARIED: usize = 3;

impl<P: Prober> Learner<'_, P> {
    /// Whether a word leads elsewhere than words like it. In a text that is looked up once more when something stands behind
    /// it, every name is read otherwise: a test that does so must reach what it reaches behind no other.
    pub(super) fn is_other_word(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        others: &[Phrase],
    ) -> Result<bool, Halt<P::Error>> {
        let phrase = slot.phrase(word);
        if !self.is_other(&phrase, others, &[])? {
            return Ok(false);
        }
        if self.future(&phrase[..slot.at])?.absorbed.is_none() {
            return Ok(true);
        }
        let mut but = Vec::new();
        for test in 0..self.tests.len() {
            let mut answers = HashSet::new();
            for other in others {
                answers.insert(self.answer(other, test)?);
            }
            if answers.len() >= VARIED {
                but.push(Some(test));
                if self.reaches_fresh(&phrase, others, test)? {
                    return Ok(true);
                }
            }
        }
        self.is_other(&phrase, others, &but)
    }

    /// Whether a test behind a phrase reaches what the phrase does not, and what it reaches behind none of the others.
    fn reaches_fresh(
        &mut self,
        phrase: &[Vec<u8>],
        others: &[Phrase],
        test: usize,
    ) -> Result<bool, Halt<P::Error>> {
        let test = self.tests[test].clone();
        let base = self.read(&text(phrase))?;
        let mut fresh = self.read(&text(&with(phrase, &test)))?;
        fresh.retain(|(key, _)| base.binary_search_by_key(key, |(own, _)| *own).is_err());
        for other in others {
            let run = self.read(&text(&with(other, &test)))?;
            fresh.retain(|(key, _)| run.binary_search_by_key(key, |(own, _)| *own).is_err());
        }
        Ok(!fresh.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Counts, phrase::tests, prober::Fake},
        *,
    };

    /// Reads all behind a quote. When a `q` stands behind that, which is looked up in another way for each text, and with a
    /// bracket there `when` is another text.
    fn reads(input: &[u8]) -> Counts {
        let text = input.strip_prefix(b"'").unwrap_or_default();
        let mut words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let second = words.next();
        let names = [&b"whek"[..], b"whem", b"wheo", b"qhen", b"that", b"when"];
        let way = names.iter().position(|name| *name == first).filter(|_| second == Some(b"q"));
        let mut run: Counts = (0..names.len()).map(|n| (n as u32, 1 + u32::from(way == Some(n)))).collect();
        run.push((10, text.len() as u32));
        run.extend((second == Some(b"(") && first == b"when").then_some((11, 1)));
        run
    }

    #[test]
    fn what_every_name_reads_otherwise_makes_no_word() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.tests = tests();
        let phrase = [b"'".to_vec(), b"x".to_vec()];
        let slot = Slot::new(&phrase, 1);
        let names: Vec<Phrase> =
            ["whek", "whem", "wheo", "qhen"].map(|name| slot.phrase(name.as_bytes())).into();
        assert!(learner.future(&phrase[..1]).unwrap().absorbed.is_some());
        assert!(learner.is_other(&slot.phrase(b"that"), &names, &[]).unwrap());
        assert!(!learner.is_other_word(slot, b"that", &names).unwrap());
        assert!(learner.is_other_word(slot, b"when", &names).unwrap());
    }
}
