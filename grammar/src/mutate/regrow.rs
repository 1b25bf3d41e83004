//! A subtree is derived anew.
use super::{Change, Mutator, Operator, Spot, Want};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "regrow", help: "a part is derived anew", spot: Spot::Varying, apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick_wide(Spot::Varying) else { return Ok(false) };
    mutator.derive(change, at, Want::Any, change.material.size)?;
    Ok(true)
}
