//! A subtree of a symbol is put into itself, once or several times.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

/// Nodes beyond which nothing is put into itself again.
const MOST_NODES: u32 = 1 << 16;

pub(super) const OPERATOR: Operator = Operator {
    name: "nest",
    help: "a part is put into itself, once or several times",
    spot: Spot::Outer,
    apply,
};

fn apply(_: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some((at, inner)) = change.nested() else { return Ok(false) };
    let Change { subject, tree, rng, patch, .. } = change;
    // Usually once, now and then several times, but not beyond reason.
    let wanted = if rng.one_in(8) { 8 } else { 1 };
    let times = wanted.min(1 + MOST_NODES / tree.node(at).len);
    patch.nest(&subject.tree, at, inner, times, subject.is_valid);
    Ok(true)
}
