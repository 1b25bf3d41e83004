//! Every puzzle of `targets/puzzles` is built and must be solved as its first line says.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use waypoint_tests::{Run, Scratch, repository};

/// What a puzzle's first line says.
struct Puzzle {
    file: PathBuf,
    find: Vec<String>,
    reach: Option<Reach>,
    run: Vec<String>,
    /// Options with which the same must not be found.
    not: Vec<Vec<String>>,
    build: Vec<String>,
}

/// A value that a key of a domain must come to, in a function.
struct Reach {
    domain: String,
    value: u64,
    function: String,
}

impl Reach {
    /// From `DOMAIN VALUE in FUNCTION`.
    fn parse(text: &str) -> Option<Self> {
        let (what, function) = text.split_once(" in ")?;
        let (domain, value) = what.split_once(' ')?;
        Some(Self { domain: domain.to_owned(), value: value.parse().ok()?, function: function.to_owned() })
    }

    /// The largest value that an input in the queue has there, as `show` says. It runs them all again.
    fn best(&self, scratch: &Scratch, fuzzer: &Path, out: &str) -> u64 {
        let shown = scratch.run(fuzzer, ["show", out, "--json", "--domain", &self.domain]).expect(0);
        let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
        let keys = shown["domains"][0]["keys"].as_array().unwrap();
        let here = |key: &&Value| key["where"].as_str().unwrap().ends_with(&format!(" {}", self.function));
        keys.iter().filter(here).map(|key| key["value"].as_u64().unwrap()).max().unwrap_or(0)
    }
}

fn puzzles() -> Vec<Puzzle> {
    let dir = repository().join("targets/puzzles");
    let files = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
    let is_source =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c" || extension == "cc");
    let mut puzzles: Vec<Puzzle> = files
        .filter(is_source)
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let first = text.lines().next().unwrap_or_default();
            let rest = first
                .strip_prefix("// PUZZLE: ")
                .unwrap_or_else(|| panic!("{file:?} does not begin `// PUZZLE: `"));
            let mut puzzle = Puzzle {
                file: file.clone(),
                find: vec![],
                reach: None,
                run: vec![],
                not: vec![],
                build: vec![],
            };
            for part in rest.split("; ") {
                let (what, value) = part.split_once(' ').unwrap_or_else(|| panic!("{file:?}: `{part}`"));
                let words = || {
                    value
                        .replace("PUZZLES", &dir.display().to_string())
                        .split(' ')
                        .map(str::to_owned)
                        .collect()
                };
                match what {
                    "find" => puzzle.find = value.split(", ").map(str::to_owned).collect(),
                    "reach" => {
                        puzzle.reach = Some(
                            Reach::parse(value).unwrap_or_else(|| panic!("{file:?}: cannot reach `{value}`")),
                        );
                    }
                    "run" => puzzle.run = words(),
                    "not" => puzzle.not.push(words()),
                    "build" => puzzle.build = words(),
                    _ => panic!("{file:?}: a puzzle says find, reach, run, not and build, not `{what}`"),
                }
            }
            assert!(
                puzzle.find.is_empty() == puzzle.reach.is_some() && !puzzle.run.is_empty(),
                "{file:?} must say what to find or to reach, and how to run"
            );
            puzzle
        })
        .collect();
    puzzles.sort_by(|a, b| a.file.cmp(&b.file));
    puzzles
}

/// The findings of a campaign, in the words of the puzzles: replayed one by one, so that replaying is tested too.
fn findings(scratch: &Scratch, fuzzer: &Path, puzzle: &Puzzle) -> HashSet<String> {
    let mut found = HashSet::new();
    for file in scratch.files("out/default/crashes").into_iter().chain(scratch.files("out/default/hangs")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains(",oom") {
            found.insert("oom".to_owned());
            continue;
        }
        let timeout = puzzle.run.windows(2).find(|pair| pair[0] == "--timeout").map(|pair| pair[1].as_str());
        let replay =
            scratch.run(fuzzer, [file.to_str().unwrap(), "--timeout", timeout.unwrap_or("5s")]).expect(77);
        let line = replay.stderr.lines().find(|line| line.contains(&format!("{name}: "))).unwrap_or_default();
        let headline = line.split_once(&format!("{name}: ")).map_or("", |(_, rest)| rest);
        if let Some(code) = headline.strip_prefix("exit(").and_then(|rest| rest.split_once(')')) {
            found.insert(format!("exit {}", code.0));
            continue;
        }
        if headline == "writes over its constant input" {
            found.insert("overwrite".to_owned());
            continue;
        }
        let kind = headline.split(' ').next().unwrap_or_default();
        for expected in puzzle.find.iter().filter(|expected| expected.starts_with(kind)) {
            let as_said = match expected.split_once(" in ") {
                Some((_, function)) => replay.stderr.contains(&format!(" {function}")),
                None => !headline.contains(" in "),
            };
            if as_said {
                found.insert(expected.clone());
            }
        }
        assert!(!headline.is_empty(), "no report for {name}:\n{}", replay.stderr);
    }
    found
}

fn solve(puzzle: &Puzzle) {
    let scratch = Scratch::new();
    let flags = ["-g", "-O2", "-fsanitize=fuzzer"].into_iter().chain(puzzle.build.iter().map(String::as_str));
    let fuzzer = scratch.build("puzzle", &puzzle.file, flags);
    match &puzzle.reach {
        Some(reach) => solve_by_reaching(puzzle, reach, &scratch, &fuzzer),
        None => solve_by_finding(puzzle, &scratch, &fuzzer),
    }
}

fn campaign(options: &[String], out: &str, more: Option<&str>, scratch: &Scratch, fuzzer: &Path) -> Run {
    let arguments = ["-o", out, "--seed", "1"].into_iter().chain(options.iter().map(String::as_str));
    scratch.run(fuzzer, arguments.chain(more))
}

/// Runs to the end: what is saved on the way is of no interest here.
fn solve_by_reaching(puzzle: &Puzzle, reach: &Reach, scratch: &Scratch, fuzzer: &Path) {
    let best = |options: &[String], out: &str| {
        let run = campaign(options, out, None, scratch, fuzzer).expect(0);
        (reach.best(scratch, fuzzer, out), run)
    };
    let (value, run) = best(&puzzle.run, "out");
    assert!(value >= reach.value, "{:?}: only {value} of {}\n{}", puzzle.file, reach.value, run.stderr);
    for (n, options) in puzzle.not.iter().enumerate() {
        let (value, _) = best(options, &format!("control{n}"));
        assert!(value < reach.value, "{:?}: with {options:?} it comes to {value} too", puzzle.file);
    }
}

fn solve_by_finding(puzzle: &Puzzle, scratch: &Scratch, fuzzer: &Path) {
    // With one thing to find there is no reason to go on; with several, finding one must not be the end.
    let (stop, expected_code) = if puzzle.find.len() == 1 && puzzle.find[0] != "nothing" {
        (Some("--stop-on-finding"), 77)
    } else {
        (None, 0)
    };
    let run = campaign(&puzzle.run, "out", stop, scratch, fuzzer);
    assert_eq!(run.code, Some(expected_code), "{:?}:\n{}", puzzle.file, run.stderr);
    let found = findings(scratch, fuzzer, puzzle);
    let expected: HashSet<String> = puzzle.find.iter().filter(|what| *what != "nothing").cloned().collect();
    assert_eq!(found, expected, "{:?}:\n{}", puzzle.file, run.stderr);
    let saved = scratch.stat("saved_crashes") + scratch.stat("saved_hangs");
    assert_eq!(
        saved as usize,
        expected.len(),
        "each finding is saved once: {:?}\n{}",
        puzzle.file,
        run.stderr
    );
    for (n, options) in puzzle.not.iter().enumerate() {
        let run = campaign(options, &format!("control{n}"), stop, scratch, fuzzer);
        assert_eq!(run.code, Some(0), "{:?} is solved with {options:?} too:\n{}", puzzle.file, run.stderr);
    }
}

#[test]
fn every_puzzle_is_solved() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= 38, "where are the puzzles?");
    let failed: Vec<_> = puzzles
        .iter()
        .filter(|puzzle| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| solve(puzzle))).is_err())
        .map(|puzzle| puzzle.file.file_name().unwrap().to_owned())
        .collect();
    assert!(failed.is_empty(), "not solved: {failed:?}");
}
