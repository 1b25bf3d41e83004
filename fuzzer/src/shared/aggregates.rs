//! The aggregates of the coverage domain and the holder of every key, in memory that outlives workers.
//!
//! A key is (build-id of its object, index of its counter). The directory maps an object to the place of its
//! keys here, so that a worker which loads objects in another order finds them again.
use anyhow::Result;

use super::{directory::Directory, region::Region};

/// In the holders' map: no entry holds this key yet.
pub const NO_HOLDER: u32 = 0;

/// More counters than the largest browser has; a reservation of address space, not of memory.
const MAX_KEYS: usize = 64 << 20;

/// What every key has seen so far, and how many runs hit it.
#[derive(Debug, Clone, Copy)]
pub struct Aggregates {
    region: Region,
}

const SEEN: usize = size_of::<Directory>();
const UNSTABLE: usize = SEEN + MAX_KEYS;
const HOLDERS: usize = UNSTABLE + MAX_KEYS; // a multiple of 4, as SEEN is
const HITS: usize = HOLDERS + MAX_KEYS * size_of::<u32>();

impl Aggregates {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { region: Region::new(HITS + MAX_KEYS * size_of::<u32>())? })
    }

    fn directory(&self) -> &'static Directory {
        // SAFETY: the region starts zeroed, is page-aligned and never unmapped.
        unsafe { &*self.region.at::<Directory>(0, 1) }
    }

    /// Where the keys of an object begin; `None` if there is no room for it.
    pub fn place(&self, identity: u64, n_keys: usize) -> Option<usize> {
        self.directory().place(identity, n_keys, MAX_KEYS)
    }

    /// The buckets each of these keys has seen.
    #[allow(clippy::mut_from_ref, reason = "shared memory; only the one worker writes it")]
    pub fn seen(&self, base: usize, n: usize) -> &mut [u8] {
        // SAFETY: in bounds (checked by `at`), zeroed at first, and written by the worker's one engine thread.
        unsafe { std::slice::from_raw_parts_mut(self.region.at(SEEN + base, n), n) }
    }

    /// For each of these keys, 1 if its value differed between two runs of one input.
    #[allow(clippy::mut_from_ref, reason = "shared memory; only the one worker writes it")]
    pub fn unstable(&self, base: usize, n: usize) -> &mut [u8] {
        // SAFETY: as for `seen`.
        unsafe { std::slice::from_raw_parts_mut(self.region.at(UNSTABLE + base, n), n) }
    }

    /// For each of these keys, its holder's number plus one, or [`NO_HOLDER`].
    #[allow(clippy::mut_from_ref, reason = "shared memory; only the one worker writes it")]
    pub fn holders(&self, base: usize, n: usize) -> &mut [u32] {
        // SAFETY: as for `seen`.
        unsafe { std::slice::from_raw_parts_mut(self.region.at(HOLDERS + base * 4, n), n) }
    }

    /// For each of these keys, about how many runs hit it.
    #[allow(clippy::mut_from_ref, reason = "shared memory; only the one worker writes it")]
    pub fn hits(&self, base: usize, n: usize) -> &mut [u32] {
        // SAFETY: as for `seen`.
        unsafe { std::slice::from_raw_parts_mut(self.region.at(HITS + base * 4, n), n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_finds_its_keys_again_in_any_order() {
        let aggregates = Aggregates::new().unwrap();
        assert_eq!(aggregates.place(7, 10), Some(0));
        assert_eq!(aggregates.place(8, 5), Some(10));
        assert_eq!(aggregates.place(7, 10), Some(0));
        assert_eq!(aggregates.place(7, 11), Some(15), "a rebuilt object is another one");
        assert_eq!(aggregates.place(9, usize::from(u16::MAX) << 20), None);
    }
}
