//! What every way of making inputs has cost and found, kept by the worker and shown by the supervisor.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The numbers of one [`crate::origin::Op`].
#[repr(C)]
#[derive(Debug)]
pub struct OpNumbers {
    runs: AtomicU64,
    found: AtomicU64,
    /// What the runs cost, see `engine::effort`, and what they found, but what is long ago counts less.
    recent_effort: AtomicU64,
    recent_found: AtomicU64,
}

impl OpNumbers {
    /// So many runs were made, confirmations included, and cost so much.
    pub fn spend(&self, runs: u64, effort: u64) {
        add(&self.runs, runs);
        add(&self.recent_effort, effort);
    }

    /// An input was kept.
    pub fn find(&self) {
        add(&self.found, 1);
        add(&self.recent_found, 1);
    }

    /// Runs spent and inputs kept in all.
    pub fn all(&self) -> (u64, u64) {
        (self.runs.load(Relaxed), self.found.load(Relaxed))
    }

    /// Effort spent and inputs kept lately.
    pub fn recent(&self) -> (u64, u64) {
        (self.recent_effort.load(Relaxed), self.recent_found.load(Relaxed))
    }

    /// What was counts half from now on.
    pub fn fade(&self) {
        for recent in [&self.recent_effort, &self.recent_found] {
            recent.store(recent.load(Relaxed) / 2, Relaxed);
        }
    }
}

/// Only the worker writes, so a load and a store do.
fn add(number: &AtomicU64, more: u64) {
    number.store(number.load(Relaxed) + more, Relaxed);
}
