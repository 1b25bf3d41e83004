//! A subtree gives way to a least one.
use super::{Change, Mutator, Operator, Spot, Want};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "minimise", help: "a part gives way to a least one", spot: Spot::Varying, apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick_wide(Spot::Varying) else { return Ok(false) };
    mutator.derive(change, at, Want::Least, 0)?;
    Ok(true)
}
