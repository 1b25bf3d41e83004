//! Mutants that satisfy the constraints: an operator changes a tree, computed fields follow, the rest is repaired.
use std::rc::Rc;

use super::solver::Solver;
use crate::generate::Failure;
use crate::mutate::{Material, Mutator, Operator, Subject};
use crate::tree::Tree;

impl Solver<'_> {
    /// Makes the tree a copy of `from` changed by `operator`, with every constraint satisfied; false if the operator
    /// applies nowhere, or if the constraints could not be repaired.
    pub fn variant(
        &mut self,
        mutator: &mut Mutator,
        operator: Operator,
        donors: &[Rc<Subject>],
        from: &Tree,
    ) -> Result<bool, Failure> {
        let material = Material { grammar: &self.spec.grammar, donors, size: self.size, dear: 1 };
        let mut out = std::mem::take(&mut self.tree);
        let changed = mutator.apply(operator, material, from, &mut self.rng, &mut self.program, &mut out);
        self.tree = out;
        Ok(changed? && self.satisfy())
    }
}
