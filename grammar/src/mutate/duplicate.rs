//! A round of a repetition stands several times.
use std::rc::Rc;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator = Operator {
    name: "duplicate",
    help: "a round of a repetition stands several times",
    spot: Spot::Copied,
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Copied) else { return Ok(false) };
    let Change { material, subject, tree, rng, patch, .. } = change;
    let node = tree.node(at);
    let Some((_, max)) = mutator.kinds.of(node.kind()).bounds else { return Ok(false) };
    // Usually one more, now and then many.
    let many = rng.one_in(8) && (rng.one_in(16) || !subject.is_dear(Spot::Copied, at));
    let most = if many { 32 } else { 2 };
    let copies = 1 + rng.below((max - node.alt).min(most));
    let start = Mutator::round_start(material.grammar, tree, at, rng.below(node.alt));
    let round = Mutator::round_at(material.grammar, tree, at, start);
    let place = Mutator::round_start(material.grammar, tree, at, rng.below(node.alt + 1));
    let mark = patch.mark();
    patch.add(Rc::clone(&subject.tree), round, copies, subject.is_valid);
    patch.replace_inside(tree, at, node.alt + copies, place..place, mark);
    Ok(true)
}
