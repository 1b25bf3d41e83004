//! `fuzzer_stats`: the campaign's numbers under AFL's names, for AFL's tools.
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::Result;

use super::status::Snapshot;
use crate::{files, plan::FuzzPlan};

const INTERVAL: Duration = Duration::from_secs(5);

/// Writes the file.
#[derive(Debug)]
pub struct Stats {
    /// Without it nobody wants the file.
    dir: Option<PathBuf>,
    start: Instant,
    start_time: u64,
    timeout_ms: u128,
    domains: String,
    seed: u64,
    last_write: Instant,
}

impl Stats {
    /// For a campaign that started at `start`.
    pub fn new(plan: &FuzzPlan, start: Instant) -> Self {
        Self {
            dir: plan.layout.dir().map(Path::to_owned),
            start,
            start_time: unix_time(),
            timeout_ms: plan.timeout.as_millis(),
            domains: plan.domains.iter().map(|domain| domain.name).collect::<Vec<_>>().join(","),
            seed: plan.seed,
            last_write: start,
        }
    }

    /// Writes the file if the last time is a while ago.
    pub fn write_now_and_then(&mut self, snapshot: &Snapshot) -> Result<()> {
        if self.last_write.elapsed() < INTERVAL {
            return Ok(());
        }
        self.write(snapshot)
    }

    /// Writes the file.
    pub fn write(&mut self, snapshot: &Snapshot) -> Result<()> {
        let Some(dir) = &self.dir else { return Ok(()) };
        self.last_write = Instant::now();
        let text: String =
            self.rows(snapshot).into_iter().map(|(key, value)| format!("{key:<18}: {value}\n")).collect();
        files::write_whole(&dir.join(".tmp"), dir, "fuzzer_stats", text.as_bytes())
    }

    /// AFL's keys in AFL's order, then ours.
    fn rows(&self, now: &Snapshot) -> Vec<(&'static str, String)> {
        let last_find = if now.corpus == 0 { 0 } else { self.start_time + now.last_find.as_secs() };
        let edges = now.edges_total.max(1) as f64;
        let program = std::env::args().next().unwrap_or_default();
        vec![
            ("start_time", self.start_time.to_string()),
            ("last_update", unix_time().to_string()),
            ("run_time", self.start.elapsed().as_secs().to_string()),
            ("fuzzer_pid", std::process::id().to_string()),
            ("cycles_done", now.cycles.to_string()),
            ("execs_done", now.runs.to_string()),
            ("execs_per_sec", format!("{:.2}", now.speed())),
            ("corpus_count", now.corpus.to_string()),
            ("corpus_favored", now.holders.to_string()),
            ("last_find", last_find.to_string()),
            ("bitmap_cvg", format!("{:.2}%", 100.0 * now.edges_found as f64 / edges)),
            ("saved_crashes", now.crashes.to_string()),
            ("saved_hangs", now.hangs.to_string()),
            ("stability", format!("{:.2}%", now.stability())),
            ("exec_timeout", self.timeout_ms.to_string()),
            ("edges_found", now.edges_found.to_string()),
            ("total_edges", now.edges_total.to_string()),
            ("var_byte_count", now.edges_unstable.to_string()),
            ("afl_banner", program.rsplit('/').next().unwrap_or_default().to_owned()),
            ("afl_version", format!("waypoint-{}", env!("CARGO_PKG_VERSION"))),
            ("target_mode", "persistent".to_owned()),
            ("command_line", std::env::args().collect::<Vec<_>>().join(" ")),
            ("domains", self.domains.clone()),
            ("workers_died", now.deaths.to_string()),
            ("random_seed", self.seed.to_string()),
        ]
    }
}

fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
