//! Several subtrees of one symbol give way at once to those of another tree, in the order in which they stand.
use super::{Change, Mutator, Operator, Spot};
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
    let Change { material, subject, tree, rng, patch, .. } = change;
    if material.donors.is_empty() {
        return Ok(false);
    }
    let donor = &material.donors[rng.below(material.donors.len() as u32) as usize];
    let Some(at) = subject.pick(Spot::Symbol, rng) else { return Ok(false) };
    let Kind::Symbol(symbol) = tree.node(at).kind() else { return Ok(false) };
    let theirs = donor.of_symbol(symbol);
    // Never the whole input: that would only be the other one.
    if at == 0 || theirs.is_empty() {
        return Ok(false);
    }
    let pairs = &mut mutator.pairs;
    pairs.clear();
    let first = theirs[rng.below(theirs.len() as u32) as usize];
    let mut theirs = apart(&donor.tree, theirs, first).chain(apart(&donor.tree, theirs, 0)).cycle();
    for at in apart(tree, subject.of_symbol(symbol), 0) {
        let Some(from) = theirs.next() else { break };
        pairs.push((at, from));
    }
    // About half of them, and at least one.
    while pairs.len() > MOST || (pairs.len() > 1 && rng.one_in(2)) {
        let gone = rng.below(pairs.len() as u32) as usize;
        pairs.remove(gone);
    }
    pairs.retain(|(ours, theirs)| tree.text_of(*ours) != donor.tree.text_of(*theirs));
    for (at, from) in pairs.iter() {
        let piece = patch.pieces.len();
        patch.pieces.append(&donor.tree, *from);
        patch.replace(tree, *at, piece);
    }
    Ok(!pairs.is_empty())
}

/// Of these nodes, from `first` on, those that are in no other.
fn apart(tree: &Tree, nodes: &[Index], first: Index) -> impl Iterator<Item = Index> + Clone {
    let mut end = first;
    nodes.iter().copied().filter(move |at| {
        let is_apart = *at >= end;
        if is_apart {
            end = tree.end(*at);
        }
        is_apart
    })
}
