//! A subtree gives way to one of the same symbol inside it.
use std::rc::Rc;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator = Operator {
    name: "hoist",
    help: "a part gives way to one of the same symbol inside it",
    spot: Spot::Outer,
    apply,
};

fn apply(_: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some((at, inner)) = change.nested() else { return Ok(false) };
    let Change { subject, tree, patch, .. } = change;
    let mark = patch.mark();
    patch.add(Rc::clone(&subject.tree), inner..tree.end(inner), 1, subject.is_valid);
    patch.replace(tree, at, mark);
    Ok(true)
}
