//! The grammar of a campaign: built in or the user's own, loaded before there is any worker.
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use sha1::{Digest, Sha1};
use waypoint_grammar::{
    built_in,
    ir::Node,
    parse::{Limits, ParseError},
    solve::solver::Solver,
    spec::{Options, Spec},
};

/// Steps that any input may take to be parsed.
const STEPS: u64 = 1_000_000;
/// So many more for each of its bytes: longer inputs take longer to run, too.
const STEPS_A_BYTE: u64 = 64;
/// Longer literals are no tokens, and neither are single bytes, which mutations of bytes meet by themselves.
const TOKENS: std::ops::RangeInclusive<usize> = 2..=32;

/// A grammar and what is asked of it.
#[derive(Debug)]
pub struct Language {
    /// A built-in name, or the file.
    pub name: String,
    /// The loaded spec.
    pub spec: Spec,
    /// Tells structure that was made by this text from any other.
    pub hash: u64,
    /// The share of mutants of trees whose constraints are not repaired.
    pub invalid: f64,
}

/// What came of parsing an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The solver's tree is one of it.
    Tree,
    /// It is not of the language.
    Misfit,
    /// It would take too long to parse.
    Costly,
}

impl Language {
    /// Loads the grammar that the user wrote: a name of ours, or a file. It is there for as long as the process.
    pub fn load(written: &Path, invalid: f64) -> Result<&'static Self> {
        let name = written.display().to_string();
        let spec = match built_in::find(&name) {
            Some(named) => Spec::from_text(written, named.text, &Options::default()),
            None if written.is_file() => Spec::load(written, &Options::default()),
            None => bail!(unknown(&name)),
        };
        let spec = spec.map_err(|error| anyhow!("the grammar {name} cannot be used:\n{error}"))?;
        let mut hash = Sha1::new();
        hash.update(env!("CARGO_PKG_VERSION"));
        for text in spec.sources.texts() {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let hash = hash.finalize().first_chunk().copied().map_or(0, u64::from_le_bytes);
        Ok(Box::leak(Box::new(Self { name, spec, hash, invalid })))
    }

    /// The texts of the grammar that serve as tokens.
    pub fn tokens(&self) -> Vec<Vec<u8>> {
        let grammar = &self.spec.grammar;
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        for node in &grammar.nodes {
            if let Node::Literal(literal) = node {
                let text = grammar.literal(literal);
                if TOKENS.contains(&text.len()) && !tokens.iter().any(|token| token == text) {
                    tokens.push(text.to_vec());
                }
            }
        }
        tokens
    }

    /// Makes the solver's tree one of `input` if there is one; rather one that satisfies the constraints.
    pub fn parse(&self, solver: &mut Solver<'_>, input: &[u8]) -> Fit {
        let steps = STEPS + STEPS_A_BYTE * input.len() as u64;
        let limits = Limits { steps, prefix: false };
        let read = match self.spec.constraints.is_empty() {
            true => solver.read_any(input, limits).map(|_| ()),
            false => solver.read(input, limits).map(|_| ()),
        };
        match read {
            Ok(()) => Fit::Tree,
            Err(ParseError::Mismatch { .. }) => Fit::Misfit,
            Err(ParseError::Budget { .. }) => Fit::Costly,
        }
    }
}

/// What to say of a name that is neither ours nor a file's.
fn unknown(name: &str) -> String {
    if Path::new(name).extension().is_some_and(|extension| extension == "fan") {
        return format!(
            "there is no file {name}; name a grammar that is there, or one of {}",
            built_in::names()
        );
    }
    let near = waypoint_domains::nearest(name, built_in::ALL.iter().map(|spec| spec.name));
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no grammar `{name}`{hint}; name a .fan file, or one of {}", built_in::names())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_of_ours_load_and_others_are_explained() {
        for spec in built_in::ALL {
            Language::load(Path::new(spec.name), 0.0).unwrap();
        }
        let message = format!("{:#}", Language::load(Path::new("jsno"), 0.0).unwrap_err());
        assert!(message.contains("there is no grammar `jsno`; did you mean `json`?"), "{message}");
        assert!(message.contains("arithmetic, c, csv"), "{message}");
        let message = format!("{:#}", Language::load(Path::new("nowhere.fan"), 0.0).unwrap_err());
        assert!(message.contains("there is no file nowhere.fan; name a grammar that is there"), "{message}");
    }

    #[test]
    fn what_takes_too_long_to_parse_is_no_misfit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.fan");
        // A word has more derivations than can be gone through.
        fs::write(&path, "<start> ::= <many> '.'\n<many> ::= <many> <many> | 'a' | 'a' 'a'\n").unwrap();
        let language = Language::load(&path, 0.0).unwrap();
        let mut solver = Solver::new(&language.spec, 1);
        assert_eq!(language.parse(&mut solver, b"aaaa."), Fit::Tree);
        assert_eq!(language.parse(&mut solver, b"aaaa"), Fit::Misfit);
        assert_eq!(language.parse(&mut solver, &b"a".repeat(3000)), Fit::Costly);
    }

    #[test]
    fn inputs_fit_or_do_not_and_texts_are_tokens() {
        let json = Language::load(Path::new("json"), 0.0).unwrap();
        let mut solver = Solver::new(&json.spec, 1);
        assert_eq!(json.parse(&mut solver, b"[1, {\"a\": null}]"), Fit::Tree);
        assert_eq!(json.parse(&mut solver, b"[1, {\"a\": nul}]"), Fit::Misfit);
        // Long ones are no worse than short ones.
        let long = [b"[".to_vec(), b"{\"a\": [1, null]}, ".repeat(20_000), b"0]".to_vec()].concat();
        assert_eq!(json.parse(&mut solver, &long), Fit::Tree);
        assert_eq!(json.parse(&mut solver, &long[..long.len() - 1]), Fit::Misfit);
        let tokens = json.tokens();
        assert!(tokens.contains(&b"true".to_vec()) && !tokens.contains(&b"{".to_vec()), "{tokens:?}");
    }
}
