//! Words that overlap in one long text of the program: which pieces of it are words shows only when all are tried.
use std::collections::{BTreeSet, HashMap};

use super::{Halt, Learner, Prober};

/// Shorter texts are words, or names.
const SHORTEST: usize = 33;
/// How long such words are.
const WORDS: std::ops::RangeInclusive<usize> = 2..=17;
/// More pieces are not tried.
const MOST: usize = 12_000;
/// What one of so many pieces reaches may be what words reach.
const FEW: usize = 20;
/// Nothing stands between the ends of such a word, so that another way may lead to it.
const SHORT: usize = 2;
/// Who packs words packs no fewer.
const LEAST: usize = 20;

/// The pieces of those texts in which words may be packed.
pub fn pieces(texts: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let is_packed = |text: &&Vec<u8>| {
        text.len() >= SHORTEST && text.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
    };
    let mut all = BTreeSet::new();
    for text in texts.iter().filter(is_packed) {
        let found: BTreeSet<Vec<u8>> =
            WORDS.flat_map(|length| text.windows(length).map(<[u8]>::to_vec)).collect();
        if all.len() + found.len() <= MOST {
            all.extend(found);
        }
    }
    all.into_iter().filter(|piece| piece[0] != b'_' && !piece.ends_with(b"_")).collect()
}

/// A word with another letter within: who looks words up by their length and their ends still looks there.
fn altered(word: &[u8]) -> Vec<Vec<u8>> {
    let places: BTreeSet<usize> = [1, word.len() / 2, word.len() - 2]
        .into_iter()
        .filter(|at| (1..word.len() - 1).contains(at))
        .collect();
    let other = |at: &usize| {
        let mut other = word.to_vec();
        other[*at] = if other[*at] == b'Q' { b'X' } else { b'Q' };
        other
    };
    places.iter().map(other).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// Takes for texts of the program those pieces that reach behind a phrase what no piece like them reaches, and what most
    /// of those do: where a word was found is one place, and what else one happens to reach are many.
    pub(super) fn unpack(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        let pieces = std::mem::take(&mut self.pieces);
        let runs = self.runs_of(phrase, &pieces)?;
        let mut times: HashMap<u32, usize> = HashMap::new();
        runs.iter().flatten().for_each(|key| *times.entry(*key).or_default() += 1);
        let rare = |run: Vec<u32>| -> Vec<u32> {
            run.into_iter().filter(|key| FEW * times[key] <= pieces.len()).collect()
        };
        let mut fresh: Vec<(&Vec<u8>, Vec<u32>)> = Vec::new();
        for (piece, run) in pieces.iter().zip(runs) {
            let mut own = rare(run);
            if own.is_empty() {
                continue;
            }
            for run in self.runs_of(phrase, &altered(piece))? {
                own.retain(|key| !run.contains(key));
            }
            fresh.push((piece, own));
        }
        let mut shared: HashMap<u32, usize> = HashMap::new();
        fresh.iter().flat_map(|(_, own)| own).for_each(|key| *shared.entry(*key).or_default() += 1);
        let Some((found, words)) = shared.into_iter().max_by_key(|(key, words)| (*words, *key)) else {
            return Ok(());
        };
        if words >= LEAST {
            self.is_packed = true;
            self.texts.extend(
                fresh
                    .into_iter()
                    .filter(|(piece, own)| own.contains(&found) || (piece.len() == SHORT && !own.is_empty()))
                    .map(|(piece, _)| piece.clone()),
            );
            self.texts.sort();
            self.texts.dedup();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_texts_of_letters_are_packed() {
        let packed = b"REINDEXEDESCAPEACHECKEYBEFOREIGNOREGEXPLAIN".to_vec();
        let prose = b"this_is: no such text, although it is long enough".to_vec();
        let found = pieces(&[packed, prose, b"short".to_vec()]);
        for word in [&b"INDEX"[..], b"INDEXED", b"EXPLAIN", b"REINDEX", b"EACH"] {
            assert!(found.iter().any(|piece| piece == word), "{word:?}");
        }
        assert!(found.iter().all(|piece| !b"this_is".starts_with(piece) && !b"short".starts_with(piece)));
    }
}
