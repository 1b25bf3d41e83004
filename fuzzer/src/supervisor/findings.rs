//! The findings: one file for each cause, in `crashes` or `hangs`, under AFL's names.
use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

use anyhow::{Context, Result};
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};

use crate::{
    files,
    instance::Instance,
    queue::Queue,
    report::finding::{Finding, Kind},
    shared::Control,
};

/// The file with the signatures of all findings, so that a resumed campaign does not report them again.
const KNOWN: &str = ".known";

/// The findings of one folder.
#[derive(Debug, Clone, Copy)]
struct Folder {
    /// The number of the next one; higher than those of earlier campaigns.
    next: u64,
    /// How many this campaign has saved.
    saved: u64,
}

/// What has been found so far.
#[derive(Debug)]
pub struct Findings {
    dir: PathBuf,
    queue: Queue,
    known: BTreeSet<u64>,
    /// Kinds and program counters of deaths so far: the same ones need not be looked up again. They hold within one
    /// campaign only, whose processes are forks of one another.
    deaths: HashSet<(Kind, Vec<(usize, bool)>)>,
    crashes: Folder,
    hangs: Folder,
    saved: Vec<Saved>,
    /// The kinds of all findings of this campaign, also of those that an earlier one had saved.
    seen: Vec<Kind>,
}

/// A finding and the file with its input.
#[derive(Debug)]
pub struct Saved {
    /// What went wrong.
    pub finding: Finding,
    /// The input.
    pub path: PathBuf,
}

impl Findings {
    /// What an earlier campaign in the same place knew, and nothing else yet.
    pub fn new(instance: &Instance, queue: Queue) -> Self {
        let known = fs::read_to_string(instance.dir.join(KNOWN)).unwrap_or_default();
        let known = known.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect();
        let next = |folder| instance.next_number(folder);
        Self {
            dir: instance.dir.clone(),
            queue,
            known,
            deaths: HashSet::new(),
            crashes: Folder { next: next("crashes"), saved: 0 },
            hangs: Folder { next: next("hangs"), saved: 0 },
            saved: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// How many have been saved.
    pub fn count(&self) -> usize {
        self.saved.len()
    }

    /// What has been saved.
    pub fn saved(&self) -> &[Saved] {
        &self.saved
    }

    /// The exit code that tells the worst of what was found, known or not.
    pub fn exit_code(&self) -> Option<u8> {
        self.seen.iter().map(|kind| kind.exit_code()).max()
    }

    /// How many of them in `crashes`.
    pub fn crashes(&self) -> u64 {
        self.crashes.saved
    }

    /// How many of them in `hangs`.
    pub fn hangs(&self) -> u64 {
        self.hangs.saved
    }

    /// Whether a worker has died in just this way before.
    pub fn is_repetition(&mut self, kind: Kind, control: &Control) -> bool {
        !self.deaths.insert((kind, control.crash.frames()))
    }

    /// Saves the input that is in the control page, unless one with the same cause is there already.
    pub fn save(&mut self, finding: Finding, control: &Control) -> Result<Option<&Saved>> {
        self.seen.push(finding.kind);
        if !self.known.insert(finding.signature()) {
            return Ok(None);
        }
        let (folder, numbers) = match finding.kind {
            Kind::Hang => ("hangs", &mut self.hangs),
            _ => ("crashes", &mut self.crashes),
        };
        let how = match finding.kind {
            Kind::Crash(signal) => format!(",sig:{signal:02}"),
            Kind::Exit(code) => format!(",exit:{code}"),
            Kind::OutOfMemory => ",oom".to_owned(),
            Kind::OverwritesInput => ",overwrites-input".to_owned(),
            Kind::Hang => String::new(),
        };
        let provenance = self.queue.provenance(control.origin(), control.runs.load(Relaxed));
        let name = format!("id:{:06}{how}{provenance}", numbers.next);
        let folder = self.dir.join(folder);
        let input = control.input();
        files::write_whole(&self.dir.join(".tmp"), &folder, &name, &input).with_context(|| {
            format!(
                "a finding ({}) could not be saved; in base64 it is {}",
                finding.headline(),
                BASE64.encode(input)
            )
        })?;
        numbers.next += 1;
        numbers.saved += 1;
        let known: String = self.known.iter().map(|signature| format!("{signature:016x}\n")).collect();
        files::write_whole(&self.dir.join(".tmp"), &self.dir, KNOWN, known.as_bytes())?;
        let path = folder.join(name);
        self.saved.push(Saved { finding, path });
        Ok(self.saved.last())
    }

    /// For the end of the campaign: each finding, where it lies, and how to see it again.
    pub fn summary(&self) -> Vec<String> {
        let Some(first) = self.saved.first() else {
            let known = if self.seen.is_empty() { "" } else { " that were not known" };
            return vec![format!("no findings{known}")];
        };
        let mut lines: Vec<String> = self
            .saved
            .iter()
            .map(|saved| format!("finding: {}\n         {}", saved.finding.headline(), saved.path.display()))
            .collect();
        let program = std::env::args().next().unwrap_or_else(|| "./target".to_owned());
        lines.push(format!("replay with: {program} {}", first.path.display()));
        lines
    }
}
