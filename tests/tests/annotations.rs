//! Annotations made for other tools compile as they are, in C and C++, and mean what they mean there.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde_json::Value;
use waypoint_tests::{Run, Scratch, program, repository};

/// The sorted values of every domain's keys, of one input, as `show --json` says.
fn values(scratch: &Scratch, fuzzer: &Path, input: &str) -> BTreeMap<String, Vec<u64>> {
    scratch.write("input", input);
    let shown = scratch.run(fuzzer, ["show", "input", "--json"]).expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let domain = |domain: &Value| {
        let keys = domain["keys"].as_array().unwrap();
        let mut values: Vec<u64> = keys.iter().map(|key| key["value"].as_u64().unwrap()).collect();
        values.sort_unstable();
        (domain["name"].as_str().unwrap().to_owned(), values)
    };
    shown["domains"].as_array().unwrap().iter().map(domain).collect()
}

/// Every annotation of IJON, each once. With no include at all where a compiler of IJON's kind is used.
const IJON: &str = r#"
#ifdef HEADER
#include "ijon.h"
#endif
#include <stdint.h>
#include <stdlib.h>
/* As for other tools where the annotations are to be left out. */
#ifndef IJON_MAX
#define IJON_MAX(x) (void)(x)
#endif
static volatile int sink;
__attribute__((noinline)) static int twice(int x) { return sink = 2 * x; }
#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[8] = {0};
  int i;
  for (i = 0; i < 7 && (size_t)i < size; i++) text[i] = (char)data[i];
  IJON_MAX(size, 2 * size);
  IJON_MIN(size + 1);
  IJON_MAX_AT(3, 77);
  IJON_DIST((int)size, 10);
  for (i = 0; i < 3; i++) IJON_SET(i);
  for (i = 0; i < 6; i++) IJON_INC(i / 4);
  IJON_CMP(size, size ^ 7u);
  IJON_STRDIST(text, "abcd");
  IJON_BITS(size);
  IJON_STATE(5);
  if (IJON_CTX(twice((int)size)) == 8) sink = 3;
  IJON_STATE(5);
  return 0;
}
#ifdef HEADER
int main(void) { return LLVMFuzzerTestOneInput((const uint8_t *)"ab", 2); }
#endif
"#;

#[test]
fn ijons_annotations_compile_unchanged_and_are_recorded() {
    for name in ["target.c", "target.cc"] {
        let scratch = Scratch::new();
        let source = scratch.write(name, IJON);
        let strict = ["-g", "-O2", "-Wall", "-Wextra", "-Werror", "-fsanitize=fuzzer"];
        let fuzzer = scratch.build("target", &source, strict);
        let found = values(&scratch, &fuzzer, "abXY");
        assert_eq!(found["ijon_max"], [4, 8, 77], "{name}");
        assert_eq!(found["ijon_min"], [5, 6], "{name}");
        assert_eq!(found["ijon_set"], [1; 5], "three, and one each of STRDIST and BITS: {name}");
        // Four and two times in buckets, and that of CMP once.
        assert_eq!(found["ijon_inc"], [1, 2, 8], "{name}");
        assert!(found["ijon_state"].len() >= 2, "{name}: {found:?}");
        let listed = scratch.run(&fuzzer, ["--list-domains"]).expect(0).stdout;
        assert!(listed.contains("ijon_min smaller values"), "{listed}");
        // They guide unasked, and each has its place in the statistics.
        scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "2000"]).expect(0);
        assert_eq!(
            scratch.stats()["domains"],
            "cov,ijon_max,ijon_min,ijon_set,ijon_inc,ijon_state",
            "{name}"
        );
        assert!(scratch.stat("ijon_max_waypoints") > 0);

        // With the header, and for an ordinary compiler, in which they do nothing.
        let plain = scratch.path("plain");
        let compiler = if name.ends_with("cc") { "c++" } else { "cc" };
        let mut command = Command::new(compiler);
        command.args(["-DHEADER", "-I"]).arg(repository().join("runtime/include"));
        Run::of(command.arg(&source).arg("-o").arg(&plain)).expect(0);
        scratch.run::<&str>(&plain, []).expect(0);
        let alone = scratch.build("alone", &source, ["-DHEADER", "-Wall", "-Werror"]);
        scratch.run::<&str>(&alone, []).expect(0);
    }
}

/// IJON's functions, without its macros, as a source that was written for them calls them.
const IJON_FUNCTIONS: &str = r#"
#include <stddef.h>
#include <stdint.h>
static __attribute__((noinline)) void deep(size_t size) { IJON_STACK_MAX(size); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ijon_max(0, size);
  ijon_min(1, 100 - size);
  for (size_t i = 0; i < size; i++) ijon_push_state(data[i]);
  ijon_reset_state();
  IJON_MAX(1, 2, 3, 4, 5, size * 1000);
  deep(size);
  if (size > 2) deep(size * 10);
  return 0;
}
"#;

#[test]
fn ijons_functions_guide_as_its_macros_do() {
    let scratch = Scratch::new();
    let source = scratch.write("target.c", IJON_FUNCTIONS);
    let fuzzer = scratch.build("target", &source, ["-g", "-O1", "-Wall", "-Werror", "-fsanitize=fuzzer"]);
    let found = values(&scratch, &fuzzer, "abcd");
    assert_eq!(found["ijon_max"], [1, 2, 3, 4, 4, 4, 5, 40, 4000], "two stacks lead to deep");
    assert_eq!(found["ijon_min"], [96]);
    scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "500"]).expect(0);
    assert_eq!(scratch.stats()["domains"], "cov,ijon_max,ijon_min,ijon_state");
}

#[test]
fn ijons_annotations_are_declared_only_where_they_are_used() {
    let scratch = Scratch::new();
    let preprocess = |name: &str, text: &str, ijon: bool| {
        let source = scratch.write(name, text);
        let mut command = Command::new(program("waypoint-cc"));
        command.arg("-E").arg(source);
        match ijon {
            true => command.env("AFL_LLVM_IJON", "1"),
            false => command.env_remove("AFL_LLVM_IJON"),
        };
        Run::of(&mut command).expect(0).stdout
    };
    assert!(!preprocess("plain.c", "int x;\n", false).contains("ijon"));
    assert!(preprocess("plain.c", "int x;\n", true).contains("ijon_xor_state"));
    assert!(preprocess("used.c", "void f(int x) { IJON_SET(x); }\n", false).contains("ijon_set("));
}

/// The state makes the same edges count apart, and nothing is left of it in the next run.
const STATES: &str = r#"
#include <stdint.h>
#include <stddef.h>
static volatile int sink;
__attribute__((noinline)) static void work(void) { sink++; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) {
    if (data[i] == 'n') return 0;
    IJON_STATE(data[i]);
    work();
    IJON_STATE(data[i]);
  }
  return 0;
}
"#;

#[test]
fn an_edge_counts_apart_in_every_state() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(STATES);
    let one = values(&scratch, &fuzzer, "a")["ijon_state"].clone();
    assert!(!one.is_empty() && one.iter().all(|bucket| *bucket == 1), "{one:?}");
    assert_eq!(
        values(&scratch, &fuzzer, "aaa")["ijon_state"],
        vec![4; one.len()],
        "three times in one state"
    );
    assert_eq!(
        values(&scratch, &fuzzer, "abc")["ijon_state"],
        vec![1; 3 * one.len()],
        "once in three states"
    );
    assert!(values(&scratch, &fuzzer, "n")["ijon_state"].is_empty(), "no state is what coverage sees");
}

const FUZZFACTORY: &str = r#"
#include "waypoints.h"
#include "afl_valid.h"
FUZZFACTORY_DSF_NEW(most, 4, FUZZFACTORY_REDUCER_MAX, 0);
FUZZFACTORY_DSF_NEW(least, 4, FUZZFACTORY_REDUCER_MIN, 1000);
FUZZFACTORY_DSF_NEW(orders, 4, FUZZFACTORY_REDUCER_LOG_BUCKET, 0);
FUZZFACTORY_DSF_NEW(any_bits, 4, FUZZFACTORY_REDUCER_BIT_UNION, 0);
FUZZFACTORY_DSF_NEW(all_bits, 4, FUZZFACTORY_REDUCER_BIT_INTERSECT, 255)
static int checked(size_t size) {
  ASSUME1(size != 1);
  ASSUME_OR_RETURN(size != 2, 2);
  ASSUME_OR_EXIT(size != 3);
  return 0;
}
#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  FUZZFACTORY_DSF_MAX(most, 9, size);
  FUZZFACTORY_DSF_SET(least, 2, size);
  FUZZFACTORY_DSF_INC(orders, 3, 5);
  FUZZFACTORY_DSF_INC(orders, 3, 4);
  FUZZFACTORY_DSF_BIT(any_bits, 0, 4);
  FUZZFACTORY_DSF_BIT(any_bits, 0, 1);
  FUZZFACTORY_DSF_SET(all_bits, 1, 12);
  return checked(size) ? 0 : 0;
}
"#;

#[test]
fn fuzzfactorys_macros_make_domains_of_the_targets_own() {
    for name in ["target.c", "target.cc"] {
        let scratch = Scratch::new();
        let source = scratch.write(name, FUZZFACTORY);
        let strict = ["-g", "-O2", "-Wall", "-Wextra", "-Werror", "-fsanitize=fuzzer"];
        let fuzzer = scratch.build("target", &source, strict);
        let found = values(&scratch, &fuzzer, "abcd");
        for (domain, expected) in
            [("most", 4), ("least", 4), ("orders", 8), ("any_bits", 5), ("all_bits", 12)]
        {
            assert_eq!(found[domain], [expected], "{domain} of {name}");
        }
        for invalid in ["a", "ab", "abc"] {
            assert!(values(&scratch, &fuzzer, invalid)["most"].is_empty(), "{invalid} is invalid");
        }
        let include = repository().join("runtime/include");
        let compiler = if name.ends_with("cc") { "c++" } else { "cc" };
        let mut command = Command::new(compiler);
        command.arg("-c").arg("-I").arg(include).arg(&source).arg("-o").arg(scratch.path("plain.o"));
        Run::of(&mut command).expect(0);
    }
}

/// Arrays in the sections of libFuzzer and Centipede; a run that is rejected leaves its features behind.
const SECTIONS: &str = r#"
#include <stdint.h>
#include <stddef.h>
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t counters[16];
__attribute__((used, retain, section("__centipede_extra_features"))) static uint64_t features[100];
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) counters[data[i] % 16]++;
  features[0] = (uint64_t)3 << 32 | size;
  features[1] = features[0];
  return size > 2 && data[0] == 'R' ? -1 : 0;
}
"#;

#[test]
fn arrays_in_the_sections_of_other_fuzzers_are_read_and_reset() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(SECTIONS);
    for (name, text) in [("1", "aaab"), ("2", "b"), ("3", "Rccccc")] {
        scratch.write(&format!("seeds/{name}"), text);
    }
    let shown = |more: &[&str]| {
        let run = scratch.run(&fuzzer, ["show"].iter().chain(more)).expect(0);
        run.stdout
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let one = shown(&["seeds/1", "--domain", "extra,features"]);
    assert_eq!(
        one,
        [
            "extra: 2 keys",
            "4 extra counter 1",
            "1 extra counter 2",
            "features: 1 key",
            "1 feature 4 of domain 3"
        ]
    );
    scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--runs", "3", "--seed", "1"]).expect(0);
    assert_eq!(scratch.stats()["domains"], "cov,extra,features");
    let kept = fs::read_dir(scratch.path("out/default/queue")).unwrap().count();
    assert_eq!(kept, 2, "what is rejected is not kept for what it left");
    assert_eq!(scratch.stat("features_keys"), 2);

    let plain = scratch.fuzzer("#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) { return d[0] == n; }");
    let run = scratch.run(&plain, ["-o", "none", "--domain", "extra", "--runs", "1"]).expect(1);
    assert!(
        run.stderr.contains("in the section __libfuzzer_extra_counters, and there is none"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr.lines().count(), 1);
}
