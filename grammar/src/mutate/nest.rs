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
    let from = patch.pieces.len();
    patch.pieces.append(tree, at);
    let mut deepest = from;
    // Usually once, now and then several times, but not beyond reason.
    for _ in 0..if rng.one_in(8) { 8 } else { 1 } {
        deepest += inner - at;
        if patch.pieces.len() - from > MOST_NODES {
            break;
        }
        patch.pieces.replace(deepest, tree, at);
    }
    patch.replace(tree, at, from);
    Ok(true)
}
