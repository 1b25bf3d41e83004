//! Event `stack`: how deep the stack is in every function, on the one stack that counts.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{ASAN_OPTIONS, OFF, Recorded, STACK};
use kit::{Kit, with_each_clang};

const C: &str = include_str!("data/stack.c");
/// The second has the variables of functions elsewhere than on the stack.
const SANITIZERS: [(&str, &str); 3] = [
    ("", ""),
    ("-fsanitize=address,undefined", "detect_stack_use_after_return=0"),
    ("-fsanitize=address", "detect_stack_use_after_return=1"),
];

fn build(kit: &Kit, flags: &str) {
    kit.write("stack.c", C);
    kit.stand_in();
    kit.cc(&format!("-w -pthread {flags} stack.c on.o -o c"));
}

#[test]
fn the_stack_is_measured_where_the_harness_runs() {
    with_each_clang(|kit| {
        for (sanitizer, options) in SANITIZERS {
            for optimisation in ["-O0", "-O2"] {
                let how = format!("{optimisation} {sanitizer} {options}");
                build(kit, &format!("{optimisation} {sanitizer}"));
                let asan = format!("{ASAN_OPTIONS}:{options}");
                let environment = [("ASAN_OPTIONS", asan.as_str())];
                let seen = |depth: &str| kit.record_with("c", &[depth], STACK, &environment);
                let (shallow, deep) = (seen("1"), seen("21"));
                assert_eq!(deep.said, ["43"], "{how}");
                let main = deep.depth("main");
                // Where `main` begins differs from process to process.
                let below = |seen: &Recorded, function| seen.depth(function) - seen.depth("main");
                let growth = |function| below(&deep, function) - below(&shallow, function);
                let frames = growth("recurse");
                let is_real = options != "detect_stack_use_after_return=1";
                // Twenty frames; with the variables elsewhere there are still the frames.
                let least = if is_real { 20 * 256 } else { 20 * 16 };
                assert!((least..20 * 2048).contains(&frames), "{how}: {frames}");
                let variable = growth("variable");
                assert!((100_000..=100_200).contains(&variable), "{how}: {variable}");
                if is_real {
                    // A function that calls nothing may use 128 bytes below the stack pointer.
                    assert!(deep.depth("large") - main >= 10_000 - 128, "{how}");
                }
                // Other stacks lie elsewhere.
                for function in ["only_in_thread", "handler"] {
                    assert!(deep.stacks.iter().all(|stack| stack.0 != function), "{how}: {function}");
                }
                assert!(deep.depth("recurse") - main < 21 * 2048, "{how}: the thread's recursion counts");
                let off = kit.record_with("c", &["21"], OFF, &environment);
                assert!(off.stacks.iter().all(|stack| stack.1 == 0), "{how}: {:?}", off.stacks);
                assert_eq!(off.counters, deep.counters, "{how}");
            }
        }
    });
}
