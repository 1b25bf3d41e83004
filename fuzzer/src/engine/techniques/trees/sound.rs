//! Mutants that satisfy all constraints, repaired where these see what was changed, and how they are written out.
use waypoint_grammar::{
    solve::{solver::Solver, touch},
    tree::Patch,
};

use super::{Last, Trees};
use crate::{origin::Op, shared::StructureNumbers};

impl Trees {
    /// Makes a mutant that satisfies all constraints; the last operator and how many there were.
    pub(super) fn sound(&mut self, out: &mut Vec<u8>) -> Option<(usize, u16)> {
        // Of a tree that could not be repaired, all mutants have to be.
        if !self.entry.subject.is_valid && !self.vain.may(self.shared.control) {
            return None;
        }
        // All of its changes or none, since they are repaired together.
        let anywhere = self.solver.can_be_violated() && self.solver.rng.one_in(self.odds);
        let (place, changes) = self.change(anywhere)?;
        self.write(self.ops[place], out)?;
        Some((place, changes))
    }

    /// Writes the changed tree out; none if it cannot be repaired, or is as it was.
    fn write(&mut self, op: Op, out: &mut Vec<u8>) -> Option<()> {
        let grammar = &self.language.spec.grammar;
        let control = self.shared.control;
        let (tree, was_valid) = (&self.entry.subject.tree, self.entry.subject.is_valid);
        let is_plain = self.outside.is_none() && Patch::is_writable(grammar);
        let touched = match was_valid {
            true => self.solver.touched(&self.entry.subject, &self.patch),
            false => Some(touch::ALL),
        };
        let is_valid = touched.is_none();
        if !is_valid && !self.vain.may(control) {
            return None;
        }
        StructureNumbers::count(&control.structure.made);
        self.dear.made(!is_valid);
        if is_valid && is_plain {
            if self.patch.keeps_text(tree) {
                return None;
            }
            out.clear();
            self.patch.write(tree, out);
            self.last = Last::Patch;
            return Some(());
        }
        let work = self.solver.work;
        let satisfied = if is_valid {
            self.patch.apply(tree, &mut self.solver.tree);
            true
        } else if let (Some(touched), true) = (touched, was_valid) {
            self.solver.satisfy_again(&self.entry.subject, &self.patch, touched)
        } else {
            self.patch.apply(tree, &mut self.solver.tree);
            self.solver.satisfy()
        };
        if !satisfied {
            StructureNumbers::count(&control.structure.dropped);
            self.vain.spend(control, op, self.solver.work - work);
            return None;
        }
        if self.solver.tree.text() == tree.text() && self.outside.is_none() {
            return None;
        }
        self.last = if self.render(out) { Last::Tree } else { Last::Nothing };
        Some(())
    }

    /// Writes the solver's tree out; whether just as it is.
    pub(super) fn render(&mut self, out: &mut Vec<u8>) -> bool {
        let grammar = &self.language.spec.grammar;
        out.clear();
        let Solver { rng, program, tree, .. } = &mut self.solver;
        let Some(outside) = &mut self.outside else {
            tree.serialise(grammar, 0, out);
            return true;
        };
        if outside.write(grammar, tree, rng, program, out).is_err() {
            out.clear();
        }
        let mut plain = Vec::new();
        tree.serialise(grammar, 0, &mut plain);
        plain == *out
    }
}
