//! Constraints that say nothing because evaluating them raises an exception each time: a comparison that raises is skipped.
use super::check::{combinations, compare, each};
use super::formula::Formula;
use super::solver::Solver;
use crate::python::vm::Vm;
use crate::spec::Spec;

/// Random trees that `generate` looks at before it starts.
const TREES: u32 = 32;

/// What the comparisons of one constraint did.
#[derive(Debug, Default, Clone)]
struct Tally {
    compared: bool,
    raised: Option<String>,
}

/// What trees showed so far, per constraint.
#[derive(Debug)]
pub struct Skipped(Vec<Tally>);

impl Skipped {
    /// Nothing yet.
    pub fn new(spec: &Spec) -> Self {
        Self(vec![Tally::default(); spec.constraints.len()])
    }

    /// Evaluates every constraint on the solver's tree that never gave a result yet.
    pub fn look(&mut self, solver: &mut Solver<'_>) {
        let spec = solver.spec;
        for (tally, constraint) in self.0.iter_mut().zip(&spec.constraints) {
            if tally.compared {
                continue;
            }
            let state = &mut solver.program.state;
            let before = state.raised.take();
            let mut vm = Vm::new(&spec.grammar, &spec.program, &[&solver.tree], state, &mut solver.rng);
            vm.reserve(constraint.frame);
            tally.compared |= gives_a_result(&mut vm, &constraint.formula);
            drop(vm);
            state.stack.clear();
            if tally.raised.is_none() {
                tally.raised.clone_from(&state.raised);
            }
            state.raised = before.or(state.raised.take());
        }
    }

    /// The exception that kept a constraint from ever being compared.
    pub fn why(&self, index: usize) -> Option<&str> {
        self.0[index].raised.as_deref().filter(|_| !self.0[index].compared)
    }
}

/// One sentence for each constraint that is skipped in every one of some random trees.
pub fn skipped(spec: &Spec, seed: u64) -> Vec<String> {
    let mut solver = Solver::new(spec, seed);
    let mut skipped = Skipped::new(spec);
    for _ in 0..TREES {
        if spec.constraints.is_empty() || solver.random_tree().is_err() {
            break;
        }
        skipped.look(&mut solver);
    }
    (0..spec.constraints.len())
        .filter_map(|index| skipped.why(index).map(|why| sentence(spec, index, why)))
        .collect()
}

/// What to say of a constraint that is always skipped.
pub fn sentence(spec: &Spec, index: usize, why: &str) -> String {
    format!(
        "{}: evaluating this constraint always raises {why}; a comparison that raises is skipped, so this one says nothing",
        spec.sources.place(spec.constraints[index].span)
    )
}

/// Whether any comparison or test of the formula gives a result; a test that raises counts as failed, which is one.
fn gives_a_result(vm: &mut Vm<'_>, formula: &Formula) -> bool {
    match formula {
        Formula::Forall(slot, selector, body) | Formula::Exists(slot, selector, body) => {
            !each(vm, *slot, selector, &mut |vm| !gives_a_result(vm, body))
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| gives_a_result(vm, part)),
        Formula::Compare(comparison) => {
            !combinations(vm, &comparison.selectors, &mut |vm| compare(vm, comparison).is_none())
        }
        Formula::Test(test) => !combinations(vm, &test.selectors, &mut |_| false),
    }
}
