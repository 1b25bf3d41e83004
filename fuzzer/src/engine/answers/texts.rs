//! Where in an input a compared text comes from, and the edits that put another in its place.
use memchr::memchr2_iter;

use super::{edit::Edit, fields::Pair};

/// A place that agrees in fewer bytes is taken only if it agrees in all there are, or moved with the input.
const TELLING: usize = 4;

/// Edits that make the text, which was `text` in the two runs, begin with or be `wanted`. At most `limit` places.
pub fn replace(pair: Pair<'_>, text: [&[u8]; 2], wanted: &[u8], limit: usize) -> Vec<Edit> {
    if wanted.is_empty() {
        return Vec::new();
    }
    // Where the length of a constant is known, strings are compared as memory, with the zero at their end.
    let word = wanted.strip_suffix(b"\0").unwrap_or(wanted);
    let mut edits = Vec::new();
    let places = places(pair, text);
    if places.is_empty() {
        // It may have been cut off, or not be there yet.
        let end = pair.plain.len();
        let starts = super::numbers::words(pair.plain).take(limit).chain([end]);
        let put = |at, with| Edit { at, len: 0, with };
        let another = [&[separator(pair.plain)], word].concat();
        return starts.map(|at| put(at, word.to_vec())).chain([put(end, another)]).collect();
    }
    for (at, len) in places.into_iter().take(limit) {
        edits.push(Edit::overwrite(at, wanted, pair.plain));
        // As long as it was, or else what follows would become part of it.
        edits.push(Edit { at, len, with: word.to_vec() });
        let whole = len + pair.plain[at + len..].iter().take_while(|byte| !parts(**byte)).count();
        edits.push(Edit { at, len: whole, with: word.to_vec() });
        edits.push(Edit { at, len, with: [word, b"\0"].concat() });
        edits.push(Edit { at, len: pair.plain.len() - at, with: word.to_vec() });
        // It may be looked for anywhere in the text.
        if text[0].len() > word.len() {
            edits.push(Edit { at: at + len, len: 0, with: word.to_vec() });
        }
    }
    edits
}

/// Whether a byte may stand between words.
fn parts(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_punctuation() || byte == 0
}

/// What stands between the words of an input, or may.
fn separator(input: &[u8]) -> u8 {
    input.iter().copied().rfind(|byte| parts(*byte)).unwrap_or(b' ')
}

/// Where the text stands, and how many of its bytes, the best places first.
fn places(pair: Pair<'_>, text: [&[u8]; 2]) -> Vec<(usize, usize)> {
    let Some(first) = text[0].first() else { return Vec::new() };
    let starts = memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), pair.plain);
    let mut found: Vec<(usize, usize)> = starts
        .filter_map(|at| {
            let len = agreement(&pair.plain[at..], text[0]);
            let has_moved = pair.plain[at] != pair.coloured[at];
            let agrees = |len: usize, input: &[u8], text: &[u8]| {
                len > 0 && (has_moved || len >= TELLING || len == text.len() || len == input.len() - at)
            };
            let coloured = agreement(&pair.coloured[at..], text[1]);
            (agrees(len, pair.plain, text[0]) && agrees(coloured, pair.coloured, text[1]))
                .then_some((at, len))
        })
        .collect();
    found.sort_by_key(|(at, len)| (std::cmp::Reverse(*len), *at));
    found
}

/// In how many bytes two texts agree, whatever their case.
fn agreement(input: &[u8], text: &[u8]) -> usize {
    input.iter().zip(text).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_becomes_another_of_any_length() {
        let pair = Pair { plain: b"(foo 1)", coloured: b"(qxz 7)" };
        let edits = replace(pair, [b"foo", b"qxz"], b"lambda", 2);
        let results: Vec<Vec<u8>> = edits.iter().filter_map(|edit| edit.apply(pair.plain, 99)).collect();
        assert!(results.contains(&b"(lambda 1)".to_vec()), "{results:?}");
        assert!(results.contains(&b"(lambda".to_vec()), "{results:?}");
        let searched =
            replace(Pair { plain: b"(foo 1)", coloured: b"(qxz 7)" }, [b"foo 1", b"qxz 7"], b"if", 2);
        assert!(searched.contains(&Edit { at: 6, len: 0, with: b"if".to_vec() }), "{searched:?}");
        let inserted = replace(pair, [b"", b""], b"word", 9);
        let results: Vec<Vec<u8>> = inserted.iter().filter_map(|edit| edit.apply(pair.plain, 99)).collect();
        assert!(results.contains(&b"word(foo 1)".to_vec()) && results.contains(&b"(wordfoo 1)".to_vec()));
        let inserted = replace(Pair { plain: b"get, x", coloured: b"qud, z" }, [b"", b""], b"word", 9);
        let results: Vec<Vec<u8>> = inserted.iter().filter_map(|edit| edit.apply(b"get, x", 99)).collect();
        assert!(results.contains(&b"get, x word".to_vec()), "another word: {results:?}");
    }
}
