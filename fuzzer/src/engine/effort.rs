//! What runs cost, counted so that a campaign can be repeated: in edges taken, never in time.
//!
//! It is the currency of the search. Domains share it, ways of making inputs are compared by it, and an entry whose runs
//! take a thousand times as long as others' gets a thousandth of their number.
use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

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

/// What is tried in a row may take this part of the time: memory that a run touches costs time and no edges.
const MOST: u32 = 2;
/// So much more it may take in any case, for what leads on early.
const GRACE: Duration = Duration::from_millis(500);

/// The time that was spent on what is tried in a row. Not kept where runs are counted, so that such a campaign can be repeated.
#[derive(Debug)]
pub struct Account {
    begun: Option<Instant>,
    spent: Cell<Duration>,
    is_running: Cell<bool>,
}

impl Account {
    /// From now on, if time counts.
    pub fn new(time_counts: bool) -> Rc<Self> {
        let begun = time_counts.then(Instant::now);
        Rc::new(Self { begun, spent: Cell::default(), is_running: Cell::default() })
    }

    /// For something that should take no longer than this, and no more than what is left of its part of the time.
    pub fn patience(self: &Rc<Self>, limit: Duration) -> Patience {
        let Some(begun) = self.begun else { return Patience { until: None, running: None } };
        let now = Instant::now();
        let left = (now.duration_since(begun) / MOST + GRACE).saturating_sub(self.spent.get());
        // What is tried within something else is on its account already.
        let is_first = !self.is_running.replace(true);
        Patience { until: Some(now + limit.min(left)), running: is_first.then(|| (now, Rc::clone(self))) }
    }
}

/// Ends what is tried in a row when it takes too long.
#[derive(Debug)]
pub struct Patience {
    until: Option<Instant>,
    /// Since when, and who keeps the account.
    running: Option<(Instant, Rc<Account>)>,
}

impl Patience {
    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        if let Some((since, account)) = self.running.take() {
            account.spent.set(account.spent.get() + since.elapsed());
            account.is_running.set(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn patience_ends_only_where_time_counts() {
        assert!(Account::new(true).patience(Duration::ZERO).is_over());
        assert!(!Account::new(true).patience(LONG).is_over());
        assert!(!Account::new(false).patience(Duration::ZERO).is_over());
    }

    #[test]
    fn what_was_spent_is_missing_later_and_is_counted_once() {
        let account = Account::new(true);
        {
            let _outer = account.patience(LONG);
            std::thread::sleep(Duration::from_millis(20));
            drop(account.patience(LONG));
            assert_eq!(account.spent.get(), Duration::ZERO);
        }
        assert!(account.spent.get() >= Duration::from_millis(20));
        assert!(!account.patience(LONG).is_over());
        account.spent.set(LONG);
        assert!(account.patience(LONG).is_over());
    }
}
