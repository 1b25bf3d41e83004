//! Transitions between counters: which are recorded, and from when on.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{DIFF, Recorded};
use kit::{DATA, Kit, with_each_clang};

/// The transitions of a function: from, to, how often.
fn steps(seen: &Recorded, function: &str) -> Vec<(i64, u32, u32)> {
    seen.steps.iter().filter(|step| step.0 == function).map(|step| (step.1, step.2, step.3)).collect()
}

/// Runs with all lines changed, or those of one function.
fn follow(kit: &Kit, program: &str, arguments: &[&str], changed: Option<&str>) -> Recorded {
    match changed {
        Some(function) => kit.record_with(program, arguments, DIFF, &[("CHANGED", function)]),
        None => kit.record(program, arguments, DIFF),
    }
}

#[test]
fn the_inputs_of_figure_4_5_differ_in_their_transitions() {
    with_each_clang(|kit| {
        kit.stand_in();
        kit.cc(&format!("-g -O2 {DATA}/figure_4_5.c on.o -o figure"));
        let of = |a: &str, b: &str| steps(&follow(kit, "figure", &[a, b], Some("foo")), "foo");
        let (changed, divides, both) = (of("3", "4"), of("4", "4"), of("4", "3"));
        // What is new in the third run is new as a pair only.
        let pairs = |steps: &[(i64, u32, u32)]| steps.iter().map(|step| (step.0, step.1)).collect::<Vec<_>>();
        let known = [pairs(&changed), pairs(&divides)].concat();
        assert!(pairs(&both).iter().any(|pair| !known.contains(pair)), "{changed:?} {divides:?} {both:?}");
        assert!(pairs(&both).iter().all(|pair| known.iter().any(|one| one.1 == pair.1)), "{both:?}");
    });
}

/// A loop, and functions before and after a changed one.
const STORY: &str = "#include <stdlib.h>\n#include <stdio.h>\nstatic volatile int sink;\n\
    __attribute__((noinline)) void before(int n) { for (int i = 0; i < n; i++) if (i & 1) sink++; else sink--; }\n\
    __attribute__((noinline)) void changed(int n) { if (n > 3) sink += 2; else sink += 3; }\n\
    __attribute__((noinline)) void after(int n) { for (int i = 0; i < n; i++) if (i & 1) sink++; else sink--; }\n\
    int main(int argc, char **argv) {\n  int n = atoi(argv[1]);\n  before(n);\n  if (argc > 2) changed(n);\n\
      after(n);\n  before(1);\n  return 0;\n}\n";

#[test]
fn only_what_comes_after_the_change_counts() {
    with_each_clang(|kit| {
        kit.stand_in();
        kit.write("story.c", STORY);
        for flags in ["-O0", "-O1", "-O2 -fsanitize=address,undefined", "-O2 -flto=thin -fuse-ld=lld"] {
            kit.cc(&format!("-w -g {flags} story.c on.o -o story"));
            let missed = follow(kit, "story", &["9"], Some("changed"));
            // Nothing was reached, so nothing was dropped: the engine does not look at these.
            assert!(steps(&missed, "changed").is_empty(), "{flags}");
            let seen = follow(kit, "story", &["9", "go"], Some("changed"));
            let times = |function| steps(&seen, function).iter().map(|step| step.2).sum::<u32>();
            let entries = |function| {
                let into_entry = |step: &&(i64, u32, u32)| step.1 == 0;
                steps(&seen, function).iter().filter(into_entry).map(|step| step.2).sum::<u32>()
            };
            assert!(times("changed") >= 1, "{flags}: the change itself counts");
            assert!(times("after") > 9, "{flags}: {:?}", steps(&seen, "after"));
            assert_eq!(entries("before"), 1, "{flags}: only its second call comes after");
        }
    });
}
