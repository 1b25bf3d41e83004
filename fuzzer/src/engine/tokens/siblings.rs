//! Words like a word to hold against it. Those that are known themselves, or are texts of the program, are none: `cot` is
//! read just as `cos` is, and shows nothing.
use super::{Learner, Prober, wanted::neighbours};

impl<P: Prober> Learner<'_, P> {
    /// Words like this one that are no tokens, as far as is known: with other letters, and what it goes on to.
    pub(super) fn neighbours(&self, word: &[u8]) -> Vec<Vec<u8>> {
        let is_known = |word: &Vec<u8>| {
            self.texts.binary_search(word).is_ok()
                || self.strong.contains_key(word)
                || self.words.get(word).is_some_and(|word| word.is_whole && word.reaches_more)
        };
        let (known, others): (Vec<_>, Vec<_>) = neighbours(word).into_iter().partition(is_known);
        let others = if others.is_empty() { known } else { others };
        others.into_iter().chain(self.beginnings_beside(word)).collect()
    }

    /// What a beginning of a word goes on to, if that goes on too: all beginnings of one word are read alike where it is
    /// compared no further than the input's word is long.
    fn beginnings_beside(&self, word: &[u8]) -> Vec<Vec<u8>> {
        let longer = self.beginnings.range(word.to_vec()..).take_while(|longer| longer.starts_with(word));
        let next = longer.filter(|longer| longer.len() == word.len() + 1 && self.goes_on(longer));
        next.filter(|next| self.texts.binary_search(next).is_err() && !self.strong.contains_key(*next))
            .cloned()
            .collect()
    }

    /// Whether a word is more than what letter by letter leads to a longer one.
    pub(super) fn may_be_whole(&self, word: &[u8]) -> bool {
        !self.goes_on(word) || self.texts.binary_search_by(|text| text[..].cmp(word)).is_ok()
    }

    /// Whether letters were asked for behind a beginning.
    fn goes_on(&self, beginning: &[u8]) -> bool {
        let mut longer = self.beginnings.range(beginning.to_vec()..).skip(1);
        longer.next().is_some_and(|longer| longer.starts_with(beginning))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{joined::tests::reads, prober::Fake},
        *,
    };

    #[test]
    fn what_is_known_is_no_neighbour() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.texts = vec![b"cos".to_vec(), b"cot".to_vec()];
        assert_eq!(learner.neighbours(b"cos"), [&b"cor"[..], b"coq", b"qos"].map(<[u8]>::to_vec));
    }

    #[test]
    fn beginnings_of_one_word_are_held_against_each_other() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.beginnings = ["co", "com", "comm", "in", "int"].map(|word| word.as_bytes().to_vec()).into();
        assert_eq!(learner.beginnings_beside(b"co"), [b"com".to_vec()]);
        // Nothing was asked for behind these: they may be words, and just such as those that begin them.
        assert!(learner.beginnings_beside(b"com").is_empty() && learner.beginnings_beside(b"in").is_empty());
    }
}
