//! What a comparison with a word of the input would have liked instead.
use std::cmp::Ordering;

use super::super::answers::log::Sides;

/// Longer words are none.
const LONGEST: usize = 32;
/// Signs that join the parts of a name.
const JOINTS: &[u8] = b"-_.:";

/// Words like this one that are not it: a comparison with a table takes much the same way for them.
pub fn neighbours(word: &[u8]) -> Vec<Vec<u8>> {
    let (Some(first), Some(last)) = (word.first(), word.last()) else { return Vec::new() };
    let letter = |byte: u8| if byte.is_ascii_alphanumeric() { byte } else { b'j' };
    let ends = [last.wrapping_sub(1), last.wrapping_add(1), b'q'].map(letter);
    let mut found: Vec<Vec<u8>> =
        ends.into_iter().map(|end| [&word[..word.len() - 1], &[end]].concat()).collect();
    found.push([&[if *first == b'q' { b'z' } else { b'q' }], &word[1..]].concat());
    found.retain(|neighbour| neighbour != word);
    found
}

fn can_be_word(bytes: &[u8]) -> bool {
    (1..=LONGEST).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

/// How much of a probe a word was compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A beginning as long as the word: a longer word is cut to the length of the probe, if the shorter text decides.
    Beginning,
    /// All of it, with as much of the word.
    Equal,
    /// All of it, with all of the word.
    Whole,
}

/// The words that a probe was compared with as a whole. `rest` is the input from the probe on.
pub fn words(sides: &Sides, probe: &[u8], rest: &[u8]) -> Vec<(Vec<u8>, Extent)> {
    let pairs: Vec<[Vec<u8>; 2]> = match sides {
        Sides::Texts(sides) => vec![sides.clone(), [sides[1].clone(), sides[0].clone()]],
        Sides::Numbers { width: width @ (16 | 32 | 64), ordered: false, sides } => {
            let size = *width as usize / 8;
            let spell = |value: u64| value.to_le_bytes()[..size].to_vec();
            let backwards = |value: u64| spell(value).into_iter().rev().collect();
            let [a, b] = *sides;
            vec![
                [spell(a), spell(b)],
                [spell(b), spell(a)],
                [backwards(a), backwards(b)],
                [backwards(b), backwards(a)],
            ]
        }
        _ => return Vec::new(),
    };
    let found = pairs.into_iter().filter_map(|[own, other]| {
        let as_long = own.len() == other.len();
        let [own, other] = [&own, &other].map(|side| side.strip_suffix(b"\0").unwrap_or(side));
        let is_probe = own.eq_ignore_ascii_case(probe)
            || (own.len() > probe.len() && rest.starts_with(own))
            || (!own.is_empty() && own.len() < probe.len() && probe.starts_with(own) && as_long);
        let extent = match own.len().cmp(&probe.len()) {
            _ if !as_long => Extent::Whole,
            Ordering::Less => Extent::Beginning,
            Ordering::Equal => Extent::Equal,
            Ordering::Greater => Extent::Whole,
        };
        (is_probe && can_be_word(other) && other != probe).then(|| (other.to_vec(), extent))
    });
    found.collect()
}

/// The text that the end of a probe was compared with, as one of many words that end alike is.
pub fn ending<'a>(sides: &'a Sides, probe: &[u8]) -> Option<&'a [u8]> {
    let Sides::Texts([a, b]) = sides else { return None };
    let is_end = |own: &Vec<u8>, other: &Vec<u8>| {
        own.len() == other.len()
            && own != other
            && (2..probe.len()).contains(&own.len())
            && probe.ends_with(own)
            && can_be_word(other)
    };
    [(a, b), (b, a)].into_iter().find(|(own, other)| is_end(own, other)).map(|(_, other)| &other[..])
}

/// Where a letter of the probe may have been compared with another one, and with which: either side may be the probe's.
/// Behind the first letter of a word there may also be digits and the signs that join its parts, which others look for than
/// those who look for words.
pub fn letters(sides: &Sides, probe: &[u8], is_for_words: bool) -> Vec<(usize, u8)> {
    let Sides::Numbers { ordered: false, sides: [a, b], .. } = *sides else { return Vec::new() };
    let pairs = [(a, b), (b, a)].into_iter().filter(|(own, other)| own != other);
    let found = pairs.filter_map(|(own, other)| {
        let wanted = u8::try_from(other).ok()?;
        let at = probe.iter().rposition(|byte| u64::from(*byte) == own)?;
        let is_within = is_for_words && at > 0 && (wanted.is_ascii_digit() || JOINTS.contains(&wanted));
        (wanted.is_ascii_alphabetic() || is_within).then_some((at, wanted))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_from_texts_and_numbers_of_any_order() {
        let texts = |a: &[u8], b: &[u8]| Sides::Texts([a.to_vec(), b.to_vec()]);
        let whole = |word: &[u8]| vec![(word.to_vec(), Extent::Whole)];
        assert_eq!(words(&texts(b"xq", b"while"), b"xq", b"xq ("), whole(b"while"));
        assert_eq!(words(&texts(b"true", b"xq ("), b"xq", b"xq ("), whole(b"true"));
        assert_eq!(words(&texts(b"foo", b"bar"), b"xq", b"xq ("), []);
        let number = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
        let sides = Sides::Numbers { width: 32, ordered: false, sides: [number(b"else"), number(b"xqzj")] };
        // The number may be the first letters of a longer word.
        assert_eq!(words(&sides, b"xqzj", b"xqzj ("), [(b"else".to_vec(), Extent::Equal)]);
    }

    #[test]
    fn words_may_be_cut_to_the_length_of_the_probe() {
        let texts = |a: &[u8], b: &[u8]| Sides::Texts([a.to_vec(), b.to_vec()]);
        let found = words(&texts(b"xq", b"co"), b"xq", b"xq (");
        assert_eq!(found, [(b"co".to_vec(), Extent::Equal)]);
        let found = words(&texts(b"xqz", b"cos"), b"xqzj", b"xqzj (");
        assert_eq!(found, [(b"cos".to_vec(), Extent::Beginning)]);
    }

    #[test]
    fn ends_of_probes_are_compared_with_as_much() {
        let texts = |a: &[u8], b: &[u8]| Sides::Texts([a.to_vec(), b.to_vec()]);
        assert_eq!(ending(&texts(b"zjv", b"-in"), b"xqzjv"), Some(&b"-in"[..]));
        assert_eq!(ending(&texts(b"-in", b"zjv"), b"xqzjv"), Some(&b"-in"[..]));
        let none = [texts(b"xqz", b"-in"), texts(b"zjv", b"in"), texts(b"zjv", b"zjv"), texts(b"v", b"s")];
        assert!(none.iter().all(|sides| ending(sides, b"xqzjv").is_none()));
    }

    #[test]
    fn letters_are_found_where_they_stand() {
        let sides = |a: u8, b: u8| Sides::Numbers { width: 8, ordered: false, sides: [a, b].map(u64::from) };
        assert_eq!(letters(&sides(b'z', b'f'), b"izq", false), [(1, b'f')]);
        assert!(letters(&sides(b'z', b'+'), b"izq", true).is_empty());
        assert!(letters(&sides(b'b', b'f'), b"izq", false).is_empty());
        assert_eq!(letters(&sides(b'z', b'-'), b"izq", true), [(1, b'-')]);
        assert!(letters(&sides(b'z', b'-'), b"izq", false).is_empty());
        assert!(letters(&sides(b'i', b'_'), b"izq", true).is_empty());
        // Which side is the probe's may not be told.
        assert_eq!(letters(&sides(b't', b'q'), b"texq", false), [(0, b'q'), (3, b't')]);
    }

    #[test]
    fn neighbours_are_others() {
        for word in [&b"if"[..], b"q", b"null?", b"zq"] {
            assert!(neighbours(word).iter().all(|neighbour| neighbour != word), "{word:?}");
            assert!(neighbours(word).len() > 1);
        }
    }
}
