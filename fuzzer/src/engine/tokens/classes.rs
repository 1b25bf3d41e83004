//! Places in the program that ask for one of a few letters wherever a word goes on, as who looks for the end of a date does:
//! such a class of letters spells no words.
use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Learner, Prober, votes::Site};

/// No word has one letter so many times running.
const RUNNING: usize = 3;

/// Whether some bytes have the same letter, in either case, so many times running.
pub fn is_repeated(word: &[u8]) -> bool {
    let mut runs = word.windows(RUNNING);
    runs.any(|run| run[1..].iter().all(|letter| letter.eq_ignore_ascii_case(&run[0])))
}

/// What was spelt letter by letter, and where.
#[derive(Debug, Default)]
pub struct Classes {
    /// The places that asked for the last letter of each beginning when it had the others.
    asked: HashMap<Vec<u8>, BTreeSet<Site>>,
    /// Places that ask for a letter again behind itself, and the letter.
    known: HashSet<(Site, u8)>,
}

impl Classes {
    /// This place asked for the last letter of a beginning.
    pub fn note(&mut self, site: Site, beginning: &[u8]) {
        self.asked.entry(beginning.to_vec()).or_default().insert(site);
        let from = beginning.len().saturating_sub(RUNNING);
        if is_repeated(&beginning[from..]) {
            // The loop may be unrolled: each of its places is one of the class.
            for end in from + 1..=beginning.len() {
                let sites = self.asked.get(&beginning[..end]).into_iter().flatten();
                self.known.extend(sites.map(|site| (*site, beginning[end - 1])));
            }
        }
    }

    /// Whether this place asks for the last letter of a beginning whatever stands before.
    pub fn has(&self, site: Site, beginning: &[u8]) -> bool {
        beginning.last().is_some_and(|letter| self.known.contains(&(site, *letter)))
    }

    /// Whether a word was spelt, and some letter of it by classes only.
    fn spell(&self, word: &[u8]) -> bool {
        let is_of_class = |beginning: &[u8]| {
            let mut sites = self.asked.get(beginning).into_iter().flatten().peekable();
            sites.peek().is_some() && sites.all(|site| self.has(*site, beginning))
        };
        self.asked.contains_key(word) && (1..=word.len()).any(|end| is_of_class(&word[..end]))
    }
}

impl<P: Prober> Learner<'_, P> {
    /// Whether a word came of classes of letters, wherever it leads.
    pub(super) fn is_of_class(&self, word: &[u8]) -> bool {
        !self.words.get(word).is_some_and(|word| word.is_whole) && self.classes.spell(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: Site = (0, 1);
    const WORDS: Site = (0, 2);

    fn classes(asked: &[(Site, &str)]) -> Classes {
        let mut classes = Classes::default();
        asked.iter().for_each(|(site, beginning)| classes.note(*site, beginning.as_bytes()));
        classes
    }

    #[test]
    fn who_asks_for_a_letter_again_and_again_spells_no_words() {
        let asked = ["T", "Z", "TT", "TZ", "ZZ", "TTT", "ZZZ"].map(|beginning| (CLASS, beginning));
        let classes = classes(&asked);
        assert!(classes.has(CLASS, b"TZT") && !classes.has(CLASS, b"TZA") && !classes.has(WORDS, b"T"));
        assert!([&b"TT"[..], b"TZ", b"ZZ"].iter().all(|word| classes.spell(word)));
    }

    #[test]
    fn words_that_others_spell_too_are_words() {
        let mut asked: Vec<(Site, &str)> = ["T", "TT", "TTT"].map(|beginning| (CLASS, beginning)).into();
        asked.extend(["T", "TR", "TRU", "TRUE"].map(|beginning| (WORDS, beginning)));
        let classes = classes(&asked);
        assert!(classes.spell(b"TT") && !classes.spell(b"TRUE"));
    }

    #[test]
    fn unrolled_loops_are_one_class() {
        let sites: [Site; 4] = [(0, 1), (0, 2), (0, 3), (0, 4)];
        let asked = ["T", "TT", "TTT", "TZ", "TTZ", "TTZT"];
        let asked = asked.map(|beginning| (sites[(beginning.len() - 1) % 4], beginning));
        assert!(classes(&asked).spell(b"TTZT"));
    }
}
