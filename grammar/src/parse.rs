//! Text to trees: any context-free grammar, with bits and regular expressions, within a budget of steps.
use crate::generate::Host;
use crate::ir::{Grammar, SymbolId};
use crate::rng::Rng;
use crate::tree::Tree;

/// Why a text did not parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// No derivation: the furthest byte reached, and what could have followed there (names or quoted literals).
    Mismatch {
        /// Offset in bytes of the first byte that fits nowhere.
        at: usize,
        /// What would have fit.
        expected: Vec<String>,
    },
    /// The budget of steps ran out at this offset.
    Budget {
        /// The furthest byte reached.
        at: usize,
    },
}

/// How to parse.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Steps after which parsing gives up.
    pub steps: u64,
    /// Accept the longest prefix that is a word, not only the whole text.
    pub prefix: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 50_000_000, prefix: false }
    }
}

/// Parses texts; keeps its tables and buffers between them.
#[derive(Debug, Default)]
pub struct Parser {}

impl Parser {
    /// Prepares tables for `grammar`.
    pub fn new(_grammar: &Grammar) -> Self {
        Self {}
    }

    /// Appends a derivation of `symbol` with the text `input` to `tree` and returns how many bytes it covers. With
    /// `as_bits`, every byte of `input` outside of bytes and text is one bit (the form of [`Tree::text`]).
    #[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
    pub fn parse(
        &mut self,
        _grammar: &Grammar,
        _symbol: SymbolId,
        _input: &[u8],
        _as_bits: bool,
        _limits: Limits,
        _rng: &mut Rng,
        _host: &mut impl Host,
        _tree: &mut Tree,
    ) -> Result<usize, ParseError> {
        todo!("second engineer")
    }
}
