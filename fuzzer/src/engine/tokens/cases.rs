//! Words that are known in either case: one way to write them will do.
use std::collections::{BTreeMap, BTreeSet};

use super::{Counts, Halt, Learner, Prober, words::Slot};

/// A word that was learnt in so many mixes of case is known in any.
const ENOUGH: usize = 3;

/// Of words that are known in any case only one is kept: one that the program itself spells so, if there is any, and of
/// those the one with the fewest capitals.
pub fn keep_one_case(words: &mut BTreeSet<Vec<u8>>, texts: &[Vec<u8>]) {
    let mut mixes: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    for word in words.iter() {
        mixes.entry(word.to_ascii_lowercase()).or_default().push(word.clone());
    }
    for mut mixes in mixes.into_values().filter(|mixes| mixes.len() >= ENOUGH) {
        let capitals = |word: &[u8]| word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        mixes.sort_by_key(|word| (!texts.contains(word), capitals(word)));
        mixes[1..].iter().for_each(|word| _ = words.remove(word));
    }
}

impl<P: Prober> Learner<'_, P> {
    /// A word that is read just so in small letters is known in any case, and a token in small letters: what the program calls
    /// it is no way to write it.
    pub(super) fn try_small(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        run: &Counts,
    ) -> Result<(), Halt<P::Error>> {
        let small = word.to_ascii_lowercase();
        if small != word && self.read(&slot.bytes(&small, 0))? == *run {
            *self.strong.entry(small).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{joined::tests::reads, prober::Fake},
        *,
    };

    #[test]
    fn one_mix_of_case_is_kept_of_many() {
        let kept = |words: &[&str], texts: &[&str]| {
            let mut words: BTreeSet<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
            let texts: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
            keep_one_case(&mut words, &texts);
            words.into_iter().map(|word| String::from_utf8(word).unwrap()).collect::<Vec<_>>()
        };
        let mixes = ["iNF", "Inf", "InF", "inf", "+"];
        assert_eq!(kept(&mixes, &["Inf", "iNF"]), ["+", "Inf"]);
        assert_eq!(kept(&mixes, &[]), ["+", "inf"]);
        assert_eq!(kept(&["NaN", "nan"], &["NaN"]), ["NaN", "nan"]);
    }

    #[test]
    fn what_reads_so_in_small_letters_is_known_so() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.junk = "\x7f";
        let phrase = [b"x".to_vec()];
        let slot = Slot::new(&phrase, 0);
        // `EQ` is nothing to this reader, and so is `eq` where `Eq` has been read as `eq` is.
        for (word, run) in [(&b"EQ"[..], b"EQ"), (b"Eq", b"eq")] {
            let run = learner.read(&slot.bytes(run, 0)).unwrap();
            learner.try_small(slot, word, &run).unwrap();
        }
        assert_eq!(learner.strong.keys().collect::<Vec<_>>(), [b"eq"]);
        assert_eq!(learner.strong[&b"eq"[..]], 1);
    }
}
