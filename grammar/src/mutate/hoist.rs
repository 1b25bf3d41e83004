//! A subtree gives way to one of the same symbol inside it.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

pub(super) const OPERATOR: Operator =
    Operator { name: "hoist", help: "a part gives way to one of the same symbol inside it", apply };

fn apply(_: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some((at, inner)) = change.nested() else { return Ok(false) };
    let mark = change.patch.mark();
    change.patch.add(&change.subject.tree, inner..change.tree.end(inner), 1);
    change.patch.replace(change.tree, at, mark);
    Ok(true)
}
