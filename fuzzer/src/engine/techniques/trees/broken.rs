//! Mutants that violate a constraint on purpose, as `--grammar-invalid` asks for.
use waypoint_grammar::solve::touch;

use super::{Last, Trees};
use crate::shared::StructureNumbers;

/// So many changes are tried before one that breaks nothing has to do.
const TRIES: u32 = 24;

impl Trees {
    /// Whether the next mutant should violate a constraint.
    pub(super) fn is_to_break(&mut self) -> bool {
        let share = self.language.invalid;
        share > 0.0 && self.solver.can_be_violated() && self.solver.rng.unit() < share
    }

    /// Makes a mutant that violates a constraint; the last operator and how many there were. None if no change that was
    /// tried did.
    pub(super) fn broken(&mut self, out: &mut Vec<u8>) -> Option<(usize, u16)> {
        for _ in 0..TRIES {
            let Some(made) = self.change(true) else { continue };
            let subject = &self.entry.subject;
            let touched = match subject.is_valid {
                true => self.solver.touched(subject, &self.patch),
                false => Some(touch::ALL),
            };
            let Some(touched) = touched else { continue };
            self.patch.apply(&subject.tree, &mut self.solver.tree);
            if self.solver.violates(touched) && self.solver.tree.text() != subject.tree.text() {
                let numbers = &self.shared.control.structure;
                StructureNumbers::count(&numbers.made);
                StructureNumbers::count(&numbers.broken);
                self.dear.made_other();
                self.last = if self.render(out) { Last::Tree } else { Last::Nothing };
                return Some(made);
            }
        }
        None
    }
}
