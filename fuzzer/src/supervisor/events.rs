//! `--json`: what happens, for a machine: one JSON object a line on standard output.
use std::{
    io::{Write, stdout},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{findings::Saved, lineage::Newcomer, status::Snapshot};
use crate::{guidance::Choice, origin::Op, plan::FuzzPlan};

/// Between two objects that say where the campaign stands.
const INTERVAL: Duration = Duration::from_secs(1);

/// Prints the objects, or nothing at all.
#[derive(Debug)]
pub struct Events {
    on: bool,
    domains: Vec<String>,
    next_status: Instant,
}

impl Events {
    /// Whether the user asked for them.
    pub fn new(on: bool, plan: &FuzzPlan) -> Self {
        let domains = plan.domains.iter().map(|domain| domain.name().to_owned()).collect();
        Self { on, domains, next_status: Instant::now() + INTERVAL }
    }

    /// The names of the domains with these bits.
    fn names(&self, bits: u32) -> Vec<&str> {
        let with_bit = self.domains.iter().enumerate().filter(|(n, _)| bits >> n & 1 != 0);
        with_bit.map(|(_, name)| name.as_str()).collect()
    }

    /// The campaign begins.
    pub fn start(&self, plan: &FuzzPlan) {
        self.print(|| {
            json!({
                "event": "start",
                "version": env!("CARGO_PKG_VERSION"),
                "target": std::env::args_os().next().unwrap_or_default().to_string_lossy(),
                "output": plan.layout.dir().map(|dir| dir.to_string_lossy()),
                "seeds": plan.seeds.len(),
                "domains": plan.domains.iter().map(Choice::name).collect::<Vec<_>>(),
                "random_seed": plan.seed,
            })
        });
    }

    /// Where the campaign stands, if it is time to say so.
    pub fn status(&mut self, now: &Snapshot) {
        if Instant::now() >= self.next_status {
            self.next_status = Instant::now() + INTERVAL;
            self.print(|| numbers("status", now));
        }
    }

    /// An input was kept.
    pub fn waypoint(&self, newcomer: &Newcomer) {
        let entry = &newcomer.entry;
        let parent =
            (!matches!(entry.note.origin.op, Op::Seed | Op::Earlier)).then_some(entry.note.origin.parent);
        self.print(|| {
            json!({
                "event": "waypoint",
                "id": entry.note.id,
                "parent": parent,
                "op": entry.note.origin.op.name(),
                "depth": newcomer.depth,
                "bytes": entry.input.len(),
                "edges": entry.note.edges,
                "domains": self.names(entry.note.domains),
            })
        });
    }

    /// Something was found and saved.
    pub fn finding(&self, saved: &Saved) {
        self.print(|| {
            let mut object = describe(saved);
            object["event"] = "finding".into();
            object
        });
    }

    /// The campaign is over: its numbers, all its findings, the exit code, and the error if there was one.
    pub fn end(&self, now: &Snapshot, saved: &[Saved], error: Option<&anyhow::Error>, code: u8) {
        self.print(|| {
            let mut object = numbers("end", now);
            object["findings"] = saved.iter().map(describe).collect();
            object["exit_code"] = code.into();
            object["error"] = error.map(|error| format!("{error:#}")).into();
            object
        });
    }

    fn print(&self, object: impl FnOnce() -> Value) {
        if self.on {
            // One write a line, so that a reader never sees half of one; a closed pipe must not end the campaign.
            let _ = stdout().lock().write_all(format!("{}\n", object()).as_bytes());
        }
    }
}

fn numbers(event: &str, now: &Snapshot) -> Value {
    json!({
        "event": event,
        "seconds": now.elapsed.as_secs_f64(),
        "runs": now.runs,
        "runs_per_second": now.speed(),
        "invalid_runs": now.invalid_runs,
        "corpus": now.corpus,
        "corpus_invalid": now.invalid_kept,
        "pending": now.pending,
        "cycles": now.cycles,
        "edges": now.edges_found,
        "edges_total": now.edges_total,
        "stability": now.stability(),
        "crashes": now.crashes,
        "hangs": now.hangs,
        "goals_met": now.goals_met,
    })
}

fn describe(saved: &Saved) -> Value {
    let finding = &saved.finding;
    let place = finding.place();
    json!({
        "kind": finding.kind.name(),
        "what": finding.headline(),
        "file": place.map(|(file, _)| file),
        "line": place.map(|(_, line)| line),
        "stack": finding.own_frames().map(ToString::to_string).collect::<Vec<_>>(),
        "input": saved.path.to_string_lossy(),
    })
}
