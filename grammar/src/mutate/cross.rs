//! Several subtrees of one symbol give way at once to those of another tree, in the order in which they stand.
use super::{Change, Mutator, Operator, pick};
use crate::generate::Failure;
use crate::tree::{Index, Kind, Tree};

/// So many subtrees at most.
const MOST: usize = 8;

pub(super) const OPERATOR: Operator = Operator {
    name: "cross",
    help: "several parts give way at once to those of the same symbol in another input",
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, out, .. } = change;
    if material.donors.is_empty() {
        return Ok(false);
    }
    let donor = &material.donors[rng.below(material.donors.len() as u32) as usize];
    let (varies, spots) = (&mutator.varies, &mut mutator.spots);
    // Never the whole input: that would only be the other one.
    let fits = |at: Index| {
        at > 0 && matches!(tree.node(at).kind(), Kind::Symbol(_)) && varies.has(tree.node(at).kind())
    };
    let Some(at) = pick(tree, spots, rng, fits) else { return Ok(false) };
    let kind = tree.node(at).kind();
    let theirs = apart(donor, kind);
    if theirs.is_empty() {
        return Ok(false);
    }
    let mut ours = apart(tree, kind);
    let first = rng.below(theirs.len() as u32) as usize;
    let mut pairs: Vec<(Index, Index)> =
        ours.drain(..).enumerate().map(|(n, at)| (at, theirs[(first + n) % theirs.len()])).collect();
    // About half of them, and at least one.
    while pairs.len() > MOST || (pairs.len() > 1 && rng.one_in(2)) {
        let gone = rng.below(pairs.len() as u32) as usize;
        pairs.remove(gone);
    }
    pairs.retain(|(ours, theirs)| tree.text_of(*ours) != donor.text_of(*theirs));
    if pairs.is_empty() {
        return Ok(false);
    }
    out.clone_from(tree);
    // From the last on, so that the places of the others stay.
    for (at, from) in pairs.into_iter().rev() {
        out.replace(at, donor, from);
    }
    Ok(true)
}

/// The nodes of this kind that are in no other such node.
fn apart(tree: &Tree, kind: Kind) -> Vec<Index> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tree.len() {
        if tree.node(at).kind() == kind {
            found.push(at);
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    found
}
