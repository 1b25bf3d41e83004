//! The aggregates of one domain other than coverage, and the holder of every key, in memory that outlives workers.
use anyhow::Result;

use super::{directory::Directory, region::Region};

/// More keys than a target's own domain may have, and that of several; a reservation of address space, not of memory.
const MAX_KEYS: usize = 1 << 25;

/// Per key its aggregate, its holder, and whether it is noise.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    region: Region,
}

const VALUES: usize = size_of::<Directory>();
const HOLDERS: usize = VALUES + MAX_KEYS * size_of::<u64>();
const DOUBTS: usize = HOLDERS + MAX_KEYS * size_of::<u32>();

/// A key that was in doubt so often is noise.
pub const UNSTABLE: u8 = 16;

/// One key's part of the table.
#[derive(Debug)]
pub struct Key {
    /// Its aggregate, XORed with a0: memory starts as zeros, aggregates as a0.
    pub encoded: &'static mut u64,
    /// Its holder's number plus one, or [`super::NO_HOLDER`].
    pub holder: &'static mut u32,
    /// How often it moved in one run of an input and not in the next, or [`UNSTABLE`].
    pub unstable: &'static mut u8,
}

impl Table {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { region: Region::new(DOUBTS + MAX_KEYS)? })
    }

    fn directory(&self) -> &'static Directory {
        // SAFETY: the region starts zeroed, is page-aligned and never unmapped.
        unsafe { &*self.region.at::<Directory>(0, 1) }
    }

    /// Where the keys of this identity begin; `None` if there is no room for them.
    pub fn place(&self, identity: u64, n_keys: usize) -> Option<usize> {
        self.directory().place(identity, n_keys, MAX_KEYS)
    }

    /// How many keys there are in all.
    pub fn len(&self) -> usize {
        self.directory().end()
    }

    /// Whose key this is, and which of theirs.
    pub fn owner(&self, key: usize) -> Option<(u64, usize)> {
        self.directory().owner(key)
    }

    /// The encoded aggregate of a key.
    #[inline]
    pub fn encoded(&self, key: usize) -> u64 {
        // SAFETY: in bounds (checked by `at`), zeroed at first, and written by the worker's one engine thread.
        unsafe { *self.region.at::<u64>(VALUES + key * 8, 1) }
    }

    /// The encoded aggregates of these keys.
    pub fn encoded_range(&self, base: usize, n: usize) -> &[u64] {
        // SAFETY: as for `encoded`.
        unsafe { std::slice::from_raw_parts(self.region.at::<u64>(VALUES + base * 8, n), n) }
    }

    /// Whether a key is noise.
    pub fn is_unstable(&self, key: usize) -> bool {
        // SAFETY: as for `encoded`.
        unsafe { *self.region.at::<u8>(DOUBTS + key, 1) >= UNSTABLE }
    }

    /// All of a key, to be changed. Only the worker's engine does.
    pub fn key(&self, key: usize) -> Key {
        // SAFETY: as for `encoded`; the engine holds one key at a time.
        unsafe {
            Key {
                encoded: &mut *self.region.at::<u64>(VALUES + key * 8, 1),
                holder: &mut *self.region.at::<u32>(HOLDERS + key * 4, 1),
                unstable: &mut *self.region.at::<u8>(DOUBTS + key, 1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_again_and_start_empty() {
        let table = Table::new().unwrap();
        assert_eq!(table.place(7, 10), Some(0));
        assert_eq!(table.place(8, MAX_KEYS / 2), Some(10));
        assert_eq!(table.place(9, MAX_KEYS / 2), None);
        assert_eq!(table.place(7, 10), Some(0));
        *table.key(12).encoded = 5;
        *table.key(12).holder = 3;
        assert_eq!((table.encoded(12), table.encoded(11), table.len()), (5, 0, 10 + MAX_KEYS / 2));
        assert_eq!(table.owner(12), Some((8, 2)));
        assert!(!table.is_unstable(12));
    }
}
