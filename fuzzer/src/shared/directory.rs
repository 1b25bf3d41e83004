//! Which keys of a table belong to which object, so that a worker which loads objects in another order finds them again.
use std::sync::atomic::{AtomicU64, Ordering};

use super::region::Plain;

const MAX_PLACES: usize = 2 * waypoint_runtime::objects::MAX_OBJECTS;

/// The places taken so far. All zeros is its valid initial state.
#[repr(C)]
pub struct Directory {
    len: AtomicU64,
    /// Pairs of an identity and `base << 32 | n_keys`.
    places: [[AtomicU64; 2]; MAX_PLACES],
}

// SAFETY: atomics only.
unsafe impl Plain for Directory {}

impl Directory {
    fn places(&self) -> impl Iterator<Item = (u64, usize, usize)> {
        let len = self.len.load(Ordering::Acquire) as usize;
        self.places[..len].iter().map(|[id, packed]| {
            let packed = packed.load(Ordering::Relaxed);
            (id.load(Ordering::Relaxed), (packed >> 32) as usize, packed as u32 as usize)
        })
    }

    /// Where the `n_keys` keys of this identity begin; `None` if there is no room for them among `max_keys`.
    pub fn place(&self, identity: u64, n_keys: usize, max_keys: usize) -> Option<usize> {
        let known = self.places().find(|(id, _, n)| *id == identity && *n == n_keys);
        if let Some((_, base, _)) = known {
            return Some(base);
        }
        let (len, end) = (self.len.load(Ordering::Acquire) as usize, self.end());
        if len == MAX_PLACES || end.checked_add(n_keys)? > max_keys {
            return None;
        }
        let [id, packed] = &self.places[len];
        id.store(identity, Ordering::Relaxed);
        packed.store((end as u64) << 32 | n_keys as u64, Ordering::Relaxed);
        self.len.store(len as u64 + 1, Ordering::Release);
        Some(end)
    }

    /// The first key that belongs to nobody.
    pub fn end(&self) -> usize {
        self.places().last().map_or(0, |(_, base, n)| base + n)
    }

    /// Whose key this is, and which of theirs.
    pub fn owner(&self, key: usize) -> Option<(u64, usize)> {
        let (identity, base, _) = self.places().find(|(_, base, n)| (*base..base + n).contains(&key))?;
        Some((identity, key - base))
    }
}
