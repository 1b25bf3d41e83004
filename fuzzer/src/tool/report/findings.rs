//! The findings of a campaign, run again for their stacks.
use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::{
    guidance,
    seeds::{self, Seed},
    shared::Phase,
    tool::{
        aggregate::Limits,
        probe::Probe,
        workers::{Outcome, Workers},
    },
    worker::Target,
};

/// A finding.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The folder it lies in.
    folder: String,
    name: String,
    len: u64,
    start: String,
    /// What went wrong; nothing if it does not happen again.
    headline: Option<String>,
    stack: Vec<String>,
    /// File and line of the innermost frame that has them.
    place: Option<(String, u32)>,
}

/// Folders of an instance that hold findings.
const FOLDERS: [&str; 3] = ["crashes", "hangs", "goals"];

/// Runs every finding of these instances once more.
pub fn run_again<'a>(
    instances: impl Iterator<Item = &'a Path>,
    target: Target,
    limits: Limits,
) -> Result<Vec<Found>> {
    let mut all = Vec::new();
    for instance in instances {
        for folder in FOLDERS.iter().filter(|folder| instance.join(folder).is_dir()) {
            let mut inputs = seeds::find(Some(&instance.join(folder)), u64::from(u32::MAX))?.seeds;
            inputs.retain(|seed| matches!(seed, Seed::File(..)) && seed.name().starts_with("id:"));
            inputs.sort_by_key(Seed::name);
            for input in inputs {
                all.push(one(folder, &input, target, limits)?);
            }
        }
    }
    Ok(all)
}

fn one(folder: &str, input: &Seed, target: Target, limits: Limits) -> Result<Found> {
    let bytes = input.read()?;
    let coverage = guidance::choose(&[], &[], true)?;
    let mut workers = Workers::new(target, bytes.len(), coverage.len(), limits.timeout, limits.rss_limit)?;
    let outcome = workers.run(|target, shared| {
        Probe::new(target, shared, bytes.len(), true, &coverage).run(&bytes)?;
        Ok(Phase::Done)
    })?;
    let name = input.name();
    // A goal is met by a run that ends well, so only its name can tell.
    let goal = name.split(',').find_map(|part| part.strip_prefix("goal:"));
    let mut found = Found {
        folder: folder.to_owned(),
        name: name.clone(),
        len: input.len(),
        start: super::preview(&bytes),
        headline: goal.map(|goal| format!("goal met: {goal}")),
        stack: Vec::new(),
        place: None,
    };
    match outcome {
        Outcome::Done | Outcome::Recycle => {}
        Outcome::Interrupted => bail!("interrupted"),
        Outcome::Died(finding) => {
            found.headline = Some(finding.headline());
            found.stack = finding.own_frames().map(ToString::to_string).collect();
            found.place = finding.place().map(|(file, line)| (file.to_owned(), line));
        }
    }
    Ok(found)
}
