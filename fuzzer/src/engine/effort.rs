//! What runs cost, counted so that a campaign can be repeated: in edges taken, never in time.
//!
//! It is the currency of the search. Domains share it, ways of making inputs are compared by it, and an entry whose runs
//! take a thousand times as long as others' gets a thousandth of their number.
use std::time::{Duration, Instant};

use libafl::corpus::CorpusId;

use super::holders::HolderScheduler;

/// What a run costs besides its edges: mutating, copying, resetting and judging take about as long as so many edges.
pub const RUN: u64 = 2048;

/// How much may be spent on mutants of an entry that would get so many if it were as fast as others.
pub fn allowance(scheduler: &HolderScheduler, mutants: usize) -> u64 {
    (scheduler.usual_effort() * mutants as f64) as u64
}

/// What so many runs of an entry take, in runs of usual entries.
pub fn in_usual_runs(scheduler: &HolderScheduler, entry: CorpusId, runs: usize) -> f64 {
    scheduler.effort(entry) as f64 * runs as f64 / scheduler.usual_effort()
}

/// Ends what is tried in a row when it takes too long: memory that a run touches costs time and no edges. Not where runs are
/// counted, so that such a campaign can be repeated.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    until: Option<Instant>,
}

impl Patience {
    /// For so long from now on, if time counts.
    pub fn new(time_counts: bool, limit: Duration) -> Self {
        Self { until: time_counts.then(|| Instant::now() + limit) }
    }

    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_only_where_time_counts() {
        assert!(Patience::new(true, Duration::ZERO).is_over());
        assert!(!Patience::new(true, Duration::from_secs(3600)).is_over());
        assert!(!Patience::new(false, Duration::ZERO).is_over());
    }
}
