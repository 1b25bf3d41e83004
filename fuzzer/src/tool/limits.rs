//! What a run may take when a tool runs inputs again.
use std::time::Duration;

/// The limits of a run.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A longer run is a hang.
    pub timeout: Duration,
    /// An input that needs more memory is out of memory.
    pub rss_limit: u64,
    /// A single allocation of more is refused.
    pub malloc_limit: u64,
    /// Whether a refused allocation ends the run, as the finding that it is in a campaign.
    pub refusals_count: bool,
}

impl Limits {
    /// Of inputs that a campaign kept: an allocation that cannot be is refused, and the run goes on.
    pub fn of_corpus(timeout: Duration, rss_limit: u64) -> Self {
        Self { timeout, rss_limit, malloc_limit: rss_limit, refusals_count: false }
    }

    /// Of inputs that may be findings.
    pub fn of_findings(timeout: Duration, rss_limit: u64, malloc_limit: u64) -> Self {
        Self { timeout, rss_limit, malloc_limit, refusals_count: true }
    }
}
