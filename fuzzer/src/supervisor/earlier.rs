//! What earlier campaigns in the same directory came to, so that the statistics of a resumed one go on from there.
use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use super::status::{OpStatus, Snapshot};

/// The sum of earlier campaigns; nothing for the first one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Earlier {
    /// How long they took together.
    pub time: Duration,
    /// What the last of them wrote, under its names.
    numbers: BTreeMap<String, u64>,
}

impl Earlier {
    /// Reads `fuzzer_stats` and `plot_data` in a directory; what is missing or makes no sense counts as nothing.
    pub fn read(dir: &Path) -> Self {
        let stats = fs::read_to_string(dir.join("fuzzer_stats")).unwrap_or_default();
        let numbers: BTreeMap<String, u64> = stats.lines().filter_map(row).collect();
        let plot = fs::read_to_string(dir.join("plot_data")).unwrap_or_default();
        let plotted = plot.lines().next_back().and_then(|line| line.split(',').next()?.parse().ok());
        let written = numbers.get("run_time").copied().unwrap_or(0);
        // Time never goes back, in either file.
        Self { time: Duration::from_secs(written.max(plotted.unwrap_or(0))), numbers }
    }

    /// The numbers of this campaign and the earlier ones together.
    pub fn and(&self, now: &Snapshot) -> Snapshot {
        let mut all = Snapshot {
            elapsed: self.time + now.elapsed,
            last_find: self.time + now.last_find,
            runs: self.number("execs_done") + now.runs,
            invalid_runs: self.number("invalid_execs") + now.invalid_runs,
            cycles: self.number("cycles_done") + now.cycles,
            deaths: self.number("workers_died") + now.deaths,
            // What they found is read in again as seeds are.
            seeds: now.seeds.saturating_sub(self.number("corpus_found")),
            ..now.clone()
        };
        for name in self.ops() {
            // Not all are used every time.
            if !all.ops.iter().any(|op| op.name == name) {
                all.ops.push(OpStatus { name: name.to_owned(), runs: 0, found: 0 });
            }
        }
        for op in &mut all.ops {
            op.runs += self.number(&format!("op_{}_execs", op.name));
            op.found += self.number(&format!("op_{}_found", op.name));
        }
        if let Some(structure) = &mut all.structure {
            structure.made += self.number("structure_mutants");
            structure.dropped += self.number("structure_dropped");
        }
        all
    }

    /// When the last crash was saved, in seconds since 1970; 0 if none was.
    pub fn last_crash(&self) -> u64 {
        self.number("last_crash")
    }

    /// The same for hangs.
    pub fn last_hang(&self) -> u64 {
        self.number("last_hang")
    }

    /// How many runs there had been when the last crash was saved.
    pub fn runs_at_crash(&self) -> u64 {
        self.number("execs_done").saturating_sub(self.number("execs_since_crash"))
    }

    /// The ways of making inputs that were used.
    fn ops(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().filter_map(|key| key.strip_prefix("op_")?.strip_suffix("_execs"))
    }

    fn number(&self, key: &str) -> u64 {
        self.numbers.get(key).copied().unwrap_or(0)
    }
}

/// A line `key : number`. Far smaller than what would overflow when added to.
fn row(line: &str) -> Option<(String, u64)> {
    let (key, value) = line.split_once(':')?;
    let number: u64 = value.trim().parse().ok()?;
    Some((key.trim().to_owned(), number.min(1 << 60)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_added() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Earlier::read(dir.path()), Earlier::default());
        let stats = "run_time  : 7\nexecs_done : 100\nexecs_since_crash : 30\nafl_banner : a:b\nlast_crash : x\n\
             corpus_found : 3\nop_havoc_execs : 90\nop_havoc_found : 2\nop_splice_execs : 7\n";
        fs::write(dir.path().join("fuzzer_stats"), stats).unwrap();
        fs::write(dir.path().join("plot_data"), "# relative_time, ...\n9, 0, 0\n").unwrap();
        let earlier = Earlier::read(dir.path());
        assert_eq!((earlier.time.as_secs(), earlier.runs_at_crash(), earlier.last_crash()), (9, 70, 0));
        let now = Snapshot {
            elapsed: Duration::from_secs(2),
            runs: 5,
            corpus: 6,
            seeds: 5,
            ops: vec![OpStatus { name: "havoc".to_owned(), runs: 5, found: 1 }],
            ..Snapshot::default()
        };
        let both = earlier.and(&now);
        assert_eq!((both.elapsed.as_secs(), both.runs, both.corpus, both.seeds), (11, 105, 6, 2));
        assert_eq!((both.ops[0].runs, both.ops[0].found), (95, 3));
        assert_eq!((both.ops[1].name.as_str(), both.ops[1].runs), ("splice", 7));
    }
}
