//! Rounds of a repetition are gone.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "drop", help: "a round of a repetition is gone", spot: Spot::Spare, apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Spare) else { return Ok(false) };
    let Change { material, tree, rng, patch, .. } = change;
    let node = tree.node(at);
    let Some((min, _)) = mutator.kinds.of(node.kind()).bounds else { return Ok(false) };
    let mark = patch.mark();
    // Usually one, now and then any number.
    if !rng.one_in(8) {
        let start = Mutator::round_start(material.grammar, tree, at, rng.below(node.alt));
        let round = Mutator::round_at(material.grammar, tree, at, start);
        patch.replace_inside(tree, at, node.alt - 1, round, mark);
        return Ok(true);
    }
    mutator.split(material.grammar, tree, at);
    let mut gone = 1 + rng.below(node.alt - min);
    let (alt, mut left) = (node.alt - gone, node.alt);
    for (start, end) in &mutator.rounds {
        // Each with the chance that makes all equally likely.
        if rng.below(left) < gone {
            gone -= 1;
            patch.replace_inside(tree, at, alt, *start..*end, mark);
        }
        left -= 1;
    }
    Ok(true)
}
