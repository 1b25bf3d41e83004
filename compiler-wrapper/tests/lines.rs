//! The source lines of counters: complete, also for pruned blocks and inlined code; and the branches of the thesis.
mod kit;

use kit::{Kit, OPTIMISATIONS, with_each_clang};
use std::collections::BTreeSet;

const LINES: &str = include_str!("data/lines.c");

/// The numbers of the lines that carry this mark.
fn marked(mark: &str) -> BTreeSet<u32> {
    let marked = (1..).zip(LINES.lines()).filter(|(_, line)| line.contains(mark));
    marked.map(|(number, _)| number).collect()
}

fn observe_lines(kit: &Kit, flags: &str) -> kit::Observed {
    kit.write("lines.c", LINES);
    kit.observer();
    kit.cc(&format!("{flags} lines.c observer.o -o lines"));
    kit.observe("lines")
}

#[test]
fn every_executable_line_has_a_counter() {
    with_each_clang(|kit| {
        for optimisation in OPTIMISATIONS {
            let seen = observe_lines(kit, optimisation);
            let found = seen.lines_of("work");
            let wanted = marked("/* runs */").union(&marked("/* dead */")).copied().collect::<BTreeSet<_>>();
            let missing: Vec<&u32> = wanted.difference(&found).collect();
            assert!(missing.is_empty(), "{optimisation}: no counter for lines {missing:?}; found {found:?}");
            let path = kit.path("lines.c").canonicalize().unwrap();
            for (_, counter, _, file) in &seen.lines {
                assert_eq!(std::path::Path::new(file).canonicalize().unwrap(), path, "counter {counter}");
            }
        }
    });
}

#[test]
fn a_hit_counter_tells_of_lines_that_ran() {
    with_each_clang(|kit| {
        for optimisation in OPTIMISATIONS {
            let seen = observe_lines(kit, optimisation);
            let hit = seen.lines_hit("work");
            let silent: Vec<u32> = marked("/* runs */").difference(&hit).copied().collect();
            assert!(silent.is_empty(), "{optimisation}: lines {silent:?} ran, but no counter tells");
            let wrong: Vec<u32> = marked("/* dead */").intersection(&hit).copied().collect();
            assert!(wrong.is_empty(), "{optimisation}: lines {wrong:?} did not run, but a counter says so");
        }
    });
}

#[test]
fn inlined_code_counts_for_both_places() {
    with_each_clang(|kit| {
        let found = observe_lines(kit, "-O2").lines_of("work");
        assert!(marked("/* inlined */").is_subset(&found), "{found:?}");
    });
}

#[test]
fn the_users_debug_options_win() {
    with_each_clang(|kit| {
        assert!(observe_lines(kit, "-O2 -g0").lines.is_empty());
        for debug in ["-g", "-g1", "-ggdb3", "-gdwarf-4", "-gz"] {
            assert!(!observe_lines(kit, debug).lines.is_empty(), "{debug}");
        }
        kit.cc("-g -c lines.c");
        let sections = kit::stdout(&mut kit.command("readelf", "--debug-dump=info lines.o"));
        assert!(sections.contains("DW_TAG_variable"), "-g means full debug information");
        kit.cc("-c lines.c");
        let sections = kit::stdout(&mut kit.command("readelf", "--debug-dump=info lines.o"));
        assert!(!sections.contains("DW_TAG_variable"));
    });
}

/// Runs a program on each input and says in how many different ways its counters were hit.
fn distinct_paths(kit: &Kit, source: &str, flags: &str, inputs: &[&str]) -> usize {
    kit.write("figure.c", source);
    kit.observer();
    kit.cc(&format!("{flags} figure.c observer.o -o figure"));
    let hit = |input: &&str| {
        let counters = kit.observe(&format!("figure {input}")).counters;
        counters.iter().map(|value| *value > 0).collect::<Vec<_>>()
    };
    inputs.iter().map(hit).collect::<BTreeSet<_>>().len()
}

#[test]
fn the_branches_of_thesis_figures_are_all_there() {
    with_each_clang(|kit| {
        for optimisation in ["-O1", "-O2", "-O3", "-Os"] {
            // Figure 4.1: four nested conditions. One input for each way out, the last ends in the abort.
            let inputs = ["0 0", "32 0", "4640 0", "4640 61440", "4640 4640"];
            let ways = distinct_paths(kit, include_str!("data/figure_4_1.c"), optimisation, &inputs);
            assert_eq!(ways, inputs.len(), "{optimisation}");
            assert!(kit.observe("figure 0 0").counters_of("test") >= 5);

            // Figure 4.5: the diff is hit or not, times the three ways out of `a % 3 && a > 0`.
            let inputs = ["3 4", "3 3", "4 4", "4 3", "-4 4", "-4 3"];
            let ways = distinct_paths(kit, include_str!("data/figure_4_5.c"), optimisation, &inputs);
            assert_eq!(ways, inputs.len(), "{optimisation}");
            assert!(kit.observe("figure 3 4").counters_of("foo") >= 5);
        }
    });
}
