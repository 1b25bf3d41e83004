//! Domains from the outside: what guides, what is recorded and told, what is refused, and what is never lost.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use waypoint_tests::{Run, Scratch, repository};

/// Compares with a number, allocates what two bytes say, crashes behind `X`, hangs behind `H`.
const GOALS: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static void *volatile kept;
static volatile int forever = 1;
__attribute__((noinline)) static void allocate(unsigned size) { kept = malloc(size); free(kept); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic;
  if (size < 8) return 0;
  memcpy(&magic, data, 4);
  if (magic == 0xCAFEBABE) kept = 0;
  allocate(data[4] << 8 | data[5]);
  if (data[6] == 'X') abort();
  if (data[6] == 'H') while (forever) {}
  return 0;
}
"#;

/// A domain of its own, made wrong by macros.
const OWN: &str = r#"
#include <stdlib.h>
#include <waypoint.h>
#ifndef KEYS
#define KEYS 8
#endif
#ifndef REDUCE
#define REDUCE dsf_max
#endif
DSF_REDUCER uint64_t sum(uint64_t a, uint64_t v) { return a + v; }
DSF_REDUCER uint64_t last(uint64_t a, uint64_t v) { return a == v ? a : v; }
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dsf_t depth;
  if (size > 2 && data[0] == 'q') sink = 1;
  if (!depth) depth = dsf_new_domain("depth", KEYS, REDUCE, 0);
#ifdef BEYOND
  if (size > 2 && data[0] == 'B') dsf_set(depth, 8, 1);
#endif
#ifdef NOISE
  dsf_maximize(depth, size % 8, (uint64_t)random());
#endif
  for (size_t i = 0; i < size && i < 8 && data[i] == '('; i++) dsf_increment(depth, i, 1);
  return 0;
}
"#;

fn own(scratch: &Scratch, flags: &[&str]) -> PathBuf {
    let source = scratch.write("own.c", OWN);
    let all = ["-g", "-O2", "-fsanitize=fuzzer"].into_iter().chain(flags.iter().copied());
    scratch.build("own", &source, all)
}

/// The names of the inputs that were kept.
fn queue(scratch: &Scratch, out: &str) -> Vec<String> {
    names(scratch, &format!("{out}/default/queue"))
}

fn names(scratch: &Scratch, dir: &str) -> Vec<String> {
    let name = |file: PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
    scratch.files(dir).into_iter().map(name).collect()
}

/// The largest value of a domain and its holder, as `show --json` says.
fn best(scratch: &Scratch, fuzzer: &Path, what: &str, domain: &str) -> (u64, String) {
    let shown = scratch.run(fuzzer, ["show", what, "--json", "--domain", domain]).expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(shown["domains"][0]["name"], domain);
    let keys = shown["domains"][0]["keys"].as_array().unwrap();
    let all = keys.iter().map(|key| {
        assert!(key["key"].is_u64() && key["where"].is_string(), "{key}");
        (key["value"].as_u64().unwrap(), key["holder"].as_str().unwrap().to_owned())
    });
    all.max().unwrap_or_default()
}

#[test]
fn domains_guide_and_are_told_of() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(&GOALS.replace("'X'", "1000").replace("'H'", "1000"));
    scratch.write("seeds/a", "aaaaaaaa");
    let run = scratch
        .run(&fuzzer, ["-i", "seeds", "-o", "out", "--seed", "1", "--domain", "mem,cmp", "--runs", "20000"])
        .expect(0);

    let queue = queue(&scratch, "out");
    for mark in [",+mem", ",+cmp", ",+cov"] {
        assert!(queue.iter().any(|name| name.contains(mark)), "no {mark} in {queue:?}");
    }
    let marked = |mark: &str| queue.iter().filter(|name| name.contains(mark)).count() as u64;
    // The seed is a waypoint in both, but seeds carry no marks.
    assert_eq!(scratch.stat("mem_waypoints"), marked("+mem") + 1);
    assert_eq!(scratch.stat("cmp_waypoints"), marked("+cmp") + 1);
    assert_eq!(scratch.stats()["domains"], "cov,mem,cmp,spread");

    let (most, holder) = best(&scratch, &fuzzer, "out", "mem");
    assert_eq!(most, scratch.stat("mem_best"), "show runs again what the campaign kept");
    assert_eq!(most, 65535);
    assert!(queue.contains(&holder), "{holder} of {queue:?}");
    let of_one = best(&scratch, &fuzzer, &format!("out/default/queue/{holder}"), "mem");
    assert_eq!(of_one, (most, holder.clone()));
    assert_eq!(best(&scratch, &fuzzer, "seeds/a", "mem").0, 0x6161);

    let shown = scratch.run(&fuzzer, ["show", "seeds/a", "--domain", "mem,cmp"]).expect(0).stdout;
    assert_said("show_file", &shown);
    let end: Vec<&str> = run.stderr.lines().skip_while(|line| !line.contains("runs in")).collect();
    assert_said("end_of_campaign", &end.join("\n"));
}

/// Compares with a snapshot, but for names of directories, speeds, and what chance has a hand in.
fn assert_said(name: &str, text: &str) {
    let filters = vec![
        (r"/\S*/out/default", "OUT"),
        (r"\.tmp\w+", "DIR"),
        (r"in \d\d:\d\d \([^)]*/s\)", "in TIME (SPEED/s)"),
        (r"\d+ inputs kept", "N inputs kept"),
        (r"\d+ bits? of 32 differ", "N bits of 32 differ"),
        (r"id:\S+", "INPUT"),
    ];
    insta::with_settings!({ filters => filters }, { insta::assert_snapshot!(name, text) });
}

#[test]
fn coverage_can_be_left_out_and_domains_only_recorded() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(&GOALS.replace("'X'", "1000").replace("'H'", "1000"));
    scratch.write("seeds/a", "aaaaaaaa");
    let run = |out: &str, more: &[&str]| {
        let common = ["-i", "seeds", "-o", out, "--seed", "1", "--runs", "20000"];
        scratch.run(&fuzzer, common.iter().chain(more)).expect(0)
    };
    let said = run("out", &["--domain", "mem", "--no-coverage"]).stderr;
    assert!(said.contains("towards mem, spread;"), "{said}");
    let kept = queue(&scratch, "out");
    assert!(kept.len() > 1 && kept.iter().all(|name| !name.contains("+cov")), "{kept:?}");
    assert_eq!(scratch.stat("mem_best"), 65535);

    let said = run("recorded", &["--record", "mem"]).stderr;
    assert!(said.contains("towards cov;") && said.contains("mem: 2 keys"), "{said}");
    let recorded = queue(&scratch, "recorded");
    assert!(recorded.iter().all(|name| !name.contains("+mem")), "{recorded:?}");
    run("plain", &[]);
    assert_eq!(recorded.len(), queue(&scratch, "plain").len(), "recording does not change what is kept");
}

#[test]
fn mistakes_with_domains_lose_nothing() {
    let scratch = Scratch::new();
    scratch.write("seeds/1", "qaaa");
    scratch.write("seeds/2", "Baaa");
    // Elsewhere under the same name: the same target, built again.
    fs::create_dir(scratch.path("plain")).unwrap();
    let plain = scratch.path("plain/own");
    fs::rename(own(&scratch, &[]), &plain).unwrap();
    let mistake = |fuzzer: &Path, domain: &str, words: &[&str]| {
        let _ = fs::remove_dir_all(scratch.path("out"));
        // What an earlier campaign kept.
        scratch.run(&plain, ["-i", "seeds", "-o", "out", "--runs", "10"]).expect(0);
        let before = queue(&scratch, "out");
        assert!(!before.is_empty());
        let run = scratch
            .run(fuzzer, ["-i", "seeds", "-o", "out", "--domain", domain, "--runs", "1000", "--seed", "1"])
            .expect(1);
        for word in words {
            assert!(run.stderr.contains(word), "no `{word}` in\n{}", run.stderr);
        }
        let lines = run.stderr.lines().filter(|line| !line.contains("fuzzing with")).count();
        assert!(lines <= 2, "one sentence is enough:\n{}", run.stderr);
        let after = queue(&scratch, "out");
        assert!(before.iter().all(|name| after.contains(name)), "{before:?} became {after:?}");
    };
    let fuzzer = own(&scratch, &[]);
    mistake(&fuzzer, "dpeth", &["there is no domain `dpeth`", "did you mean `depth`?"]);
    mistake(&fuzzer, "menm", &["there is no domain `menm`", "did you mean `mem`?"]);
    let fuzzer = own(&scratch, &["--events=edge"]);
    mistake(&fuzzer, "mem", &["needs the event `alloc`", "waypoint-cc --events=edge,alloc"]);
    mistake(&own(&scratch, &["-DKEYS=0"]), "depth", &["no keys", "at least one"]);
    let giant = own(&scratch, &["-DKEYS=(size_t)1<<40"]);
    mistake(&giant, "depth", &["1099511627776 keys", "16777216 is the most"]);
    let beyond = own(&scratch, &["-DBEYOND"]);
    mistake(&beyond, "depth", &["the key 8 of its domain `depth`", "the keys 0 to 7"]);
    scratch.run(&beyond, ["-i", "seeds", "-o", "fresh", "--runs", "1000"]).expect(1);
    assert_eq!(queue(&scratch, "fresh").len(), 1, "what was kept before the mistake stays");
    mistake(&own(&scratch, &["-DREDUCE=sum"]), "depth", &["`depth`", "not idempotent (4.1)"]);
    mistake(&own(&scratch, &["-DREDUCE=last"]), "depth", &["`depth`", "the order matters (4.2)"]);
}

#[test]
fn a_domain_of_the_targets_own_guides() {
    let scratch = Scratch::new();
    let fuzzer = own(&scratch, &[]);
    let common = ["-o", "out", "--seed", "1", "--domain", "depth", "--no-coverage", "--runs", "100000"];
    scratch.run(&fuzzer, common).expect(0);
    assert_eq!(scratch.stat("depth_keys"), 8, "one key for each bracket");
    assert_eq!(scratch.stat("depth_best"), 1);
    assert!(queue(&scratch, "out").iter().any(|name| name.ends_with(",+depth")));
}

#[test]
fn asking_a_reducer_is_no_part_of_a_run() {
    let scratch = Scratch::new();
    let fuzzer = own(&scratch, &["-DREDUCE=dsf_log_union"]);
    scratch.write("input", "((");
    let shown = scratch.run(&fuzzer, ["show", "input", "--domain", "depth,perf"]).expect(0).stdout;
    assert!(!shown.contains("dsf_"), "{shown}");
}

#[test]
fn a_noisy_key_does_not_flood_the_corpus() {
    let scratch = Scratch::new();
    let fuzzer = own(&scratch, &["-DNOISE"]);
    scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--domain", "depth", "--runs", "50000"]).expect(0);
    let kept = queue(&scratch, "out");
    assert!(kept.len() < 30, "{} inputs kept", kept.len());
}

#[test]
fn the_header_does_nothing_under_an_ordinary_compiler() {
    let scratch = Scratch::new();
    let main = "int main(void) { const uint8_t data[] = \"((\"; return LLVMFuzzerTestOneInput(data, 2); }";
    let source = scratch.write("plain.c", format!("{OWN}\n{main}"));
    for compiler in ["clang", "gcc"] {
        let mut command = Command::new(compiler);
        command
            .args(["-Wall", "-Werror", "-Wno-unused-function", "-I"])
            .arg(repository().join("runtime/include"));
        command.arg(&source).arg("-o").arg(scratch.path("plain"));
        let built = Run::of(&mut command);
        assert_eq!(built.code, Some(0), "{compiler}:\n{}", built.stderr);
        scratch.run(&scratch.path("plain"), [""; 0]).expect(0);
    }
    // Compiled by ours, linked without the engine.
    let source = scratch.write("ours.c", format!("{OWN}\n{main}"));
    let ours = scratch.build("ours", &source, ["-O1", "-fsanitize=fuzzer-no-link"]);
    scratch.run(&ours, [""; 0]).expect(0);
}

/// Two sites that ask for as much as an input says, and are refused as they should be.
const GREEDY: &str = r#"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
static void *volatile block;
static volatile int refused;
__attribute__((noinline)) static int error(void) { return errno; }
__attribute__((noinline)) static void by_malloc(size_t n) { block = malloc(n); }
__attribute__((noinline)) static void by_calloc(size_t n) { block = calloc(n, 1); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  size_t n = (size_t)data[1] << 14;
  errno = 0;
  if (data[0] & 1) by_malloc(n); else by_calloc(n);
  if ((n > 1 << 20) != !block) abort();
  if (!block) {
    if (error() != ENOMEM) abort();
    refused = 1;
  }
  free(block);
  return 0;
}
"#;

const GREEDY_CPP: &str = r#"
#include <cstdint>
#include <cstdlib>
#include <new>
static char *volatile block;
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  size_t n = (size_t)data[1] << 14;
  bool refused = false;
  try { block = new char[n]; } catch (const std::bad_alloc &) { refused = true; }
  if (refused != (n > 1 << 20)) abort();
  if (!refused) delete[] block;
  return 0;
}
"#;

#[test]
fn allocations_above_the_limit_are_refused_and_told_once() {
    let scratch = Scratch::new();
    for (name, text, sites) in [("greedy.c", GREEDY, 2), ("greedy.cc", GREEDY_CPP, 1)] {
        for sanitizers in ["fuzzer", "fuzzer,address"] {
            let _ = fs::remove_dir_all(scratch.path("out"));
            let source = scratch.write(name, text);
            let fuzzer = scratch.build("greedy", &source, ["-g", "-O2", &format!("-fsanitize={sanitizers}")]);
            let limit = ["--malloc-limit", "1M"];
            let campaign = ["-o", "out", "--domain", "mem", "--seed", "1", "--runs", "3000"];
            let run = scratch.run(&fuzzer, campaign.iter().chain(&limit)).expect(0);
            let found = scratch.files("out/default/crashes");
            assert_eq!(found.len(), sites, "{name} {sanitizers}: {found:?}\n{}", run.stderr);
            assert!(scratch.stat("execs_done") >= 3000, "fuzzing goes on");
            assert!(queue(&scratch, "out").iter().any(|name| name.contains("+mem")));
            for file in found {
                let file = file.to_str().unwrap();
                assert!(file.contains(",oom"), "{file}");
                let replayed = scratch.run(&fuzzer, [file].iter().chain(&limit));
                assert_ne!(replayed.code, Some(0), "{}", replayed.stderr);
                assert!(replayed.stderr.contains("allocation"), "{}", replayed.stderr);
                assert!(replayed.stderr.contains(name), "with its stack: {}", replayed.stderr);
            }
        }
    }
}

#[test]
fn the_statistics_show_the_limit_on_allocations_that_is_in_force() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GREEDY);
    for (name, options, limit) in [
        ("none", &[][..], 0),
        ("memory", &["--domain", "mem"], 2 << 30),
        ("less", &["--domain", "mem", "--rss-limit", "1G"], 1 << 30),
        ("own", &["--malloc-limit", "1M"], 1 << 20),
        ("off", &["--domain", "mem", "--malloc-limit", "0"], 0),
    ] {
        let _ = fs::remove_dir_all(scratch.path("out"));
        scratch.run(&fuzzer, ["-o", "out", "--runs", "10"].iter().chain(options)).expect(0);
        assert_eq!(scratch.stat("malloc_limit"), limit, "{name}");
    }
}

#[test]
fn a_crash_after_a_refusal_is_a_crash_and_the_refusal_is_told_of_another_input() {
    let scratch = Scratch::new();
    // Whoever is refused and has a third byte crashes.
    let fuzzer = scratch.fuzzer(&GREEDY.replace("refused = 1;", "if (size > 2) abort();"));
    let options = ["--domain", "mem", "--malloc-limit", "1M"];
    scratch.write("seeds/2", "a\0");
    let campaign = ["-i", "seeds", "-o", "out", "--seed", "1", "--runs", "3000"];
    let run = scratch.run(&fuzzer, campaign.iter().chain(&options)).expect(0);
    assert!(run.stderr.contains("crash (SIGABRT) in LLVMFuzzerTestOneInput"), "{}", run.stderr);
    let refused: Vec<PathBuf> = scratch.files("out/default/crashes");
    let refused: Vec<&PathBuf> =
        refused.iter().filter(|file| file.display().to_string().contains(",oom")).collect();
    assert_eq!(refused.len(), 2, "{}", run.stderr);
    for file in refused {
        assert_eq!(fs::read(file).unwrap().len(), 2, "the input that was refused, not the next one");
    }
}

#[test]
fn the_engines_own_allocations_are_never_refused_or_counted() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(&GOALS.replace("'X'", "1000").replace("'H'", "1000"));
    let run = scratch
        .run(
            &fuzzer,
            ["-o", "out", "--seed", "1", "--domain", "mem", "--malloc-limit", "64K", "--runs", "20000"],
        )
        .expect(0);
    assert!(scratch.files("out/default/crashes").is_empty(), "{}", run.stderr);
    assert_eq!((scratch.stat("mem_keys"), scratch.stat("mem_best")), (2, 65535), "one site, and the peak");
}

#[test]
fn crashes_and_hangs_move_no_aggregate() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(GOALS);
    scratch.write("seeds/1", "aaaa\x01\x01aa");
    scratch.write("seeds/2", "aaaa\x7f\x7fXa");
    scratch.write("seeds/3", "aaaa\x7e\x7eHa");
    let options = ["--domain", "mem,cmp,perf", "--runs", "8", "--timeout", "300ms", "--seed", "1"];
    scratch.run(&fuzzer, ["-i", "seeds", "-o", "out"].iter().chain(&options)).expect(0);
    assert_eq!((scratch.stat("saved_crashes"), scratch.stat("saved_hangs")), (1, 1));
    let kept = queue(&scratch, "out");
    assert!(kept.iter().all(|name| !name.contains("orig:2") && !name.contains("orig:3")), "{kept:?}");
    let (best, _) = best(&scratch, &fuzzer, "out", "mem");
    assert_eq!(best, scratch.stat("mem_best"), "what is told is what kept inputs have");
}

#[test]
fn resuming_with_other_domains_rebuilds_their_aggregates() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(&GOALS.replace("'X'", "1000").replace("'H'", "1000"));
    let run = |domain: &str, runs: &str| {
        scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--domain", domain, "--runs", runs]).expect(0);
    };
    run("mem", "20000");
    assert_eq!(scratch.stat("mem_best"), 65535);
    let kept = queue(&scratch, "out");
    // Enough to replay what was kept, several times over, and nothing more.
    run("cmp,mem", "200");
    assert_eq!(scratch.stats()["domains"], "cov,cmp,mem,spread");
    assert_eq!(scratch.stat("mem_best"), 65535, "without finding it again");
    assert!(scratch.stat("cmp_keys") > 0);
    let after = queue(&scratch, "out");
    assert!(kept.iter().all(|name| after.contains(name)), "{kept:?} became {after:?}");
}

#[test]
fn minimize_and_distill_keep_what_a_domain_holds() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(&GOALS.replace("'X'", "1000").replace("'H'", "1000"));
    let input = scratch.write("input", "aaaa\x7e\x7daaaaaaaaaaaaaaaaaaaa");
    scratch.write("many/1", "aaaaaaaaaa");
    scratch.write("many/2", "aaaa\x7e\x7eaa");
    scratch.write("many/3", "aaaa\x11\x11aa");
    scratch.run(&fuzzer, ["minimize", "input", "-o", "plain"]).expect(0);
    scratch.run(&fuzzer, ["minimize", "input", "-o", "held", "--domain", "mem"]).expect(0);
    let memory = |file: &str| best(&scratch, &fuzzer, file, "mem").0;
    assert_eq!(memory("held"), 0x7e7d);
    assert!(memory("plain") < 0x7e7d, "without the domain there is no reason to keep it");
    let len = |file: &Path| fs::read(file).unwrap().len();
    assert!(len(&scratch.path("held")) < len(&input));

    scratch.run(&fuzzer, ["distill", "many", "-o", "few"]).expect(0);
    scratch.run(&fuzzer, ["distill", "many", "-o", "most", "--domain", "mem"]).expect(0);
    assert_eq!(names(&scratch, "few").len(), 1);
    assert_eq!(memory("most"), 0x7e7e);
    assert!(!names(&scratch, "most").contains(&"3".to_owned()), "the least holds nothing");
}

/// What realloc adds depends a little on the state of the heap, so that sums differ from run to run.
#[test]
fn a_most_that_jitters_is_followed_and_survives_a_resume() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\nstatic char *volatile block;\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n\
           size_t used = 0;\n  block = NULL;\n\
           for (size_t i = 0; i < n; i++) { used += d[i]; block = realloc(block, used + 1); }\n\
           free(block);\n  return 0; }",
    );
    scratch.write("seeds/a", "aaaaaaaa");
    // Of the site alone, not of the peak: a site that was given up for noise stood at some ten thousand bytes.
    let goal = "mem@LLVMFuzzerTestOneInput>=400K";
    let arguments = ["-i", "seeds", "-o", "out", "--until", goal, "--seed", "1", "--runs", "100000"];
    scratch.run(&fuzzer, arguments).expect(77);
    let first = scratch.stat("mem_best");

    scratch
        .run(&fuzzer, ["-i", "-", "-o", "out", "--domain", "mem", "--seed", "2", "--runs", "300"])
        .expect(0);
    let resumed = scratch.stat("mem_best");
    assert!(resumed > first * 9 / 10, "{resumed} of {first} bytes");
}
