//! What earlier campaigns in the same directory came to, so that the statistics of a resumed one go on from there.
use std::{collections::HashMap, fs, path::Path, time::Duration};

use super::status::Snapshot;

/// The sum of earlier campaigns; nothing for the first one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earlier {
    /// How long they took together.
    pub time: Duration,
    runs: u64,
    invalid_runs: u64,
    cycles: u64,
    deaths: u64,
    runs_since_crash: u64,
    /// When the last crash was saved, in seconds since 1970; 0 if none was.
    pub last_crash: u64,
    /// The same for hangs.
    pub last_hang: u64,
}

impl Earlier {
    /// Reads `fuzzer_stats` and `plot_data` in a directory; what is missing or makes no sense counts as nothing.
    pub fn read(dir: &Path) -> Self {
        let stats = fs::read_to_string(dir.join("fuzzer_stats")).unwrap_or_default();
        let stats: HashMap<&str, u64> = stats.lines().filter_map(row).collect();
        let plot = fs::read_to_string(dir.join("plot_data")).unwrap_or_default();
        let plotted = plot.lines().next_back().and_then(|line| line.split(',').next()?.parse().ok());
        let number = |key: &str| stats.get(key).copied().unwrap_or(0);
        Self {
            // Time never goes back, in either file.
            time: Duration::from_secs(number("run_time").max(plotted.unwrap_or(0))),
            runs: number("execs_done"),
            invalid_runs: number("invalid_execs"),
            cycles: number("cycles_done"),
            deaths: number("workers_died"),
            runs_since_crash: number("execs_since_crash"),
            last_crash: number("last_crash"),
            last_hang: number("last_hang"),
        }
    }

    /// The numbers of this campaign and the earlier ones together.
    pub fn and(&self, now: &Snapshot) -> Snapshot {
        Snapshot {
            elapsed: self.time + now.elapsed,
            last_find: self.time + now.last_find,
            runs: self.runs + now.runs,
            invalid_runs: self.invalid_runs + now.invalid_runs,
            cycles: self.cycles + now.cycles,
            deaths: self.deaths + now.deaths,
            ..now.clone()
        }
    }

    /// How many runs there had been when the last crash was saved.
    pub fn runs_at_crash(&self) -> u64 {
        self.runs.saturating_sub(self.runs_since_crash)
    }
}

/// A line `key : number`. Far smaller than what would overflow when added to.
fn row(line: &str) -> Option<(&str, u64)> {
    let (key, value) = line.split_once(':')?;
    let number: u64 = value.trim().parse().ok()?;
    Some((key.trim(), number.min(1 << 60)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_added() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Earlier::read(dir.path()), Earlier::default());
        let stats =
            "run_time  : 7\nexecs_done : 100\nexecs_since_crash : 30\nafl_banner : a:b\nlast_crash : x\n";
        fs::write(dir.path().join("fuzzer_stats"), stats).unwrap();
        fs::write(dir.path().join("plot_data"), "# relative_time, ...\n9, 0, 0\n").unwrap();
        let earlier = Earlier::read(dir.path());
        assert_eq!((earlier.time.as_secs(), earlier.runs_at_crash(), earlier.last_crash), (9, 70, 0));
        let now = Snapshot { elapsed: Duration::from_secs(2), runs: 5, corpus: 3, ..Snapshot::default() };
        let both = earlier.and(&now);
        assert_eq!((both.elapsed.as_secs(), both.runs, both.corpus), (11, 105, 3));
    }
}
