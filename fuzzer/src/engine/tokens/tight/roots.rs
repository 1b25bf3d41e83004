//! Texts within which tokens are looked for: the whole, and what signs open.
use std::rc::Rc;

use super::super::{Halt, Learner, Prober};

/// States that are so much alike are one.
pub const ONE: f64 = 0.8;
/// Texts within texts are looked at so deep.
const DEPTH: usize = 5;

impl<P: Prober> Learner<'_, P> {
    /// Looks for tokens behind this text, unless that was done behind one that leads to the same state.
    pub(super) fn look_within(&mut self, before: &[u8], depth: usize) -> Result<(), Halt<P::Error>> {
        if depth > DEPTH || self.has_enough() || (depth > 0 && self.is_over(before)?) {
            return Ok(());
        }
        let here = self.state(before)?;
        if self.tight.roots.iter().any(|root| root.likeness(&here) >= ONE) {
            return Ok(());
        }
        self.tight.roots.push(Rc::clone(&here));
        let signs: Vec<u8> = here.told.iter().copied().filter(u8::is_ascii_punctuation).collect();
        for sign in signs {
            // What stands anywhere is found by phrases too.
            if depth > 0 && here.special.contains(&sign) && !self.is_over(&[before, &[sign]].concat())? {
                self.found(before, &[sign], b"")?;
            }
            self.look_behind(before, &[sign], depth)?;
        }
        Ok(())
    }
}
