//! An endless supply of distinct valid inputs, with the reasons when there are no more.
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, Instant};

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::search::Search;
use super::solver::Solver;
use crate::coverage::KPaths;
use crate::generate::Failure;
use crate::outside::Outside;
use crate::spec::Spec;

/// Duplicates in a row after which the language counts as exhausted.
const DUPLICATES: u32 = 20_000;
/// Failed trees in a row after which the evolutionary search takes over.
const FAILURES: u32 = 300;
/// How long the search may take without `--time`.
const PATIENCE: Duration = Duration::from_secs(20);

/// How inputs are made.
#[derive(Debug, Clone)]
pub struct Limits {
    /// About how many nodes a tree has at most.
    pub size: u32,
    /// Steer to k-paths of this length.
    pub coverage: Option<u8>,
    /// Share of inputs that violate a constraint.
    pub invalid: f64,
    /// Trees of the search.
    pub population: usize,
    /// Generations of the search.
    pub generations: u32,
    /// Share of the best that is kept.
    pub elitism: f64,
    /// Share that is crossed.
    pub crossover: f64,
    /// Share that is mutated.
    pub mutation: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            size: 1000,
            coverage: None,
            invalid: 0.0,
            population: 40,
            generations: 500,
            elitism: 0.1,
            crossover: 0.8,
            mutation: 0.2,
        }
    }
}

/// What came next.
#[derive(Debug)]
pub enum Next<'a> {
    /// An input.
    Input(&'a [u8]),
    /// Everything was there already.
    Exhausted,
    /// Time is up.
    TimeUp,
    /// No tree satisfies the constraints: which fails, how near it came, and an example.
    Unsatisfied(String),
}

/// Distinct valid inputs of one spec.
pub struct Stream<'s> {
    /// What makes them; its tree is that of the last input.
    pub solver: Solver<'s>,
    limits: Limits,
    seen: FxHashSet<u64>,
    out: Vec<u8>,
    search: Option<Search>,
    outside: Option<Outside<'s>>,
}

impl<'s> Stream<'s> {
    /// Inputs of `spec` that follow from `seed`.
    pub fn new(spec: &'s Spec, seed: u64, limits: Limits) -> Self {
        let mut solver = Solver::new(spec, seed);
        solver.size = limits.size;
        solver.paths = limits.coverage.map(|k| KPaths::new(&spec.grammar, k));
        let search = (!spec.goals.is_empty()).then(|| Search::new(spec, &limits));
        let outside = Outside::new(&spec.settings, &spec.grammar);
        Self { solver, limits, seen: FxHashSet::default(), out: Vec::new(), search, outside }
    }

    /// The next input.
    pub fn next(&mut self, end: Option<Instant>) -> Next<'_> {
        let (mut duplicates, mut failures) = (0, 0);
        let mut deadline = None;
        loop {
            let want_invalid = self.limits.invalid > 0.0 && self.solver.rng.unit() < self.limits.invalid;
            let valid = match &mut self.search {
                Some(search) => {
                    let until =
                        end.unwrap_or_else(|| *deadline.get_or_insert_with(|| Instant::now() + PATIENCE));
                    match search.next(&mut self.solver, &self.limits, until) {
                        Ok(Some(valid)) => Ok(valid),
                        Ok(None) => {
                            if end.is_some_and(|end| Instant::now() >= end) {
                                return Next::TimeUp;
                            }
                            return Next::Unsatisfied(self.reason());
                        }
                        Err(failure) => Err(failure),
                    }
                }
                None if want_invalid => self.solver.violate(),
                None => self.solver.attempt(),
            };
            match valid {
                Ok(true) => {}
                Ok(false) => {
                    failures += 1;
                    if let Some(reason) = self.solver.program.state.refused.take() {
                        return Next::Unsatisfied(format!("a constraint cannot be evaluated: {reason}"));
                    }
                    if failures % 64 == 0 && end.is_some_and(|end| Instant::now() >= end) {
                        return Next::TimeUp;
                    }
                    if failures == FAILURES && self.search.is_none() && !want_invalid {
                        self.search = Some(Search::new(self.solver.spec, &self.limits));
                    }
                    continue;
                }
                Err(failure) => return Next::Unsatisfied(failure.0),
            }
            if let Err(failure) = self.write() {
                return Next::Unsatisfied(failure.0);
            }
            let mut hasher = FxBuildHasher.build_hasher();
            hasher.write(&self.out);
            if self.seen.insert(hasher.finish()) {
                if let Some(paths) = &mut self.solver.paths {
                    paths.add(&self.solver.tree);
                }
                return Next::Input(&self.out);
            }
            duplicates += 1;
            if duplicates >= DUPLICATES {
                return Next::Exhausted;
            }
            if duplicates % 64 == 0 && end.is_some_and(|end| Instant::now() >= end) {
                return Next::TimeUp;
            }
        }
    }

    /// Writes the tree out, outside of the grammar where settings ask for that.
    fn write(&mut self) -> Result<(), Failure> {
        self.out.clear();
        let solver = &mut self.solver;
        let grammar = &solver.spec.grammar;
        match &mut self.outside {
            None => solver.tree.serialise(grammar, 0, &mut self.out),
            Some(outside) => {
                outside.write(grammar, &solver.tree, &mut solver.rng, &mut solver.program, &mut self.out)?;
            }
        }
        Ok(())
    }

    /// Which constraint fails most, how near it came, and an example.
    fn reason(&mut self) -> String {
        let spec = self.solver.spec;
        let worst = (0..spec.constraints.len()).max_by_key(|index| self.solver.given_up[*index].0);
        let Some(index) = worst else { return "no input was found".into() };
        let constraint = &spec.constraints[index];
        self.out.clear();
        self.solver.tree.serialise(&spec.grammar, 0, &mut self.out);
        let example = String::from_utf8_lossy(&self.out[..self.out.len().min(300)]).into_owned();
        let near = self.solver.given_up[index].1;
        let raised = match &self.solver.program.state.raised {
            Some(raised) => format!("; evaluating it raised {raised}"),
            None => String::new(),
        };
        let circle = match self.solver.plan.cyclic.contains(&index) {
            true => "; its fields are computed from each other in a circle",
            false => "",
        };
        // Of large numbers the distance is small, but not nothing.
        let near = if near > 0.001 { format!("{near:.3}") } else { format!("{near:.1e}") };
        format!(
            "no input satisfies all constraints within the budget; `{}` at {} failed {} times, at best at a distance of \
             {near}{raised}{circle}; an example that fails: {example:?}; raise --time, --population or --generations, or see \
             `waypoint check`",
            spec.sources.slice(constraint.span).trim(),
            spec.sources.place(constraint.span),
            self.solver.given_up[index].0,
        )
    }
}
