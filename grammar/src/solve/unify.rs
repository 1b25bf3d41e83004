//! Repairs of equations that want several values of one field: what they are computed from is made equal.
//!
//! `where <crc> == f(<data>)` ranges over every pair of a `<crc>` and a `<data>`. With two chunks it holds only if both
//! have data of one value, so one chunk's is copied to the other.
use smallvec::SmallVec;

use super::failing::{Atom, Failing};
use super::plan::target;
use super::solver::Solver;
use crate::tree::Index;

impl<'s> Solver<'s> {
    /// Copies what one failing combination of an equation is computed from over that of the others; false if there is
    /// nothing to copy, or if one lies within another.
    pub(super) fn unify(&mut self, failing: &[Failing<'s>]) -> bool {
        let pick = self.rng.below(failing.len() as u32) as usize;
        let Atom::Compare(model) = failing[pick].atom else { return false };
        let wanted = target(model);
        // Which node becomes a copy of which.
        let mut copies: SmallVec<[(Index, Index); 16]> = SmallVec::new();
        for failure in failing {
            let same = matches!(failure.atom, Atom::Compare(other) if std::ptr::eq(model, other));
            if !same {
                continue;
            }
            for ((slot, at), (_, from)) in failure.bound.iter().zip(&failing[pick].bound) {
                let known = copies.iter().any(|(there, _)| there == at);
                let alike = self.tree.node(*at).kind() == self.tree.node(*from).kind();
                if Some(*slot) != wanted && at != from && !known && alike {
                    copies.push((*at, *from));
                }
            }
        }
        copies.retain(|(at, from)| !self.tree.same(*at, &self.tree, *from));
        let within = |a: Index, b: Index| (a..self.tree.end(a)).contains(&b);
        let apart = copies.iter().enumerate().all(|(number, (at, from))| {
            let others = copies.iter().enumerate().filter(|(other, _)| *other != number);
            !within(*at, *from)
                && !within(*from, *at)
                && others
                    .into_iter()
                    .all(|(_, (other, source))| !within(*at, *other) && !within(*at, *source))
        });
        if copies.is_empty() || !apart {
            return false;
        }
        // From the back, so that positions before stay what they are.
        copies.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        self.donors.clear();
        let donors: SmallVec<[Index; 16]> = copies
            .iter()
            .map(|(_, from)| {
                let donor = self.donors.len();
                self.donors.append(&self.tree, *from);
                donor
            })
            .collect();
        for ((at, _), donor) in copies.iter().zip(donors) {
            self.tree.replace(*at, &self.donors, donor);
        }
        true
    }
}
