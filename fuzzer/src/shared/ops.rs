//! What every way of making inputs has cost and found, kept by the worker and shown by the supervisor.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An input of so many bytes costs twice what a short one does.
const LONG: u64 = 256;

/// The numbers of one [`crate::origin::Op`].
#[repr(C)]
#[derive(Debug)]
pub struct OpNumbers {
    runs: AtomicU64,
    found: AtomicU64,
    /// The same, but what is long ago counts less, and runs of long inputs count more.
    recent_runs: AtomicU64,
    recent_found: AtomicU64,
}

impl OpNumbers {
    /// So many runs were spent on an input of so many bytes, confirmations included.
    pub fn spend(&self, runs: u64, len: usize) {
        add(&self.runs, runs);
        // Time must not decide, so that a campaign can be repeated; a longer input mostly takes longer.
        add(&self.recent_runs, runs * (1 + len as u64 / LONG));
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

    /// Runs spent and inputs kept lately.
    pub fn recent(&self) -> (u64, u64) {
        (self.recent_runs.load(Relaxed), self.recent_found.load(Relaxed))
    }

    /// What was counts half from now on.
    pub fn fade(&self) {
        for recent in [&self.recent_runs, &self.recent_found] {
            recent.store(recent.load(Relaxed) / 2, Relaxed);
        }
    }
}

/// Only the worker writes, so a load and a store do.
fn add(number: &AtomicU64, more: u64) {
    number.store(number.load(Relaxed) + more, Relaxed);
}
