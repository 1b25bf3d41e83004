//! Places in the program that compare a word as it comes, a letter more each time: its beginnings, which are compared there
//! too, are no words.
use std::collections::{BTreeSet, HashMap};

use super::{cuts::call, phrase::is_alphanumeric, votes::Site};

/// Shorter words may have all their beginnings beside them by chance.
const SHORTEST: usize = 3;

/// The words of a call that were compared with no more of a probe than they are long.
#[derive(Debug, Default)]
struct Call {
    words: BTreeSet<Vec<u8>>,
    /// Some probe had another first letter than the word.
    is_for_any: bool,
}

impl Call {
    /// Whether it compared with everything that a word begins with, from so many letters on.
    fn has_beginnings(&self, word: &[u8], from: usize) -> bool {
        (from..word.len()).all(|length| self.words.contains(&word[..length]))
    }
}

/// Such calls, by the first of their slots.
#[derive(Debug, Default)]
pub struct Growing {
    calls: HashMap<Site, Call>,
}

impl Growing {
    /// At this place the beginning of a probe was compared with this word.
    pub fn note(&mut self, site: Site, word: &[u8], probe: &[u8]) {
        let Some(call) = call(site, word.len()) else { return };
        let call = self.calls.entry(call).or_default();
        call.words.insert(word.to_vec());
        call.is_for_any |= !word[..1].eq_ignore_ascii_case(&probe[..1]);
    }

    /// Whether a call compared with this word, a longer one, and everything between. In a table some words are beginnings of
    /// others too, but not one for each length; where the first letter was looked at before, the program must have the longer
    /// one among its texts, and not this one.
    pub fn is_beginning(&self, word: &[u8], texts: &[Vec<u8>]) -> bool {
        let is_text = |word: &[u8]| texts.iter().any(|text| text == word);
        is_alphanumeric(word)
            && self.calls.values().any(|call| {
                let with_word =
                    call.words.range(word.to_vec()..).take_while(|longer| longer.starts_with(word));
                let mut longer =
                    with_word.filter(|longer| longer.len() > word.len() && longer.len() >= SHORTEST);
                longer.any(|longer| {
                    let is_cut = !call.is_for_any && word.len() > 1 && is_text(longer) && !is_text(word);
                    call.has_beginnings(longer, if is_cut { word.len() } else { 1 })
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growing(words: &[&str], probe: &[u8]) -> Growing {
        let mut growing = Growing::default();
        // One slot for each length.
        words.iter().for_each(|word| growing.note((0, 9 + word.len()), word.as_bytes(), probe));
        growing
    }

    #[test]
    fn beginnings_of_words_that_grow_are_none() {
        let words = growing(&["t", "tr", "tru", "true"], b"falsx");
        assert!([&b"t"[..], b"tr", b"tru"].iter().all(|word| words.is_beginning(word, &[])));
        assert!(!words.is_beginning(b"true", &[]) && !words.is_beginning(b"x", &[]));
    }

    #[test]
    fn words_of_a_table_may_begin_others() {
        let texts = [b"acosh".to_vec()];
        assert!(!growing(&["acos", "acosh"], b"xqzjv").is_beginning(b"acos", &texts));
        assert!(!growing(&["<", "<=", "<=>"], b"xqz").is_beginning(b"<", &[]));
        assert!(!growing(&["i", "if"], b"xqz").is_beginning(b"i", &[]));
    }

    #[test]
    fn behind_a_known_letter_texts_decide() {
        let words = growing(&["Na", "NaN"], b"nxq");
        assert!(words.is_beginning(b"Na", &[b"NaN".to_vec()]));
        assert!(!words.is_beginning(b"Na", &[b"Na".to_vec(), b"NaN".to_vec()]));
        assert!(!words.is_beginning(b"Na", &[]));
    }
}
