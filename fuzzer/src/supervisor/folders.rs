//! The folders `crashes`, `hangs` and `goals` of an instance, with AFL's names, and the memory of what was found before.
use std::{collections::BTreeSet, fs, path::PathBuf};

use anyhow::{Context, Result};

use crate::{
    files,
    instance::Instance,
    origin::Origin,
    queue::{Queue, plain},
    report::finding::{Finding, Kind},
};

/// The file with the signatures of all findings, so that a resumed campaign does not report them again.
const KNOWN: &str = ".known";

/// Where findings are written, and the numbers of the next ones: higher than those of earlier campaigns.
#[derive(Debug)]
pub struct Folders {
    dir: PathBuf,
    queue: Queue,
    next_crash: u64,
    next_hang: u64,
    next_goal: u64,
}

impl Folders {
    /// Those of an instance.
    pub fn new(instance: &Instance, queue: Queue) -> Self {
        Self {
            dir: instance.dir.clone(),
            queue,
            next_crash: instance.next_number("crashes"),
            next_hang: instance.next_number("hangs"),
            next_goal: instance.next_number("goals"),
        }
    }

    /// How many findings `crashes` holds.
    pub fn crashes(&self) -> u64 {
        self.next_crash
    }

    /// How many findings `hangs` holds.
    pub fn hangs(&self) -> u64 {
        self.next_hang
    }

    /// How many inputs of met goals `goals` holds.
    pub fn goals(&self) -> u64 {
        self.next_goal
    }

    /// Signatures of what earlier campaigns found.
    pub fn known(&self) -> BTreeSet<u64> {
        let known = fs::read_to_string(self.dir.join(KNOWN)).unwrap_or_default();
        known.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect()
    }

    /// Writes a finding and says where.
    pub fn write(&mut self, finding: &Finding, origin: Origin, runs: u64, input: &[u8]) -> Result<PathBuf> {
        let kind = finding.kind;
        let (folder, next) = match kind {
            Kind::Hang => ("hangs", &mut self.next_hang),
            Kind::Goal => ("goals", &mut self.next_goal),
            _ => ("crashes", &mut self.next_crash),
        };
        let how = match kind {
            Kind::Crash(signal) => format!(",sig:{signal:02}"),
            Kind::Exit(code) => format!(",exit:{code}"),
            Kind::OutOfMemory | Kind::Refused => ",oom".to_owned(),
            Kind::OverwritesInput => ",overwrites-input".to_owned(),
            Kind::Leak => ",leak".to_owned(),
            Kind::Goal => {
                format!(",goal:{}", plain(&finding.goal().unwrap_or_default().replace(['<', '>'], "")))
            }
            Kind::Hang => String::new(),
        };
        let provenance = self.queue.provenance(origin, runs);
        let name = format!("id:{next:06}{how}{provenance}");
        let folder = self.dir.join(folder);
        // There from the start but for `goals`, which few ask for.
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        files::write_whole(&self.dir.join(".tmp"), &folder, &name, input)?;
        *next += 1;
        Ok(folder.join(name))
    }

    /// Remembers the signatures for the next campaign.
    pub fn remember(&self, known: &BTreeSet<u64>) -> Result<()> {
        let known: String = known.iter().map(|signature| format!("{signature:016x}\n")).collect();
        files::write_whole(&self.dir.join(".tmp"), &self.dir, KNOWN, known.as_bytes())
    }
}
