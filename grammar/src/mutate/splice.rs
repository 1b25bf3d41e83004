//! A subtree gives way to one of the same symbol from another tree, or from elsewhere in this one.
use std::rc::Rc;

use super::subject::any;
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::tree::Kind;

pub(super) const OPERATOR: Operator = Operator {
    name: "splice",
    help: "a part gives way to one of the same symbol from another input",
    spot: Spot::Symbol,
    apply,
};

fn apply(_: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    for _ in 0..4 {
        let Some(at) = change.pick_wide(Spot::Symbol) else { return Ok(false) };
        let Change { material, subject, tree, rng, patch, .. } = change;
        let Kind::Symbol(symbol) = tree.node(at).kind() else { return Ok(false) };
        let from = rng.below(material.donors.len() as u32 + 1) as usize;
        let donor = material.donors.get(from).map_or(*subject, |donor| donor);
        let Some(found) = any(donor.of_symbol(symbol), rng) else { continue };
        if donor.tree.text_of(found) == tree.text_of(at) {
            continue;
        }
        let mark = patch.mark();
        patch.add(Rc::clone(&donor.tree), found..donor.tree.end(found), 1, donor.is_valid);
        patch.replace(tree, at, mark);
        return Ok(true);
    }
    Ok(false)
}
