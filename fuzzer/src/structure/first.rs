//! The first corpus where there are no seeds: inputs of the grammar, spread over its k-paths; and how many seeds fit.
use std::collections::HashSet;

use waypoint_grammar::{coverage::KPaths, solve::solver::Solver};

use super::{Language, language::Fit};
use crate::seeds::{Found, Seed};

/// So many inputs at most.
const INPUTS: usize = 64;
/// So many trees are tried for each.
const TRIES: usize = 16;
/// Inputs that show nothing new, in a row, after which there are enough.
const IN_VAIN: usize = 128;
/// About how many nodes a tree has.
const SIZE: u32 = 60;
/// Chains of so many symbols are to be shown.
const K: u8 = 3;
/// So many seeds are looked at before the start; the others when their turn comes.
const LOOKED_AT: usize = 256;

/// Puts inputs of the grammar in the place of the tiny ones, and says what became of the seeds.
pub fn prepare(language: &Language, found: &mut Found, seed: u64, limit: u64) {
    if found.seeds.iter().all(|seed| matches!(seed, Seed::Tiny(_))) {
        let made = make(language, seed, limit);
        if made.is_empty() {
            found.remarks.push(format!(
                "grammar {}: no input that satisfies its constraints and has at most {limit} bytes was found; give seeds with -i, or allow more by --max-len",
                language.name
            ));
            return;
        }
        // What was said of tiny inputs is no longer so.
        found.remarks.pop();
        found.remarks.push(format!(
            "no seeds: starting from {} inputs of the grammar {}",
            made.len(),
            language.name
        ));
        found.seeds = made;
        return;
    }
    let mut solver = Solver::new(&language.spec, seed);
    let (mut fit, mut costly, mut all) = (0, 0, 0);
    let new = found.seeds.iter().filter(|seed| !matches!(seed, Seed::Earlier(_)));
    for bytes in new.take(LOOKED_AT).filter_map(|seed| seed.read().ok()) {
        all += 1;
        match language.parse(&mut solver, &bytes) {
            Fit::Tree => fit += 1,
            Fit::Costly => costly += 1,
            Fit::Misfit => {}
        }
    }
    if all > 0 {
        let first = if all == LOOKED_AT { "the first " } else { "" };
        let others = match fit {
            0 => "; until an input does, all are fuzzed as bytes: add a seed that fits, or leave -i out",
            _ if fit < all => "; the others are fuzzed as bytes",
            _ => "",
        };
        let costly = match costly {
            0 => String::new(),
            costly => format!(", {costly} would take too long to parse"),
        };
        found
            .remarks
            .push(format!("grammar {}: {fit} of {first}{all} seeds fit it{costly}{others}", language.name));
    }
}

/// Inputs of the grammar, smallest first.
fn make(language: &Language, seed: u64, limit: u64) -> Vec<Seed> {
    let grammar = &language.spec.grammar;
    let mut solver = Solver::new(&language.spec, seed);
    solver.size = SIZE;
    solver.paths = Some(KPaths::new(grammar, K));
    let mut seen = KPaths::new(grammar, K);
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    let mut known = HashSet::new();
    let mut in_vain = 0;
    for _ in 0..INPUTS * TRIES {
        if inputs.len() >= INPUTS || in_vain > IN_VAIN {
            break;
        }
        in_vain += 1;
        if !matches!(solver.attempt(), Ok(true)) {
            continue;
        }
        let mut bytes = Vec::new();
        solver.tree.serialise(grammar, 0, &mut bytes);
        if bytes.len() as u64 > limit || !known.insert(bytes.clone()) {
            continue;
        }
        if let Some(paths) = &mut solver.paths {
            paths.add(&solver.tree);
        }
        // Enough of what is simple; the rest shows something new.
        if seen.add(&solver.tree) > 0 || inputs.len() < INPUTS / 8 {
            in_vain = 0;
            inputs.push(bytes);
        }
    }
    inputs.sort_by_key(Vec::len);
    let named = |(n, bytes)| Seed::Memory(format!("{}-{n:02}", plain(&language.name)), bytes);
    inputs.into_iter().enumerate().map(named).collect()
}

/// The last part of a path, without its ending.
fn plain(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.strip_suffix(".fan").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_grammar_of_ours_makes_a_first_corpus() {
        for spec in waypoint_grammar::built_in::ALL {
            let language = Language::load(Path::new(spec.name), 0.0).unwrap();
            let made = make(language, 1, 4096);
            assert!(made.len() >= 8, "{}: {} inputs", spec.name, made.len());
            let mut solver = Solver::new(&language.spec, 2);
            for seed in &made {
                assert_eq!(language.parse(&mut solver, &seed.read().unwrap()), Fit::Tree, "{}", spec.name);
            }
        }
    }
}
