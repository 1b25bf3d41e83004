//! A choice is made differently.
use super::{Change, Mutator, Operator, choice_of, pick_wide};
use crate::generate::Failure;
use crate::tree::Index;

pub(super) const OPERATOR: Operator =
    Operator { name: "switch", help: "another branch of an alternative is taken", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, host, out } = change;
    let grammar = material.grammar;
    let branches = |at: Index| choice_of(grammar, tree.node(at).kind()).unwrap_or(&[]);
    let Some(at) = pick_wide(tree, &mut mutator.spots, rng, |at| branches(at).len() > 1) else {
        return Ok(false);
    };
    let list = branches(at);
    let number = (tree.node(at).alt + 1 + rng.below(list.len() as u32 - 1)) % list.len() as u32;
    let branch = (number, list[number as usize]);
    mutator.generator.regrow_as(grammar, tree, at, branch, material.size, rng, host, out)?;
    Ok(true)
}
