//! Random mutations of entries with fields that follow the rest, such as checksums: what is wrong is mended before the
//! mutant is judged, since nothing behind such a field would be reached otherwise.
use libafl::{Error, corpus::CorpusId, inputs::HasMutatorBytes};

use super::AnswerStage;
use crate::{
    engine::{energy, parts::Parts},
    origin::{Op, Origin},
};

/// So many mutants are made of an entry each time it is chosen.
const MUTANTS: usize = 32;

impl AnswerStage {
    /// Mutates an entry of which such fields are known.
    pub(super) fn mutate_mended(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        let repairs = self.mender.borrow().known(entry.0);
        if repairs.is_empty() {
            return Ok(());
        }
        let original = parts.input_of(entry)?;
        let parent = parts.number_of(entry);
        self.havoc.look_for_tokens(parts.state);
        for _ in 0..MUTANTS {
            if energy::left(self.shared.control, &[Op::Mended]) <= 0.0 {
                break;
            }
            let mut input = original.clone();
            let rep = self.havoc.mutate(parts.state, &mut input)?;
            let origin = Origin { parent, op: Op::Mended, rep };
            let mended = self.mended(parts, input.mutator_bytes(), &repairs, None, origin)?;
            // What is right already is for the other mutations to find.
            let Some(mended) = mended else { continue };
            let before = parts.entries();
            self.consider(parts, &mended, origin)?;
            if parts.entries() > before {
                self.climber.climb(parts, entry)?;
            }
        }
        Ok(())
    }
}
