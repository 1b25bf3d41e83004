//! A new round stands somewhere in a repetition.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::Node;
use crate::tree::Kind;

pub(super) const OPERATOR: Operator =
    Operator { name: "insert", help: "a new round is put into a repetition", spot: Spot::Roomy, apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Roomy) else { return Ok(false) };
    let Change { material, tree, rng, host, patch, .. } = change;
    let grammar = material.grammar;
    let Kind::Control(node) = tree.node(at).kind() else { return Ok(false) };
    let Node::Repeat { body, .. } = grammar.node(node) else { return Ok(false) };
    let count = tree.node(at).alt;
    let place = Mutator::round_start(grammar, tree, at, rng.below(count + 1));
    let (round, mark) = (mutator.round(material, *body, material.size, rng, *host)?, patch.mark());
    let nodes = 0..round.tree.len();
    patch.add(round.tree, nodes, 1, round.is_valid);
    patch.replace_inside(tree, at, count + 1, place..place, mark);
    Ok(true)
}
