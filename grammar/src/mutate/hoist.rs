//! A subtree gives way to one of the same symbol inside it.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "hoist", help: "a part gives way to one of the same symbol inside it", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some((at, inner)) = mutator.nested(change.tree, change.rng) else { return Ok(false) };
    mutator.put(change.tree, at, change.out, |out| out.append(change.tree, inner));
    Ok(true)
}
