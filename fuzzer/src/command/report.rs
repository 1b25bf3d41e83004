//! `waypoint report`: has the target of a campaign write the campaign's report.
use std::{
    ffi::OsString,
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

/// Write a page of HTML that shows a campaign: growth, holders, findings, and the source with its heat
///
/// The target runs the corpus again, so it must still be there; `TARGET report OUT` does the same and has more options.
#[derive(Debug, clap::Args)]
pub struct Report {
    /// The OUT of a campaign
    out: PathBuf,
    /// Where to write the page
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// The fuzzer binary [default: the one that the campaign was started with]
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,
    /// Further options of `TARGET report`, such as --diff FILE
    #[arg(value_name = "OPTION", last = true)]
    further: Vec<OsString>,
}

impl Report {
    pub(super) fn run(&self) -> Result<()> {
        let target = match &self.target {
            Some(target) => target.clone(),
            None => target_of(&self.out)?,
        };
        let error = Command::new(&target)
            .arg("report")
            .arg(&self.out)
            .arg("-o")
            .arg(&self.output)
            .args(&self.further)
            .exec();
        Err(error).with_context(|| {
            format!(
                "cannot run {}, which the campaign was started with; build it again, or name another with --target",
                target.display()
            )
        })
    }
}

/// The program in the first line of an instance's `cmdline`.
fn target_of(out: &Path) -> Result<PathBuf> {
    let instances = out.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut lines = instances.chain([out.to_owned()]).filter_map(|dir| {
        let text = fs::read_to_string(dir.join("cmdline")).ok()?;
        text.lines().next().filter(|line| !line.is_empty()).map(PathBuf::from)
    });
    match lines.next() {
        Some(target) => Ok(target),
        None => bail!(
            "{} holds no campaign; name the OUT that was given with -o, in which there is `default/cmdline`",
            out.display()
        ),
    }
}
