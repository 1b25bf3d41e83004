//! A number gets a value at which programs tend to change their ways.
use rustc_hash::FxHashMap;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::{Grammar, Node, SymbolId};
use crate::parse::Limits;
use crate::tree::{Index, Kind, Tree};

/// Bits of the longest number that is looked at, and digits.
const MOST: usize = 64;
const MOST_DIGITS: usize = 20;
/// So many numbers are remembered.
const MOST_KNOWN: usize = 4096;

pub(super) const OPERATOR: Operator = Operator {
    name: "number",
    help: "a number gets a value around a power of two, its neighbour or its double",
    apply,
};

/// Trees of numbers that were parsed before.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// By symbol, value and width: where its tree is; none if the symbol has no such number.
    known: FxHashMap<(SymbolId, i64, Option<u32>), Option<Index>>,
    trees: Tree,
}

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, subject, tree, rng, .. } = change;
    let grammar = material.grammar;
    let Some(at) = subject.pick(Spot::Number, rng) else { return Ok(false) };
    let (Some((old, width)), Kind::Symbol(symbol)) = (value(grammar, tree, at), tree.node(at).kind()) else {
        return Ok(false);
    };
    let new = match rng.below(5) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_mul(2),
        3 => (1i64 << rng.below(63)).wrapping_sub(i64::from(rng.below(3)) - 1),
        _ => i64::from(rng.below(3)) - 1,
    };
    let Some(number) = mutator.parsed(change, symbol, new, width) else { return Ok(false) };
    let trees = &mutator.numbers.trees;
    if trees.text_of(number) == change.tree.text_of(at) {
        return Ok(false);
    }
    let from = change.patch.pieces.len();
    change.patch.pieces.append(trees, number);
    change.patch.replace(change.tree, at, from);
    Ok(true)
}

impl Mutator {
    /// Where the tree of a number is, among those known.
    fn parsed(
        &mut self,
        change: &mut Change<'_>,
        symbol: SymbolId,
        value: i64,
        width: Option<u32>,
    ) -> Option<Index> {
        let Numbers { known, trees } = &mut self.numbers;
        if let Some(number) = known.get(&(symbol, value, width)) {
            return *number;
        }
        if known.len() == MOST_KNOWN {
            known.clear();
            trees.clear();
        }
        self.text.clear();
        match width {
            Some(width) => self.text.extend((0..width).rev().map(|bit| (value >> bit.min(63) & 1) as u8)),
            None => self.text.extend_from_slice(value.to_string().as_bytes()),
        }
        let (limits, number) = (Limits { steps: 20_000, prefix: false }, trees.len());
        let Change { material, rng, host, .. } = change;
        let (grammar, bits) = (material.grammar, width.is_some());
        let parsed = self.parser.parse(grammar, symbol, &self.text, bits, limits, rng, host, trees);
        let number = parsed.is_ok().then_some(number);
        known.insert((symbol, value, width), number);
        number
    }
}

/// The value of a symbol that is a number, and its width if it is made of bits.
pub(super) fn value(grammar: &Grammar, tree: &Tree, at: Index) -> Option<(i64, Option<u32>)> {
    let Kind::Symbol(symbol) = tree.node(at).kind() else { return None };
    let text = tree.text_of(at);
    if text.is_empty() || text.len() > MOST {
        return None;
    }
    if grammar.symbol(symbol).has_bits {
        let is_bit = |at: Index| match tree.node(at).kind() {
            Kind::Terminal(node) => matches!(grammar.node(node), Node::Bit(_)),
            _ => true,
        };
        let all = text.len() > 1 && (at..tree.end(at)).all(is_bit);
        let value = || text.iter().fold(0i64, |sum, bit| sum << 1 | i64::from(bit & 1));
        return all.then(|| (value(), Some(text.len() as u32)));
    }
    let begins = text[0].is_ascii_digit() || matches!(text[0], b'-' | b'+');
    if text.len() > MOST_DIGITS || !begins {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok().map(|value| (value, None))
}
