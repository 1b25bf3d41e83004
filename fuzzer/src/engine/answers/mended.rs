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
    /// Finds the fields anew that follow the rest of an entry, if a worker before this one knew them.
    pub(super) fn look_for_repairs(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        if self.shared.mendable.get(entry.0) == 0 || self.mender.borrow().knows(entry.0) {
            return Ok(());
        }
        let input = parts.input_of(entry)?;
        let origin = Origin { parent: parts.number_of(entry), op: Op::Colour, rep: 1 };
        let log = self.trace(parts, input.mutator_bytes(), origin)?;
        let repairs = self.repairs(parts, input.mutator_bytes(), &log, origin)?;
        self.mender.borrow_mut().know(entry.0, repairs);
        Ok(())
    }

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
