//! Parts of inputs that satisfy what constraints say about each node on its own, so that they can be put in anywhere.
use super::solver::Solver;
use super::touch;
use crate::mutate::{Mended, Mender};
use crate::tree::Tree;

impl Mender for Solver<'_> {
    fn mend(&mut self, part: &mut Tree) -> Mended {
        // Where counts are computed, a part on its own has none of what they are computed from.
        if self.computed_bounds {
            return Mended::Broken;
        }
        let about = self.touching.chains.about(part, 0..part.len());
        if about == 0 {
            return Mended::Whole;
        }
        std::mem::swap(&mut self.tree, part);
        self.changed_anywhere();
        self.within = self.touching.chains.all;
        let mended = self.settle(about, true);
        self.within = touch::ALL;
        std::mem::swap(&mut self.tree, part);
        if mended { Mended::Changed } else { Mended::Broken }
    }
}
