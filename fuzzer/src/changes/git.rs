//! Asks git what changed between two revisions.
use std::{path::Path, process::Command};

use anyhow::{Context, Result, ensure};

/// What `git diff` says of `range` in the repository of `repo`.
pub fn diff(range: &str, repo: &Path) -> Result<Vec<u8>> {
    ensure!(
        !range.is_empty() && !range.starts_with('-'),
        "--diff-git wants revisions such as HEAD~1..HEAD, not `{range}`"
    );
    let done = Command::new("git")
        .arg("-C")
        .arg(repo)
        // Whatever the user has set for people to read.
        .args(["-c", "core.quotePath=true", "diff", "--no-color", "--no-ext-diff", "--no-textconv"])
        .args(["--src-prefix=a/", "--dst-prefix=b/", "--unified=3", "--no-relative"])
        .args([range, "--"])
        .output()
        .context("git cannot be started; install it, or write the diff to a file and use --diff FILE")?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(
        done.status.success(),
        "git diff {range} in {} failed ({}); check --diff-git and --repo",
        repo.display(),
        said.lines().next().unwrap_or("it says nothing").trim_start_matches("fatal: ")
    );
    ensure!(
        !done.stdout.is_empty(),
        "nothing changed in {} from one end of {range} to the other; choose other revisions",
        repo.display()
    );
    Ok(done.stdout)
}
