//! A number gets a value at which programs tend to change their ways.
use super::{Change, Mutator, Operator, pick};
use crate::generate::Failure;
use crate::ir::{Grammar, Node};
use crate::parse::Limits;
use crate::tree::{Index, Kind, Tree};

/// Bits and digits of the longest number that is looked at.
const MOST: usize = 64;

pub(super) const OPERATOR: Operator = Operator {
    name: "number",
    help: "a number gets a value around a power of two, its neighbour or its double",
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, host, out } = change;
    let grammar = material.grammar;
    let value = |at: Index| number(grammar, tree, at);
    let Some(at) = pick(tree, &mut mutator.spots, rng, |at| value(at).is_some()) else { return Ok(false) };
    let (Some((old, width)), Kind::Symbol(symbol)) = (value(at), tree.node(at).kind()) else {
        return Ok(false);
    };
    let new = match rng.below(5) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_mul(2),
        3 => (1i64 << rng.below(63)).wrapping_sub(i64::from(rng.below(3)) - 1),
        _ => i64::from(rng.below(3)) - 1,
    };
    let mut text = std::mem::take(&mut mutator.text);
    text.clear();
    match width {
        Some(width) => text.extend((0..width).rev().map(|bit| (new >> bit.min(63) & 1) as u8)),
        None => text.extend_from_slice(new.to_string().as_bytes()),
    }
    let mut grown = std::mem::take(&mut mutator.scratch);
    grown.clear();
    let limits = Limits { steps: 20_000, prefix: false };
    let bits = width.is_some();
    let parsed = mutator.parser.parse(grammar, symbol, &text, bits, limits, rng, host, &mut grown).is_ok();
    let changed = parsed && grown.text() != tree.text_of(at);
    if changed {
        mutator.put(tree, at, out, |out| out.append(&grown, 0));
    }
    (mutator.scratch, mutator.text) = (grown, text);
    Ok(changed)
}

/// The value of a symbol that is a number, and its width if it is made of bits.
fn number(grammar: &Grammar, tree: &Tree, at: Index) -> Option<(i64, Option<u32>)> {
    let Kind::Symbol(symbol) = tree.node(at).kind() else { return None };
    let text = tree.text_of(at);
    if text.is_empty() || text.len() > MOST || grammar.symbol(symbol).generator.is_some() {
        return None;
    }
    let is_bit = |at: Index| match tree.node(at).kind() {
        Kind::Terminal(node) => matches!(grammar.node(node), Node::Bit(_)),
        _ => true,
    };
    if grammar.symbol(symbol).has_bits {
        let all = (at..tree.end(at)).all(is_bit) && text.len() > 1;
        let value = text.iter().fold(0i64, |sum, bit| sum << 1 | i64::from(bit & 1));
        return all.then_some((value, Some(text.len() as u32)));
    }
    std::str::from_utf8(text).ok()?.parse().ok().map(|value| (value, None))
}
