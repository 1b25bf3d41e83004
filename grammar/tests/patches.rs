//! Changes of trees of every built-in grammar: written without the tree they are the bytes of the tree, constraints that
//! are said to be untouched hold, and those that are repaired hold again.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use std::path::{Path, PathBuf};
use std::rc::Rc;

use waypoint_grammar::mutate::{Material, Mutator, OPERATORS};
use waypoint_grammar::solve::solver::Solver;
use waypoint_grammar::spec::{Options, Spec};
use waypoint_grammar::tree::{Patch, Tree};

/// Valid trees of each grammar, and patches of each tree.
const TREES: usize = 12;
const PATCHES: usize = 60;

fn specs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "fan"));
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

#[test]
fn a_patch_does_what_it_says_in_every_built_in_grammar() {
    for path in specs() {
        let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        // Who mends parts lives as long as who uses them.
        let spec: &'static Spec = Box::leak(Box::new(spec));
        let name = path.display();
        let grammar = &spec.grammar;
        let (mut solver, mut mutator) = (Solver::new(spec, 7), Mutator::new(grammar));
        mutator.mend_with(Box::new(Solver::new(spec, 8)));
        let mut donors = Vec::new();
        while donors.len() < TREES {
            if solver.attempt().unwrap() {
                let mut subject = mutator.subject(grammar, solver.tree.clone());
                subject.is_valid = true;
                if donors.len() % 2 == 0 {
                    solver.look(&mut subject);
                }
                donors.push(Rc::new(subject));
            }
        }
        let material = Material { grammar, donors: &donors, size: 20, dear: 2 };
        let (mut patch, mut tree) = (Patch::default(), Tree::default());
        let (mut untouched, mut repaired) = (0, 0);
        for number in 0..TREES * PATCHES {
            let from = &donors[number % TREES];
            patch.clear();
            let mut operators = Vec::new();
            for _ in 0..=number % 3 {
                let operator = OPERATORS[solver.rng.below(OPERATORS.len() as u32) as usize];
                let Solver { rng, program, .. } = &mut solver;
                let changed = match operators.is_empty() || rng.one_in(2) {
                    true => mutator.change(operator, material, from, rng, program, &mut patch),
                    false => mutator.change_further(operator, material, rng, program, &mut patch),
                };
                operators.extend(matches!(changed, Ok(true)).then_some(operator));
            }
            patch.apply(&from.tree, &mut tree);
            assert_eq!(tree.validate(grammar, grammar.start), Ok(()), "{name}: {operators:?}");
            if Patch::is_writable(grammar) {
                let (mut written, mut serialised) = (Vec::new(), Vec::new());
                patch.write(&from.tree, &mut written);
                tree.serialise(grammar, 0, &mut serialised);
                assert_eq!(written, serialised, "{name}: {operators:?}");
            }
            match solver.touched(from, &patch) {
                None => {
                    untouched += 1;
                    solver.tree.clone_from(&tree);
                }
                Some(touched) if solver.satisfy_again(from, &patch, touched) => {
                    repaired += 1;
                    assert_eq!(solver.tree.validate(grammar, grammar.start), Ok(()), "{name}: {operators:?}");
                }
                Some(_) => continue,
            }
            let broken = (0..spec.constraints.len()).find(|index| !solver.holds(*index));
            assert_eq!(broken, None, "{name}: {operators:?} of {}", from.tree.text().escape_ascii());
        }
        assert!(untouched + repaired > TREES * PATCHES / 2, "{name}: {untouched} and {repaired}");
        assert!(!spec.constraints.is_empty() || repaired == 0, "{name}");
    }
}
