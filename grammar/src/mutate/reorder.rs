//! Rounds of a repetition, or items of a permutation, change places.
use std::rc::Rc;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator = Operator {
    name: "reorder",
    help: "two rounds of a repetition change places",
    spot: Spot::Ordered,
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Ordered) else { return Ok(false) };
    let Change { material, subject, tree, rng, patch, .. } = change;
    mutator.split(material.grammar, tree, at);
    let count = mutator.rounds.len() as u32;
    let (one, step) = (rng.below(count), 1 + rng.below(count - 1));
    let other = (one + step) % count;
    let (first, second) = (one.min(other) as usize, one.max(other) as usize);
    for (place, from) in [(first, second), (second, first)] {
        let ((old_start, old_end), (start, end)) = (mutator.rounds[place], mutator.rounds[from]);
        let mark = patch.mark();
        patch.add(Rc::clone(&subject.tree), start..end, 1, subject.is_valid);
        patch.replace_inside(tree, at, tree.node(at).alt, old_start..old_end, mark);
    }
    Ok(true)
}
