//! Junk: what no language has a meaning for. It stands behind every phrase, so that nothing is ever complete.
use std::collections::HashSet;

use super::{
    Halt, Learner, Prober,
    future::change,
    phrase::{NAME, elements, text},
};

/// A sign that is junk.
pub type Junk = &'static str;

/// What no text has, and what is no space either, as some take lower bytes to be; for readers that refuse such inputs as
/// a whole a sign that is text, and one of the plainest for those that refuse that too.
const KINDS: [Junk; 3] = ["\x7f", "\u{a4}", "`"];
/// What a lexer takes but a parser hardly, for those that lex all of an input before the first of it is parsed.
pub const LEXED: [Junk; 4] = [") ", "] ", "} ", "q "];
/// Stands right behind a sign then, as a lexer may take any signs for one token. What that is looked for among may be in
/// order: one of these is low, the other one high.
const SIGNS: [Junk; 2] = ["%", "^"];
/// Long enough that whoever asks for the input's length is content.
const LENGTH: usize = 12;

/// What stands behind every phrase.
pub fn end(junk: Junk) -> Vec<u8> {
    format!(" {}", junk.repeat(LENGTH)).into_bytes()
}

/// An input without what stands behind its phrase.
pub fn without_end(input: &[u8]) -> &[u8] {
    KINDS.iter().chain(&LEXED).find_map(|junk| input.strip_suffix(&end(junk)[..])).unwrap_or(input)
}

/// Junk that stands right behind a sign.
pub fn tight(junk: Junk) -> Vec<Junk> {
    if LEXED.contains(&junk) { SIGNS.to_vec() } else { vec![junk] }
}

/// What must be no token, for tokens are what leads elsewhere: names, numbers, junk, a new line, nothing.
pub fn ordinary(junk: Junk) -> [&'static [u8]; 9] {
    [NAME, b"a", b"Z", b"1", b"70", b"xyz", junk.as_bytes(), b"\n", b""]
}

/// Whether a number that is compared is this junk: its first byte, or what that is part of.
pub fn is_junk(junk: Junk, number: u64) -> bool {
    let byte = junk.bytes().next().map(u64::from);
    let sign = junk.chars().next().map(u64::from);
    [byte, sign].contains(&Some(number))
}

impl<P: Prober> Learner<'_, P> {
    /// Chooses the first kind of junk, unless behind another one more than twice as many beginnings are told apart.
    pub(super) fn choose_junk(&mut self) -> Result<(), Halt<P::Error>> {
        let mut told: Vec<(Junk, usize)> = Vec::new();
        for junk in KINDS {
            self.junk = junk;
            let base = self.read(&[])?;
            let mut changes = HashSet::new();
            for element in elements() {
                changes.insert(change(&base, &self.read(&text(&[element]))?));
            }
            told.push((junk, changes.len()));
        }
        let better = |best: (Junk, usize), next: (Junk, usize)| if next.1 > 2 * best.1 { next } else { best };
        self.junk = told.into_iter().reduce(better).map_or(KINDS[0], |(junk, _)| junk);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_junk_is_known_again() {
        for junk in KINDS.into_iter().chain(LEXED) {
            assert_eq!(without_end(&[b"if x", &end(junk)[..]].concat()), b"if x");
            assert!(is_junk(junk, junk.as_bytes()[0].into()) && !is_junk(junk, b'x'.into()));
        }
        assert_eq!(without_end(b"if x"), b"if x");
    }
}
