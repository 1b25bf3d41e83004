//! Probes: words that are put where a name stands, to see what they are compared with.
use std::collections::{HashSet, VecDeque};

/// Words are probed up to this length.
const LONGEST: usize = 31;

/// A word that is no token itself, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub word: Vec<u8>,
    /// Which of its letters were asked for.
    asked: u32,
}

impl Probe {
    /// A beginning of a word that was asked for, and letters behind it that it has not.
    pub fn new(beginning: &[u8], letters: &[u8]) -> Self {
        let others = letters.iter().filter(|letter| !beginning.contains(letter));
        let word: Vec<u8> = beginning.iter().chain(others).copied().take(LONGEST).collect();
        Self { word, asked: (1 << beginning.len().min(LONGEST)) - 1 }
    }

    /// An end that was asked for, and so many letters before it.
    pub fn ended(front: usize, ending: &[u8], letters: &[u8]) -> Self {
        let word: Vec<u8> = letters.iter().cycle().take(front).chain(ending).copied().collect();
        let asked = (front..word.len()).filter(|at| *at < LONGEST).fold(0, |asked, at| asked | 1 << at);
        Self { word, asked }
    }

    /// The end that was asked for, if that is all that was, and more than a letter.
    pub fn ending(&self) -> Option<&[u8]> {
        let front = self.asked.trailing_zeros() as usize;
        let ending = self.word.get(front..).filter(|ending| front > 0 && ending.len() > 1)?;
        (self.asked >> front == (1 << ending.len()) - 1).then_some(ending)
    }

    /// With one letter as it was asked for, unless it has been asked for as it is: that makes another word.
    pub fn mended(&self, at: usize, wanted: u8) -> Option<Self> {
        let mut word = self.word.clone();
        *word.get_mut(at).filter(|_| self.asked >> at & 1 == 0)? = wanted;
        Some(Self { word, asked: self.asked | 1 << at })
    }

    /// Where it is a beginning that was asked for and one letter more, the same with another letter there.
    pub fn with_other_end(&self, letters: &[u8]) -> Option<Self> {
        let beginning = self.whole().filter(|whole| whole.len() + 1 == self.word.len())?;
        let last = self.word.last()?;
        let next = letters.iter().skip_while(|letter| *letter != last).skip(1);
        let other = next.into_iter().find(|letter| !beginning.contains(letter))?;
        Some(Self::new(beginning, &[*other]))
    }

    /// The letters that were asked for, if those are the first ones and nothing else.
    pub fn whole(&self) -> Option<&[u8]> {
        let letters = self.asked.trailing_ones();
        (letters > 0 && self.asked >> letters == 0).then(|| &self.word[..letters as usize])
    }
}

/// Probes that wait, each made once.
#[derive(Debug, Default)]
pub struct Probes {
    waiting: VecDeque<Probe>,
    made: HashSet<Vec<u8>>,
}

impl Probes {
    /// One more, of which nothing was asked for.
    pub fn add(&mut self, word: Vec<u8>) {
        self.add_probe(Probe { word, asked: 0 });
    }

    /// One more.
    pub fn add_probe(&mut self, probe: Probe) {
        if probe.word.len() <= LONGEST && self.made.insert(probe.word.clone()) {
            self.waiting.push_back(probe);
        }
    }

    /// The next one.
    pub fn next(&mut self) -> Option<Probe> {
        self.waiting.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_mended_from_either_end() {
        let probe = Probe { word: b"xqzjvk".to_vec(), asked: 0 };
        let mend = |probe: Probe, at, wanted| probe.mended(at, wanted).unwrap();
        let probe = mend(probe, 0, b't');
        assert_eq!(probe.whole(), Some(&b"t"[..]));
        assert_eq!(probe.mended(0, b'f'), None);
        let probe = mend(mend(probe, 3, b'e'), 2, b'u');
        assert_eq!((probe.whole(), &probe.word[..]), (None, &b"tquevk"[..]));
        assert_eq!(mend(probe, 1, b'r').whole(), Some(&b"true"[..]));
        assert_eq!(Probe::new(b"te", b"x").with_other_end(b"qxez"), Some(Probe::new(b"te", b"z")));
        assert_eq!(Probe::new(b"te", b"xq").with_other_end(b"qxez"), None);
        assert_eq!(Probe::ended(3, b"-in", b"xq"), Probe { word: b"xqx-in".to_vec(), asked: 0b111_000 });
        assert_eq!(Probe::ended(3, b"-in", b"xq").ending(), Some(&b"-in"[..]));
        assert_eq!(Probe::new(b"te", b"x").ending(), None);
        assert_eq!(Probe::new(b"t", b"xtq"), Probe { word: b"txq".to_vec(), asked: 1 });
    }
}
