//! Event `cmp`: how close a comparison came, with the target none the wiser.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{CMP, EQUAL, OFF, Recorded};
use kit::{Kit, OPTIMISATIONS, quiet_success, stdout, with_each_clang};

const SOURCE: &str = include_str!("data/comparisons.c");

fn build(kit: &Kit, flags: &str) {
    kit.write("comparisons.c", SOURCE);
    kit.stand_in();
    kit.cc(&format!("{flags} comparisons.c on.o -o recording"));
}

/// One comparison: the function that makes it, both sides, and the length.
type Call<'a> = (&'a str, &'a str, &'a str, usize);

fn record(kit: &Kit, calls: &[Call<'_>]) -> Recorded {
    let lengths: Vec<String> = calls.iter().map(|call| call.3.to_string()).collect();
    let arguments: Vec<&str> =
        calls.iter().zip(&lengths).flat_map(|((how, a, b, _), n)| [how, a, b, n.as_str()]).collect();
    kit.record("recording", &arguments, CMP)
}

fn score(kit: &Kit, call: Call<'_>) -> u32 {
    record(kit, &[call]).best(call.0)
}

/// From far to near; the last is equal, or as close as can be.
const CLOSER: &[&[Call<'_>]] = &[
    &[
        ("equal32", "0xffffffff", "0", 0),
        ("equal32", "0xffff", "0", 0),
        ("equal32", "1", "0", 0),
        ("equal32", "5", "5", 0),
    ],
    &[("unequal16", "0xffff", "0", 0), ("unequal16", "0x8000", "0", 0), ("unequal16", "9", "9", 0)],
    &[
        ("equal64", "0x0", "", 0),
        ("equal64", "0x123456780abcdef0", "", 0),
        ("equal64", "0x123456789abcdef1", "", 0),
        ("equal64", "0x123456789abcdef0", "", 0),
    ],
    &[("below", "0", "", 0), ("below", "65536", "", 0), ("below", "99990", "", 0), ("below", "99999", "", 0)],
    &[("below_signed", "100", "", 0), ("below_signed", "-99000", "", 0), ("below_signed", "-100001", "", 0)],
    &[
        ("doubles", "1e300", "-1", 0),
        ("doubles", "100", "3", 0),
        ("doubles", "3.0000001", "3", 0),
        ("doubles", "3", "3", 0),
    ],
    &[("doubles", "1", "0", 0), ("doubles", "1e-320", "0", 0), ("doubles", "-0.0", "0", 0)],
    &[("floats", "-1e30", "7", 0), ("floats", "6", "7", 0), ("floats", "7", "7", 0)],
    &[
        ("memory", "xbcd", "abcd", 4),
        ("memory", "axcd", "abcd", 4),
        ("memory", "abcx", "abcd", 4),
        ("memory", "abcd", "abcd", 4),
    ],
    // A byte with more bits in common is closer.
    &[("memory", "\u{1}", "~", 1), ("memory", "~", "\u{7f}", 1), ("memory", "~", "~", 1)],
    // A short text that is equal beats a long one that is nearly.
    &[
        ("memory", "aaaaaaaaaaaaaaaaaaaaaaaaaaax", "aaaaaaaaaaaaaaaaaaaaaaaaaaay", 28),
        ("memory", "ax", "ay", 1),
    ],
    &[("bytes", "xbcd", "abcd", 4), ("bytes", "abxd", "abcd", 4), ("bytes", "abcd", "abcd", 4)],
    &[
        ("string", "", "abcd", 0),
        ("string", "ab", "abcd", 0),
        ("string", "abcde", "abcd", 0),
        ("string", "abcd", "abcd", 0),
    ],
    &[("string", "longlonglonglonglonga", "longlonglonglonglongb", 0), ("string", "", "", 0)],
    &[
        ("string_n", "x", "abcd", 4),
        ("string_n", "abc", "abcd", 4),
        ("string_n", "abce", "abcd", 4),
        ("string_n", "abcdX", "abcdY", 4),
    ],
    &[("string_n", "ab", "abcd", 9), ("string_n", "abcd", "abcd", 9)],
    &[("cased", "x", "ABCD", 0), ("cased", "abX", "ABCD", 0), ("cased", "aBcD", "AbCd", 0)],
    &[("cased_n", "x", "ABCD", 4), ("cased_n", "abX", "ABCD", 4), ("cased_n", "abcdX", "ABCDY", 4)],
    &[
        ("in", "zzz", "needle", 0),
        ("in", "hay_nee_hay", "needle", 0),
        ("in", "hay_needl", "needle", 0),
        ("in", "a_needle", "needle", 0),
    ],
    &[("in_n", "zzz", "needle", 0), ("in_n", "hay_nee_hay", "needle", 0), ("in_n", "needle", "needle", 0)],
];

/// The comparisons whose sides may be near without ever being the same.
fn may_be_equal(call: &Call<'_>) -> bool {
    !call.0.starts_with("below")
}

#[test]
fn closer_scores_higher_and_only_equality_is_the_maximum() {
    with_each_clang(|kit| {
        for optimisation in ["-O0", "-O2"] {
            build(kit, optimisation);
            for steps in CLOSER {
                let scores: Vec<u32> = steps.iter().map(|call| score(kit, *call)).collect();
                assert!(scores.is_sorted_by(|a, b| a < b), "{optimisation}: {steps:?} score {scores:?}");
                let (last, others) = scores.split_last().unwrap();
                assert!(others.iter().all(|score| *score < EQUAL), "{optimisation}: {steps:?} {scores:?}");
                if may_be_equal(&steps[0]) {
                    assert_eq!(*last, EQUAL, "{optimisation}: {steps:?}");
                }
                // All in one run: the best remains, in either order.
                let mut order = steps.to_vec();
                assert_eq!(record(kit, &order).best(steps[0].0), *last, "{optimisation}: {steps:?}");
                order.reverse();
                assert_eq!(record(kit, &order).best(steps[0].0), *last, "{optimisation}: {steps:?}");
            }
        }
    });
}

#[test]
fn a_bound_is_met_by_the_bound_itself() {
    with_each_clang(|kit| {
        build(kit, "-O2");
        // The optimiser may compare with 99999 for 100000.
        let near = ["99999", "100000"].map(|a| score(kit, ("below", a, "", 0)));
        assert!(near.contains(&EQUAL), "{near:?}");
        let near = ["-100000", "-100001"].map(|a| score(kit, ("below_signed", a, "", 0)));
        assert!(near.contains(&EQUAL), "{near:?}");
    });
}

#[test]
fn every_case_of_a_switch_has_its_score() {
    with_each_clang(|kit| {
        for optimisation in ["-O0", "-O2"] {
            build(kit, optimisation);
            let cases = [7, 0x5a17_c0de_u64, 1_000_000, 0xffff_fff0];
            for value in cases.into_iter().chain([1, 0xffff_ffff, 71]) {
                let seen = record(kit, &[("cases", &value.to_string(), "", 0)]);
                let slots = seen.cmps_of("cases");
                assert_eq!(slots.len(), cases.len(), "{optimisation}: {slots:?}");
                for slot in slots {
                    let (a, b) = slot.operands;
                    assert_eq!(a, value, "{optimisation}");
                    assert!(cases.contains(&b), "{optimisation}: {b:x}");
                    let wanted = if a == b { EQUAL } else { 64 - (a ^ b).count_ones() };
                    assert_eq!(slot.best, wanted, "{optimisation}: {a:x} and {b:x}");
                }
            }
            // 7 and 71 share a place among the values that were seen.
            let seen = record(kit, &[("cases", "71", "", 0), ("cases", "7", "", 0), ("cases", "71", "", 0)]);
            assert_eq!(seen.best("cases"), EQUAL);
        }
    });
}

#[test]
fn the_operands_of_the_best_attempt_are_kept() {
    with_each_clang(|kit| {
        build(kit, "-O2");
        let seen = record(
            kit,
            &[("equal32", "0xff", "0x10", 0), ("equal32", "0x11", "0x10", 0), ("equal32", "0", "0xff", 0)],
        );
        assert_eq!(seen.cmps_of("equal32")[0].operands, (0x11, 0x10));
        let seen = record(kit, &[("string", "abX", "abcd", 0)]);
        let text = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        assert_eq!(seen.cmps_of("string")[0].operands, (text(b"abX"), text(b"abc")));
    });
}

#[test]
fn sites_name_their_lines() {
    with_each_clang(|kit| {
        for optimisation in OPTIMISATIONS {
            build(kit, optimisation);
            let seen = record(kit, &[]);
            for (number, line) in (1..).zip(SOURCE.lines()) {
                let Some((_, mark)) = line.split_once("/* ") else { continue };
                let name = mark.trim_end_matches(" */");
                let places: Vec<&str> = seen.cmps_of(name).iter().map(|cmp| cmp.place.as_str()).collect();
                let wanted = format!("comparisons.c:{number}");
                assert!(
                    !places.is_empty() && places.iter().all(|place| *place == wanted),
                    "{optimisation}: {name} {places:?}"
                );
            }
        }
    });
}

#[test]
fn the_target_sees_what_it_would_see_without_us() {
    with_each_clang(|kit| {
        let mut calls: Vec<Call<'_>> = CLOSER.iter().flat_map(|steps| steps.iter().copied()).collect();
        calls.extend([
            ("memory", "a", "b", 0),
            ("string_n", "a", "b", 0),
            ("cased_n", "a", "b", 0),
            ("in", "abc", "", 0),
        ]);
        calls.extend([
            ("in_n", "", "", 0),
            ("doubles", "nan", "nan", 0),
            ("floats", "nan", "1", 0),
            ("cases", "1", "", 0),
        ]);
        let lengths: Vec<String> = calls.iter().map(|call| call.3.to_string()).collect();
        let arguments: Vec<&str> =
            calls.iter().zip(&lengths).flat_map(|((how, a, b, _), n)| [how, a, b, n.as_str()]).collect();
        for optimisation in OPTIMISATIONS {
            build(kit, optimisation);
            quiet_success(&mut kit.plain(&format!("{optimisation} comparisons.c -o plain")));
            let wanted = stdout(kit.command(kit.path("plain"), "").args(&arguments));
            let (on, off) =
                (kit.record("recording", &arguments, CMP), kit.record("recording", &arguments, OFF));
            assert_eq!(on.said, wanted.lines().collect::<Vec<_>>(), "{optimisation}");
            assert_eq!(off.said, on.said, "{optimisation}");
            assert_eq!(off.counters, on.counters, "{optimisation}: the same edges, the same number of times");
            assert!(
                on.counters.iter().any(|counter| counter.2 > 0) && on.cmps.iter().any(|cmp| cmp.best > 0)
            );
            assert!(off.cmps.iter().all(|cmp| cmp.best == 0), "{optimisation}");
        }
    });
}

#[test]
fn nothing_and_not_a_number_are_not_near() {
    with_each_clang(|kit| {
        build(kit, "-O2");
        for call in [
            ("memory", "a", "b", 0),
            ("string_n", "a", "b", 0),
            ("doubles", "nan", "nan", 0),
            ("in", "abc", "", 0),
        ] {
            assert_eq!(score(kit, call), 0, "{call:?}");
        }
    });
}

/// Both texts end at a page that cannot be read, right behind their first difference.
const GUARDED: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
static char *before_the_guard(const char *text, size_t size) {
  char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_NONE);
  return memcpy(pages + 4096 - size, text, size);
}
__attribute__((noinline)) int all(const char *a, const char *b, size_t n) {
  int sum = strncmp(a, b, n) < 0;
  sum += (strcmp(a, b) < 0) * 2;
  sum += (strcasecmp(a, b) < 0) * 4;
  sum += (strncasecmp(a, b, n) < 0) * 8;
  return sum;
}
__attribute__((noinline)) int some(const char *a, const char *b, size_t n) { return memcmp(a, b, n) < 0; }
int main(void) {
  /* Differ at the last byte that can be read; the limit is larger. */
  printf("%d\n", all(before_the_guard("abcX", 4), before_the_guard("abcY", 4), 100));
  printf("%d\n", all(before_the_guard("X", 1), before_the_guard("Y", 1), 100));
  /* End there. */
  printf("%d\n", all(before_the_guard("abc", 4), before_the_guard("abc", 4), 100));
  printf("%d\n", some(before_the_guard("abcdefghX", 9), before_the_guard("abcdefghY", 9), 9));
  printf("%d\n", some(before_the_guard("X", 1), before_the_guard("Y", 1), 1));
  char *hay = before_the_guard("haystac", 7);
  printf("%d\n", memmem(hay, 7, before_the_guard("stack", 5), 5) == 0);
  printf("%d\n", strstr(before_the_guard("hay", 4), before_the_guard("yz", 3)) == 0);
  return 0;
}
"#;

#[test]
fn nothing_is_read_behind_the_first_difference() {
    with_each_clang(|kit| {
        kit.write("guarded.c", GUARDED);
        kit.stand_in();
        for optimisation in ["-O0", "-O2"] {
            kit.cc(&format!("{optimisation} guarded.c on.o -o guarded"));
            let seen = kit.record("guarded", &[], CMP);
            assert_eq!(seen.said, ["15", "15", "0", "1", "1", "1", "1"], "{optimisation}");
            // Where the length is a variable there is a slot for each up to eight; one is touched.
            let mut touched = seen.cmps_of("all");
            touched.retain(|cmp| cmp.best != 0);
            assert_eq!(touched.len(), 4, "{optimisation}: {:?}", seen.cmps);
            assert!(touched.iter().all(|cmp| cmp.best == EQUAL), "{optimisation}: {:?}", seen.cmps);
        }
    });
}

#[test]
fn functions_that_only_share_a_name_are_left_alone() {
    with_each_clang(|kit| {
        kit.write(
            "own.c",
            "int strncmp(const char *a, const char *b, int n);\nint memcmp(int a);\nchar *malloc(int a);\nvoid *strdup(int a);\n\
             __attribute__((noinline)) int own(int n) { return strncmp(\"a\", \"b\", n) + memcmp(n) + (malloc(n) != strdup(n)); }\n",
        );
        for optimisation in ["-O0", "-O2"] {
            kit.cc(&format!("{optimisation} -w -fno-builtin -c own.c"));
            let symbols = kit.symbols("own.o");
            for name in ["strncmp", "memcmp", "malloc", "strdup"] {
                assert!(symbols.lines().any(|line| line.ends_with(&format!(" U {name}"))), "{symbols}");
            }
            assert!(
                !symbols.contains("waypoint_malloc") && !symbols.contains("waypoint_strings"),
                "{symbols}"
            );
        }
    });
}
