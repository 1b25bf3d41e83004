//! A subtree of a symbol is put into itself, once or several times.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

/// Nodes beyond which nothing is put into itself again.
const MOST_NODES: u32 = 1 << 16;

pub(super) const OPERATOR: Operator =
    Operator { name: "nest", help: "a part is put into itself, once or several times", apply };

fn apply(_: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some((at, inner)) = change.nested() else { return Ok(false) };
    let Change { tree, rng, patch, .. } = change;
    // Usually once, now and then several times, but not beyond reason.
    let wanted = if rng.one_in(8) { 8 } else { 1 };
    let times = wanted.min(1 + MOST_NODES / tree.node(at).len);
    let from = patch.pieces.len();
    // What stands before the inner one opens, and what stands behind it closes, as often as it is nested.
    (0..times).for_each(|_| patch.pieces.append_siblings(tree, at..inner));
    patch.pieces.append(tree, at);
    (0..times).for_each(|_| patch.pieces.append_siblings(tree, tree.end(inner)..tree.end(at)));
    let around = tree.node(at).len - tree.node(inner).len;
    for level in 0..times {
        let grown = (times - level) * around;
        let mut above = at;
        while above < inner {
            if tree.end(above) > inner {
                patch.pieces.grow(from + level * (inner - at) + (above - at), grown);
                above += 1;
            } else {
                above = tree.end(above);
            }
        }
    }
    patch.replace(tree, at, from);
    Ok(true)
}
