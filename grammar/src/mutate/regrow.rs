//! A subtree is derived anew.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator = Operator { name: "regrow", help: "a part is derived anew", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = mutator.varying(change) else { return Ok(false) };
    let Change { material, tree, rng, host, out } = change;
    mutator.generator.regrow(material.grammar, tree, at, material.size, rng, host, out)?;
    Ok(true)
}
