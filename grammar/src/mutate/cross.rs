//! Several subtrees of one symbol give way at once to those of another tree, in the order in which they stand.
use std::rc::Rc;

use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::tree::{Index, Kind, Tree};

/// Up to two to the power of less than this many subtrees.
const MOST: u32 = 4;

pub(super) const OPERATOR: Operator = Operator {
    name: "cross",
    help: "several parts give way at once to those of the same symbol in another input",
    spot: Spot::Symbol,
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Symbol) else { return Ok(false) };
    let Change { material, subject, tree, rng, patch, .. } = change;
    // Never the whole input: that would only be the other one.
    if at == 0 || material.donors.is_empty() {
        return Ok(false);
    }
    let donor = &material.donors[rng.below(material.donors.len() as u32) as usize];
    let Kind::Symbol(symbol) = tree.node(at).kind() else { return Ok(false) };
    let (ours, theirs) = (subject.of_symbol(symbol), donor.of_symbol(symbol));
    if theirs.is_empty() {
        return Ok(false);
    }
    // From somewhere on in both, and most often few.
    let power = rng.below(MOST);
    let most = 1 + rng.below(1 << power);
    let from = ours.partition_point(|node| *node < at);
    let ours = apart(tree, &ours[from..]).take(most as usize);
    let theirs = apart(&donor.tree, &theirs[rng.below(theirs.len() as u32) as usize..]);
    let pairs = &mut mutator.pairs;
    pairs.clear();
    pairs.extend(ours.zip(theirs));
    pairs.retain(|(ours, theirs)| tree.text_of(*ours) != donor.tree.text_of(*theirs));
    for (at, from) in pairs.iter() {
        let mark = patch.mark();
        patch.add(Rc::clone(&donor.tree), *from..donor.tree.end(*from), 1, donor.is_valid);
        patch.replace(tree, *at, mark);
    }
    Ok(!pairs.is_empty())
}

/// Of these nodes those that are in no other.
fn apart(tree: &Tree, nodes: &[Index]) -> impl Iterator<Item = Index> {
    let mut end = 0;
    nodes.iter().copied().filter(move |at| {
        let is_apart = *at >= end;
        if is_apart {
            end = tree.end(*at);
        }
        is_apart
    })
}
