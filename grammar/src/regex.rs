//! Regular expressions as terminals: compiled once, then matched at any position and generated from.
//!
//! Python's syntax, as far as the `regex-syntax` crate shares it; over characters (`r'..'`) or bytes (`rb'..'`).
use std::sync::Arc;

use regex_syntax::ParserBuilder;

use crate::rng::Rng;

mod automaton;
mod python;
mod words;

use automaton::Automaton;
use words::Words;

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub struct Regex {
    /// As written in the spec.
    pub pattern: String,
    /// Over bytes rather than characters.
    pub is_bytes: bool,
    automaton: Arc<Automaton>,
    words: Arc<Words>,
    least_len: Option<u32>,
    /// The words of one byte, a bit each.
    bytes: [u64; 4],
}

impl Regex {
    /// Compiles `pattern`, or says in one sentence what is not supported.
    pub fn new(pattern: &str, is_bytes: bool) -> Result<Self, String> {
        let translated = python::translate(pattern)?;
        let hir = ParserBuilder::new()
            .unicode(!is_bytes)
            .utf8(!is_bytes)
            .octal(true)
            .build()
            .parse(&translated)
            .map_err(|error| {
                format!("the regular expression `{pattern}` is malformed: {}", reason(&error))
            })?;
        let automaton = Automaton::new(&hir)
            .map_err(|error| format!("the regular expression `{pattern}` cannot be compiled: {error}"))?;
        let mut bytes = [0; 4];
        for byte in 0..=u8::MAX {
            automaton.match_ends(&[byte], |end| {
                bytes[usize::from(byte >> 6)] |= u64::from(end == 1) << (byte & 63);
            });
        }
        Ok(Self {
            bytes,
            pattern: pattern.to_owned(),
            is_bytes,
            least_len: hir.properties().minimum_len().map(|len| u32::try_from(len).unwrap_or(u32::MAX)),
            words: Arc::new(Words::new(&hir)),
            automaton: Arc::new(automaton),
        })
    }

    /// The length in bytes of the shortest word, or none if no word matches at all.
    pub fn least_len(&self) -> Option<u32> {
        self.least_len
    }

    /// Appends a random word to `out`; open repetitions grow with `size`.
    pub fn generate(&self, rng: &mut Rng, size: u32, out: &mut Vec<u8>) {
        self.words.generate(rng, size, out);
    }

    /// Calls `end` with every length at which a match that starts at the beginning of `input` ends, shortest first;
    /// returns how many bytes it had to look at.
    pub fn match_ends(&self, input: &[u8], end: impl FnMut(usize)) -> usize {
        self.automaton.match_ends(input, end)
    }

    /// The bytes with which a word can start, and whether the empty word matches.
    pub fn first(&self) -> ([bool; 256], bool) {
        self.automaton.first()
    }

    /// Whether all of `input` is a word.
    pub fn matches(&self, input: &[u8]) -> bool {
        if let [byte] = input {
            return self.bytes[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0;
        }
        let mut whole = false;
        self.match_ends(input, |end| whole |= end == input.len());
        whole
    }
}

/// The cause without the crate's picture of the pattern, which would show the translated one.
fn reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::Regex;
    use crate::rng::Rng;

    #[test]
    fn every_generated_word_matches() {
        let patterns = [
            (r"[0-9]+", false),
            (r"(a|bc){2,5}x?", false),
            (r"\d+\.\d*", false),
            (r"(.|\n)", false),
            (r"[^\x00]*", true),
            (r"[\x80-\xff]{3}", true),
            (r"[a-z[]+{x}", false),
            (r"^[A-Z]\w*$", false),
            (r"", false),
        ];
        let mut rng = Rng::new(1);
        for (pattern, is_bytes) in patterns {
            let regex = Regex::new(pattern, is_bytes).unwrap();
            for size in 0..200 {
                let mut word = Vec::new();
                regex.generate(&mut rng, size, &mut word);
                assert!(regex.matches(&word), "{pattern} made {word:?}");
                assert!(word.len() >= regex.least_len().unwrap() as usize);
                assert!(is_bytes || std::str::from_utf8(&word).is_ok());
            }
        }
    }

    #[test]
    fn all_ends_of_a_match_are_told() {
        let regex = Regex::new("a*(bb)?", false).unwrap();
        let mut ends = Vec::new();
        regex.match_ends(b"aabbb", |end| ends.push(end));
        assert_eq!(ends, [0, 1, 2, 4]);
    }

    #[test]
    fn what_is_not_supported_is_said() {
        for pattern in ["(?=a)b", r"(a)\1", "a(", "(?P=x)"] {
            let message = Regex::new(pattern, false).unwrap_err();
            assert!(message.contains(pattern), "{message}");
        }
    }
}
