//! What changed in the source: the patch behind the domain `diff`, and the options that name it.
mod git;
mod mapping;
mod patch;

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use waypoint_domains::{Domain, RunMap};
use waypoint_runtime::objects;

use self::{mapping::Mapping, patch::Patch};

/// How many hunks without code are named.
const NAMED: usize = 3;

/// Says what changed; either option switches the domain `diff` on.
#[derive(Debug, Clone, Default, Args)]
pub struct ChangeArgs {
    /// Look for what runs after a line of this patch was reached: the domain `diff`
    #[arg(long, value_name = "FILE", conflicts_with = "diff_git")]
    diff: Option<PathBuf>,

    /// The same with what git says has changed, e.g. HEAD~1..HEAD or main...topic
    #[arg(long, value_name = "REV..REV")]
    diff_git: Option<String>,

    /// The repository of --diff-git [default: the current directory]
    #[arg(long, value_name = "DIR", requires = "diff_git")]
    repo: Option<PathBuf>,
}

/// Whether a domain needs to know what changed.
pub fn is_needed_by(domain: &Domain) -> bool {
    domain.maps.contains(&RunMap::Transitions)
}

impl ChangeArgs {
    /// What this patch says.
    pub fn of(patch: PathBuf) -> Self {
        Self { diff: Some(patch), ..Self::default() }
    }

    /// Whether the user said what changed.
    pub fn are_given(&self) -> bool {
        self.diff.is_some() || self.diff_git.is_some()
    }

    /// Reads the patch and finds its code in the target.
    pub fn load(&self) -> Result<Option<Changes>> {
        let (text, source) = if let Some(file) = &self.diff {
            let text = fs::read(file).with_context(|| crate::files::cannot_read(file))?;
            (text, file.display().to_string())
        } else if let Some(range) = &self.diff_git {
            let repo = self.repo.clone().unwrap_or_else(|| PathBuf::from("."));
            (git::diff(range, &repo)?, format!("git diff {range}"))
        } else {
            return Ok(None);
        };
        let patch = patch::parse(&text).with_context(|| format!("{source} cannot be used as a patch"))?;
        let changes = Changes { mapping: Mapping::of(&patch), patch, text, known_objects: objects::count() };
        ensure!(
            changes.mapping.len() > 0,
            "no line of {source} has code in this target{}; compile the changed files with waypoint-cc -g, from the version after the change",
            changes.without_code()
        );
        Ok(Some(changes))
    }
}

/// A patch and the counters that stand for it.
#[derive(Debug)]
pub struct Changes {
    patch: Patch,
    text: Vec<u8>,
    mapping: Mapping,
    /// How many objects there were when the counters were looked for.
    known_objects: usize,
}

impl Changes {
    /// The patch as it was given.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// How much of it has code, for the user.
    pub fn summary(&self) -> String {
        let (hunks, with_code) = self.mapping.hunks;
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let verb = if with_code == 1 { "maps" } else { "map" };
        format!(
            "diff: {with_code} of {hunks} hunk{} {verb} to {} counter{}{}{}",
            s(hunks),
            self.mapping.len(),
            s(self.mapping.len()),
            self.without_code(),
            self.mapping.doubt().unwrap_or_default()
        )
    }

    fn without_code(&self) -> String {
        let hunks = &self.mapping.without_code;
        if hunks.is_empty() {
            return String::new();
        }
        let named = hunks[..hunks.len().min(NAMED)].join(", ");
        let more = hunks.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("; no code for {named}{more}")
    }

    /// For each object that is loaded now, the counters that stand for changed lines.
    pub fn counters(&self) -> Vec<Vec<usize>> {
        let of = |mapping: &Mapping| (0..objects::count()).map(|object| mapping.counters(object)).collect();
        if objects::count() == self.known_objects { of(&self.mapping) } else { of(&Mapping::of(&self.patch)) }
    }
}
