//! A choice is made differently.
use super::{Change, Mutator, Operator, Spot, Want, choice_of};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "switch", help: "another branch of an alternative is taken", spot: Spot::Choice, apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick_wide(Spot::Choice) else { return Ok(false) };
    let node = change.tree.node(at);
    let list = choice_of(change.material.grammar, node.kind());
    let number = (node.alt + 1 + change.rng.below(list.len() as u32 - 1)) % list.len() as u32;
    mutator.derive(change, at, Want::Branch(number, list[number as usize]), change.material.size)?;
    Ok(true)
}
