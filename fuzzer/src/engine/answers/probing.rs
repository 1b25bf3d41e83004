//! Runs that find out about an entry: what it compares, which of its bytes may be others, which of its fields follow the
//! rest.
use std::collections::VecDeque;

use libafl::{Error, state::HasRand};

use super::{
    AnswerStage, colour,
    edit::Edit,
    give::Entry,
    log::Log,
    repair::{self, Repair},
    sizes::Sizes,
    together::Together,
};
use crate::{
    engine::{assembly::Input, parts::Parts},
    origin::Origin,
};

/// So many runs are spent on colouring an entry, and two for every byte of it: to go down to single bytes takes as many.
const COLOURINGS: usize = 16;
const MOST_COLOURINGS: usize = 512;

impl AnswerStage {
    /// Runs an input, and keeps it if it is a waypoint; whether it was run: not if it was the end of a worker before.
    pub(super) fn consider(
        &self,
        parts: &mut Parts<'_>,
        input: &[u8],
        origin: Origin,
    ) -> Result<bool, Error> {
        self.keeper.check_end(parts.state)?;
        if self.shared.deadly.has(input) {
            return Ok(false);
        }
        self.keeper.consider(parts, &Input::from(input.to_vec()), origin)?;
        Ok(true)
    }

    /// Runs an input; whether it takes this way.
    fn keeps_way(
        &self,
        parts: &mut Parts<'_>,
        input: &[u8],
        way: u64,
        origin: Origin,
    ) -> Result<bool, Error> {
        Ok(self.consider(parts, input, origin)? && parts.executor.maps().counters.signature() == way)
    }

    /// Runs an input for its comparisons only, on the account of `origin`.
    pub(super) fn trace(&self, parts: &mut Parts<'_>, input: &[u8], origin: Origin) -> Result<Log, Error> {
        self.mender.borrow_mut().trace(parts, input, origin)
    }

    /// Other bytes wherever they do not change the way of the run: all at once where that works, else half by half.
    pub(super) fn colour(
        &mut self,
        parts: &mut Parts<'_>,
        entry: &Entry<'_>,
        repairs: &[Repair],
        together: &mut Together<'_>,
        sizes: &mut Sizes,
        origin: Origin,
    ) -> Result<Vec<u8>, Error> {
        let Entry { plain, way, .. } = *entry;
        let mut coloured = plain.to_vec();
        let mut budget = (COLOURINGS + 2 * plain.len()).min(MOST_COLOURINGS);
        let mut todo = VecDeque::new();
        todo.push_back(0..plain.len());
        while let Some(range) = todo.pop_front().filter(|_| budget > 0) {
            if self.limit.ends_asking(self.shared.control) {
                break;
            }
            if range.is_empty() {
                continue;
            }
            budget -= 1;
            let mut tried = coloured.clone();
            for byte in &mut tried[range.clone()] {
                *byte = colour::recolour(*byte, parts.state.rand_mut());
            }
            let mut same = self.keeps_way(parts, &tried, way, origin)?;
            if !same && let Some(mended) = self.mended(parts, &tried, repairs, None, origin)? {
                same = self.keeps_way(parts, &mended, way, origin)?;
                tried = mended;
            }
            sizes.look(parts, &range, same);
            if same {
                coloured = tried;
            } else if range.len() > 1 {
                let middle = range.start + range.len() / 2;
                todo.extend([range.start..middle, middle..range.end]);
            } else {
                let edit = Edit { at: range.start, len: 1, with: vec![tried[range.start]] };
                if together.wants(&edit, false) {
                    let changed = self.trace(parts, &tried, origin)?;
                    together.learn(plain[edit.at], &edit, &changed);
                    together.look(edit, None, &changed);
                }
                // What must not be anything may still be a little more or less.
                let mut tried = coloured.clone();
                for step in [1, u8::MAX] {
                    tried[range.start] = coloured[range.start].wrapping_add(step);
                    if self.keeps_way(parts, &tried, way, origin)? {
                        coloured[range.start] = tried[range.start];
                        break;
                    }
                }
            }
        }
        Ok(coloured)
    }

    /// The fields of an entry that follow the bytes beside them, as checksums do.
    pub(super) fn repairs(
        &mut self,
        parts: &mut Parts<'_>,
        plain: &[u8],
        log: &Log,
        origin: Origin,
    ) -> Result<Vec<Repair>, Error> {
        let mut repairs = Vec::new();
        for repair in repair::candidates(plain, log) {
            for range in repair.neighbours(plain.len()) {
                let mut changed = plain.to_vec();
                changed[range].iter_mut().for_each(|byte| *byte ^= 1);
                if changed != plain && repair.follows(&changed, &self.trace(parts, &changed, origin)?) {
                    repairs.push(repair);
                    break;
                }
            }
        }
        Ok(repairs)
    }

    /// A changed input with the fields made right that no longer were.
    pub(super) fn mended(
        &self,
        parts: &mut Parts<'_>,
        changed: &[u8],
        repairs: &[Repair],
        edit: Option<&Edit>,
        origin: Origin,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.mender.borrow_mut().mended(parts, changed, repairs, edit, origin)
    }

    /// Runs a changed input, and if that is no waypoint once more with the fields made right; whether one was kept.
    pub(super) fn consider_mended(
        &mut self,
        parts: &mut Parts<'_>,
        changed: &[u8],
        repairs: &[Repair],
        edit: Option<&Edit>,
        origin: Origin,
    ) -> Result<bool, Error> {
        let before = parts.entries();
        self.consider(parts, changed, origin)?;
        if parts.entries() == before
            && let Some(mended) = self.mended(parts, changed, repairs, edit, origin)?
        {
            self.consider(parts, &mended, origin)?;
        }
        Ok(parts.entries() > before)
    }
}
