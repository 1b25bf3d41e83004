//! The findings: one file for each cause, in `crashes` or `hangs`, under AFL's names.
use std::{collections::HashSet, path::PathBuf, sync::atomic::Ordering::Relaxed};

use anyhow::Result;

use crate::{
    files,
    queue::Queue,
    report::finding::{Finding, Kind},
    shared::Control,
};

/// What has been found so far.
#[derive(Debug)]
pub struct Findings {
    dir: PathBuf,
    queue: Queue,
    known: HashSet<u64>,
    /// Kinds and program counters of deaths so far: the same ones need not be looked up again. They hold within one
    /// campaign only, whose processes are forks of one another.
    deaths: HashSet<(Kind, Vec<(usize, bool)>)>,
    crashes: u64,
    hangs: u64,
    saved: Vec<(String, PathBuf)>,
}

impl Findings {
    /// None yet.
    pub fn new(dir: PathBuf, queue: Queue) -> Self {
        Self {
            dir,
            queue,
            known: HashSet::new(),
            deaths: HashSet::new(),
            crashes: 0,
            hangs: 0,
            saved: Vec::new(),
        }
    }

    /// How many have been saved.
    pub fn count(&self) -> usize {
        self.saved.len()
    }

    /// How many of them in `crashes`.
    pub fn crashes(&self) -> u64 {
        self.crashes
    }

    /// How many of them in `hangs`.
    pub fn hangs(&self) -> u64 {
        self.hangs
    }

    /// Whether a worker has died in just this way before.
    pub fn is_repetition(&mut self, kind: Kind, control: &Control) -> bool {
        !self.deaths.insert((kind, control.crash.frames()))
    }

    /// Saves the input that is in the control page, unless one with the same cause is there already.
    pub fn save(&mut self, finding: &Finding, control: &Control) -> Result<Option<PathBuf>> {
        if !self.known.insert(finding.signature()) {
            return Ok(None);
        }
        let (folder, count) = match finding.kind {
            Kind::Hang => ("hangs", &mut self.hangs),
            _ => ("crashes", &mut self.crashes),
        };
        let how = match finding.kind {
            Kind::Crash(signal) => format!(",sig:{signal:02}"),
            Kind::Exit(code) => format!(",exit:{code}"),
            Kind::OutOfMemory => ",oom".to_owned(),
            Kind::Hang => String::new(),
        };
        let provenance = self.queue.provenance(control.origin(), control.runs.load(Relaxed));
        let name = format!("id:{count:06}{how}{provenance}");
        let folder = self.dir.join(folder);
        files::write_whole(&self.dir.join(".tmp"), &folder, &name, &control.input())?;
        *count += 1;
        let path = folder.join(name);
        self.saved.push((finding.headline(), path.clone()));
        Ok(Some(path))
    }

    /// For the end of the campaign: each finding, where it lies, and how to see it again.
    pub fn summary(&self) -> Vec<String> {
        let Some((_, first)) = self.saved.first() else {
            return vec!["no findings".to_owned()];
        };
        let mut lines: Vec<String> = self
            .saved
            .iter()
            .map(|(headline, path)| format!("finding: {headline}\n         {}", path.display()))
            .collect();
        let program = std::env::args().next().unwrap_or_else(|| "./target".to_owned());
        lines.push(format!("replay with: {program} {}", first.display()));
        lines
    }
}
