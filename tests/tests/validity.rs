//! Validity from the outside: what an assumption that fails changes, how it is told, and inputs that are never kept.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, process::Command};

use serde_json::Value;
use waypoint_tests::{Run, Scratch, repository};

/// Valid if it begins with `V`; rejected if it begins with `R`. Its length is a domain of its own.
const GUARDED: &str = r#"
#include <waypoint.h>
static volatile int reached;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dsf_t length;
  if (!length) length = dsf_new_domain("length", 1, dsf_max, 0);
  dsf_maximize(length, 0, size);
  if (size > 0 && data[0] == 'R') return -1;
  if (size > 4 && data[1] == 'x') reached = 1;
  WAYPOINT_ASSUME(size > 0 && data[0] == 'V');
  if (size > 4 && data[1] == 'y') reached = 2;
  return 0;
}
"#;

/// The values of a domain's keys, as `show --json` says.
fn shown(scratch: &Scratch, fuzzer: &std::path::Path, files: &[&str], domain: &str) -> Vec<u64> {
    let arguments = ["show", "--json", "--domain", domain].into_iter().chain(files.iter().copied());
    let shown = scratch.run(fuzzer, arguments).expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let keys = shown["domains"][0]["keys"].as_array().unwrap();
    keys.iter().map(|key| key["value"].as_u64().unwrap()).collect()
}

#[test]
fn an_invalid_input_moves_nothing_but_coverage() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GUARDED);
    scratch.write("seeds/valid", "Vxx");
    scratch.write("seeds/invalid", "zxxxxxxxx");
    assert_eq!(shown(&scratch, &fuzzer, &["seeds/valid", "seeds/invalid"], "length"), [3]);
    assert!(shown(&scratch, &fuzzer, &["seeds/invalid"], "length").is_empty());
    assert!(shown(&scratch, &fuzzer, &["seeds/invalid"], "valid").is_empty());
    assert!(!shown(&scratch, &fuzzer, &["seeds/valid"], "valid").is_empty());

    // The longest inputs are invalid, as most are.
    let common = ["-i", "seeds", "-o", "out", "--seed", "1", "--max-len", "64", "--runs", "20000"];
    let run = scratch.run(&fuzzer, common.iter().chain(&["--domain", "valid,length"])).expect(0);
    let (runs, invalid) = (scratch.stat("execs_done"), scratch.stat("invalid_execs"));
    assert!(0 < invalid && invalid < runs, "{invalid} of {runs}");
    let told: f64 = scratch.stats()["valid_share"].trim_end_matches('%').parse().unwrap();
    assert!((told - 100.0 * (runs - invalid) as f64 / runs as f64).abs() < 0.02, "{told}% of {runs}");
    assert!(run.stderr.contains("% of runs and"), "{}", run.stderr);
    let mut kept_invalid = 0;
    for file in scratch.files("out/default/queue") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let is_valid = fs::read(&file).unwrap().first() == Some(&b'V');
        kept_invalid += u64::from(!is_valid);
        let moved = ["+valid", "+length"].iter().any(|mark| name.contains(mark));
        assert!(is_valid || !moved, "{name} is invalid");
    }
    assert_eq!(scratch.stat("corpus_invalid"), kept_invalid);
    assert_eq!(scratch.stat("length_best"), 64);
    // The numbers go on when the campaign does.
    scratch.run(&fuzzer, common).expect(0);
    assert!(scratch.stat("invalid_execs") > invalid);
}

/// Valid every other time.
const BY_CHANCE: &str = r#"
#include <waypoint.h>
static unsigned calls;
static volatile int reached;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 && data[0] == 'a') reached = 1;
  if (size > 2 && data[1] == 'b') reached = 2;
  WAYPOINT_ASSUME(++calls % 2);
  return 0;
}
"#;

#[test]
fn what_is_valid_by_chance_is_invalid() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(BY_CHANCE);
    scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "3000", "--domain", "valid"]).expect(0);
    assert_eq!(scratch.stat("valid_waypoints"), 0);
    assert!(scratch.stat("corpus_count") > 1, "they are kept for coverage");
    assert_eq!(scratch.stat("corpus_invalid"), scratch.stat("corpus_count"));
}

#[test]
fn a_replay_names_the_assumption() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GUARDED);
    for (input, expected) in [
        ("V", "ok (1 bytes)\n"),
        ("z", "target.c:10: size > 0 && data[0] == 'V'\n"),
        ("R", "the harness returned -1, so that it would never be kept\n"),
    ] {
        scratch.write("file", input);
        let said = scratch.run(&fuzzer, ["file"]).expect(0).stderr;
        assert!(said.ends_with(expected) && said.lines().count() == 1, "{said}");
    }
}

/// Ends runs in a callee and in a thread, over frames that own memory and destructors.
const DEEP: &str = r#"
#include <waypoint.h>
#include <pthread.h>
#include <string.h>
#ifdef __cplusplus
struct Guard { char *memory; Guard() : memory((char *)malloc(64)) {} ~Guard() { free(memory); } };
#endif
static volatile int calls;
__attribute__((noinline)) static void descend(const uint8_t *data, size_t size, int depth) {
  volatile char frame[128];
  memset((char *)frame, depth, sizeof frame);
#ifdef __cplusplus
  Guard guard;
#endif
  char *volatile memory = (char *)malloc(32);
  if (depth > 0) descend(data, size, depth - 1);
  WAYPOINT_ASSUME_OR_EXIT(size < 2 || data[0] != 'e');
  calls += frame[depth];
  free(memory);
}
static void *thread(void *data) {
  WAYPOINT_ASSUME_OR_EXIT(*(const uint8_t *)data == 0);
  return data;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  void *result = 0;
  pthread_t other;
  char *first = (char *)malloc(8);
  if (size > 3 && data[0] == 't' && pthread_create(&other, 0, thread, (void *)(data + 1)) == 0) pthread_join(other, &result);
  free(first);
  descend(data, size, 5);
  return 0;
}
"#;

#[test]
fn a_run_can_end_anywhere_without_harm() {
    for (name, flags) in [
        ("deep.c", "-fsanitize=fuzzer"),
        ("deep.c", "-fsanitize=fuzzer,address,undefined"),
        ("deep.cc", "-fsanitize=fuzzer,address"),
    ] {
        let scratch = Scratch::new();
        let source = scratch.write(name, DEEP);
        let fuzzer = scratch.build("deep", &source, ["-g", "-O1", "-Wall", "-Werror", flags]);
        scratch.write("seeds/1", "eeee");
        scratch.write("seeds/2", "taaa");
        scratch.write("seeds/3", "zzzz");
        let common = ["-i", "seeds", "-o", "out", "--seed", "1", "--runs", "3000", "--max-len", "16"];
        let run = scratch.run(&fuzzer, common).expect(0);
        assert_eq!(scratch.stat("workers_died"), 0, "{name} {flags}:\n{}", run.stderr);
        assert_eq!(scratch.stat("saved_crashes"), 0, "{name} {flags}:\n{}", run.stderr);
        assert!(scratch.stat("invalid_execs") > 100, "{name} {flags}");
        for seed in ["seeds/1", "seeds/2"] {
            let said = scratch.run(&fuzzer, [seed]).expect(0).stderr;
            assert!(said.contains("but invalid"), "{said}");
        }
    }
}

/// With `main`, so that no engine is needed.
const ALONE: &str = r#"
#include <stdio.h>
#include <waypoint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  WAYPOINT_ASSUME_OR_EXIT(size != 3);
  WAYPOINT_ASSUME_OR_RETURN(size != 2, 7);
  WAYPOINT_ASSUME(size != 1);
  return 5;
}
int main(int argc, char **argv) {
  (void)argv;
  return LLVMFuzzerTestOneInput(NULL, argc - 1u);
}
"#;

#[test]
fn without_an_engine_assumptions_return_or_exit() {
    let scratch = Scratch::new();
    let source = scratch.write("alone.c", ALONE);
    let plain = scratch.path("plain");
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-std=gnu99", "-I"]).arg(repository().join("runtime/include"));
    Run::of(cc.arg(&source).arg("-o").arg(&plain)).expect(0);
    let instrumented = scratch.build("alone", &source, ["-Wall", "-Wextra", "-Werror"]);
    for program in [plain, instrumented] {
        for (arguments, code) in [(&[][..], 5), (&["1"], 0), (&["1", "2"], 7), (&["1", "2", "3"], 1)] {
            scratch.run(&program, arguments).expect(code);
        }
    }
}

#[test]
fn a_rejected_input_is_never_kept() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GUARDED);
    scratch.write("rejected/a", "Rxxxx");
    scratch.write("rejected/b", "Ryyyyyy");
    for more in [&[][..], &["--no-coverage", "--domain", "length"]] {
        let common = ["-i", "rejected", "-o", "out", "--runs", "100"];
        let run = scratch.run(&fuzzer, common.iter().chain(more)).expect(1);
        assert!(run.stderr.contains("rejects every seed by returning -1"), "{}", run.stderr);
        assert!(scratch.files("out/default/queue").is_empty());
    }
    scratch.write("mixed/a", "Ryyyyyyyyy");
    scratch.write("mixed/b", "Vyyyy");
    scratch.run(&fuzzer, ["distill", "mixed", "-o", "distilled"]).expect(0);
    let names = |dir: &str| -> Vec<String> {
        let name = |file: std::path::PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
        scratch.files(dir).into_iter().map(name).collect()
    };
    assert_eq!(names("distilled"), ["b"]);
    fs::create_dir(scratch.path("merged")).unwrap();
    scratch.run(&fuzzer, ["-merge=1", "merged", "mixed"]).expect(0);
    assert_eq!(scratch.files("merged").len(), 1);
    let common = ["-i", "mixed", "-o", "campaign", "--runs", "3000", "--seed", "1"];
    scratch.run(&fuzzer, common).expect(0);
    for file in scratch.files("campaign/default/queue") {
        assert_ne!(fs::read(&file).unwrap().first(), Some(&b'R'), "{file:?}");
    }
}

#[test]
fn distilling_for_validity_keeps_valid_inputs() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GUARDED);
    // Reaches what the other reaches, more cheaply, but is invalid.
    scratch.write("corpus/invalid", "zxxxx");
    scratch.write("corpus/valid", "Vxxxxxxxxxxxxx");
    scratch.run(&fuzzer, ["distill", "corpus", "-o", "chosen", "--domain", "valid"]).expect(0);
    assert!(scratch.path("chosen/valid").exists());
    let said =
        scratch.run(&fuzzer, ["minimize", "corpus/valid", "-o", "small", "--domain", "valid"]).expect(0);
    assert_eq!(fs::read(scratch.path("small")).unwrap().first(), Some(&b'V'), "{}", said.stderr);
}
