//! Words that begin with signs, as directives and some operators do: where a tokeniser compares what comes with whole texts,
//! those show behind their signs.
use super::{
    super::answers::log::Sides,
    Halt, Learner, Prober,
    phrase::{NAME, punctuation, text, with},
    votes::Site,
    words::Slot,
};

/// A tokeniser knows its words in any state: a few will do.
const STATES: usize = 3;
/// Longer words are not found.
const LENGTH: usize = 20;

/// The texts that go on with letters where an input that was compared with them has other bytes behind this beginning.
pub fn led(log: &[(Site, Sides)], beginning: &[u8]) -> Vec<(Site, Vec<u8>)> {
    let mut found = Vec::new();
    for (site, sides) in log {
        let Sides::Texts([a, b]) = sides else { continue };
        for (own, other) in [(a, b), (b, a)] {
            let (Some(own), Some(rest)) = (own.strip_prefix(beginning), other.strip_prefix(beginning)) else {
                continue;
            };
            let is_word = rest.first().is_some_and(u8::is_ascii_alphabetic)
                && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            if is_word && !own.first().is_some_and(u8::is_ascii_alphanumeric) {
                found.push((*site, other.clone()));
            }
        }
    }
    found
}

impl<P: Prober> Learner<'_, P> {
    /// Looks for words right behind signs.
    pub(super) fn find_led(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        if self.led_states == STATES {
            return Ok(());
        }
        self.led_states += 1;
        let slot = with(phrase, NAME);
        for sign in punctuation() {
            // As long as a word: some compare only what is.
            let junk = self.junk.repeat(LENGTH);
            let log = self.trace(&[&text(&with(phrase, &sign))[..], junk.as_bytes()].concat())?;
            for (site, word) in led(&log, &sign) {
                if self.words_of_site.get(&site).is_some_and(|all| all.contains(&word)) {
                    continue;
                }
                if self.try_word(Slot::new(&slot, phrase.len()), &word, false)? {
                    let known = self.words.entry(word.clone()).or_default();
                    known.sites.insert(site);
                    known.is_whole = true;
                }
                self.words_of_site.entry(site).or_default().insert(word);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_led_by_the_signs_of_the_input() {
        let texts = |a: &[u8], b: &[u8]| ((0, 1), Sides::Texts([a.to_vec(), b.to_vec()]));
        let log =
            [texts(b"!\x7f\x7f", b"!is"), texts(b"!\x7f", b"!="), texts(b"is", b"!is"), texts(b"!x", b"!is")];
        assert_eq!(led(&log, b"!"), [((0, 1), b"!is".to_vec())]);
    }
}
