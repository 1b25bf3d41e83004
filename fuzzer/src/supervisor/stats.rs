//! `fuzzer_stats`: the campaign's numbers under AFL's names, for AFL's tools.
use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Result;

use super::{earlier::Earlier, history::History, rare::RareStatus, status::Snapshot};
use crate::{files, guidance::Choice, plan::FuzzPlan};

/// Writes the file.
#[derive(Debug)]
pub struct Stats {
    dir: PathBuf,
    /// When the first campaign would have begun had there been no breaks.
    start_time: u64,
    earlier: Earlier,
    timeout_ms: u128,
    rss_limit: u64,
    malloc_limit: u64,
    domains: String,
    seed: u64,
}

impl Stats {
    /// For a campaign that starts now, after others in the same place.
    pub fn new(plan: &FuzzPlan, dir: &Path, earlier: Earlier) -> Self {
        Self {
            dir: dir.to_owned(),
            start_time: unix_time().saturating_sub(earlier.time.as_secs()),
            earlier,
            timeout_ms: plan.timeout.as_millis(),
            rss_limit: plan.rss_limit,
            malloc_limit: plan.malloc_limit_in_force(),
            domains: plan.domains.iter().map(Choice::name).collect::<Vec<_>>().join(","),
            seed: plan.seed,
        }
    }

    /// Writes the file.
    pub fn write(&self, now: &Snapshot, history: &History) -> Result<()> {
        let rows = self.rows(now, history);
        let text: String = rows.into_iter().map(|(key, value)| format!("{key:<18}: {value}\n")).collect();
        files::write_whole(&self.dir.join(".tmp"), &self.dir, "fuzzer_stats", text.as_bytes())
    }

    /// AFL's keys in AFL's order, then ours. `afl-whatsup` runs these lines as a shell script, so nothing here may
    /// mean anything to a shell.
    fn rows(&self, now: &Snapshot, history: &History) -> Vec<(String, String)> {
        let unix =
            |time: Option<Duration>| time.map_or(0, |time| self.start_time + time.as_secs()).to_string();
        let or_earlier = |time: Option<Duration>, earlier: u64| match time {
            None => earlier.to_string(),
            time => unix(time),
        };
        let last_find = (now.corpus > 0).then_some(now.last_find);
        let without_find = now.elapsed.saturating_sub(last_find.unwrap_or_default());
        let found = now.corpus.saturating_sub(now.seeds);
        let arguments: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let rows = vec![
            ("start_time", self.start_time.to_string()),
            ("last_update", unix_time().to_string()),
            ("run_time", now.elapsed.as_secs().to_string()),
            ("fuzzer_pid", std::process::id().to_string()),
            ("cycles_done", now.cycles.to_string()),
            ("cycles_wo_finds", history.cycles_without_find(now).to_string()),
            ("time_wo_finds", without_find.as_secs().to_string()),
            ("execs_done", now.runs.to_string()),
            ("execs_per_sec", format!("{:.2}", now.speed())),
            ("execs_ps_last_min", format!("{:.2}", history.recent_speed(now))),
            ("corpus_count", now.corpus.to_string()),
            ("corpus_favored", now.holders.to_string()),
            ("corpus_found", found.to_string()),
            ("corpus_imported", "0".to_owned()),
            ("max_depth", now.depth.to_string()),
            ("cur_item", now.current.to_string()),
            ("pending_favs", now.pending_holders.to_string()),
            ("pending_total", now.pending.to_string()),
            ("stability", format!("{:.2}%", now.stability())),
            ("bitmap_cvg", format!("{:.2}%", now.coverage())),
            ("saved_crashes", now.crashes.to_string()),
            ("saved_hangs", now.hangs.to_string()),
            ("last_find", unix(last_find)),
            ("last_crash", or_earlier(history.last_crash(), self.earlier.last_crash())),
            ("last_hang", or_earlier(history.last_hang(), self.earlier.last_hang())),
            ("execs_since_crash", history.runs_since_crash(now).to_string()),
            ("exec_timeout", self.timeout_ms.to_string()),
            ("edges_found", now.edges_found.to_string()),
            ("total_edges", now.edges_total.to_string()),
            ("var_byte_count", now.edges_unstable.to_string()),
            ("afl_banner", banner(arguments.first().map_or("", String::as_str))),
            ("afl_version", format!("waypoint-{}", env!("CARGO_PKG_VERSION"))),
            ("target_mode", "persistent".to_owned()),
            ("command_line", one_line(&arguments.join(" "))),
            ("rss_limit", self.rss_limit.to_string()),
            ("malloc_limit", self.malloc_limit.to_string()),
            ("domains", self.domains.clone()),
            ("workers_died", now.deaths.to_string()),
            ("random_seed", self.seed.to_string()),
            ("invalid_execs", now.invalid_runs.to_string()),
            ("corpus_invalid", now.invalid_kept.to_string()),
            ("valid_share", format!("{:.2}%", now.validity())),
        ];
        let rows = rows.into_iter().map(|(key, value)| (key.to_owned(), value));
        // A name of the target's own may have a `-`, which a shell's variable may not.
        let own = now.domains.iter().flat_map(|domain| {
            let name = domain.name.replace('-', "_");
            [
                (format!("{name}_waypoints"), domain.waypoints.to_string()),
                (format!("{name}_best"), domain.best.to_string()),
                (format!("{name}_keys"), domain.keys.to_string()),
                (format!("{name}_met"), domain.met.to_string()),
            ]
        });
        let ops = now.ops.iter().flat_map(|op| {
            [
                (format!("op_{}_execs", op.name), op.runs.to_string()),
                (format!("op_{}_found", op.name), op.found.to_string()),
            ]
        });
        let structure = now.structure.iter().flat_map(|structure| {
            [
                ("structure_entries".to_owned(), structure.entries.to_string()),
                ("structure_unparsed".to_owned(), structure.unparsed.to_string()),
                ("structure_costly".to_owned(), structure.costly.to_string()),
                ("structure_mutants".to_owned(), structure.made.to_string()),
                ("structure_dropped".to_owned(), structure.dropped.to_string()),
                ("structure_broken".to_owned(), structure.broken.to_string()),
            ]
        });
        let goals = [("goals", now.goals), ("goals_met", now.goals_met)];
        let goals = goals.into_iter().filter(|_| now.goals > 0);
        let rare = now.rare.iter().flat_map(RareStatus::rows);
        rows.chain(own)
            .chain(ops)
            .chain(rare)
            .chain(structure)
            .chain(goals.map(|(key, n)| (key.to_owned(), n.to_string())))
            .collect()
    }
}

/// The target's name without anything that a shell or a page of HTML could take for more than a name.
pub fn banner(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or_default();
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-+".contains(c) { c } else { '_' };
    name.chars().map(safe).collect()
}

/// `afl-whatsup` leaves out the command line, but only as far as one line goes.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_shell_would_run() {
        assert_eq!(banner("dir/$(touch x)`y`\"<b>"), "__touch_x__y___b_");
        assert_eq!(one_line("target -i\ntouch x"), "target -i touch x");
    }
}
