//! `waypoint counters`: which source lines the counters of an instrumented file stand for.
use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, ensure};

use super::records;

/// List the counters of an instrumented program or library with the source lines they stand for
#[derive(Debug, clap::Args)]
pub struct Counters {
    /// A program or shared object made with waypoint-cc
    file: PathBuf,
    /// Only functions whose linkage name contains this
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

impl Counters {
    pub(super) fn run(&self) -> Result<()> {
        let data = std::fs::read(&self.file).with_context(|| crate::files::cannot_read(&self.file))?;
        let functions = records::read(&data)
            .with_context(|| format!("{} is not a file that waypoint-cc made", self.file.display()))?;
        let wanted = self.function.as_deref().unwrap_or_default();
        let mut functions: Vec<_> = functions.into_iter().filter(|f| f.name.contains(wanted)).collect();
        ensure!(!functions.is_empty(), "no instrumented function is called `{wanted}`");
        functions.sort_by_key(|function| function.first_counter);
        match print(&functions) {
            // Somebody piped us into `head`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result.context("cannot write to standard output"),
        }
    }
}

fn print(functions: &[records::Function]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for function in functions {
        writeln!(out, "{}", function.name)?;
        for (counter, lines) in function.lines.iter().enumerate() {
            write!(out, "  {:>6}", function.first_counter + counter)?;
            let mut file = "";
            for (path, line) in lines {
                let separator = if path == file { "," } else { "  " };
                let shown = if path == file { "" } else { path };
                file = path;
                write!(out, "{separator}{shown}{}{line}", if shown.is_empty() { "" } else { ":" })?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}
