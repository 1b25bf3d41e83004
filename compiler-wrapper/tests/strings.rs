//! Event `cmp`: how close strings of C++ came that libstdc++ compares in its own compiled code.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{CMP, Cmp, EQUAL, OFF};
use kit::{Kit, OPTIMISATIONS, quiet_success, stdout, with_each_clang};

const SOURCE: &str = include_str!("data/strings.cc");
/// Up to this standard the header declares the comparisons as compiled elsewhere.
const STANDARD: &str = "-w -std=c++17";
/// `WAYPOINT_TEXT`.
const TEXT: u32 = 4;

/// How a string is compared, by its letter in the source, and strings from far to near.
const CLOSER: &[(&str, &[&str])] = &[
    ("e", &["", "nee", "needl", "needle"]),
    ("t", &["xeedle", "needles", "needle"]),
    ("s", &["x", "nexdle", "needle"]),
    ("p", &["__", "__need", "__needle"]),
    ("b", &["__xeedle", "__nee", "__needle and more"]),
    ("o", &["__n", "__needl", "__needle"]),
    ("f", &["zzz", "hay nee hay", "a needle"]),
    ("h", &["nzzz", "needle zz", "__needle"]),
    ("i", &["_zz", "_needl", "_needle"]),
];

fn build(kit: &Kit, flags: &str) {
    kit.write("strings.cc", SOURCE);
    kit.stand_in();
    kit.cxx(&format!("{STANDARD} {flags} strings.cc on.o -o recording"));
}

fn texts(kit: &Kit, arguments: &[&str]) -> Vec<Cmp> {
    let mut texts = kit.record("recording", arguments, CMP).cmps;
    texts.retain(|cmp| cmp.kind == TEXT && cmp.best > 0);
    texts
}

#[test]
fn closer_strings_score_higher_and_only_equality_is_the_maximum() {
    with_each_clang(|kit| {
        for flags in ["-O0", "-O2", "-O1 -fsanitize=address"] {
            build(kit, flags);
            for (how, strings) in CLOSER {
                let best = |string: &&str| texts(kit, &[how, string]).iter().map(|cmp| cmp.best).max();
                let scores: Vec<u32> = strings.iter().map(|string| best(string).unwrap()).collect();
                assert!(scores.is_sorted_by(|a, b| a < b), "{flags}: {how} {strings:?} {scores:?}");
                let (last, others) = scores.split_last().unwrap();
                assert!(*last == EQUAL && !others.contains(&EQUAL), "{flags}: {how} {scores:?}");
            }
        }
    });
}

#[test]
fn a_comparison_is_in_the_function_that_makes_it() {
    with_each_clang(|kit| {
        build(kit, "-O2");
        let seen = texts(kit, &["e", "neX"]);
        let head = |text: &[u8]| text.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        assert_eq!(seen.len(), 1, "{seen:?}");
        assert_eq!(seen[0].function, "equal");
        assert_eq!(seen[0].operands, (head(b"neX"), head(b"nee")));
    });
}

#[test]
fn the_target_sees_what_it_would_see_without_us() {
    with_each_clang(|kit| {
        let mut arguments: Vec<&str> = Vec::new();
        for (how, strings) in CLOSER {
            arguments.extend(strings.iter().flat_map(|string| [*how, *string]));
        }
        // From behind the end: compare() throws, find() finds nothing.
        arguments.extend(["p", "_", "b", "", "o", "_", "h", "", "i", ""]);
        for optimisation in OPTIMISATIONS {
            build(kit, optimisation);
            quiet_success(
                kit.plain("")
                    .arg("--driver-mode=g++")
                    .args(format!("{STANDARD} {optimisation} strings.cc -o plain").split_whitespace()),
            );
            let wanted = stdout(kit.command(kit.path("plain"), "").args(&arguments));
            assert!(wanted.contains("thrown"), "{wanted}");
            let on = kit.record("recording", &arguments, CMP);
            let off = kit.record("recording", &arguments, OFF);
            assert_eq!(on.said, wanted.lines().collect::<Vec<_>>(), "{optimisation}");
            assert_eq!((&off.said, &off.counters), (&on.said, &on.counters), "{optimisation}");
            assert!(off.cmps.iter().all(|cmp| cmp.best == 0), "{optimisation}");
        }
    });
}
