//! A round of a repetition stands several times.
use super::{Change, Mutator, Operator, pick, rounds};
use crate::generate::Failure;
use crate::tree::Index;

pub(super) const OPERATOR: Operator =
    Operator { name: "duplicate", help: "a round of a repetition stands several times", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let (grammar, tree) = (change.material.grammar, change.tree);
    let room = |at: Index| match rounds::fixed_bounds(grammar, tree, at) {
        Some((_, max)) if tree.node(at).alt > 0 => max.saturating_sub(tree.node(at).alt),
        _ => 0,
    };
    let Some(at) = pick(tree, &mut mutator.spots, change.rng, |at| room(at) > 0) else { return Ok(false) };
    // Usually one more, now and then many.
    let most = if change.rng.one_in(8) { 32 } else { 2 };
    let copies = 1 + change.rng.below(room(at).min(most));
    mutator.split(grammar, tree, at);
    let count = mutator.rounds.len() as u32;
    let (twice, place) = (change.rng.below(count) as usize, change.rng.below(count + 1) as usize);
    let round = mutator.rounds[twice];
    mutator.rounds.splice(place..place, std::iter::repeat_n(round, copies as usize));
    mutator.join(tree, at, change.out);
    Ok(true)
}
