//! The journal: every kept input in the order in which it was kept, so that the next worker starts where the
//! last one died without reading a file.
use std::sync::atomic::{AtomicU64, Ordering};

use super::region::{Plain, Region};
use crate::origin::Origin;

/// What is known of a kept input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// How many counters it reached: with its length, its cost as a holder.
    pub edges: u32,
    /// What a run of it takes, see `engine::effort`.
    pub effort: u32,
    /// The number in its name.
    pub id: u32,
    /// Where it comes from.
    pub origin: Origin,
    /// The domains in which it was a waypoint, a bit each.
    pub domains: u32,
}

/// A kept input.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its bytes, in shared memory for good.
    pub input: &'static [u8],
    /// What is known of it.
    pub note: Note,
}

#[repr(C)]
struct Head {
    /// Bytes of complete records. The last thing written when an entry is added.
    used: AtomicU64,
    count: AtomicU64,
}

// SAFETY: atomics only.
unsafe impl Plain for Head {}

/// The kept inputs, append-only.
#[derive(Debug, Clone, Copy)]
pub struct Journal {
    region: Region,
}

/// A record is its length, its number of edges, its effort, its id, its origin in two halves and its domains, then its
/// bytes, padded to a multiple of 8.
const PREFIX: usize = 32;

/// A place between two records, from which [`Journal::entries_from`] goes on.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    number: usize,
    at: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { number: 0, at: size_of::<Head>() }
    }
}

impl Journal {
    pub(super) fn new(region: Region) -> Self {
        Self { region }
    }

    fn head(&self) -> &'static Head {
        // SAFETY: the region starts zeroed, is page-aligned and never unmapped.
        unsafe { &*self.region.at::<Head>(0, 1) }
    }

    /// How many inputs have been kept.
    pub fn len(&self) -> usize {
        self.head().count.load(Ordering::Acquire) as usize
    }

    /// Adds an input and returns its place; `None` if there is no room left.
    pub fn push(&self, input: &[u8], note: Note) -> Option<usize> {
        let head = self.head();
        let used = head.used.load(Ordering::Relaxed) as usize;
        let start = size_of::<Head>() + used;
        let size = PREFIX + input.len().next_multiple_of(8);
        if start + size > self.region.len() {
            return None;
        }
        // SAFETY: the record lies within the region, behind everything published; only the worker appends.
        unsafe {
            let prefix = self.region.at::<[u32; 7]>(start, 1);
            let Note { edges, effort, id, origin, domains } = note;
            let origin = origin.pack();
            prefix.write([
                input.len() as u32,
                edges,
                effort,
                id,
                origin as u32,
                (origin >> 32) as u32,
                domains,
            ]);
            let bytes = self.region.at::<u8>(start + PREFIX, input.len());
            std::ptr::copy_nonoverlapping(input.as_ptr(), bytes, input.len());
        }
        let place = head.count.load(Ordering::Relaxed);
        head.used.store((used + size) as u64, Ordering::Release);
        head.count.store(place + 1, Ordering::Release);
        Some(place as usize)
    }

    /// The kept inputs, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let mut place = Place::default();
        let journal = *self;
        std::iter::from_fn(move || journal.next(&mut place))
    }

    /// The inputs kept since `place`, which moves behind them.
    pub fn entries_from(&self, place: &mut Place) -> impl Iterator<Item = Entry> {
        std::iter::from_fn(|| self.next(place))
    }

    /// The input at `place`, which moves behind it.
    fn next(&self, place: &mut Place) -> Option<Entry> {
        if place.number >= self.len() {
            return None;
        }
        // SAFETY: `push` wrote a complete record here before it was counted, and never changes it.
        let entry = unsafe {
            let [len, edges, effort, id, low, high, domains] = self.region.at::<[u32; 7]>(place.at, 1).read();
            let bytes = self.region.at::<u8>(place.at + PREFIX, len as usize);
            let origin = Origin::unpack(u64::from(low) | u64::from(high) << 32);
            let note = Note { edges, effort, id, origin, domains };
            Entry { input: std::slice::from_raw_parts(bytes, len as usize), note }
        };
        place.number += 1;
        place.at += PREFIX + entry.input.len().next_multiple_of(8);
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Op;

    fn note(edges: u32) -> Note {
        Note {
            edges,
            effort: 9,
            id: 7,
            origin: Origin { parent: 70_000, op: Op::Havoc, rep: 300 },
            domains: 5,
        }
    }

    #[test]
    fn reads_back_what_was_pushed_and_says_when_it_is_full() {
        let journal = Journal::new(Region::new(4096).unwrap());
        let inputs: Vec<Vec<u8>> = (0..20).map(|n| vec![n as u8; n * 3]).collect();
        for (n, input) in inputs.iter().enumerate() {
            assert_eq!(journal.push(input, note(n as u32)), Some(n));
        }
        let back: Vec<_> = journal.entries().map(|entry| (entry.input.to_vec(), entry.note)).collect();
        assert_eq!(back.len(), 20);
        assert!(back.iter().enumerate().all(|(n, back)| *back == (inputs[n].clone(), note(n as u32))));
        assert_eq!(journal.push(&[0; 4096], note(0)), None);
        assert_eq!(journal.len(), 20);
    }

    #[test]
    fn a_reader_goes_on_where_it_was() {
        let journal = Journal::new(Region::new(4096).unwrap());
        let mut place = Place::default();
        assert_eq!(journal.entries_from(&mut place).count(), 0);
        for round in 0..3u32 {
            journal.push(b"odd", note(round));
            journal.push(b"", note(round));
            let edges: Vec<u32> = journal.entries_from(&mut place).map(|entry| entry.note.edges).collect();
            assert_eq!(edges, [round, round]);
        }
    }
}
