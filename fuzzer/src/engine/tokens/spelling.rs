//! Words that only a table knows: spelt letter by letter, by those that are read otherwise than most.
use std::collections::{BTreeSet, HashSet, VecDeque};

use super::{
    super::answers::log::Sides,
    Counts, Halt, Learner, Prober,
    classes::is_repeated,
    future::mix,
    junk::{end, ordinary},
    phrase::{NAME, Phrase, is_sign, is_word, punctuation, text, with},
    votes::Site,
    words::Slot,
};

/// Words are spelt in so many states, the first ones. A tokeniser knows its words anywhere.
const STATES: usize = 2;
/// So many beginnings are gone on from in one state.
const BEGINNINGS: usize = 700;
/// So many show whether there are words at all.
const FEW_BEGINNINGS: usize = 60;
/// So many letters show whether a table is compared with anything.
const FEW_COMPARED: usize = 30;
/// More letters than these that are read alike are not those of words.
const ALIKE: usize = 6;
const LONGEST: usize = 20;
/// Stands for the place of the comparison that is not made.
const NOWHERE: Site = (usize::MAX, 1);

/// The first ones of `letters` are small.
const SMALL: usize = 27;

/// A letter's way behind a beginning.
struct Run {
    letter: u8,
    counts: Counts,
    /// The comparisons that held. Where a table says which letters a state knows, the way of a letter that leads on in a word
    /// is often as long as that of one that does not: it goes back later to where all names are read. But each state that is
    /// gone through is compared with what the table holds there.
    held: u64,
}

/// What may come next in a word.
struct Next {
    letter: u8,
    /// It reaches what no other letter reaches: here a word may end.
    is_end: bool,
}

/// What words are spelt with: small letters first, for most tables take large ones for the same.
fn letters() -> impl Iterator<Item = u8> + Clone {
    (b'a'..=b'z').chain([b'_']).chain(b'A'..=b'Z')
}

/// The letters that are read otherwise than most, of those that are read alike in both sizes the small one. Where half of
/// them are read alike, those go on with no word, and more of the others do.
fn rare(runs: &[Run], is_like: impl Fn(&Run, &Run) -> bool) -> Vec<Next> {
    let alike = |run: &Run| runs.iter().filter(|other| is_like(other, run)).count();
    let most = runs.iter().map(alike).max().unwrap_or(0);
    let few = if most * 2 >= runs.len() { ALIKE.max(runs.len() / 3) } else { ALIKE };
    let mut found: Vec<Next> = Vec::new();
    for run in runs.iter().filter(|run| alike(run) <= few) {
        let small = run.letter.to_ascii_lowercase();
        let is_same = |other: &Run| other.letter == small && is_like(other, run);
        if small != run.letter && runs.iter().any(is_same) {
            continue;
        }
        let others = runs.iter().filter(|other| !is_like(other, run));
        let reached: HashSet<u32> =
            others.flat_map(|other| other.counts.iter().map(|(key, _)| *key)).collect();
        let is_end = run.counts.iter().any(|(key, _)| !reached.contains(key));
        found.push(Next { letter: run.letter, is_end });
    }
    found
}

/// The comparisons that held, as one number.
fn held(log: &[(Site, Sides)]) -> u64 {
    let numbers = log.iter().filter_map(|((object, slot), sides)| match sides {
        Sides::Numbers { ordered: false, sides: [a, b], .. } if a == b => {
            Some([*object as u64, *slot as u64, *a])
        }
        _ => None,
    });
    numbers.flatten().fold(0, mix)
}

impl<P: Prober> Learner<'_, P> {
    /// Spells words behind the first of these phrases.
    pub(super) fn spell_behind(&mut self, phrases: &[Phrase]) -> Result<(), Halt<P::Error>> {
        for phrase in phrases.iter().take(STATES) {
            self.bases.clear();
            self.spell(phrase, BEGINNINGS)?;
            self.tell();
        }
        Ok(())
    }

    /// Spells words behind a phrase, if short ones show that there are any.
    pub(super) fn spell_sooner(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        self.bases.clear();
        let before = self.strong.len();
        let spelt = self.tables.spelt;
        self.spell(phrase, FEW_BEGINNINGS)?;
        if self.strong.len() > before {
            self.spell(phrase, BEGINNINGS)?;
        }
        self.tables.spelt = self.tables.spelt.min(spelt + 1);
        self.tell();
        Ok(())
    }

    /// Spells words behind a phrase.
    fn spell(&mut self, phrase: &[Vec<u8>], most: usize) -> Result<(), Halt<P::Error>> {
        if !self.tables.are_read || self.tables.spelt == STATES {
            return Ok(());
        }
        self.tables.spelt += 1;
        let beginnings = std::iter::once(Vec::new()).chain(punctuation());
        let mut waiting: VecDeque<(Vec<u8>, Vec<u8>)> =
            beginnings.map(|beginning| (beginning, Vec::new())).collect();
        for _ in 0..most {
            let Some((beginning, before)) = waiting.pop_front() else { break };
            let mut next = self.next_behind(phrase, &beginning, SMALL)?;
            // Few words have large letters in them, and those are looked for where there is nothing else.
            if next.is_empty() || !is_word(&beginning) {
                next = self.next_behind(phrase, &beginning, usize::MAX)?;
            }
            // Where the same letters come again behind one of them, they are a class, as those of a number are.
            let letters_next: Vec<u8> = next.iter().map(|next| next.letter).collect();
            let is_class = letters_next.len() > 1 && letters_next == before;
            if is_class && beginning.last().is_some_and(|last| before.contains(last)) {
                continue;
            }
            if beginning.is_empty() && !next.is_empty() {
                // Too many words begin with them to tell which.
                let known: BTreeSet<u8> = next.iter().map(|next| next.letter).collect();
                let others = letters().take(SMALL).filter(|letter| !known.contains(letter));
                next.extend(others.map(|letter| Next { letter, is_end: false }));
            }
            if is_sign(&beginning) && !next.is_empty() {
                // What is read so behind a space too begins another word.
                let apart = self.next_behind(phrase, &[&beginning[..], b" "].concat(), usize::MAX)?;
                let apart: BTreeSet<u8> = apart.into_iter().map(|next| next.letter).collect();
                next.retain(|next| !apart.contains(&next.letter));
            }
            let has_letters = next.iter().any(|next| next.letter != b'_');
            if !has_letters && beginning.len() > 1 {
                self.try_spelt(phrase, &beginning, true)?;
            }
            for Next { letter, is_end } in next {
                // Names may begin with it, and so does what stands right behind a sign.
                if letter == b'_' && is_sign(&beginning) && beginning[0] != b'_' {
                    continue;
                }
                let longer = [&beginning[..], &[letter]].concat();
                if is_end && longer.len() > 1 {
                    self.try_spelt(phrase, &longer, false)?;
                }
                if longer.len() < LONGEST && !is_repeated(&longer) {
                    waiting.push_back((longer, letters_next.clone()));
                }
            }
        }
        Ok(())
    }

    /// What so many letters right behind a beginning lead on to: told by the comparisons that held, and by counters where
    /// those tell nothing. A table that is compared with nothing shows at the first letters: traces take as many runs again.
    fn next_behind(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
        many: usize,
    ) -> Result<Vec<Next>, Halt<P::Error>> {
        let may_show = many == SMALL && beginning.first().is_none_or(u8::is_ascii_alphabetic);
        self.tables.looked += usize::from(may_show);
        let is_traced = may_show && (self.tables.is_compared || self.tables.looked <= FEW_COMPARED);
        let mut runs = Vec::new();
        for letter in letters().take(many) {
            let bytes = [beginning, &[letter]].concat();
            let counts = self.read_behind(phrase, &bytes)?;
            let held = match is_traced {
                true => held(&self.trace(&[&text(&with(phrase, &bytes))[..], &end(self.junk)].concat())?),
                false => 0,
            };
            runs.push(Run { letter, counts, held });
        }
        let found = rare(&runs, |a, b| a.held == b.held);
        // Names have it too.
        let is_told = found.iter().any(|next| next.letter != b'_');
        self.tables.is_compared |= is_told;
        Ok(if is_told { found } else { rare(&runs, |a, b| a.counts == b.counts) })
    }

    /// Whether a beginning of a word has proved to be one.
    fn is_known(&self, word: &[u8]) -> bool {
        self.strong.contains_key(word) || self.words.get(word).is_some_and(|word| word.is_whole)
    }

    /// Tries a word that was spelt. What others go on from must prove itself.
    fn try_spelt(&mut self, phrase: &[Vec<u8>], word: &[u8], is_whole: bool) -> Result<(), Halt<P::Error>> {
        let slot = with(phrase, NAME);
        let slot = Slot::new(&slot, phrase.len());
        // Where names mean nothing, words may stand right behind each other.
        for end in (1..word.len()).filter(|end| self.is_known(&word[..*end])).collect::<Vec<_>>() {
            let apart = [&word[..end], b" ", &word[end..]].concat();
            if !self.reaches_more(phrase, word, &[apart])? {
                return Ok(());
            }
        }
        let run = self.read(&slot.bytes(word, 0))?;
        if self.reads_as_two(slot, word, &run)? {
            return Ok(());
        }
        if self.try_word(slot, word, false)? {
            let known = self.words.entry(word.to_vec()).or_default();
            known.sites.insert(NOWHERE);
            known.is_whole |= is_whole;
            self.words_of_site.entry(NOWHERE).or_default().insert(word.to_vec());
        } else {
            let others = self.neighbours(word).into_iter().chain(ordinary(self.junk).map(<[u8]>::to_vec));
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

    fn by_counts(a: &Run, b: &Run) -> bool {
        a.counts == b.counts
    }

    fn by_held(a: &Run, b: &Run) -> bool {
        a.held == b.held
    }

    fn found(run: impl Fn(u8) -> (Counts, u64), is_like: impl Fn(&Run, &Run) -> bool) -> Vec<(u8, bool)> {
        let runs = letters().map(|letter| {
            let (counts, held) = run(letter.to_ascii_lowercase());
            Run { letter, counts, held }
        });
        let next = rare(&runs.collect::<Vec<_>>(), is_like);
        next.into_iter().map(|next| (next.letter, next.is_end)).collect()
    }

    #[test]
    fn letters_of_words_are_those_that_few_are_like() {
        let counts = |letter| match letter {
            b't' => vec![(1, 3), (7, 1)],
            b'f' => vec![(1, 3), (2, 4)],
            _ => vec![(1, 2), (2, 1)],
        };
        assert_eq!(found(|letter| (counts(letter), 0), by_counts), [(b'f', false), (b't', true)]);
    }

    #[test]
    fn letters_whose_way_is_as_long_are_told_by_what_held() {
        let counts = |letter| if letter < b'k' { vec![(1, 2), (2, 1)] } else { vec![(1, 3), (2, 1)] };
        let held = |letter| if letter == b'e' { 7 } else { 4 };
        assert_eq!(found(|letter| (counts(letter), held(letter)), by_held), [(b'e', false)]);
        assert_eq!(found(|letter| (counts(letter), 0), by_counts), []);
    }

    #[test]
    fn only_equal_numbers_hold() {
        let log = |sides: &[([u64; 2], bool)]| -> Vec<(Site, Sides)> {
            let numbers = |([a, b], ordered): &([u64; 2], bool)| {
                ((0, 1), Sides::Numbers { width: 32, ordered: *ordered, sides: [*a, *b] })
            };
            sides.iter().map(numbers).collect()
        };
        let plain = held(&log(&[([4, 4], false)]));
        assert_eq!(held(&log(&[([9, 3], false), ([4, 4], false), ([5, 5], true)])), plain);
        assert_ne!(held(&log(&[([5, 5], false)])), plain);
    }
}
