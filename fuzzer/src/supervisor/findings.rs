//! The findings: one file for each cause, in `crashes` or `hangs` under AFL's names, or as libFuzzer's artefacts.
use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

use anyhow::{Context, Result};
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};

use super::folders::Folders;
use crate::{
    cli::parse,
    files,
    layout::{Artifacts, Layout},
    origin::Origin,
    queue::Queue,
    report::finding::{Finding, Kind},
    shared::Control,
};

/// Where findings are written.
#[derive(Debug)]
enum Place {
    Afl(Folders),
    LibFuzzer(Artifacts),
    Nowhere,
}

/// What has been found so far.
#[derive(Debug)]
pub struct Findings {
    place: Place,
    known: BTreeSet<u64>,
    /// Kinds and program counters of deaths so far: the same ones need not be looked up again. They hold within one
    /// campaign only, whose processes are forks of one another.
    deaths: HashSet<(Kind, Vec<(usize, bool)>)>,
    crashes: u64,
    hangs: u64,
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
    pub fn new(layout: &Layout, queue: Queue) -> Self {
        let place = match layout {
            Layout::Afl(instance) => Place::Afl(Folders::new(instance, queue)),
            Layout::LibFuzzer { artifacts, .. } => Place::LibFuzzer(artifacts.clone()),
            Layout::Merge { .. } => Place::Nowhere,
        };
        let (known, crashes, hangs) = match &place {
            Place::Afl(folders) => (folders.known(), folders.crashes(), folders.hangs()),
            _ => (BTreeSet::new(), 0, 0),
        };
        Self { place, known, deaths: HashSet::new(), crashes, hangs, saved: Vec::new(), seen: Vec::new() }
    }

    /// What has been saved.
    pub fn saved(&self) -> &[Saved] {
        &self.saved
    }

    /// The exit code that tells the worst of what was found, known or not.
    pub fn exit_code(&self) -> Option<u8> {
        self.seen.iter().map(|kind| kind.exit_code()).max()
    }

    /// How many there are but for hangs, those of earlier campaigns in the same place included.
    pub fn crashes(&self) -> u64 {
        self.crashes
    }

    /// How many hangs there are, those of earlier campaigns in the same place included.
    pub fn hangs(&self) -> u64 {
        self.hangs
    }

    /// Whether there was a finding of this kind in this campaign.
    pub fn has_seen(&self, kind: Kind) -> bool {
        self.seen.contains(&kind)
    }

    /// Whether a worker has died in just this way before.
    pub fn is_repetition(&mut self, kind: Kind, control: &Control) -> bool {
        !self.deaths.insert((kind, control.crash.frames()))
    }

    /// Saves the input that is in the control page, unless one with the same cause is there already.
    pub fn save(&mut self, finding: Finding, control: &Control) -> Result<Option<&Saved>> {
        self.save_input(finding, &control.input(), control.origin(), control.runs.load(Relaxed))
    }

    /// Saves an input, unless one with the same cause is there already.
    pub fn save_input(
        &mut self,
        finding: Finding,
        input: &[u8],
        origin: Origin,
        runs: u64,
    ) -> Result<Option<&Saved>> {
        self.seen.push(finding.kind);
        if !finding.signature().add_to(&mut self.known) {
            return Ok(None);
        }
        let written = match &mut self.place {
            Place::Afl(folders) => folders.write(&finding, origin, runs, input),
            Place::LibFuzzer(artifacts) => {
                let path = artifacts.path(finding.kind, input);
                files::write_alone(&path, input).map(|()| path)
            }
            Place::Nowhere => return Ok(None),
        };
        let path = written.with_context(|| {
            format!(
                "a finding ({}) could not be saved; in base64 it is {}",
                finding.headline(),
                BASE64.encode(input)
            )
        })?;
        match finding.kind {
            Kind::Hang => self.hangs += 1,
            Kind::Goal => {}
            _ => self.crashes += 1,
        }
        if let Place::Afl(folders) = &self.place {
            folders.remember(&self.known)?;
        }
        self.saved.push(Saved { finding, path });
        Ok(self.saved.last())
    }

    /// For the end of the campaign: each finding, where it lies, and how to see it again.
    /// `flags` are needed for that besides its path.
    pub fn summary(&self, flags: &str) -> Vec<String> {
        if self.saved.is_empty() {
            let goals = if let Place::Afl(folders) = &self.place { folders.goals() } else { 0 };
            let earlier = self.crashes + self.hangs + goals;
            return vec![match earlier {
                0 => "no findings".to_owned(),
                _ => format!("no new findings ({earlier} from before)"),
            }];
        }
        let program = parse::called();
        let line = |saved: &Saved| {
            let (headline, path) = (saved.finding.headline(), saved.path.display());
            // The input of a goal does nothing wrong; `show` tells what it does.
            let (tool, flags) = if saved.finding.kind == Kind::Goal { ("show ", "") } else { ("", flags) };
            format!("finding: {headline}\n         replay with: {program} {tool}{path}{flags}")
        };
        self.saved.iter().map(line).collect()
    }
}
