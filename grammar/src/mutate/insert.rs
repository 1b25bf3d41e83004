//! A new round stands somewhere in a repetition.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::Node;
use crate::tree::Kind;

pub(super) const OPERATOR: Operator =
    Operator { name: "insert", help: "a new round is put into a repetition", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, subject, tree, rng, host, patch } = change;
    let grammar = material.grammar;
    let Some(at) = subject.pick(Spot::Roomy, rng) else { return Ok(false) };
    let Kind::Control(node) = tree.node(at).kind() else { return Ok(false) };
    let Node::Repeat { body, .. } = grammar.node(node) else { return Ok(false) };
    let count = tree.node(at).alt;
    mutator.split(grammar, tree, at);
    let place = mutator.round_start(tree, at, rng.below(count + 1));
    let from = patch.pieces.len();
    mutator.scratch.clear();
    mutator.generator.node(grammar, *body, material.size, rng, host, &mut mutator.scratch)?;
    patch.pieces.append_siblings(&mutator.scratch, 0..mutator.scratch.len());
    patch.replace_inside(at, count + 1, place..place, from);
    Ok(true)
}
