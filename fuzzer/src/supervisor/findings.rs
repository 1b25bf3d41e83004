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

/// What has been found so far.
#[derive(Debug)]
pub struct Findings {
    dir: PathBuf,
    queue: Queue,
    known: BTreeSet<u64>,
    /// Kinds and program counters of deaths so far: the same ones need not be looked up again. They hold within one
    /// campaign only, whose processes are forks of one another.
    deaths: HashSet<(Kind, Vec<(usize, bool)>)>,
    /// The number of the next one in `crashes`; it goes on behind those of earlier campaigns.
    crashes: u64,
    /// The same for `hangs`.
    hangs: u64,
    saved: Vec<(String, PathBuf)>,
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
            crashes: next("crashes"),
            hangs: next("hangs"),
            saved: Vec::new(),
        }
    }

    /// How many have been saved.
    pub fn count(&self) -> usize {
        self.saved.len()
    }

    /// How many there are in `crashes`, those of earlier campaigns included.
    pub fn crashes(&self) -> u64 {
        self.crashes
    }

    /// How many there are in `hangs`, those of earlier campaigns included.
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
        let (folder, number) = match finding.kind {
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
        let name = format!("id:{:06}{how}{provenance}", number);
        let folder = self.dir.join(folder);
        let input = control.input();
        files::write_whole(&self.dir.join(".tmp"), &folder, &name, &input).with_context(|| {
            format!(
                "a finding ({}) could not be saved; in base64 it is {}",
                finding.headline(),
                BASE64.encode(input)
            )
        })?;
        *number += 1;
        let known: String = self.known.iter().map(|signature| format!("{signature:016x}\n")).collect();
        files::write_whole(&self.dir.join(".tmp"), &self.dir, KNOWN, known.as_bytes())?;
        let path = folder.join(name);
        self.saved.push((finding.headline(), path.clone()));
        Ok(Some(path))
    }

    /// For the end of the campaign: each finding, where it lies, and how to see it again.
    pub fn summary(&self) -> Vec<String> {
        let Some((_, first)) = self.saved.first() else {
            let earlier = self.crashes + self.hangs;
            return vec![match earlier {
                0 => "no findings".to_owned(),
                _ => format!("no new findings ({earlier} from before)"),
            }];
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
