//! A subtree is derived anew.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator = Operator { name: "regrow", help: "a part is derived anew", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.subject.pick_wide(Spot::Varying, change.rng) else { return Ok(false) };
    mutator.derive(change, at, None, change.material.size)?;
    Ok(true)
}
