//! A repetition gets a count at which programs tend to change their ways.
use super::{Change, Mutator, Operator, pick, rounds};
use crate::generate::Failure;
use crate::tree::Index;

/// Rounds that no repetition is given beyond its least.
const MOST: u32 = 300;
/// Counts around which programs tend to change their ways.
const COUNTS: [u32; 10] = [0, 1, 2, 3, 16, 17, 64, 128, 256, 257];

pub(super) const OPERATOR: Operator =
    Operator { name: "resize", help: "a repetition gets another number of rounds", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, host, out } = change;
    let grammar = material.grammar;
    let free = |at: Index| matches!(rounds::fixed_bounds(grammar, tree, at), Some((min, max)) if min < max);
    let Some(at) = pick(tree, &mut mutator.spots, rng, free) else { return Ok(false) };
    let Some((min, max)) = rounds::fixed_bounds(grammar, tree, at) else { return Ok(false) };
    let now = tree.node(at).alt;
    let wanted = match rng.below(6) {
        0 => min,
        1 if max <= MOST => max,
        2 => now.saturating_mul(2),
        3 => now / 2,
        4 => now + 1,
        _ => COUNTS[rng.below(COUNTS.len() as u32) as usize],
    };
    let count = wanted.clamp(min, max.min(MOST.max(min)));
    if count == now {
        return Ok(false);
    }
    mutator.generator.recount(grammar, tree, at, count, material.size / 4, rng, host, out)?;
    Ok(true)
}
