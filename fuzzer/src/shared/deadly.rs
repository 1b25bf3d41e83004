//! Inputs that were the end of a worker, so that the next one need not run them again.
use std::{
    hash::{BuildHasher, BuildHasherDefault},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use anyhow::Result;
use rustc_hash::FxHasher;

use super::region::{Plain, Region};

/// So many are remembered; a newer one takes the place of an older one.
const PLACES: usize = 1 << 14;

// SAFETY: every bit pattern is a value.
unsafe impl Plain for AtomicU64 {}

/// Their hashes, each at the place that it says itself.
#[derive(Debug, Clone, Copy)]
pub struct Deadly {
    region: Region,
}

impl Deadly {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { region: Region::new(PLACES * size_of::<AtomicU64>())? })
    }

    /// This input was the end of a worker.
    pub fn add(&self, input: &[u8]) {
        let hash = hash(input);
        self.place(hash).store(hash, Relaxed);
    }

    /// Whether it was.
    pub fn has(&self, input: &[u8]) -> bool {
        let hash = hash(input);
        self.place(hash).load(Relaxed) == hash
    }

    fn place(&self, hash: u64) -> &'static AtomicU64 {
        let places = self.region.at::<AtomicU64>(0, PLACES);
        // SAFETY: in bounds by the remainder, never unmapped, and atomic.
        unsafe { &*places.add(hash as usize % PLACES) }
    }
}

/// Never 0, which says that nobody has the place.
fn hash(input: &[u8]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(input).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_known() {
        let deadly = Deadly::new().unwrap();
        assert!(!deadly.has(b"") && !deadly.has(b"X"));
        deadly.add(b"X");
        deadly.add(b"");
        assert!(deadly.has(b"X") && deadly.has(b"") && !deadly.has(b"XX"));
    }
}
