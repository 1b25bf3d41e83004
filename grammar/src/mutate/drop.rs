//! A round of a repetition is gone.
use super::{Change, Mutator, Operator, pick, rounds};
use crate::generate::Failure;
use crate::tree::Index;

pub(super) const OPERATOR: Operator =
    Operator { name: "drop", help: "a round of a repetition is gone", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let (grammar, tree) = (change.material.grammar, change.tree);
    let spare = |at: Index| match rounds::fixed_bounds(grammar, tree, at) {
        Some((min, _)) => tree.node(at).alt.saturating_sub(min),
        None => 0,
    };
    let Some(at) = pick(tree, &mut mutator.spots, change.rng, |at| spare(at) > 0) else { return Ok(false) };
    mutator.split(grammar, tree, at);
    let most = if change.rng.one_in(8) { spare(at) } else { 1 };
    for _ in 0..=change.rng.below(most) {
        let gone = change.rng.below(mutator.rounds.len() as u32) as usize;
        mutator.rounds.remove(gone);
    }
    mutator.join(tree, at, change.out);
    Ok(true)
}
