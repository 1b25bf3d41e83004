//! What is probably wrong with a spec's constraints, told from a sample of random trees.
use super::check::{combinations, each, holds};
use super::formula::Formula;
use super::plan::Plan;
use super::skipped::{Skipped, sentence};
use super::solver::Solver;
use crate::python::vm::Vm;
use crate::spec::Spec;

mod constants;
mod steps;

/// What a sample showed about one constraint.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    /// Trees in which some atom was evaluated at all.
    reached: u32,
    held: u32,
    failed: u32,
}

/// One sentence for each suspicious constraint.
pub fn lint(spec: &Spec, plan: &Plan, samples: u32, seed: u64) -> Vec<String> {
    let mut warnings = Vec::new();
    let place = |index: usize| spec.sources.place(spec.constraints[index].span);
    for index in &plan.cyclic {
        warnings.push(format!(
            "{}: fields are computed from each other in a circle; they are searched for",
            place(*index)
        ));
    }
    let mut solver = Solver::new(spec, seed);
    solver.size = 300;
    let constant = constants::constant(spec);
    for index in &constant {
        solver.tree.clear();
        let mut skipped = Skipped::new(spec);
        skipped.look(&mut solver);
        if let Some(why) = skipped.why(*index) {
            warnings.push(sentence(spec, *index, why));
            continue;
        }
        let always =
            if solver.holds(*index) { "holds always" } else { "never holds, so that there is no input" };
        warnings.push(format!("{}: this constraint names no symbol: it {always}", place(*index)));
    }
    for (one, other) in constants::contradictions(spec) {
        warnings.push(format!(
            "{} and {}: these contradict each other: no value is on the right side of both",
            spec.sources.place(one),
            spec.sources.place(other)
        ));
    }
    let mut seen = vec![Seen::default(); spec.constraints.len()];
    let mut skipped = Skipped::new(spec);
    let (mut made, mut valid) = (0, 0);
    for _ in 0..samples {
        solver.tree.clear();
        let done = solver.random_tree();
        if let Err(failure) = done {
            warnings.push(failure.0);
            break;
        }
        made += 1;
        skipped.look(&mut solver);
        for (index, constraint) in spec.constraints.iter().enumerate() {
            let mut vm = Vm::new(
                &spec.grammar,
                &spec.program,
                &[&solver.tree],
                &mut solver.program.state,
                &mut solver.rng,
            );
            vm.reserve(constraint.frame);
            seen[index].reached += u32::from(reached(&mut vm, &constraint.formula));
            if holds(&mut vm, &constraint.formula) {
                seen[index].held += 1;
            } else {
                seen[index].failed += 1;
            }
            drop(vm);
            solver.program.state.stack.clear();
        }
        if made <= samples.min(300) {
            valid += u32::from(solver.satisfy());
        }
    }
    for (index, seen) in seen.iter().enumerate() {
        if made == 0 || constant.contains(&index) {
            continue;
        }
        let at = place(index);
        if let Some(step) = steps::impossible(spec, &spec.constraints[index].formula) {
            warnings.push(format!("{at}: a selector of this constraint can never match: {step}"));
        } else if let Some(why) = skipped.why(index) {
            warnings.push(sentence(spec, index, why));
        } else if seen.reached == 0 {
            warnings.push(format!("{at}: this constraint never matched anything in {made} random trees"));
        } else if seen.failed == 0 && made >= 100 {
            warnings.push(format!(
                "{at}: this constraint held in all of {made} random trees; it may be constant"
            ));
        } else if solver.given_up[index].0 > 0 && valid == 0 {
            warnings.push(format!(
                "{at}: no tree was found that satisfies this together with the others; they may contradict each other"
            ));
        }
    }
    if let Some(refused) = &solver.program.state.refused {
        warnings.push(format!("some Python cannot be run: {refused}"));
    }
    if let Some(raised) = &solver.program.state.raised {
        warnings.push(format!("evaluating constraints raised {raised}; a comparison that raises is skipped"));
    }
    warnings
}

/// Whether any atom is evaluated for this tree.
fn reached(vm: &mut Vm<'_>, formula: &Formula) -> bool {
    match formula {
        Formula::Forall(slot, selector, body) | Formula::Exists(slot, selector, body) => {
            !each(vm, *slot, selector, &mut |vm| !reached(vm, body))
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| reached(vm, part)),
        Formula::Compare(comparison) => !combinations(vm, &comparison.selectors, &mut |_| false),
        Formula::Test(test) => !combinations(vm, &test.selectors, &mut |_| false),
    }
}
