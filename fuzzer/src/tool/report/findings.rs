//! The findings of a campaign, run again for their stacks.
use std::{fs, path::Path, time::Duration};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::{
    guidance, instance,
    report::symbols::Frame,
    seeds::{self, Seed},
    shared::Phase,
    tool::{
        limits::Limits,
        probe::Probe,
        workers::{Outcome, Workers},
    },
    worker::Target,
};

/// A finding.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The folder it lies in, below OUT.
    folder: String,
    name: String,
    len: u64,
    start: String,
    /// What went wrong; nothing if it does not happen again.
    headline: Option<String>,
    stack: Vec<String>,
    /// File and line of the innermost frame that has them.
    place: Option<(String, u32)>,
    /// Those of every frame.
    #[serde(skip)]
    pub places: Vec<(String, u32)>,
}

/// A finding that is to be run again: where it lies, its input, and the limits of its campaign.
#[derive(Debug)]
pub struct Again {
    folder: String,
    input: Seed,
    limits: Limits,
}

/// Folders of an instance that hold findings.
const FOLDERS: [&str; 3] = ["crashes", "hangs", "goals"];

/// The findings of these instances.
pub fn of(instances: &[&Path]) -> Result<Vec<Again>> {
    let mut all = Vec::new();
    for instance in instances {
        let limits = limits_of(instance);
        for folder in FOLDERS.iter().filter(|folder| instance.join(folder).is_dir()) {
            let mut inputs = seeds::find(Some(&instance.join(folder)), u64::from(u32::MAX))?.seeds;
            let names: Vec<String> = inputs.iter().map(Seed::name).collect();
            let given = instance::given_names(&names);
            inputs.retain(|seed| matches!(seed, Seed::File(..)) && given.contains(seed.name().as_str()));
            inputs.sort_by_key(Seed::name);
            let name = instance.file_name().unwrap_or_default().to_string_lossy();
            let folder = format!("{name}/{folder}");
            all.extend(inputs.into_iter().map(|input| Again { folder: folder.clone(), input, limits }));
        }
    }
    Ok(all)
}

/// The limits that a campaign had, from its statistics; those of a replay where they do not say.
fn limits_of(instance: &Path) -> Limits {
    let text = fs::read_to_string(instance.join("fuzzer_stats")).unwrap_or_default();
    let number = |key: &str| {
        let mut rows = text.lines().filter_map(|line| line.split_once(':'));
        rows.find(|(name, _)| name.trim() == key).and_then(|(_, value)| value.trim().parse().ok())
    };
    let timeout = number("exec_timeout").filter(|ms| *ms > 0).unwrap_or(1000);
    let rss_limit = number("rss_limit").unwrap_or(2 << 30);
    let malloc_limit = number("malloc_limit").filter(|limit| *limit > 0).unwrap_or(rss_limit);
    Limits::of_findings(Duration::from_millis(timeout), rss_limit, malloc_limit)
}

/// Runs every finding once more.
pub fn run_again(findings: Vec<Again>, target: Target) -> Result<Vec<Found>> {
    findings.into_iter().map(|again| one(again, target)).collect()
}

fn one(again: Again, target: Target) -> Result<Found> {
    let Again { folder, input, limits } = again;
    let bytes = input.read()?;
    let coverage = guidance::choose(&[], &[], true)?;
    let mut workers = Workers::new(target, bytes.len(), coverage.len(), limits)?;
    let outcome = workers.run(|target, shared| {
        Probe::new(target, shared, bytes.len(), true, &coverage, limits).run(&bytes)?;
        Ok(Phase::Done)
    })?;
    let name = input.name();
    // A goal is met by a run that ends well, so only its name can tell.
    let goal = name.split(',').find_map(|part| part.strip_prefix("goal:"));
    let mut found = Found {
        folder,
        name: name.clone(),
        len: input.len(),
        start: super::preview(&bytes),
        headline: goal.map(|goal| format!("goal met: {goal}")),
        stack: Vec::new(),
        place: None,
        places: Vec::new(),
    };
    match outcome {
        Outcome::Done | Outcome::Recycle => {}
        Outcome::Interrupted => bail!("interrupted"),
        Outcome::Died(finding) => {
            found.headline = Some(finding.headline());
            found.stack = finding.own_frames().map(ToString::to_string).collect();
            let owned = |(file, line): (&str, u32)| (file.to_owned(), line);
            found.place = finding.place().map(owned);
            found.places = finding.own_frames().filter_map(Frame::place).map(owned).collect();
        }
    }
    Ok(found)
}
