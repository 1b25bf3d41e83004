//! The evolutionary search of the FANDANGO paper, for what repairs alone do not reach and for goals.
//!
//! A population of trees; fitness is the distance of all constraints, then the goals. A generation keeps the best, picks
//! parents by tournament, crosses them by exchanging subtrees of one symbol, and mutates at failing subtrees.
use std::time::Instant;

use super::solver::Solver;
use super::stream::Limits;
use crate::generate::Failure;
use crate::python::value::Value;
use crate::python::vm::Vm;
use crate::spec::Spec;
use crate::tree::{Index, Kind, Tree};

/// A tree and what it is worth.
#[derive(Debug, Clone, Default)]
struct Individual {
    tree: Tree,
    distance: f64,
    /// Greater is better.
    goal: f64,
    told: bool,
}

/// The state of a search.
#[derive(Debug)]
pub struct Search {
    population: Vec<Individual>,
    /// Valid trees that are still to be told.
    ready: Vec<Tree>,
    has_goals: bool,
}

impl Search {
    /// A search in its first generation.
    pub fn new(spec: &Spec, limits: &Limits) -> Self {
        Self {
            population: Vec::with_capacity(limits.population),
            ready: Vec::new(),
            has_goals: !spec.goals.is_empty(),
        }
    }

    /// Puts the next tree into the solver: true if it is valid. None if the budget is used up.
    pub fn next(
        &mut self,
        solver: &mut Solver<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Option<bool>, Failure> {
        let mut quiet = 0;
        loop {
            if let Some(tree) = self.ready.pop() {
                solver.tree = tree;
                return Ok(Some(true));
            }
            if quiet > limits.generations || Instant::now() >= until {
                return Ok(None);
            }
            quiet += 1;
            self.generation(solver, limits, until)?;
        }
    }

    fn generation(
        &mut self,
        solver: &mut Solver<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<(), Failure> {
        let mut next: Vec<Individual> = Vec::with_capacity(limits.population);
        self.population.sort_by(better);
        let elite = (limits.population as f64 * limits.elitism).ceil() as usize;
        next.extend(self.population.drain(..elite.min(self.population.len())).collect::<Vec<_>>());
        let parents: Vec<Individual> = next.iter().cloned().chain(self.population.drain(..)).collect();
        while next.len() < limits.population {
            if Instant::now() >= until {
                break;
            }
            let fresh = parents.len() < limits.population || solver.rng.unit() < 0.1;
            if fresh {
                solver.attempt()?;
            } else {
                let pick = tournament(&parents, solver);
                solver.tree.clone_from(&parents[pick].tree);
                if solver.rng.unit() < limits.crossover {
                    let other = tournament(&parents, solver);
                    cross(solver, &parents[other].tree);
                }
                if solver.rng.unit() < limits.mutation || self.has_goals {
                    solver.mutate_once();
                }
                solver.satisfy();
            }
            next.push(self.judge(solver));
        }
        // Where there are goals, a generation tells only its best; otherwise everything valid.
        let mut valid: Vec<usize> =
            (0..next.len()).filter(|at| next[*at].distance == 0.0 && !next[*at].told).collect();
        if self.has_goals {
            valid.sort_by(|a, b| better(&next[*a], &next[*b]));
            valid.truncate((limits.population / 8).max(1));
        }
        for at in valid.into_iter().rev() {
            next[at].told = true;
            self.ready.push(next[at].tree.clone());
        }
        self.population = next;
        Ok(())
    }

    fn judge(&self, solver: &mut Solver<'_>) -> Individual {
        let distance = (0..solver.spec.constraints.len()).map(|index| solver.distance(index)).sum();
        let goal = if self.has_goals { solver.goal() } else { 0.0 };
        Individual { tree: solver.tree.clone(), distance, goal, told: false }
    }
}

fn better(a: &Individual, b: &Individual) -> std::cmp::Ordering {
    a.distance.total_cmp(&b.distance).then(b.goal.total_cmp(&a.goal))
}

fn tournament(parents: &[Individual], solver: &mut Solver<'_>) -> usize {
    let mut best = solver.rng.below(parents.len() as u32) as usize;
    for _ in 0..2 {
        let other = solver.rng.below(parents.len() as u32) as usize;
        if better(&parents[other], &parents[best]).is_lt() {
            best = other;
        }
    }
    best
}

/// Puts a subtree of `donor` in the place of one of the same symbol.
fn cross(solver: &mut Solver<'_>, donor: &Tree) {
    if solver.tree.is_empty() || donor.is_empty() {
        return;
    }
    for _ in 0..8 {
        let from = solver.rng.below(donor.len()) as Index;
        let Kind::Symbol(symbol) = donor.node(from).kind() else { continue };
        let count = solver.tree.nodes().iter().filter(|node| node.is_symbol(symbol)).count() as u32;
        if count == 0 || from == 0 {
            continue;
        }
        let pick = solver.rng.below(count) as usize;
        let at = solver.tree.nodes().iter().enumerate().filter(|(_, node)| node.is_symbol(symbol)).nth(pick);
        if let Some((at, _)) = at {
            solver.tree.replace(at as Index, donor, from);
            return;
        }
    }
}

impl Solver<'_> {
    /// Derives one subtree anew.
    pub fn mutate_once(&mut self) {
        if self.tree.is_empty() {
            return;
        }
        let at = self.rng.below(self.tree.len());
        let size = self.tree.node(at).len + self.rng.below(self.size / 2 + 2);
        if self.regrow(at, size) {
            std::mem::swap(&mut self.tree, &mut self.spare);
        }
    }

    /// What the tree is worth by the goals: the sum over all matches, what is to be small counted negatively.
    pub fn goal(&mut self) -> f64 {
        let spec = self.spec;
        let mut sum = 0.0;
        for goal in &spec.goals {
            let mut vm =
                Vm::new(&spec.grammar, &spec.program, &[&self.tree], &mut self.program.state, &mut self.rng);
            vm.reserve(goal.value.frame);
            let mut value = 0.0;
            super::check::combinations(&mut vm, &goal.value.selectors, &mut |vm| {
                match vm.eval(&goal.value.ex) {
                    Ok(found) => {
                        let found = match &found {
                            Value::Tree(_) => vm.int_of(&found).unwrap_or(Value::None),
                            other => other.clone(),
                        };
                        value += found.as_float().unwrap_or(0.0);
                    }
                    Err(raised) => super::check::note(vm, &raised),
                }
                true
            });
            drop(vm);
            self.program.state.stack.clear();
            sum += if goal.maximize { value } else { -value };
        }
        sum
    }

    /// Makes a tree that violates at least one constraint; true if it does.
    pub fn violate(&mut self) -> Result<bool, Failure> {
        if self.spec.constraints.is_empty() {
            return self.attempt();
        }
        self.attempt()?;
        for _ in 0..16 {
            let broken = (0..self.spec.constraints.len()).any(|index| !self.holds(index));
            if broken {
                return Ok(true);
            }
            self.mutate_once();
        }
        Ok(false)
    }
}
