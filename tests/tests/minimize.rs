//! The tools of a fuzzer binary on real targets: what `minimize` keeps and what `distill` chooses.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{collections::BTreeMap, fs, path::Path};

use waypoint_tests::Scratch;

/// Aborts behind "CR", aborts elsewhere behind "OTHER", exits behind "EX", hangs behind "HA", takes memory behind "OM", asks for
/// too much at once behind "BIG".
const TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink, forever = 1;
static void *volatile block;
static __attribute__((noinline)) void first(void) { sink = 1; abort(); }
static __attribute__((noinline)) void second(void) { sink = 2; abort(); }
static int has(const uint8_t *data, size_t size, const char *word) {
  return memmem(data, size, word, strlen(word)) != 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (has(data, size, "OTHER")) second();
  if (has(data, size, "CR")) first();
  if (has(data, size, "EX")) exit(7);
  if (has(data, size, "HA")) while (forever) {}
  if (has(data, size, "OM")) for (;;) sink += *(volatile char *)memset(malloc(1 << 20), 1, 1 << 20);
  if (has(data, size, "BIG")) { block = malloc((size_t)forever << 33); free(block); }
  for (size_t i = 0; i < size; i++) {
    if (data[i] == '<') sink += 1;
    if (data[i] == '>') sink += 2;
  }
  return 0;
}
"#;

fn fuzzer(scratch: &Scratch) -> std::path::PathBuf {
    let source = scratch.write("target.c", format!("#define _GNU_SOURCE\n{TARGET}"));
    scratch.build("target", &source, ["-g", "-O1", "-fsanitize=fuzzer"])
}

#[test]
fn a_finding_stays_the_same_finding() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    let padding = "some text around it, <tags> and all. ".repeat(10);
    for (word, what) in [
        ("CR", "crash (SIGABRT) in first"),
        ("OTHER", "crash (SIGABRT) in second"),
        ("EX", "exit(7) inside the harness"),
        ("OM", "out of memory"),
        ("BIG", "allocation of 8.0 GiB refused in LLVMFuzzerTestOneInput"),
    ] {
        let original = format!("{padding}{word}{padding}");
        let file = scratch.write(word, &original);
        let run =
            scratch.run(&fuzzer, ["minimize", word, "--rss-limit", "100M", "--timeout", "60s"]).expect(0);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
        let sizes = format!("from {} to {} bytes in ", original.len(), word.len());
        assert!(run.stderr.contains(&sizes) && run.stdout.is_empty(), "{run:?}");
        assert_eq!(fs::read_to_string(scratch.path(format!("{word}.min"))).unwrap(), word);
        assert_eq!(fs::read_to_string(file).unwrap(), original, "the original is untouched");
    }
}

#[test]
fn a_hang_stays_a_hang() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    scratch.write("hang", "a HA b");
    let run = scratch.run(&fuzzer, ["minimize", "hang", "--timeout", "200ms", "-o", "small"]).expect(0);
    assert_eq!(fs::read_to_string(scratch.path("small")).unwrap(), "HA", "{}", run.stderr);
}

#[test]
fn a_harmless_input_keeps_its_coverage_and_never_becomes_a_finding() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    // Leaving out the middle of "C-R" would be a crash, which costs a worker and is not taken.
    let file = scratch.write("input", format!("{}C-R<>C-R{}", "x".repeat(300), "y".repeat(300)));
    let run = scratch.run(&fuzzer, ["minimize", "input"]).expect(0);
    assert!(run.stderr.contains("harmless; from 608 to "), "{}", run.stderr);
    let small = fs::read(scratch.path("input.min")).unwrap();
    // More than 128 rounds of the loop, or of its body, are one bucket; the tags once each.
    assert!((128..=129).contains(&small.len()), "{}", String::from_utf8_lossy(&small));
    assert_eq!(small.iter().filter(|byte| **byte == b'<').count(), 1);
    assert!(small.iter().all(|byte| b"0<>".contains(byte)), "{}", String::from_utf8_lossy(&small));

    let again = scratch.run(&fuzzer, ["minimize", "input", "-o", "again"]).expect(0);
    assert_eq!(fs::read(scratch.path("again")).unwrap(), small, "{}", again.stderr);
    scratch.run(&fuzzer, ["minimize", "input", "-o", "input", "--runs", "50"]).expect(1);
    assert_eq!(file.metadata().unwrap().len(), 608, "the original is left alone, even if -o names it");
}

#[test]
fn noise_does_not_keep_an_input_long() {
    let scratch = Scratch::new();
    let noisy = TARGET.replace(
        "  for (size_t i = 0; i < size",
        "  static unsigned runs;\n  for (unsigned i = runs++ % 5; i; i--) sink++;\n  for (size_t i = 0; i < size",
    );
    let source = scratch.write("noisy.c", format!("#define _GNU_SOURCE\n{noisy}"));
    let fuzzer = scratch.build("noisy", &source, ["-g", "-O1", "-fsanitize=fuzzer"]);
    scratch.write("input", "a<b");
    scratch.run(&fuzzer, ["minimize", "input"]).expect(0);
    let small = fs::read_to_string(scratch.path("input.min")).unwrap();
    assert_eq!(small.replace('0', ""), "<", "{small}");
}

#[test]
fn where_everything_goes_wrong_a_command_is_named_that_shows_it() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    let file = scratch.write("all of it/crash", "CR").canonicalize().unwrap();
    let run = scratch.run(&fuzzer, ["show", "all of it"]).expect(1);
    let (_, advice) = run.stderr.trim_end().split_once("; replay one for its stack: ").unwrap();
    assert_eq!(advice, format!("{} '{}'", fuzzer.display(), file.display()));
    let replayed = scratch.run(Path::new("sh"), ["-c", advice]).expect(77);
    assert!(replayed.stderr.contains("crash (SIGABRT)"), "{}", replayed.stderr);
}

#[test]
fn a_file_named_like_a_tool_can_be_replayed() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    scratch.write("minimize", "CR");
    scratch.run(&fuzzer, ["./minimize"]).expect(77);
}

/// The files of a directory by name.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn a_distilled_corpus_reaches_the_same_with_less() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    for (name, bytes) in [
        ("one/a", "<"),
        ("one/b", ">"),
        ("one/both", "<>"),
        ("one/empty", ""),
        ("one/same-as-both", "><"),
        ("one/long", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx<"),
        ("one/crash", "CR"),
        ("two/hang", "HA"),
        ("two/a", "<<<<<<<<<"),
        ("two/useless", "xxxxxxxxxxxxxxxxxxxx>"),
    ] {
        scratch.write(name, bytes);
    }
    std::os::unix::fs::symlink("a", scratch.path("one/link")).unwrap();
    let before = (contents(&scratch.path("one")), contents(&scratch.path("two")));
    let distill = |from: &[&str], to: &str| {
        let arguments = [&["distill"], from, &["-o", to, "--timeout", "300ms"]].concat();
        scratch.run(&fuzzer, arguments).expect(0)
    };
    let run = distill(&["one", "two"], "small");
    assert!(run.stderr.contains("one/crash: crash (SIGABRT) in first"), "{}", run.stderr);
    assert!(run.stderr.contains("two/hang: hang"), "{}", run.stderr);
    assert!(run.stderr.contains("one/link: not a regular file"), "{}", run.stderr);
    assert!(run.stderr.contains("; 2 left out, copies in small"), "{}", run.stderr);
    assert_eq!(
        (contents(&scratch.path("one")), contents(&scratch.path("two"))),
        before,
        "originals are untouched"
    );

    let small = contents(&scratch.path("small"));
    assert!(small.len() < 6, "{small:?}");
    let all: BTreeMap<String, Vec<u8>> = before.0.into_iter().collect();
    for (name, bytes) in &small {
        let plain = name.trim_end_matches("-2");
        assert!(all.get(plain) == Some(bytes) || before.1.get(plain) == Some(bytes), "{name}");
    }
    // Distilling what is distilled changes nothing, so nothing in it was superfluous.
    let counts = |text: &str| text.split("bytes, for ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let again = distill(&["small"], "again");
    assert_eq!(counts(&again.stderr), counts(&run.stderr));
    assert_eq!(contents(&scratch.path("again")), small);
}

#[test]
fn mistakes_with_tools() {
    let scratch = Scratch::new();
    let fuzzer = fuzzer(&scratch);
    scratch.write("input", "x");
    scratch.write("input.min", "somebody's work");
    scratch.write("full/a", "x");
    fs::create_dir(scratch.path("empty")).unwrap();
    let mistakes: &[&[&str]] = &[
        &["minimize"],
        &["minimize", "missing"],
        &["minimize", "input"],
        &["minimize", "input", "-o", "full"],
        &["minimize", "input", "-o", "missing/file"],
        &["minimize", "input", "-o", "./input"],
        &["distill", "full"],
        &["distill", "-o", "new"],
        &["distill", "missing", "-o", "new"],
        &["distill", "empty", "-o", "new"],
        &["distill", "full", "-o", "full"],
        &["distill", "full", "-o", "input"],
    ];
    let all: Vec<String> = mistakes
        .iter()
        .map(|arguments| {
            let run = scratch.run(&fuzzer, *arguments).expect(1);
            let dir = scratch.path("").canonicalize().unwrap().display().to_string();
            format!("$ target {}\n{}{}", arguments.join(" "), run.stdout, run.stderr).replace(&dir, "DIR")
        })
        .collect();
    insta::assert_snapshot!(all.join("\n"));
    assert_eq!(fs::read_to_string(scratch.path("input.min")).unwrap(), "somebody's work");
    let help = ["minimize", "distill"].map(|tool| scratch.run(&fuzzer, [tool, "--help"]).expect(0).stdout);
    insta::assert_snapshot!("help_of_tools", help.join("\n"));
}
