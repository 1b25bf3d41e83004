//! What came of holding on to rare branches, kept by the worker and shown by the supervisor.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many mutants there were, and how many of them hit what was aimed at.
#[repr(C)]
#[derive(Debug)]
pub struct Aimed {
    tried: AtomicU64,
    hit: AtomicU64,
}

impl Aimed {
    /// One more.
    pub fn count(&self, hit: bool) {
        self.tried.store(self.tried.load(Relaxed) + 1, Relaxed);
        self.hit.store(self.hit.load(Relaxed) + u64::from(hit), Relaxed);
    }

    /// Mutants, and those that hit.
    pub fn both(&self) -> (u64, u64) {
        (self.tried.load(Relaxed), self.hit.load(Relaxed))
    }
}

/// The numbers of masked mutations. All zeros is its valid initial state.
#[repr(C)]
#[derive(Debug)]
pub struct RareNumbers {
    /// Masks that were found.
    pub masks: AtomicU64,
    /// Targets that no mutant hit.
    pub dropped: AtomicU64,
    /// With the mask and without, each at our stacking and at AFL's.
    pub aimed: [[Aimed; 2]; 2],
}

impl RareNumbers {
    /// The mutants made so.
    pub fn of(&self, masked: bool, afl_stack: bool) -> &Aimed {
        &self.aimed[usize::from(!masked)][usize::from(afl_stack)]
    }
}
