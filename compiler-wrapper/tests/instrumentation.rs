//! What the plugin does to code: inlined increments, at every optimisation and under every sanitizer.
mod kit;

use kit::{OPTIMISATIONS, with_each_clang};
use waypoint_domains::EventSet;

const SAMPLE: &str = include_str!("data/sample.c");
const EXPECTED: &str = "one=1 two=2 abc=6 b=7 z=0 jumped=6";
const SANITIZERS: [&str; 4] = [
    "",
    "-fsanitize=address",
    "-fsanitize=undefined",
    "-fsanitize=address,undefined -fno-sanitize-recover=all",
];

#[test]
fn an_edge_is_one_increment_and_no_call() {
    with_each_clang(|kit| {
        kit.write("a.c", "int g(int);\nint f(int a) { return a > 3 ? g(a) : g(a * 5) + 1; }\n");
        for optimisation in OPTIMISATIONS {
            kit.cc(&format!("{optimisation} --events=edge -c a.c"));
            let code = kit.disassemble("a.o");
            assert!(!code.contains("__sanitizer_cov"), "{optimisation}:\n{code}");
            assert!(!kit.symbols("a.o").contains("__sanitizer_cov"), "{optimisation}");
            // Entry and both branches.
            if cfg!(target_arch = "x86_64") && optimisation != "-O0" {
                assert_eq!(code.matches("incl\t(%rip)").count(), 3, "{optimisation}:\n{code}");
            }
        }
    });
}

#[test]
fn sanitizers_leave_the_counters_alone() {
    with_each_clang(|kit| {
        kit.write("a.c", "int g(void);\nint f(int a) { if (a) return g(); return 2; }\n");
        for sanitizer in ["address", "undefined", "memory", "thread"] {
            kit.cc(&format!("-O2 -fsanitize={sanitizer} -c a.c"));
            let code = kit.disassemble("a.o");
            assert!(!code.contains("__sanitizer_cov"), "{sanitizer}:\n{code}");
            let checks =
                ["__asan_report", "__tsan_write", "__tsan_read", "__tsan_unaligned", "__msan_warning"];
            assert!(!checks.iter().any(|check| code.contains(check)), "{sanitizer}:\n{code}");
        }
    });
}

#[test]
fn programs_run_as_before_and_count() {
    with_each_clang(|kit| {
        kit.write("sample.c", SAMPLE);
        kit.observer();
        for optimisation in OPTIMISATIONS {
            for sanitizer in SANITIZERS {
                kit.cc(&format!("{optimisation} {sanitizer} sample.c observer.o -o sample"));
                let seen = kit.observe("sample one two abc b z");
                assert_eq!(seen.said, [EXPECTED], "{optimisation} {sanitizer}");
                assert_eq!(seen.objects.len(), 1);
                let (counters, functions) = seen.objects[0];
                assert_eq!(seen.functions.len(), functions);
                assert_eq!(
                    seen.functions.iter().map(|function| function.1 as usize).sum::<usize>(),
                    counters
                );
                assert!(
                    seen.functions.iter().all(|function| function.2 == EventSet::all().bits()),
                    "events: {:?}",
                    seen.functions
                );
                let main: Vec<u32> =
                    seen.hits.iter().filter(|hit| hit.0 == "main").map(|hit| hit.2).collect();
                assert_eq!(main[0], 1, "counter 0 counts entries: {main:?}");
            }
        }
    });
}

#[test]
fn instrumented_code_runs_without_an_engine() {
    with_each_clang(|kit| {
        kit.write("sample.c", SAMPLE);
        for extra in ["", "-static", "-no-pie -fno-pie"] {
            kit.cc(&format!("-O2 {extra} sample.c -o sample"));
            assert_eq!(kit.observe("sample one two abc b z").said, [EXPECTED], "{extra}");
        }
    });
}

#[test]
fn what_is_marked_stays_uninstrumented() {
    with_each_clang(|kit| {
        let marked =
            "__attribute__((no_sanitize(\"coverage\"), noinline)) int f(int a) { return a ? 1 : 2; }\n";
        kit.write(
            "a.c",
            &format!("{marked}int main(int argc, char **argv) {{ (void)argv; return f(argc) - 1; }}\n"),
        );
        kit.observer();
        for optimisation in OPTIMISATIONS {
            kit.cc(&format!("{optimisation} a.c observer.o -o a"));
            let names: Vec<String> =
                kit.observe("a").functions.into_iter().map(|function| function.0).collect();
            assert_eq!(names, ["main"], "{optimisation}");
        }
    });
}

#[test]
fn code_for_another_machine_is_left_alone() {
    with_each_clang(|kit| {
        kit.write("a.c", "int f(int a) { return a > 3 ? f(a) : 1; }\n");
        kit.cc("-O2 --target=i386-linux-gnu -c a.c");
        assert!(!kit.symbols("a.o").contains("sanc") && !kit.symbols("a.o").contains("__waypoint"));
    });
}

#[test]
fn instrumented_bitcode_is_not_instrumented_again() {
    with_each_clang(|kit| {
        kit.write("a.c", "int main(void) { return 0; }\n");
        kit.observer();
        kit.cc("-O1 -emit-llvm -c a.c -o a.bc");
        kit.cc("-O1 a.bc observer.o -o a");
        assert_eq!(kit.observe("a").objects, [(1, 1)]);
        kit.cc("-O1 -flto=full -fuse-ld=lld a.c observer.o -o a");
        assert_eq!(kit.observe("a").objects, [(1, 1)]);
    });
}
