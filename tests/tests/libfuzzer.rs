//! libFuzzer's command line on our fuzzers: the same flags, names and exit codes as with clang's own engine.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use waypoint_tests::{Run, Scratch};

/// Misbehaves in every way when told to by its first bytes. The words are compared byte by byte, so that no engine
/// guesses them from a comparison.
const MOODY: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink, on = 1;
static void *volatile keep;
static int says(const uint8_t *d, size_t n, const char *word) {
  uint32_t hash = 5381, wanted = 5381;
  size_t len = strlen(word);
  if (n < len) return 0;
  for (size_t i = 0; i < len; i++) { hash = hash * 33 + d[i]; wanted = wanted * 33 + (uint8_t)word[i]; }
  return !((hash ^ wanted) * 7u >> 1);
}
__attribute__((noinline)) static void crash(void) { abort(); }
__attribute__((noinline)) static void hang(void) { while (on) {} }
__attribute__((noinline)) static void eat(void) {
  for (int i = 0; i < 600; i++) { keep = malloc(1 << 20); memset(keep, 1, 1 << 20); }
  hang();
}
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (says(d, n, "please crash")) crash();
  if (says(d, n, "please hang")) hang();
  if (says(d, n, "please eat")) eat();
  if (says(d, n, "please exit")) exit(3);
  for (size_t i = 0; i < n; i++) { if (d[i] == '(') sink++; if (d[i] == 'z') sink += 2; }
  return 0;
}
"#;

const CRASH: &str = "please crash";
const CRASH_SHA1: &str = "308e1666c09e99f6a90333a05f6824c064bc9b19";

fn run(scratch: &Scratch, fuzzer: &Path, line: &str) -> Run {
    scratch.run(fuzzer, line.split_whitespace())
}

/// The names in a directory that begin so.
fn names(scratch: &Scratch, dir: &str, start: &str) -> BTreeSet<String> {
    let names =
        scratch.files(dir).into_iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(start)).collect()
}

fn artefacts(scratch: &Scratch) -> BTreeSet<String> {
    ["crash-", "timeout-", "oom-"].iter().flat_map(|kind| names(scratch, ".", kind)).collect()
}

/// A final statistic.
fn stat(run: &Run, name: &str) -> u64 {
    let start = format!("stat::{name}:");
    let line = run.stderr.lines().find_map(|line| line.strip_prefix(&start));
    line.unwrap_or_else(|| panic!("{name} in {}", run.stderr)).trim().parse().unwrap()
}

#[test]
fn new_inputs_go_to_the_first_directory_under_the_hash_of_their_content() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    fs::create_dir(scratch.path("new")).unwrap();
    scratch.write("old/deep/seed", "hello");
    let run1 = run(&scratch, &fuzzer, "new old -runs=5000 -seed=1 -print_final_stats=1").expect(0);
    assert_eq!(stat(&run1, "number_of_executed_units"), 5000);
    let new = scratch.files("new");
    assert!(new.len() > 3, "{}", run1.stderr);
    assert_eq!(stat(&run1, "new_units_added"), new.len() as u64);
    assert!(stat(&run1, "average_exec_per_sec") > 0 && stat(&run1, "peak_rss_mb") > 0);
    for path in &new {
        let sum = Command::new("sha1sum").arg(path).output().unwrap().stdout;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(String::from_utf8_lossy(&sum).starts_with(&name), "{name}");
    }
    assert_eq!(scratch.files("old").len(), 1, "other directories are only read");
    assert!(!scratch.path("out").exists() && artefacts(&scratch).is_empty());

    let again = run(&scratch, &fuzzer, "new old -runs=0 -print_final_stats=1").expect(0);
    assert!(again.stderr.contains(&format!("fuzzing with {} seeds", new.len() + 1)), "{}", again.stderr);
    assert_eq!(stat(&again, "new_units_added"), 0, "-runs=0 runs the seeds only");
    assert_eq!(scratch.files("new"), new);
}

#[test]
fn without_a_directory_only_findings_are_written() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    let before = scratch.files(".");
    run(&scratch, &fuzzer, "-runs=3000").expect(0);
    assert_eq!(scratch.files("."), before);
}

#[test]
fn the_first_finding_ends_the_run_unless_ignored() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    scratch.write("corpus/a", "please crash now");
    scratch.write("corpus/b", CRASH);
    scratch.write("corpus/c", "(");
    let stopped = run(&scratch, &fuzzer, "corpus -runs=1000 -print_final_stats=1").expect(77);
    assert_eq!(artefacts(&scratch), BTreeSet::from([format!("crash-{CRASH_SHA1}")]));
    assert!(
        stopped.stderr.contains(&format!("Test unit written to ./crash-{CRASH_SHA1}")),
        "{}",
        stopped.stderr
    );
    assert!(stat(&stopped, "number_of_executed_units") > 0);
    assert_eq!(fs::read(scratch.path(format!("crash-{CRASH_SHA1}"))).unwrap(), CRASH.as_bytes());

    let ignoring = "corpus -runs=1000 -ignore_crashes=1 -print_final_stats=1 -artifact_prefix=found/x-";
    run(&scratch, &fuzzer, ignoring).expect(1);
    fs::create_dir(scratch.path("found")).unwrap();
    let ignored = run(&scratch, &fuzzer, ignoring).expect(0);
    assert_eq!(stat(&ignored, "number_of_executed_units"), 1000, "{}", ignored.stderr);
    assert_eq!(
        names(&scratch, "found", ""),
        BTreeSet::from([format!("x-crash-{CRASH_SHA1}")]),
        "one a cause"
    );
    run(&scratch, &fuzzer, "corpus -runs=1000 -fork=1").expect(77);

    scratch.write("corpus/0", "please hang");
    let lenient = "corpus -runs=100 -timeout=1 -ignore_crashes=1 -fork=3 -exact_artifact_path=exact -print_final_stats=1";
    let lenient = run(&scratch, &fuzzer, lenient).expect(0);
    assert!(lenient.stderr.contains("-fork=3: one worker is used"), "{}", lenient.stderr);
    assert_eq!(stat(&lenient, "slowest_unit_time_sec"), 1);
    assert!(scratch.path("exact").exists());
    assert_eq!(artefacts(&scratch).len(), 1);
}

#[test]
fn a_single_allocation_can_be_limited() {
    for sanitizer in ["-fsanitize=fuzzer", "-fsanitize=fuzzer,address"] {
        limit_allocations(sanitizer);
    }
}

fn limit_allocations(sanitizer: &str) {
    let scratch = Scratch::new();
    let source = scratch.write(
        "large.c",
        "#include <stdint.h>\n#include <stdlib.h>\nstatic void *volatile block;\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n\
           block = malloc(n > 2 && d[0] == 'L' ? 20 << 20 : 1); free(block); return 0; }",
    );
    let fuzzer = scratch.build("large", &source, ["-g", "-O2", sanitizer]);
    scratch.write("inputs/large", "Large");
    run(&scratch, &fuzzer, "-runs=100 inputs").expect(0);
    run(&scratch, &fuzzer, "-runs=100 -malloc_limit_mb=30 inputs").expect(0);
    let found = run(&scratch, &fuzzer, "-runs=100 -malloc_limit_mb=10 inputs").expect(71);
    assert!(
        found.stderr.contains("allocation of 20.0 MiB refused in LLVMFuzzerTestOneInput"),
        "{}",
        found.stderr
    );
    let oom = artefacts(&scratch).into_iter().find(|name| name.starts_with("oom-")).unwrap();
    run(&scratch, &fuzzer, &format!("-malloc_limit_mb=10 {oom}")).expect(71);
    run(&scratch, &fuzzer, &oom).expect(0);
}

#[test]
fn an_interrupted_run_says_so() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    let mut child = Command::new(&fuzzer)
        .args(["-print_final_stats=1", "-seed=3"])
        .current_dir(scratch.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("fuzzing with")));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(lines.any(|line| line.unwrap().starts_with("stat::number_of_executed_units: ")));
    assert_eq!(child.wait().unwrap().code(), Some(72));
}

#[test]
fn who_asks_to_end_is_heard_while_workers_die() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n\
           if (size > 1 && data[0] != data[1]) { usleep(2000); abort(); }\n  return 0;\n}\n",
    );
    for _ in 0..8 {
        let mut child = Command::new(&fuzzer)
            .args(["-ignore_crashes=1", "-max_total_time=60"])
            .current_dir(scratch.path(""))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("found: crash")));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        lines.for_each(drop);
        assert_eq!(child.wait().unwrap().code(), Some(72), "not heard: it went on to the end of its time");
    }
}

#[test]
fn merging_adds_what_is_new_and_skips_what_crashes() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    scratch.write("a/one", "plain");
    scratch.write("b/same", "plane");
    scratch.write("b/more", "((((");
    scratch.write("b/bad", CRASH);
    scratch.write("b/worse", "please crash again");
    let merged = run(&scratch, &fuzzer, "-merge=1 a b").expect(0);
    assert_eq!(names(&scratch, "a", ""), BTreeSet::from(["one".to_owned(), sha1_name(&scratch, "b/more")]));
    assert!(merged.stderr.contains("merge: added 1 input to"), "{}", merged.stderr);
    for bad in ["skipped bad: crash", "skipped worse: crash"] {
        assert!(merged.stderr.contains(bad), "{}", merged.stderr);
    }
    assert!(artefacts(&scratch).is_empty());
    run(&scratch, &fuzzer, "-merge=1 a b").expect(0);
    assert_eq!(scratch.files("a").len(), 2, "merging again adds nothing");
    run(&scratch, &fuzzer, "-merge=1 a").expect(1);
}

fn sha1_name(scratch: &Scratch, file: &str) -> String {
    let sum = Command::new("sha1sum").arg(scratch.path(file)).output().unwrap().stdout;
    String::from_utf8_lossy(&sum)[..40].to_owned()
}

/// The same harness with clang's own engine.
fn clangs_own(scratch: &Scratch) -> PathBuf {
    let clang = ["clang-22", "clang-21", "clang-20", "clang-19"].into_iter().find(|clang| {
        Command::new(clang)
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    let source = scratch.write("theirs.c", MOODY);
    let output = scratch.path("theirs");
    let mut command = Command::new(clang.expect("a clang"));
    command.args(["-g", "-O2", "-fsanitize=fuzzer"]).arg(source).arg("-o").arg(&output);
    Run::of(&mut command).expect(0);
    output
}

#[test]
fn the_same_flags_do_the_same_as_with_clangs_engine() {
    let (ours, theirs) = (Scratch::new(), Scratch::new());
    let engines = [(&ours, ours.fuzzer(MOODY)), (&theirs, clangs_own(&theirs))];
    // What to run, the exit code, and the artefacts that must be there afterwards.
    let cases = [
        ("-timeout=1 crash", 77),
        ("-timeout=1 exits", 77),
        ("-timeout=1 hang", 70),
        ("-timeout=30 -rss_limit_mb=300 eat", 71),
        ("-runs=3 -print_final_stats=1 fine", 0),
        ("-runs=10 crashing", 77),
        ("-runs=10 -timeout=1 hanging", 70),
        ("-runs=10 -timeout=30 -rss_limit_mb=300 eating", 71),
        ("-runs=10 -artifact_prefix=pre- crashing", 77),
        ("-runs=10 -exact_artifact_path=exact crashing", 77),
        ("-runs=1000 -close_fd_mask=0 corpus", 0),
        ("-merge=1 corpus fines", 0),
        ("-help=1", 0),
        ("missing -runs=1", 1),
    ];
    for (line, code) in cases {
        let left = engines.each_ref().map(|(scratch, fuzzer)| {
            let moods = [("crash", "crashing"), ("hang", "hanging"), ("eat", "eating"), ("exit", "exits")];
            for (mood, dir) in moods {
                scratch.write(
                    &format!("{dir}{}", if mood == "exit" { "" } else { "/seed" }),
                    format!("please {mood}"),
                );
                scratch.write(mood, format!("please {mood}"));
            }
            scratch.write("fine", "fine");
            scratch.write("corpus/fine", "fine");
            scratch.write("fines/other", "fine");
            let run = run(scratch, fuzzer, line);
            assert_eq!(run.code, Some(code), "{} {line}\n{}", fuzzer.display(), run.stderr);
            if line.contains("print_final_stats") {
                assert_eq!(stat(&run, "number_of_executed_units"), 3, "{}", run.stderr);
            }
            let names = names(scratch, ".", "").into_iter();
            names.filter(|name| name.contains('-') || name == "exact").collect::<BTreeSet<_>>()
        });
        assert_eq!(left[0], left[1], "artefacts after {line}");
    }
    assert!(artefacts(&ours).contains(&format!("crash-{CRASH_SHA1}")));
    assert_eq!(artefacts(&ours).len(), 3);
}

#[test]
fn files_beside_the_binary_are_used() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    scratch.write("target.dict", "kw=\"z(z\"\n");
    scratch.write("target.options", "[libfuzzer]\nmax_len = 20\ntimeout=7\nfrobnicate = 1\n");
    scratch.write("seeds/one", "one");
    scratch.write("seeds/long", [b'x'; 30]);
    let zipped = Command::new("python3")
        .args(["-m", "zipfile", "-c", "target_seed_corpus.zip", "seeds"])
        .current_dir(scratch.path(""))
        .status();
    assert!(zipped.unwrap().success());
    fs::create_dir(scratch.path("corpus")).unwrap();
    let theirs = run(&scratch, &fuzzer, "corpus -runs=500 -seed=1").expect(0);
    for said in
        ["using the dictionary", "max_len=20, timeout=7", "unknown flag `frobnicate`", "using 2 seeds in"]
    {
        assert!(theirs.stderr.contains(said), "{said}: {}", theirs.stderr);
    }
    assert!(scratch.files("corpus").iter().all(|path| path.metadata().unwrap().len() <= 20));

    let ours = run(&scratch, &fuzzer, "-o out --runs 500 --timeout 1s").expect(0);
    for said in ["using the dictionary", ": max_len=20\n", "using 1 seed in", "longer than 20 bytes"] {
        assert!(ours.stderr.contains(said), "{said}: {}", ours.stderr);
    }
    assert_eq!(scratch.stat("exec_timeout"), 1000, "what is written goes first");

    let explicit = run(&scratch, &fuzzer, "-i seeds -o other --runs 100 --dict target.dict").expect(0);
    assert!(!explicit.stderr.contains("seed_corpus") && !explicit.stderr.contains("using the dictionary"));

    scratch.write("target_seed_corpus.zip", "not a zip at all");
    let damaged = run(&scratch, &fuzzer, "-runs=10").expect(0);
    assert!(damaged.stderr.contains("cannot use the seeds in"), "{}", damaged.stderr);
}

/// Everything printed, with what changes taken out.
fn said(scratch: &Scratch, line: &str, run: &Run) -> String {
    let dir = scratch.path("").display().to_string();
    let text = format!("$ target {line}\nexit {:?}\n{}{}", run.code, run.stdout, run.stderr);
    text.replace(dir.trim_end_matches('/'), "DIR")
}

#[test]
fn what_is_said() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(MOODY);
    scratch.write("corpus/a", "a");
    scratch.write("file", "a");
    let help = run(&scratch, &fuzzer, "-help=1").expect(0);
    insta::assert_snapshot!("libfuzzer_help", help.stdout);
    let lines = [
        "-runs=10 -seed=1 -malloc_limit_mb=5 -fork=4 -reduce_inputs=1 -max_lne=7 --verbose corpus",
        "-runs=lots corpus",
        "-timeout=1s corpus",
        "-ignore_crashes=yes corpus",
        "-runs=1 missing",
        "-runs=1 corpus file",
        "-runs=1 -o out",
        "-runs=1 --max-time=1m corpus",
        "-merge=1 corpus",
        "-dict=missing.dict corpus",
        "-artifact_prefix=missing/ -runs=1",
        "-minimize_crash=1 file",
    ];
    let all: Vec<String> =
        lines.iter().map(|line| said(&scratch, line, &run(&scratch, &fuzzer, line))).collect();
    insta::with_settings!({filters => vec![(r"in \d\d:\d\d \([^)]*/s\)", "in TIME (SPEED/s)"), (r"\.tmp\w+/", "DIR/"), (r"\d+ inputs kept, \d+ of", "N inputs kept, N of")]}, {
        insta::assert_snapshot!("libfuzzer_messages", all.join("\n"));
    });
}

#[test]
fn a_crash_is_made_smaller() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n && memchr(d, '!', n)) abort(); return 0; }",
    );
    scratch.write("crash", "many words before it! and behind");
    let minimised =
        run(&scratch, &fuzzer, "-minimize_crash=1 -max_total_time=60 -artifact_prefix=out- crash").expect(0);
    let results: Vec<_> = scratch
        .files("")
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("minimized-from-"))
        .collect();
    assert_eq!(results.len(), 1, "{}", minimised.stderr);
    assert_eq!(fs::read(&results[0]).unwrap(), b"!");
    run(&scratch, &fuzzer, "-minimize_crash=1 -exact_artifact_path=here -runs=500 crash").expect(0);
    assert_eq!(fs::read(scratch.path("here")).unwrap(), b"!");
}
