//! A subtree gives way to a least one.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "minimise", help: "a part gives way to a least one", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.subject.pick_wide(Spot::Varying, change.rng) else { return Ok(false) };
    mutator.derive(change, at, None, 0)?;
    Ok(true)
}
