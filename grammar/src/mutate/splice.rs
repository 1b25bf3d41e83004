//! A subtree gives way to one of the same symbol from another tree, or from elsewhere in this one.
use super::{Change, Mutator, Operator, pick, pick_wide};
use crate::generate::Failure;
use crate::tree::{Index, Kind};

pub(super) const OPERATOR: Operator =
    Operator { name: "splice", help: "a part gives way to one of the same symbol from another input", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, out, .. } = change;
    for _ in 0..4 {
        let (varies, spots) = (&mutator.varies, &mut mutator.spots);
        let fits = |at: Index| {
            let kind = tree.node(at).kind();
            matches!(kind, Kind::Symbol(_)) && varies.has(kind)
        };
        let Some(at) = pick_wide(tree, spots, rng, fits) else { return Ok(false) };
        let from = rng.below(material.donors.len() as u32 + 1) as usize;
        let donor = material.donors.get(from).unwrap_or(tree);
        let kind = tree.node(at).kind();
        let found = pick(donor, spots, rng, |at| donor.node(at).kind() == kind);
        let Some(found) = found.filter(|found| donor.text_of(*found) != tree.text_of(at)) else { continue };
        mutator.put(tree, at, out, |out| out.append(donor, found));
        return Ok(true);
    }
    Ok(false)
}
