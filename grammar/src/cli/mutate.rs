//! `waypoint mutate`: variants of one's own inputs that stay in the language.
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Result, bail};
use rustc_hash::FxHashSet;

use super::common::{SinkArgs, SpecArgs, files};
use super::parse::read;
use crate::mutate::{Material, Mutator, Subject};
use crate::parse::Limits;
use crate::solve::solver::Solver;
use crate::tree::Tree;

/// Mutate inputs so that they still satisfy a `.fan` spec
#[derive(Debug, clap::Args)]
pub struct Mutate {
    #[command(flatten)]
    spec: SpecArgs,
    /// Inputs to start from: files or directories of them
    #[arg(short, long = "input", required = true, value_name = "SEEDS")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    out: SinkArgs,
    /// About how many tree nodes a new part has at most
    #[arg(long, default_value_t = 60, value_name = "N")]
    size: u32,
    /// The greatest number of changes to one input
    #[arg(long, default_value_t = 3, value_name = "N")]
    changes: u32,
}

impl Mutate {
    /// Runs it.
    pub fn run(&self) -> Result<()> {
        let spec = self.spec.load()?;
        let mut sink = self.out.sink()?;
        let mut solver = Solver::new(&spec, self.spec.seed);
        solver.size = self.size;
        let mut seeds: Vec<Tree> = Vec::new();
        let mut seen = FxHashSet::default();
        for path in files(&self.inputs)? {
            let input = read(&path)?;
            match solver.read(&input, Limits::default()) {
                Ok(_) => {
                    seen.insert(input);
                    seeds.push(solver.tree.clone());
                }
                Err(error) => eprintln!("waypoint: {} is left out: {error}", path.display()),
            }
        }
        if seeds.is_empty() {
            bail!("none of the inputs parses, so there is nothing to mutate; `waypoint parse` says why");
        }
        let mut mutator = Mutator::new(&spec.grammar);
        let subject = |tree: &Tree| Rc::new(mutator.subject(&spec.grammar, tree.clone()));
        let donors: Vec<Rc<Subject>> = seeds.iter().map(subject).collect();
        let material = Material { grammar: &spec.grammar, donors: &donors, size: self.size, dear: 1 };
        let (mut made, mut failures) = (0, 0u32);
        let (mut from, mut to, mut out) = (Tree::default(), Tree::default(), Vec::new());
        while made < self.out.number {
            let pick = solver.rng.below(seeds.len() as u32) as usize;
            from.clone_from(&seeds[pick]);
            for _ in 0..=solver.rng.below(self.changes.max(1)) {
                let changed = mutator.mutate(material, &from, &mut solver.rng, &mut solver.program, &mut to);
                if let Ok(Some(_)) = changed {
                    std::mem::swap(&mut from, &mut to);
                }
            }
            solver.tree.clone_from(&from);
            out.clear();
            if solver.satisfy() {
                solver.tree.serialise(&spec.grammar, 0, &mut out);
            }
            if !out.is_empty() && seen.insert(out.clone()) {
                made += 1;
                failures = 0;
                if !sink.write(&out)? {
                    return Ok(());
                }
            } else {
                failures += 1;
                if failures > 100_000 {
                    sink.finish()?;
                    bail!(
                        "no further variant was found after {made}; the language or the constraints leave no more"
                    );
                }
            }
        }
        sink.finish()
    }
}
