//! What a machine gets to know: JSON on standard output, SARIF in a file, and an exit code that fails a build.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;

use serde_json::Value;
use waypoint_tests::{Run, Scratch};

const TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static volatile int sink, forever = 1;
static __attribute__((noinline)) void parse(const uint8_t *data) {
  sink = data[0];
  abort();
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; i < size; i++) if (data[i] == '<') sink++;
  if (size == 3 && data[0] == 'c' && data[1] == 'r') parse(data);
  if (size == 4 && data[0] == 'h' && data[1] == 'a' && data[2] == 'n') while (forever) {}
  return 0;
}
"#;

/// The line of `abort` above.
const LINE: u64 = 8;

/// The objects of a run, each a line.
fn events(run: &Run) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    run.stdout.lines().map(parse).collect()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

#[test]
fn json_tells_of_everything_in_order() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seeds/harmless", "a<b");
    scratch.write("seeds/crash", "cr!");
    // Answered comparisons would lead to the hang as well.
    let arguments =
        ["-i", "seeds", "-o", "out", "--no-trace", "--runs", "20000", "--seed", "1", "--json", "--quiet"];
    let run = scratch.run(&fuzzer, arguments).expect(77);
    let events = events(&run);
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["seeds"], 2);
    assert_eq!(events[0]["random_seed"], 1);

    let waypoints = named(&events, "waypoint");
    assert_eq!(waypoints.len() as u64, scratch.stat("corpus_count"));
    assert_eq!((&waypoints[0]["op"], &waypoints[0]["parent"]), (&"orig".into(), &Value::Null));
    let deepest = waypoints.iter().map(|waypoint| waypoint["depth"].as_u64().unwrap()).max().unwrap();
    assert_eq!(deepest, scratch.stat("max_depth"));

    let findings = named(&events, "finding");
    assert_eq!(findings.len(), 1, "{}", run.stdout);
    let finding = findings[0];
    assert_eq!((&finding["kind"], &finding["line"]), (&"crash".into(), &LINE.into()));
    assert!(finding["file"].as_str().unwrap().ends_with("target.c"), "{finding}");
    assert!(finding["what"].as_str().unwrap().contains("SIGABRT"), "{finding}");
    assert_eq!(fs::read(finding["input"].as_str().unwrap()).unwrap(), b"cr!");

    let end = events.last().unwrap();
    assert_eq!(end["event"], "end");
    assert_eq!((&end["exit_code"], &end["runs"]), (&77.into(), &20000.into()));
    assert_eq!(end["error"], Value::Null);
    assert_eq!(end["findings"][0]["input"], finding["input"]);
    // Quiet: only the finding.
    assert_eq!(run.stderr.matches("waypoint:").count(), 1, "{}", run.stderr);
    assert!(run.stderr.starts_with("waypoint: found: crash"), "{}", run.stderr);
}

#[test]
fn sarif_places_findings_in_the_source() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seeds/harmless", "a<b");
    scratch.write("seeds/crash", "cr!");
    scratch.write("seeds/hang", "hang");
    let arguments =
        ["-i", "seeds", "-o", "out", "--runs", "1000", "--timeout", "300ms", "--sarif", "findings.sarif"];
    scratch.run(&fuzzer, arguments).expect(77);
    let log: Value = serde_json::from_slice(&fs::read(scratch.path("findings.sarif")).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let ids: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["crash", "hang"], "{log:#}");
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(result["message"]["text"].as_str().unwrap().contains(" in "), "{result:#}");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "target.c", "relative to where it was started");
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(fs::exists(result["properties"]["input"].as_str().unwrap()).unwrap());
    }
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], LINE);
}

#[test]
fn the_exit_code_fails_a_build_for_every_kind_and_every_time() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("harmless/a", "a<b");
    scratch.write("hang/a", "a<b");
    scratch.write("hang/b", "hang");
    let campaign = |seeds: &str, code: i32| {
        let arguments =
            ["-i", seeds, "-o", seeds, "--runs", "20", "--timeout", "300ms", "--sarif", "s.sarif"];
        scratch.run(&fuzzer, arguments).expect(code)
    };
    campaign("harmless", 0);
    let log: Value = serde_json::from_slice(&fs::read(scratch.path("s.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()), "a file to upload in any case");
    campaign("hang", 70);
    let again = campaign("hang", 70);
    assert!(again.stderr.contains("no new findings (1 from before)"), "{}", again.stderr);
}

#[test]
fn what_cannot_be_written_is_noticed_before_the_first_run() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let run = scratch.run(&fuzzer, ["-o", "out", "--sarif", "missing/s.sarif"]).expect(1);
    assert!(run.stderr.contains("cannot write missing/s.sarif"), "{}", run.stderr);
    let failing = scratch
        .write("failing.c", format!("{TARGET}\nint LLVMFuzzerInitialize(int *c, char ***v) {{ abort(); }}"));
    let failing = scratch.build("failing", &failing, ["-g", "-fsanitize=fuzzer"]);
    let run = scratch.run(&failing, ["-o", "out2", "--json", "--quiet"]).expect(1);
    let end = events(&run).pop().unwrap();
    assert_eq!((&end["event"], &end["exit_code"]), (&"end".into(), &1.into()));
    assert!(end["error"].as_str().unwrap().contains("before its first run"), "{end}");
}
