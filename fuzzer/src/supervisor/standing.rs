//! Where a campaign stands, as numbers, and what is said of it when it is over.
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use super::{
    Campaign, domains,
    final_stats::FinalStats,
    rare::RareStatus,
    status::{OpStatus, Snapshot, StructureStatus},
};
use crate::{shared::Control, structure::Language};

impl Campaign<'_> {
    /// Where the campaign stands; tells of what was kept since the last time.
    pub(super) fn snapshot(&mut self) -> Snapshot {
        let control = self.shared.control;
        self.lineage.update(&self.shared.journal, |newcomer| self.events.waypoint(newcomer));
        let corpus = self.shared.journal.len() as u64;
        Snapshot {
            elapsed: self.start.elapsed(),
            runs: control.runs.load(Relaxed),
            invalid_runs: control.invalid_runs.load(Relaxed),
            invalid_kept: control.invalid_kept.load(Relaxed),
            corpus,
            seeds: self.lineage.seeds(),
            holders: control.holders.load(Relaxed),
            current: control.current.load(Relaxed) as u64,
            pending: corpus.saturating_sub(control.visited.load(Relaxed) as u64),
            pending_holders: control.pending_holders.load(Relaxed),
            depth: self.lineage.deepest(),
            edges_found: control.edges_found.load(Relaxed),
            edges_total: control.edges_total.load(Relaxed),
            edges_unstable: control.edges_unstable.load(Relaxed),
            cycles: control.cycles.load(Relaxed),
            last_find: Duration::from_millis(control.last_find_ms.load(Relaxed)),
            crashes: self.findings.crashes(),
            hangs: self.findings.hangs(),
            deaths: control.deaths.load(Relaxed),
            domains: domains::snapshot(&self.plan.domains, control),
            ops: ops(control),
            rare: RareStatus::new(self.plan.rare, control),
            structure: self.plan.language.map(|language| structure(language, control)),
            goals_met: control.goals_met.load(Relaxed).into(),
            goals: self.plan.goals.len() as u64,
        }
    }

    pub(super) fn summarise(&mut self) {
        let snapshot = self.snapshot();
        self.status.say(&snapshot.summary());
        if let Some(structure) = &snapshot.structure {
            self.status.say(&structure.summary());
        }
        for line in domains::tables(&self.plan.domains, &self.shared, |id| self.queue.name_of(id)) {
            self.status.say(&line);
        }
        if let Some(rare) = &snapshot.rare {
            self.status.say(&rare.line());
        }
        for line in self.findings.summary(&self.plan.replay_flags()) {
            self.status.say(&line);
        }
        for line in self.goal_lines() {
            self.status.say(&line);
        }
        let found = self.shared.control.found.load(Relaxed);
        if let Some(line) = self.plan.layout.farewell(found) {
            self.status.say(&line);
        }
        if self.plan.final_stats {
            let (executed_units, elapsed) = (snapshot.runs, snapshot.elapsed);
            eprint!("{}", FinalStats { executed_units, elapsed, new_units: found, slowest: self.slowest });
        }
    }
}

/// What the ways of making inputs have cost and found; those of one name together.
fn ops(control: &Control) -> Vec<OpStatus> {
    let mut all: Vec<OpStatus> = Vec::new();
    for (op, numbers) in control.ops() {
        let ((runs, found), name) = (numbers.all(), op.name());
        match all.iter_mut().find(|other| other.name == name) {
            Some(other) => {
                other.runs += runs;
                other.found += found;
            }
            None => all.push(OpStatus { name: name.to_owned(), runs, found }),
        }
    }
    all
}

/// What became of the structure of inputs.
fn structure(language: &Language, control: &Control) -> StructureStatus {
    let numbers = &control.structure;
    StructureStatus {
        grammar: language.name.clone(),
        entries: numbers.entries.load(Relaxed),
        unparsed: numbers.unparsed.load(Relaxed),
        made: numbers.made.load(Relaxed),
        dropped: numbers.dropped.load(Relaxed),
        broken: numbers.broken.load(Relaxed),
        costly: numbers.costly.load(Relaxed),
    }
}
