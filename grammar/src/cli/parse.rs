//! `waypoint parse`: inputs to trees.
use std::io::Read as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::common::{SpecArgs, files, say};
use super::show::{Format, show};
use crate::parse::{Limits, ParseError};
use crate::solve::solver::Solver;

/// Parse inputs by a `.fan` spec, and say whether they satisfy its constraints
#[derive(Debug, clap::Args)]
pub struct Parse {
    #[command(flatten)]
    spec: SpecArgs,
    /// Files or directories of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How the tree is shown; without this, only whether it parses is said
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Check the constraints too
    #[arg(long)]
    check: bool,
    /// Accept the longest beginning that parses
    #[arg(long)]
    prefix: bool,
    /// Steps after which parsing one input gives up
    #[arg(long, default_value_t = 50_000_000, value_name = "N")]
    steps: u64,
}

impl Parse {
    /// Runs it.
    pub fn run(&self) -> Result<()> {
        let spec = self.spec.load()?;
        let mut solver = Solver::new(&spec, self.spec.seed);
        let (mut failed, mut count) = (0, 0);
        for path in files(&self.files)? {
            count += 1;
            let input = read(&path)?;
            let limits = Limits { steps: self.steps, prefix: self.prefix };
            // Of an ambiguous input, any tree that satisfies the constraints will do.
            let parsed = if self.check {
                solver.read(&input, limits).map(|picked| picked.covered)
            } else {
                solver.read_any(&input, limits)
            };
            let covered = match parsed {
                Ok(covered) => covered,
                Err(error) => {
                    failed += 1;
                    let error = solver.explain(&input, limits, error);
                    if !say(&format!("{}: {}{error}\n", path.display(), place(&input, &error)))? {
                        break;
                    }
                    continue;
                }
            };
            let mut text =
                self.format.map_or_else(String::new, |format| show(&spec.grammar, &solver.tree, format));
            let mut violated = Vec::new();
            if self.check {
                for (index, constraint) in spec.constraints.iter().enumerate() {
                    if !solver.holds(index) {
                        violated.push(spec.sources.place(constraint.span));
                    }
                }
            }
            let path = path.display();
            if !violated.is_empty() {
                let places = violated.join(", at ");
                text.push_str(&format!("{path}: parses, but violates the constraint at {places}\n"));
                failed += 1;
            } else if covered < input.len() {
                text.push_str(&format!("{path}: the first {covered} of {} bytes parse\n", input.len()));
            } else if self.format.is_none() {
                text.push_str(&format!("{path}: ok\n"));
            }
            if !say(&text)? {
                break;
            }
        }
        if failed > 0 {
            bail!("{failed} of {count} inputs are not in the language");
        }
        Ok(())
    }
}

/// Where in a text an error is, for people: line and column, and what stands there.
fn place(input: &[u8], error: &ParseError) -> String {
    let (ParseError::Mismatch { at, .. } | ParseError::Budget { at }) = error;
    let (Some(before), Ok(text)) = (input.get(..*at), std::str::from_utf8(input)) else {
        return String::new();
    };
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let found = match text.get(*at..).map(|rest| rest.chars().next()) {
        Some(Some(found)) => format!("{found:?}"),
        Some(None) => "the end".to_owned(),
        None => return String::new(),
    };
    format!("line {line}, column {column}, at {found}: ")
}

/// The bytes of a file, or of standard input.
pub fn read(path: &PathBuf) -> Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        let mut input = Vec::new();
        std::io::stdin().read_to_end(&mut input).context("cannot read standard input")?;
        return Ok(input);
    }
    std::fs::read(path).with_context(|| {
        format!("cannot read {}; name a file that is there and that you may read", path.display())
    })
}
