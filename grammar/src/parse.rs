//! Text to trees: any context-free grammar, with bits and regular expressions, within a budget of steps.
//!
//! Most texts are parsed by [`descent`], which goes down the rules with one byte of lookahead and goes back when it was
//! wrong. That is complete but for left recursion, and fast where it seldom goes back. Where it does not apply, or goes
//! back too often, [`chart`] parses in at most cubic time.
use std::fmt;

use crate::generate::Host;
use crate::ir::{Bound, Grammar, Node, SymbolId};
use crate::rng::Rng;
use crate::tree::Tree;

mod analysis;
mod chart;
mod code;
mod descent;
mod explain;
mod forest;
mod harvest;
mod input;
mod lookahead;
mod seen;
mod stems;
mod ways;

pub use forest::Picked;

use code::Code;
use input::{Packed, Plain, Text};
use lookahead::Lookahead;

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

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { at, expected } if expected.is_empty() => write!(f, "nothing fits at byte {at}"),
            Self::Mismatch { at, expected } => write!(f, "at byte {at}, expected {}", expected.join(" or ")),
            Self::Budget { at } => {
                write!(
                    f,
                    "parsing took too many steps (it got to byte {at}); raise the limit or simplify the grammar"
                )
            }
        }
    }
}

impl std::error::Error for ParseError {}

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
pub struct Parser {
    code: Code,
    /// By form of bits (0: a byte each, 1: packed) and whether anything may follow; made when first needed.
    lookaheads: [Option<Box<Lookahead>>; 4],
    /// Per symbol: a left-recursive symbol can be reached from it.
    needs_chart: Vec<bool>,
    /// Per symbol: a computed repetition can be reached from it.
    computes: Vec<bool>,
    descent: descent::Buffers,
    chart: chart::Buffers,
}

impl Parser {
    /// Prepares tables for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        let code = Code::new(grammar);
        let needs_chart = code.reaching(grammar, &code.left_recursive(grammar));
        let mut computes = vec![false; grammar.symbols.len()];
        for (symbol, computes) in computes.iter_mut().enumerate() {
            *computes = analysis::nodes_below(grammar, grammar.symbols[symbol].rule).iter().any(|node| {
                matches!(grammar.node(*node), Node::Repeat { min, max, .. }
                    if matches!(min, Bound::Expr(_)) || matches!(max, Bound::Expr(_)))
            });
        }
        let computes = code.reaching(grammar, &computes);
        Self { code, needs_chart, computes, ..Self::default() }
    }

    /// Appends a derivation of `symbol` with the text `input` to `tree` and returns how many bytes it covers. With
    /// `as_bits`, every byte of `input` outside of bytes and text is one bit (the form of [`Tree::text`]).
    #[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
    pub fn parse(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        input: &[u8],
        as_bits: bool,
        limits: Limits,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<usize, ParseError> {
        if !grammar.symbol(symbol).has_bits || as_bits {
            return self.text(grammar, symbol, Plain(input), limits, rng, host, tree);
        }
        let result = self.text(grammar, symbol, Packed::new(input, 0), limits, rng, host, tree);
        let is_late = matches!(&result, Err(ParseError::Mismatch { at, .. }) if at + 1 >= input.len());
        let zeros = input.last().map_or(0, |last| last.trailing_zeros().min(7));
        if limits.prefix || !is_late || zeros == 0 {
            return result;
        }
        // Bits that fill no byte are followed by zeros.
        let mut shorter = (1..=zeros).map(|padding| {
            self.text(grammar, symbol, Packed::new(input, padding), limits, rng, host, tree)
                .map(|_| input.len())
        });
        shorter.find(Result::is_ok).unwrap_or(result)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
    fn text<T: Text>(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        text: T,
        limits: Limits,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<usize, ParseError> {
        let form = usize::from(T::PACKED) + 2 * usize::from(limits.prefix);
        let code = &self.code;
        let ahead = self.lookaheads[form]
            .get_or_insert_with(|| Box::new(Lookahead::new(grammar, code, T::PACKED, limits.prefix)));
        let computes = self.computes[symbol.0 as usize];
        let job = Job { grammar, code, ahead, symbol, text, prefix: limits.prefix };
        let from = (tree.len(), tree.text().len() as u32);
        // The chart finds the longest prefix at once, but only the descent knows the tree when it meets a computed bound.
        if !self.needs_chart[symbol.0 as usize] && (computes || !limits.prefix) {
            let fair =
                if computes { limits.steps } else { limits.steps.min(2000 + 64 * u64::from(text.len())) };
            let result = descent::parse(&job, &mut self.descent, fair, rng, host, tree);
            match result {
                Ok(end) => return Ok(end),
                Err(ParseError::Budget { .. }) if !computes => tree.rewind(from.0, from.1),
                Err(error) => {
                    tree.rewind(from.0, from.1);
                    return Err(error);
                }
            }
        }
        chart::parse(&job, &mut self.chart, limits.steps, rng, host, tree)
            .inspect_err(|_| tree.rewind(from.0, from.1))
    }
}

/// What to parse, with what is known about it.
#[derive(Clone, Copy)]
struct Job<'a, T> {
    grammar: &'a Grammar,
    code: &'a Code,
    ahead: &'a Lookahead,
    symbol: SymbolId,
    text: T,
    prefix: bool,
}

impl<T: Text> Job<'_, T> {
    /// The furthest place and what was wanted there, as an error.
    fn mismatch(&self, furthest: &Furthest) -> ParseError {
        let mut expected = Vec::new();
        for wanted in &furthest.wanted {
            if wanted & FOLLOW == 0 {
                self.code.describe(self.grammar, *wanted, &mut expected);
            } else if *wanted != u32::MAX {
                self.ahead.describe_follow(wanted & !FOLLOW, &mut expected);
            }
        }
        let more = expected.len().saturating_sub(MOST_EXPECTED);
        if more > 1 {
            expected.truncate(MOST_EXPECTED);
            expected.push(format!("{more} more"));
        }
        if expected.is_empty() {
            expected.push("the end".to_owned());
        }
        ParseError::Mismatch { at: self.text.byte(furthest.at), expected }
    }
}

/// How many bytes a regex may look at for the price of one step.
const BYTES_PER_STEP: u64 = 16;

/// The price of asking the spec's program once, in steps.
const STEPS_PER_QUESTION: u64 = 1000;

/// Marks a goal, rather than a slot, among what was wanted: something that can follow it.
const FOLLOW: u32 = 1 << 31;

/// How much of what was expected an error tells, and how many elements that did not fit are kept for that.
const MOST_EXPECTED: usize = 16;
const MOST_WANTED: usize = 64;

/// The furthest place where something did not fit, and the elements that did not.
#[derive(Debug, Default)]
pub(crate) struct Furthest {
    at: u32,
    wanted: Vec<u32>,
    /// Also what lookahead alone rules out is noted, which takes time.
    thorough: bool,
}

impl Furthest {
    #[inline]
    fn clear(&mut self) {
        self.at = 0;
        self.wanted.clear();
    }

    /// Everything before `at` fits.
    #[inline]
    fn reach(&mut self, at: u32) {
        if at > self.at {
            self.at = at;
            self.wanted.clear();
        }
    }

    /// The element at `slot` did not fit at `at`.
    #[inline]
    fn note(&mut self, at: u32, slot: u32) {
        self.reach(at);
        if at == self.at && self.wanted.len() < MOST_WANTED && !self.wanted.contains(&slot) {
            self.wanted.push(slot);
        }
    }

    /// Nothing with which a word of `goal` starts fits at `at`.
    #[cold]
    fn note_goal(&mut self, at: u32, code: &Code, goal: u32) {
        for production in code.productions_of(goal) {
            self.note(at, code.productions[production as usize].first);
        }
    }
}
