//! What has been learnt of the target's tokens, and which inputs killed the worker that learnt, for the next one.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::Result;

use super::{
    journal::{Journal, Note},
    region::{Plain, Region},
};
use crate::origin::{Op, Origin};

/// After so many deaths learning ends with what is known: each costs a worker and all that it had in mind.
const MAX_DEATHS: usize = 16;
/// A reservation of address space, not of memory.
const ROOM: usize = 1 << 28;

#[repr(C)]
struct Head {
    /// The run under way, as a number; 0 between runs.
    current: AtomicU64,
    /// Runs spent by all workers.
    runs: AtomicU64,
    done: AtomicU64,
    /// How often the tokens changed.
    changes: AtomicU64,
    n_deadly: AtomicU64,
    deadly: [AtomicU64; MAX_DEATHS],
}

// SAFETY: atomics only.
unsafe impl Plain for Head {}

/// Learnt tokens and deadly inputs.
#[derive(Debug, Clone, Copy)]
pub struct Learning {
    head: Region,
    tokens: Journal,
}

/// An input as a number, never 0.
fn number(input: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    input.iter().fold(0xcbf2_9ce4_8422_2325, mix) | 1
}

impl Learning {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { head: Region::new(size_of::<Head>())?, tokens: Journal::new(Region::new(ROOM)?) })
    }

    fn head(&self) -> &'static Head {
        // SAFETY: the region starts zeroed, is page-aligned and never unmapped.
        unsafe { &*self.head.at::<Head>(0, 1) }
    }

    /// To be asked by every worker that begins to learn: takes down what killed the last one.
    pub fn take_over(&self) {
        let head = self.head();
        let killer = head.current.swap(0, Relaxed);
        if killer == 0 {
            return;
        }
        let n = head.n_deadly.fetch_add(1, Relaxed) as usize;
        match head.deadly.get(n) {
            Some(place) => place.store(killer, Relaxed),
            None => self.finish(),
        }
    }

    /// Counts a run of this input that begins now; false if it is deadly and must not.
    pub fn begin_run(&self, input: &[u8]) -> bool {
        let (head, number) = (self.head(), number(input));
        if head.deadly.iter().any(|deadly| deadly.load(Relaxed) == number) {
            return false;
        }
        head.runs.fetch_add(1, Relaxed);
        head.current.store(number, Relaxed);
        true
    }

    /// The run is over.
    pub fn end_run(&self) {
        self.head().current.store(0, Relaxed);
    }

    /// Runs spent by all workers.
    pub fn runs(&self) -> u64 {
        self.head().runs.load(Relaxed)
    }

    /// Whether there is nothing more to learn.
    pub fn is_done(&self) -> bool {
        self.head().done.load(Relaxed) != 0
    }

    /// Nothing more will be learnt.
    pub fn finish(&self) {
        self.head().done.store(1, Relaxed);
    }

    /// These are the tokens from now on.
    pub fn set_tokens(&self, tokens: &[Vec<u8>]) {
        if self.tokens() == tokens {
            return;
        }
        let id = self.head().changes.load(Relaxed) as u32 + 1;
        let origin = Origin { parent: 0, op: Op::Token, rep: 0 };
        for token in tokens {
            if self.tokens.push(token, Note { edges: 0, id, origin, domains: 0 }).is_none() {
                return;
            }
        }
        self.head().changes.store(id.into(), Relaxed);
    }

    /// The tokens.
    pub fn tokens(&self) -> Vec<Vec<u8>> {
        let id = self.head().changes.load(Relaxed);
        let last = self.tokens.entries().filter(|entry| u64::from(entry.note.id) == id);
        last.map(|entry| entry.input.to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tokens_count_and_what_killed_is_not_run_again() {
        let learning = Learning::new().unwrap();
        assert_eq!(learning.tokens(), Vec::<Vec<u8>>::new());
        learning.set_tokens(&[b"if".to_vec(), b"(".to_vec()]);
        learning.set_tokens(&[b"while".to_vec()]);
        assert_eq!(learning.tokens(), [b"while".to_vec()]);
        assert!(learning.begin_run(b"good"));
        learning.end_run();
        learning.take_over();
        assert!(learning.begin_run(b"good") && learning.begin_run(b"deadly"));
        learning.take_over();
        assert!(!learning.begin_run(b"deadly") && learning.begin_run(b"good"));
        assert!(!learning.is_done());
        for n in 0..=MAX_DEATHS as u8 {
            assert!(learning.begin_run(&[n]));
            learning.take_over();
        }
        assert!(learning.is_done());
    }
}
