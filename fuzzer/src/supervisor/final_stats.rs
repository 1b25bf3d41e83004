//! The statistics that libFuzzer prints at the end when asked to.
use std::{fmt, time::Duration};

use nix::sys::resource::{UsageWho, getrusage};

/// The numbers, in libFuzzer's words.
#[derive(Debug)]
pub struct FinalStats {
    /// Runs of the target.
    pub executed_units: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// Kept inputs that were no seeds.
    pub new_units: u64,
    /// The longest run.
    pub slowest: Duration,
}

impl fmt::Display for FinalStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.executed_units / self.elapsed.as_secs().max(1);
        let rows = [
            ("number_of_executed_units", self.executed_units),
            ("average_exec_per_sec", per_second),
            ("new_units_added", self.new_units),
            ("slowest_unit_time_sec", self.slowest.as_secs()),
            ("peak_rss_mb", peak_rss_mb()),
        ];
        for (name, value) in rows {
            writeln!(f, "{:<31} {value}", format!("stat::{name}:"))?;
        }
        Ok(())
    }
}

/// Of the largest worker so far.
fn peak_rss_mb() -> u64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() as u64 >> 10)
}
