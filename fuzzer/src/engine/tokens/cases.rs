//! Words that are known in either case: one way to write them will do.
use std::collections::{BTreeMap, BTreeSet};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
