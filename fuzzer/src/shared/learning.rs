//! What has been learnt of the target's tokens, and which inputs killed the worker that learnt, for the next one.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::Result;

use super::{
    journal::{Journal, Note},
    region::{Plain, Region},
};
use crate::{
    engine::tokens::without_end,
    origin::{Op, Origin},
};

/// After so many deaths learning ends with what is known: each costs a worker and all that it had in mind.
const MAX_DEATHS: u64 = 48;
/// A reservation of address space, not of memory.
const ROOM: usize = 1 << 28;

#[repr(C)]
struct Head {
    /// A run is under way.
    runs_now: AtomicU64,
    /// Runs spent by all workers.
    runs: AtomicU64,
    done: AtomicU64,
    /// How often the tokens changed.
    changes: AtomicU64,
    deaths: AtomicU64,
}

// SAFETY: atomics only.
unsafe impl Plain for Head {}

/// Learnt tokens and deadly inputs.
#[derive(Debug, Clone, Copy)]
pub struct Learning {
    head: Region,
    tokens: Journal,
    deadly: Journal,
}

const NOTE: Note =
    Note { edges: 0, effort: 0, id: 0, origin: Origin { parent: 0, op: Op::Token, rep: 0 }, domains: 0 };

impl Learning {
    pub(super) fn new() -> Result<Self> {
        let journal = || Ok::<_, anyhow::Error>(Journal::new(Region::new(ROOM)?));
        Ok(Self { head: Region::new(size_of::<Head>())?, tokens: journal()?, deadly: journal()? })
    }

    fn head(&self) -> &'static Head {
        // SAFETY: the region starts zeroed, is page-aligned and never unmapped.
        unsafe { &*self.head.at::<Head>(0, 1) }
    }

    /// To be called by every worker that begins to learn, with the input that was run last: if that was the death of the
    /// worker before, nothing that begins like it is run again.
    pub fn take_over(&self, last: &[u8]) {
        let head = self.head();
        if head.runs_now.swap(0, Relaxed) == 0 {
            return;
        }
        let deaths = head.deaths.fetch_add(1, Relaxed) + 1;
        let beginning = without_end(last);
        let is_noted = !beginning.is_empty() && self.deadly.push(beginning, NOTE).is_some();
        if deaths > MAX_DEATHS || !is_noted {
            self.finish();
        }
    }

    /// Counts a run of this input that begins now; false if it is deadly and must not.
    pub fn begin_run(&self, input: &[u8]) -> bool {
        let head = self.head();
        if self.deadly.entries().any(|deadly| input.starts_with(deadly.input)) {
            return false;
        }
        head.runs.fetch_add(1, Relaxed);
        head.runs_now.store(1, Relaxed);
        true
    }

    /// The run is over.
    pub fn end_run(&self) {
        self.head().runs_now.store(0, Relaxed);
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
        for token in tokens {
            if self.tokens.push(token, Note { id, ..NOTE }).is_none() {
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
    use crate::engine::tokens::end;

    #[test]
    fn the_last_tokens_count_and_what_killed_is_not_run_again() {
        let learning = Learning::new().unwrap();
        assert_eq!(learning.tokens(), Vec::<Vec<u8>>::new());
        learning.set_tokens(&[b"if".to_vec(), b"(".to_vec()]);
        learning.set_tokens(&[b"while".to_vec()]);
        assert_eq!(learning.tokens(), [b"while".to_vec()]);
        assert!(learning.begin_run(b"good"));
        learning.end_run();
        learning.take_over(b"good");
        assert!(learning.begin_run(b"good") && learning.begin_run(b"deadly"));
        learning.take_over(&[b"deadly", &end("\x7f")[..]].concat());
        assert!(!learning.begin_run(b"deadly more") && learning.begin_run(b"good"));
        assert!(!learning.is_done());
        for n in 0..MAX_DEATHS as u8 {
            assert!(learning.begin_run(&[n]));
            learning.take_over(&[n]);
        }
        assert!(learning.is_done());
    }
}
