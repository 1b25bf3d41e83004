//! A subtree gives way to a least one.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "minimise", help: "a part gives way to a least one", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = mutator.varying(change) else { return Ok(false) };
    let Change { material, tree, rng, host, out } = change;
    mutator.generator.regrow(material.grammar, tree, at, 0, rng, host, out)?;
    Ok(true)
}
