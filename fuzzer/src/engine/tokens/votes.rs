//! Who is a token: what led to another state somewhere, and words whose comparison has proved to be a tokeniser's.
use std::collections::BTreeSet;

use super::{Learner, Prober, cases::keep_one_case};

/// A comparison's place in the program: the number of the object and of the slot.
pub type Site = (usize, usize);

/// A word that something in an input was compared with.
#[derive(Debug, Default, Clone)]
pub struct Word {
    /// Where.
    pub sites: BTreeSet<Site>,
    /// It reaches code that no word like it reaches.
    pub reaches_more: bool,
    /// It was compared as a whole, not only letter by letter.
    pub is_whole: bool,
}

impl<P: Prober> Learner<'_, P> {
    /// The tokens so far.
    pub(super) fn tokens(&self) -> Vec<Vec<u8>> {
        let words = self.words.iter().filter(|(_, word)| self.is_voted_for(word)).map(|(token, _)| token);
        let all = self.strong.keys().chain(&self.operators).chain(words).chain(&self.tight.tokens);
        let is_none = |word: &&Vec<u8>| {
            self.growing.is_beginning(word, &self.texts)
                || self.is_of_class(word)
                || self.quotes.contains(*word)
                || self.tight.refuses(word)
        };
        let mut all: BTreeSet<Vec<u8>> = all.filter(|word| !is_none(word)).cloned().collect();
        // Among pieces of a text in which words are packed every word is spelt, and in large letters as often as not.
        keep_one_case(&mut all, if self.is_packed { &[] } else { &self.texts });
        all.into_iter().collect()
    }

    /// A word that leads nowhere else yet is a token all the same if it is the only one of its comparison, or one in
    /// three of those that are compared there have proved to be tokens. Names that a program merely stores are all
    /// compared in one place, and none proves to be one. Of words that are compared letter by letter every beginning
    /// reaches more than what is none: those must prove themselves.
    pub(super) fn is_voted_for(&self, word: &Word) -> bool {
        word.reaches_more
            && word.is_whole
            && word.sites.iter().any(|site| {
                self.words_of_site.get(site).is_some_and(|all| {
                    let proved = all.iter().filter(|word| self.strong.contains_key(*word)).count();
                    all.len() == 1 || proved * 3 >= all.len()
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{joined::tests::reads, prober::Fake},
        *,
    };

    #[test]
    fn what_was_only_spelt_must_prove_itself() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        let (site, token) = ((0, 1), b"nan".to_vec());
        let mut word = Word { sites: [site].into(), reaches_more: true, is_whole: false };
        learner.words_of_site.insert(site, [token.clone()].into());
        learner.words.insert(token.clone(), word.clone());
        assert!(learner.tokens().is_empty());
        word.is_whole = true;
        learner.words.insert(token.clone(), word);
        assert_eq!(learner.tokens(), [token]);
    }
}
