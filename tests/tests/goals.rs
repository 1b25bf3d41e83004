//! Goals (`--until`): what ends a campaign, what is saved and told of it, and what is no goal.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, path::Path};

use serde_json::Value;
use waypoint_tests::Scratch;

/// Allocates what two bytes say, and tells how far another one is from 77.
const TARGET: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <waypoint.h>
static void *volatile kept;
__attribute__((noinline)) static void first(unsigned size) { kept = malloc(size); free(kept); }
__attribute__((noinline)) static void second(unsigned size) { kept = malloc(size); free(kept); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dsf_t distance;
  if (!distance) distance = dsf_new_domain("distance", 1, dsf_min, 1000);
  if (size < 8) return 0;
  first(data[0] << 8 | data[1]);
  second(data[2]);
  dsf_minimize(distance, 0, (uint64_t)abs(data[3] - 77));
  return 0;
}
"#;

fn value_of(scratch: &Scratch, fuzzer: &Path, file: &Path, domain: &str, function: &str) -> u64 {
    let shown = scratch.run(fuzzer, ["show", file.to_str().unwrap(), "--json", "--domain", domain]).expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let keys = shown["domains"][0]["keys"].as_array().unwrap();
    let key = keys.iter().find(|key| key["where"].as_str().unwrap().ends_with(function));
    key.unwrap_or_else(|| panic!("{shown}"))["value"].as_u64().unwrap()
}

#[test]
fn a_met_goal_ends_the_campaign_and_is_a_finding_once() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let options = ["-o", "out", "--seed", "1", "--runs", "200000", "--until", "mem@first>=60K"];
    let run = scratch.run(&fuzzer, options.iter().chain(&["--sarif", "found.sarif"])).expect(77);
    assert!(run.stderr.contains("finding: goal mem@first>=60K met: "), "{}", run.stderr);
    assert!(scratch.stat("execs_done") < 200_000, "it ends when the goal is met");
    assert_eq!((scratch.stat("goals"), scratch.stat("goals_met"), scratch.stat("saved_crashes")), (1, 1, 0));
    let saved = scratch.files("out/default/goals");
    let [file] = saved.as_slice() else { panic!("{saved:?}") };
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("id:000000,goal:mem_first=60K,src:"), "{name}");
    assert!(value_of(&scratch, &fuzzer, file, "mem", " first") >= 60 << 10);
    let sarif: Value =
        serde_json::from_str(&fs::read_to_string(scratch.path("found.sarif")).unwrap()).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["ruleIndex"]), (&"goal".into(), &7.into()), "{sarif}");

    let again = scratch.run(&fuzzer, options).expect(77);
    assert!(again.stderr.contains("goal mem@first>=60K met, as it was before"), "{}", again.stderr);
    assert!(again.stderr.contains("no new findings (1 from before)"), "{}", again.stderr);
    assert_eq!(scratch.files("out/default/goals"), saved);
}

#[test]
fn several_goals_must_all_be_met_and_a_met_key_takes_no_more_energy() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let run = |out: &str, more: &[&str]| {
        let options = ["-o", out, "--seed", "1", "--runs", "20000"];
        scratch.run(&fuzzer, options.iter().chain(more))
    };
    let waypoints = |out: &str| {
        let text = fs::read_to_string(scratch.path(out).join("default/fuzzer_stats")).unwrap();
        let line = text.lines().find(|line| line.starts_with("mem_waypoints")).unwrap().to_owned();
        line.split_once(": ").unwrap().1.parse::<u64>().unwrap()
    };
    run("all", &["--domain", "mem"]).expect(0);
    let met = ["--until", "mem>=1", "--until", "slow>=1G"];
    let said = run("some", &met).expect(0).stderr;
    assert!(said.contains("found: goal mem>=1 met: ") && said.contains("goal slow>=1G not met"), "{said}");
    // At most one for either site and one for the peak of live bytes.
    let (some, all) = (waypoints("some"), waypoints("all"));
    assert!(some < all && some <= 3, "{some} of {all}");
    // To a machine a finding counts, whatever ended the campaign.
    run("machine", &["--until", "mem>=1", "--until", "slow>=1G", "--json"]).expect(77);
    run("both", &["--until", "mem@second>=200", "--until", "distance<=0"]).expect(77);
    assert_eq!(scratch.files("both/default/goals").len(), 2);
}

#[test]
fn a_domain_of_the_targets_own_has_goals_in_its_own_direction() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let until =
        |goal: &str| scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "20000", "--until", goal]);
    let wrong = until("distance>=5").expect(1);
    assert!(
        wrong.stderr.contains("the domain `distance` looks the other way; write `<=`"),
        "{}",
        wrong.stderr
    );
    let unknown = until("distanze<=5").expect(1);
    assert!(unknown.stderr.contains("did you mean `distance`?"), "{}", unknown.stderr);
    let met = until("distance<=0").expect(77);
    assert!(met.stderr.contains("goal distance<=0 met: 0, key 0"), "{}", met.stderr);
    let doubt = until("mem@thrid>=5").expect(0);
    assert!(doubt.stderr.contains("the domain `mem` has no key at `thrid`"), "{}", doubt.stderr);
}

#[test]
fn libfuzzers_command_line_has_goals_too() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    fs::create_dir(scratch.path("corpus")).unwrap();
    let run = scratch.run(&fuzzer, ["corpus", "-until=mem@first>=60K", "-runs=200000", "-seed=1"]).expect(77);
    let written = run.stderr.lines().find(|line| line.contains("Test unit written to ./goal-")).unwrap();
    let file = scratch.path(written.rsplit("./").next().unwrap());
    assert!(value_of(&scratch, &fuzzer, &file, "mem", " first") >= 60 << 10);
}

/// What single inputs do in the domains that are not about the way through the code.
#[test]
fn stack_leaks_and_output_are_told_exactly() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *volatile kept, *cache;
static volatile char sink;
__attribute__((noinline)) static int deep(unsigned levels) {
  volatile char room[512];
  room[levels % 512] = sink;
  return levels ? deep(levels - 1) + room[0] : 0;
}
__attribute__((noinline)) static void fill_cache(void) { if (!cache) cache = malloc(4000); }
__attribute__((noinline)) static void lose(size_t size) { kept = malloc(size); kept = realloc(kept, size / 2); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fill_cache();
  if (size) lose(size * 100);
  fprintf(stderr, "%zu bytes\n", size);
  deep((unsigned)size);
  return 0;
}
"#,
    );
    let value = |input: &str, domain: &str, function: &str| {
        let file = scratch.write("input", input);
        value_of(&scratch, &fuzzer, &file, domain, function)
    };
    assert_eq!(value("1234567", "out", "descriptor 2"), 8);
    assert_eq!(value("12", "leak", " lose"), 100);
    let levels = value("123456789", "stack", " deep") - value("1234", "stack", " deep");
    assert!(levels >= 5 * 512 && levels % 5 == 0, "{levels}");
    assert!(value("1", "stack", "deepest of all") >= value("1", "stack", " deep"));
    let file = scratch.write("input", "12");
    let shown = scratch.run(&fuzzer, ["show", file.to_str().unwrap(), "--domain", "leak"]).expect(0);
    assert!(shown.stdout.starts_with("leak: 1 key"), "a cache is no leak: {}", shown.stdout);
}
