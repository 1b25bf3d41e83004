//! The domain `diff` from the outside: patches from files and from git, what is said about them, and the tools.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use waypoint_tests::{Run, Scratch};

/// The changed line is behind a `k`; what comes after it depends on the second byte.
const BEFORE: &str = r#"#include <stddef.h>
#include <stdint.h>
static volatile int sink;
__attribute__((noinline)) static int first(const uint8_t *data) {
  if (data[0] == 'k') {
    return 1;
  }
  return 0;
}
__attribute__((noinline)) static int second(const uint8_t *data) {
  if (data[1] == 'p')
    return 2;
  if (data[1] & 1)
    return 3;
  return 4;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  sink = first(data);
  sink += second(data);
  return 0;
}
"#;

struct Project {
    scratch: Scratch,
    fuzzer: PathBuf,
}

fn git(scratch: &Scratch, arguments: &str) {
    let mut command = Command::new("git");
    command.arg("-C").arg(scratch.path("project")).args(["-c", "user.name=x", "-c", "user.email=x@x"]);
    Run::of(command.args(arguments.split(' '))).expect(0);
}

impl Project {
    /// A repository with one change in the source and one in a text, and the fuzzer of the version after it.
    fn new() -> Self {
        let scratch = Scratch::new();
        scratch.write("project/src/target.c", BEFORE);
        scratch.write("project/notes.txt", "one\n");
        git(&scratch, "init -q");
        git(&scratch, "add .");
        git(&scratch, "commit -qm before");
        let source = scratch.write("project/src/target.c", BEFORE.replace("return 1;", "return 5;"));
        scratch.write("project/notes.txt", "two\n");
        git(&scratch, "commit -qam after");
        scratch.write("seeds/other", "aa");
        let fuzzer = scratch.build("target", &source, ["-g", "-O2", "-fsanitize=fuzzer"]);
        Self { scratch, fuzzer }
    }

    fn patch(&self, name: &str, old: &str, new: &str, line: u32) -> String {
        let text = format!("--- a/src/target.c\n+++ b/src/target.c\n@@ -{line} +{line} @@\n-{old}\n+{new}\n");
        self.scratch.write(name, text).display().to_string()
    }

    fn run(&self, options: &str) -> Run {
        self.scratch.run(&self.fuzzer, options.split(' '))
    }

    fn fails(&self, options: &str, with: &str) {
        let run = self.run(options).expect(1);
        assert!(run.stderr.contains(with), "{options}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "one sentence: {}", run.stderr);
    }
}

/// The places of the keys that `show` has.
fn places(shown: &Run) -> Vec<String> {
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let keys = shown["domains"][0]["keys"].as_array().unwrap();
    keys.iter().map(|key| key["where"].as_str().unwrap().to_owned()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn git_says_what_changed_and_the_search_goes_on_from_there() {
    let project = Project::new();
    let run =
        project.run("-i seeds -o out --diff-git HEAD~1..HEAD --repo project --runs 20000 --seed 1").expect(0);
    let said = "diff: 1 of 2 hunks maps to 1 counter; no code for notes.txt:1";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(run.stderr.contains("towards cov, diff"), "{}", run.stderr);
    // The change is reached, and then each way that the second function can go.
    let shown = project.run("show out --json --domain diff --diff-git HEAD~1..HEAD --repo project").expect(0);
    let places = places(&shown);
    let in_second = places.iter().filter(|place| place.ends_with(" second")).count();
    assert!(places.iter().any(|place| place.ends_with(" first")), "{places:?}");
    assert!(in_second >= 4, "{places:?}");
    let kept: Vec<String> =
        project.scratch.files("out/default/queue").iter().map(|path| file_name(path)).collect();
    assert!(kept.iter().any(|name| name.contains("+diff")), "{kept:?}");
    assert!(project.scratch.stat("diff_waypoints") > 0);
}

#[test]
fn a_campaign_goes_on_with_another_patch() {
    let project = Project::new();
    let first = project.patch("first.patch", "    return 1;", "    return 5;", 6);
    let second = project.patch("second.patch", "    return 3;", "    return 3;", 14);
    let line = |run: &Run| {
        let found = run.stderr.lines().find(|line| line.contains("waypoint: diff:") && line.contains("keys"));
        found.unwrap_or_else(|| panic!("{}", run.stderr)).to_owned()
    };
    let one = project.run(&format!("-i seeds -o out --diff {first} --runs 5000 --seed 1")).expect(0);
    let same = project.run(&format!("-i - -o out --diff {first} --runs 2000 --seed 1")).expect(0);
    let other = project.run(&format!("-i - -o out --diff {second} --runs 5000 --seed 1")).expect(0);
    assert_eq!(line(&one), line(&same), "what was kept is worth the same again");
    assert_ne!(line(&one), line(&other), "another change has other transitions behind it");
}

#[test]
fn tools_keep_what_an_input_does_after_the_change() {
    let project = Project::new();
    let patch = project.patch("a.patch", "    return 1;", "    return 5;", 6);
    project.scratch.write("corpus/near", "kp and a tail that nobody reads");
    project.scratch.write("corpus/far", "aa");
    project.run(&format!("minimize corpus/near -o small --domain diff --diff {patch}")).expect(0);
    assert_eq!(std::fs::read(project.scratch.path("small")).unwrap(), b"kp");
    let of = |input: &str| {
        places(&project.run(&format!("show {input} --json --diff {patch} --domain diff")).expect(0))
    };
    assert_eq!(of("corpus/near"), of("small"));
    assert!(of("corpus/far").is_empty(), "it does not reach the change");
    // Both reach the same edges as often, but only together with the change is the second one's path new.
    project.scratch.write("pair/1", "kb");
    project.scratch.write("pair/2", "ap");
    project.scratch.write("pair/3", "kp");
    let chosen = |options: &str, out: &str| {
        project.run(&format!("distill pair -o {out}{options}")).expect(0);
        project.scratch.files(out).iter().map(|path| file_name(path)).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&format!(" --domain diff --diff {patch}"), "with"), ["1", "2", "3"]);
    assert!(chosen("", "without").len() < 3);
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let project = Project::new();
    let elsewhere =
        project.scratch.write("else.patch", "--- a/x.c\n+++ b/x.c\n@@ -3,2 +3,3 @@\n a\n+b\n c\n");
    let elsewhere = elsewhere.display();
    project.scratch.write("no.patch", "hello\n");
    project.fails("-o out --domain diff --runs 1", "add --diff FILE.patch or --diff-git REV..REV");
    project.fails(
        &format!("-o out --diff {elsewhere} --runs 1"),
        "else.patch has code in this target; no code for x.c:4; compile the changed files with waypoint-cc -g",
    );
    project.fails("-o out --diff no.patch --runs 1", "no hunk of a unified diff");
    project.fails("-o out --diff missing.patch --runs 1", "missing.patch");
    project.fails(
        "-o out --diff-git nothing..HEAD --repo project --runs 1",
        "git diff nothing..HEAD in project failed",
    );
    project.fails("-o out --diff-git HEAD..HEAD --repo project --runs 1", "nothing changed in project");
    project.fails("-o out --diff-git --output=x --repo project --runs 1", "--diff-git");
    project.fails("show seeds --domain diff", "add --diff FILE.patch");
    project.fails("-o out --diff no.patch --diff-git a..b --runs 1", "leave one of them out");
    assert!(!project.scratch.path("out").exists(), "nothing is left behind");
}

#[test]
fn comparisons_are_recorded_beside_transitions() {
    let project = Project::new();
    let patch = project.patch("a.patch", "    return 1;", "    return 5;", 6);
    let run =
        project.run(&format!("-i seeds -o out --domain cmp --diff {patch} --runs 3000 --seed 1")).expect(0);
    assert!(run.stderr.contains("towards cov, cmp, diff"), "{}", run.stderr);
    assert!(
        run.stderr.contains("waypoint: diff: ") && run.stderr.contains("waypoint: cmp: "),
        "{}",
        run.stderr
    );
}
