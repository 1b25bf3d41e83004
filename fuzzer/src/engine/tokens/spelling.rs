//! Words that only a table knows: spelt letter by letter, by those that are read otherwise than most.
use std::collections::{BTreeSet, HashSet, VecDeque};

use super::{
    Counts, Halt, Learner, Prober,
    junk::ordinary,
    phrase::{NAME, Phrase, is_sign, punctuation, with},
    votes::Site,
    wanted::neighbours,
    words::Slot,
};

/// Words are spelt in so many states, the first ones. A tokeniser knows its words anywhere.
const STATES: usize = 2;
/// So many beginnings are gone on from in one state.
const BEGINNINGS: usize = 180;
/// More letters than these that are read alike are not those of words.
const ALIKE: usize = 6;
const LONGEST: usize = 20;
/// Stands for the place of the comparison that is not made.
const NOWHERE: Site = (usize::MAX, 1);

/// What may come next in a word.
struct Next {
    letter: u8,
    /// It reaches what no other letter reaches: here a word may end.
    is_end: bool,
}

/// What words are spelt with: small letters first, for most tables take large ones for the same.
fn letters() -> impl Iterator<Item = u8> {
    (b'a'..=b'z').chain(b'A'..=b'Z').chain([b'_'])
}

/// The letters that are read otherwise than most, of those that are read alike in both sizes the small one.
fn rare(runs: &[(u8, Counts)]) -> Vec<Next> {
    let alike = |run: &Counts| runs.iter().filter(|(_, other)| other == run).count();
    let mut found: Vec<Next> = Vec::new();
    for (letter, run) in runs.iter().filter(|(_, run)| alike(run) <= ALIKE) {
        let small = letter.to_ascii_lowercase();
        let is_same = |(other, other_run): &(u8, Counts)| *other == small && other_run == run;
        if small != *letter && runs.iter().any(is_same) {
            continue;
        }
        let others = runs.iter().filter(|(_, other)| other != run);
        let reached: HashSet<u32> = others.flat_map(|(_, run)| run.iter().map(|(key, _)| *key)).collect();
        let is_end = run.iter().any(|(key, _)| !reached.contains(key));
        found.push(Next { letter: *letter, is_end });
    }
    found
}

impl<P: Prober> Learner<'_, P> {
    /// Spells words behind a phrase.
    pub(super) fn spell(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        if !self.tables.are_read || self.tables.spelt == STATES {
            return Ok(());
        }
        self.tables.spelt += 1;
        let mut waiting: VecDeque<Vec<u8>> = std::iter::once(Vec::new()).chain(punctuation()).collect();
        for _ in 0..BEGINNINGS {
            let Some(beginning) = waiting.pop_front() else { break };
            let mut next = rare(&self.runs_behind(phrase, &beginning)?);
            if is_sign(&beginning) && !next.is_empty() {
                // What is read so behind a space too begins another word.
                let apart = rare(&self.runs_behind(phrase, &[&beginning[..], b" "].concat())?);
                let apart: BTreeSet<u8> = apart.into_iter().map(|next| next.letter).collect();
                next.retain(|next| !apart.contains(&next.letter));
            }
            if next.is_empty() && beginning.len() > 1 {
                self.try_spelt(phrase, &beginning, true)?;
            }
            for Next { letter, is_end } in next {
                let longer = [&beginning[..], &[letter]].concat();
                if is_end && longer.len() > 1 {
                    self.try_spelt(phrase, &longer, false)?;
                }
                if longer.len() < LONGEST {
                    waiting.push_back(longer);
                }
            }
        }
        Ok(())
    }

    /// The runs of all letters right behind a beginning.
    fn runs_behind(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
    ) -> Result<Vec<(u8, Counts)>, Halt<P::Error>> {
        letters()
            .map(|letter| Ok((letter, self.read_behind(phrase, &[beginning, &[letter]].concat())?)))
            .collect()
    }

    /// Tries a word that was spelt. What others go on from must prove itself.
    fn try_spelt(&mut self, phrase: &[Vec<u8>], word: &[u8], is_whole: bool) -> Result<(), Halt<P::Error>> {
        let slot = with(phrase, NAME);
        if self.try_word(Slot { phrase: &slot, at: phrase.len() }, word, false)? {
            let known = self.words.entry(word.to_vec()).or_default();
            known.sites.insert(NOWHERE);
            known.is_whole |= is_whole;
            self.words_of_site.entry(NOWHERE).or_default().insert(word.to_vec());
        } else {
            let others = neighbours(word).into_iter().chain(ordinary(self.junk).map(<[u8]>::to_vec));
            let others: Vec<Phrase> = others.map(|other| with(phrase, &other)).collect();
            if self.is_other(&with(phrase, word), &others, &[])? {
                *self.strong.entry(word.to_vec()).or_default() += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_words_are_those_that_few_are_like() {
        let run = |letter: u8| match letter.to_ascii_lowercase() {
            b't' => vec![(1, 3), (7, 1)],
            b'f' => vec![(1, 3), (2, 4)],
            b'_' => vec![(1, 2), (2, 1)],
            _ => vec![(1, 2), (2, 1)],
        };
        let found = rare(&letters().map(|letter| (letter, run(letter))).collect::<Vec<_>>());
        let found: Vec<(u8, bool)> = found.into_iter().map(|next| (next.letter, next.is_end)).collect();
        assert_eq!(found, [(b'f', false), (b't', true)]);
    }
}
