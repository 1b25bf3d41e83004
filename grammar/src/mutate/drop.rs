//! Rounds of a repetition are gone.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "drop", help: "a round of a repetition is gone", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, subject, tree, rng, patch, .. } = change;
    let Some(at) = subject.pick(Spot::Spare, rng) else { return Ok(false) };
    let node = tree.node(at);
    let Some((min, _)) = mutator.kinds.of(node.kind()).bounds else { return Ok(false) };
    mutator.split(material.grammar, tree, at);
    // Usually one, now and then any number.
    let gone = if rng.one_in(8) { 1 + rng.below(node.alt - min) } else { 1 };
    let (alt, from) = (node.alt - gone, patch.pieces.len());
    let (mut left, mut gone) = (node.alt, gone);
    for (start, end) in &mutator.rounds {
        // Each with the chance that makes all equally likely.
        if rng.below(left) < gone {
            gone -= 1;
            patch.replace_inside(at, alt, *start..*end, from);
        }
        left -= 1;
    }
    Ok(true)
}
