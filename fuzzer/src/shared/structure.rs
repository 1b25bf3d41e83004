//! What became of the structure of inputs, kept by the worker and shown by the supervisor.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts of entries and mutants.
#[repr(C)]
#[derive(Debug)]
pub struct StructureNumbers {
    /// Kept inputs that have a tree.
    pub entries: AtomicU64,
    /// Kept inputs that do not fit the grammar.
    pub unparsed: AtomicU64,
    /// Mutants of trees that were made.
    pub made: AtomicU64,
    /// Those of them whose constraints could not be repaired.
    pub dropped: AtomicU64,
    /// Those of them that violate a constraint on purpose.
    pub broken: AtomicU64,
    /// Kept inputs that would take too long to parse.
    pub costly: AtomicU64,
}

impl StructureNumbers {
    /// One more. Only the worker writes, so a load and a store do.
    pub fn count(number: &AtomicU64) {
        number.store(number.load(Relaxed) + 1, Relaxed);
    }
}
