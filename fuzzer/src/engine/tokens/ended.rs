//! Words whose end is compared first, and the rest only where that is right, as with `c-format` among other formats.
use std::collections::{HashMap, HashSet};

use super::wanted::Extent;

/// What is known of such words.
#[derive(Debug, Default)]
pub struct Ended {
    ends: HashSet<Vec<u8>>,
    /// How many letters stand before the end of each.
    words: HashMap<Vec<u8>, usize>,
    /// What was compared with less than all of that.
    beginnings: HashSet<Vec<u8>>,
}

impl Ended {
    /// The end of a probe was compared with this.
    pub fn note_end(&mut self, end: &[u8]) {
        self.ends.insert(end.to_vec());
    }

    /// Whether words may end in this.
    pub fn is_end(&self, end: &[u8]) -> bool {
        self.ends.contains(end)
    }

    /// The word that a probe with this end was compared with, if its other letters were compared together.
    pub fn with_end(&mut self, word: &[u8], extent: Extent, probe: &[u8], end: &[u8]) -> Option<Vec<u8>> {
        if extent == Extent::Beginning && word.len() + end.len() == probe.len() {
            let whole = [word, end].concat();
            self.note(&whole, word.len());
            return Some(whole);
        }
        self.note_beginning(word);
        None
    }

    /// A word with so many letters before its end, all of which were compared together.
    fn note(&mut self, word: &[u8], front: usize) {
        self.words.insert(word.to_vec(), front);
    }

    /// With this only the first letters of a word were compared, the end of which was right.
    fn note_beginning(&mut self, beginning: &[u8]) {
        self.beginnings.insert(beginning.to_vec());
    }

    /// Whether a word is none because what stands before its end goes on.
    pub fn is_longer(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some_and(|front| self.beginnings.contains(&word[..*front]))
    }

    /// Whether this is such a word.
    pub fn contains(&self, word: &[u8]) -> bool {
        self.words.contains_key(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_before_the_end_makes_a_word_with_it() {
        let mut ended = Ended::default();
        ended.note_end(b"-format");
        assert!(ended.is_end(b"-format") && !ended.is_end(b"format"));
        let whole = ended.with_end(b"c", Extent::Beginning, b"x-format", b"-format");
        assert_eq!(whole, Some(b"c-format".to_vec()));
        assert_eq!(ended.with_end(b"no-", Extent::Beginning, b"xqzj-format", b"-format"), None);
        ended.note(b"no--format", 3);
        assert!(ended.contains(b"c-format") && ended.is_longer(b"no--format"));
    }

    #[test]
    fn what_begins_longer_words_is_not_all_before_the_end() {
        let mut ended = Ended::default();
        ended.note(b"no--format", 3);
        ended.note(b"c-format", 1);
        assert!(!ended.is_longer(b"no--format"));
        ended.note_beginning(b"no-");
        assert!(ended.is_longer(b"no--format") && !ended.is_longer(b"c-format") && !ended.is_longer(b"no-"));
        assert!(ended.contains(b"c-format") && !ended.contains(b"no-"));
    }
}
