//! A subtree of a symbol is put into itself, once or several times.
use super::{Change, Mutator, Operator};
use crate::generate::Failure;

/// Nodes beyond which nothing is put into itself again.
const MOST_NODES: u32 = 1 << 16;

pub(super) const OPERATOR: Operator =
    Operator { name: "nest", help: "a part is put into itself, once or several times", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { tree, rng, out, .. } = change;
    let Some((at, inner)) = mutator.nested(tree, rng) else { return Ok(false) };
    let mut grown = std::mem::take(&mut mutator.scratch);
    grown.clear();
    grown.append(tree, at);
    let (place, mut deepest) = (inner - at, 0);
    // Usually once, now and then several times, but not beyond reason.
    for _ in 0..if rng.one_in(8) { 8 } else { 1 } {
        deepest += place;
        if grown.len() > MOST_NODES {
            break;
        }
        grown.replace(deepest, tree, at);
    }
    mutator.put(tree, at, out, |out| out.append(&grown, 0));
    mutator.scratch = grown;
    Ok(true)
}
