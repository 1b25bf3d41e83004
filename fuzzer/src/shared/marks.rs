//! How often something was done to each kept input, whichever worker did it.
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use anyhow::Result;

use super::region::{Plain, Region};

/// More inputs than any campaign keeps; a reservation of address space, not of memory.
const MAX_INPUTS: usize = 1 << 28;

// SAFETY: every byte is a value.
unsafe impl Plain for AtomicU8 {}

/// A small count for every kept input.
#[derive(Debug, Clone, Copy)]
pub struct Marks {
    region: Region,
}

impl Marks {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { region: Region::new(MAX_INPUTS)? })
    }

    /// The count of the input with this number.
    pub fn get(&self, number: usize) -> u8 {
        self.mark(number).map_or(u8::MAX, |mark| mark.load(Relaxed))
    }

    /// Counts one more, as far as it goes.
    pub fn add(&self, number: usize) {
        if let Some(mark) = self.mark(number) {
            mark.store(mark.load(Relaxed).saturating_add(1), Relaxed);
        }
    }

    fn mark(&self, number: usize) -> Option<&'static AtomicU8> {
        // SAFETY: in bounds (checked by `at`), never unmapped, and atomic.
        (number < MAX_INPUTS).then(|| unsafe { &*self.region.at::<AtomicU8>(number, 1) })
    }
}
