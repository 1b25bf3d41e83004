//! What every way of making inputs has cost and found, kept by the worker and shown by the supervisor.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An input that only makes something happen another number of times is worth this part of one that does something new:
/// long inputs that repeat themselves are found easily, and lead nowhere.
pub const NEW: u64 = 8;

/// The numbers of one [`crate::origin::Op`].
#[repr(C)]
#[derive(Debug)]
pub struct OpNumbers {
    runs: AtomicU64,
    found: AtomicU64,
    /// What the runs cost, see `engine::effort`, and what their finds are worth, but what is long ago counts less.
    recent_effort: AtomicU64,
    recent_worth: AtomicU64,
}

impl OpNumbers {
    /// So many runs were made, confirmations included, and cost so much.
    pub fn spend(&self, runs: u64, effort: u64) {
        add(&self.runs, runs);
        add(&self.recent_effort, effort);
    }

    /// An input was kept, which does something new or only another number of times.
    pub fn find(&self, is_new: bool) {
        add(&self.found, 1);
        add(&self.recent_worth, if is_new { NEW } else { 1 });
    }

    /// Runs spent and inputs kept in all.
    pub fn all(&self) -> (u64, u64) {
        (self.runs.load(Relaxed), self.found.load(Relaxed))
    }

    /// Effort spent lately, and what was found for it, in parts of [`NEW`].
    pub fn recent(&self) -> (u64, u64) {
        (self.recent_effort.load(Relaxed), self.recent_worth.load(Relaxed))
    }

    /// What was counts half from now on.
    pub fn fade(&self) {
        for recent in [&self.recent_effort, &self.recent_worth] {
            recent.store(recent.load(Relaxed) / 2, Relaxed);
        }
    }
}

/// Only the worker writes, so a load and a store do.
fn add(number: &AtomicU64, more: u64) {
    number.store(number.load(Relaxed) + more, Relaxed);
}
