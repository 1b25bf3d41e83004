//! A number gets a value at which programs tend to change their ways.
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::{Grammar, Node, SymbolId};
use crate::parse::Limits;
use crate::tree::{Index, Kind, Tree};

/// Bits of the longest number that is looked at, and digits.
const MOST: usize = 64;
const MOST_DIGITS: usize = 20;
/// Widths, in bits, of the numbers that programs have.
const USUAL: [u32; 6] = [7, 8, 15, 16, 31, 32];
/// So many numbers are remembered.
const MOST_KNOWN: usize = 4096;

pub(super) const OPERATOR: Operator = Operator {
    name: "number",
    help: "a number gets a value around a power of two, its neighbour or its double",
    spot: Spot::Number,
    apply,
};

/// Trees of numbers that were parsed before.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// By symbol, value and width: its tree; none if the symbol has no such number.
    known: FxHashMap<(SymbolId, i64, Option<u32>), Option<Rc<Tree>>>,
}

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Number) else { return Ok(false) };
    let Change { material, tree, rng, .. } = change;
    let grammar = material.grammar;
    let (Some((old, width)), Kind::Symbol(symbol)) = (value(grammar, tree, at), tree.node(at).kind()) else {
        return Ok(false);
    };
    let new = match rng.below(5) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_mul(2),
        3 => {
            let usual = USUAL[rng.below(USUAL.len() as u32) as usize];
            let bits = if rng.one_in(4) { rng.below(63) } else { usual };
            (1i64 << bits).wrapping_sub(i64::from(rng.below(3)) - 1)
        }
        _ => i64::from(rng.below(3)) - 1,
    };
    let Some(number) = mutator.parsed(change, symbol, new, width) else { return Ok(false) };
    if number.text() == change.tree.text_of(at) {
        return Ok(false);
    }
    let mark = change.patch.mark();
    let nodes = 0..number.len();
    change.patch.add(number, nodes, 1, false);
    change.patch.replace(change.tree, at, mark);
    Ok(true)
}

impl Mutator {
    /// The tree of a number.
    fn parsed(
        &mut self,
        change: &mut Change<'_>,
        symbol: SymbolId,
        value: i64,
        width: Option<u32>,
    ) -> Option<Rc<Tree>> {
        let Numbers { known } = &mut self.numbers;
        if let Some(number) = known.get(&(symbol, value, width)) {
            return number.clone();
        }
        if known.len() == MOST_KNOWN {
            known.clear();
        }
        self.text.clear();
        match width {
            Some(width) => self.text.extend((0..width).rev().map(|bit| (value >> bit.min(63) & 1) as u8)),
            None => self.text.extend_from_slice(value.to_string().as_bytes()),
        }
        let (limits, mut tree) = (Limits { steps: 20_000, prefix: false }, Tree::default());
        let Change { material, rng, host, .. } = change;
        let (grammar, bits) = (material.grammar, width.is_some());
        let parsed = self.parser.parse(grammar, symbol, &self.text, bits, limits, rng, host, &mut tree);
        let number = parsed.is_ok().then(|| Rc::new(tree));
        known.insert((symbol, value, width), number.clone());
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
