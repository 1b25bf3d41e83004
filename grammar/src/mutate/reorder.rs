//! Rounds of a repetition, or items of a permutation, change places.
use super::{Change, Mutator, Operator, pick};
use crate::generate::Failure;
use crate::ir::Node;
use crate::tree::{Index, Kind};

pub(super) const OPERATOR: Operator =
    Operator { name: "reorder", help: "two rounds of a repetition change places", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let (grammar, tree) = (change.material.grammar, change.tree);
    let several = |at: Index| match tree.node(at).kind() {
        Kind::Control(node) => match grammar.node(node) {
            Node::Repeat { body, .. } => tree.node(at).alt > 1 && grammar.width(*body) > 0,
            Node::Permutation(items) => items.len() > 1,
            _ => false,
        },
        _ => false,
    };
    let Some(at) = pick(tree, &mut mutator.spots, change.rng, several) else { return Ok(false) };
    mutator.split(grammar, tree, at);
    let count = mutator.rounds.len() as u32;
    let (one, step) = (change.rng.below(count), 1 + change.rng.below(count - 1));
    mutator.rounds.swap(one as usize, ((one + step) % count) as usize);
    mutator.join(tree, at, change.out);
    Ok(true)
}
