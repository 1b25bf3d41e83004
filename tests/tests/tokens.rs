//! Learnt tokens: what `tokens` writes, what a campaign does with them, and what is said when it cannot be done.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use waypoint_tests::{Run, Scratch, repository};

/// Every token of the language of `targets/puzzles/tokens_program.c`.
const TOKENS: [&str; 11] = ["when", "then", "end", "halt", ":=", ";", "+", "<>", "<=", "(", ")"];

fn build(scratch: &Scratch) -> PathBuf {
    build_puzzle(scratch, "tokens_program.c")
}

fn build_puzzle(scratch: &Scratch, puzzle: &str) -> PathBuf {
    let source = repository().join("targets/puzzles").join(puzzle);
    scratch.build("target", &source, ["-g", "-O2", "-fsanitize=fuzzer"])
}

/// The tokens of a dictionary; these need no escapes.
fn tokens(dictionary: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(dictionary).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.strip_prefix('"').unwrap().strip_suffix('"').unwrap().to_owned()).collect()
}

fn contents(scratch: &Scratch, dir: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = scratch.files(dir).into_iter();
    files.map(|file| (file.file_name().unwrap().into(), fs::read(file).unwrap())).collect()
}

#[test]
fn every_token_is_learnt_and_nothing_else_whatever_the_seed() {
    let scratch = Scratch::new();
    let fuzzer = build(&scratch);
    let expected: BTreeSet<String> = TOKENS.map(str::to_owned).into();
    for seed in ["0", "1", "2"] {
        let out = format!("learnt-{seed}");
        let run = scratch.run(&fuzzer, ["tokens", "-o", &out, "--runs", "100000", "--seed", seed]).expect(0);
        assert!(run.stderr.contains("learnt 11 tokens and "), "{}", run.stderr);
        assert_eq!(tokens(&scratch.path(&out).join("tokens.dict")), expected, "seed {seed}");
        assert!(scratch.files(&format!("{out}/seeds")).len() > 10);
    }
}

#[test]
fn words_are_found_however_they_are_known() {
    let expected: BTreeSet<String> = ["when", "then", "end", "halt", ";"].map(str::to_owned).into();
    let with_comments: BTreeSet<String> =
        expected.iter().cloned().chain(["<-", "->"].map(str::to_owned)).collect();
    // In some the sign is seen nowhere.
    let words: BTreeSet<String> = expected.iter().filter(|token| *token != ";").cloned().collect();
    // Only the parser knows those signs, and it is not reached unless all of an input is lexed.
    let lexed: BTreeSet<String> = words.iter().cloned().chain(["::".to_owned()]).collect();
    // The words are nothing without the sign behind them, nor is the sign without one of them before it.
    let judged: BTreeSet<String> = expected.iter().cloned().chain(["::".to_owned()]).collect();
    let led: BTreeSet<String> = ["!when", "?then", "?end", "!halt", ";"].map(str::to_owned).into();
    // What ends a text is looked for by one routine, whatever text it is.
    let templates: BTreeSet<String> =
        expected.iter().cloned().chain(["<%", "%>", "<!--", "-->"].map(str::to_owned)).collect();
    let quoted: BTreeSet<String> =
        expected.iter().cloned().chain(["\\\"", "\\\"\\\"\\\""].map(str::to_owned)).collect();
    // What counts stands right behind a sign, and a space is a byte like any other.
    let tight: BTreeSet<String> =
        ["%d", "%o", "%x", "%{", "}", "when", "halt", "done"].map(str::to_owned).into();
    for (puzzle, expected) in [
        ("tokens_called.c", &expected),
        ("tokens_hashed.c", &expected),
        ("tokens_held.c", &expected),
        ("tokens_joined.c", &expected),
        ("tokens_backwards.c", &expected),
        ("tokens_judged.c", &judged),
        ("tokens_led.c", &led),
        ("tokens_measured.c", &expected),
        ("tokens_quoted.c", &quoted),
        ("tokens_strict.c", &expected),
        ("tokens_tabled.c", &with_comments),
        ("tokens_lexed.c", &lexed),
        ("tokens_templates.c", &templates),
        ("tokens_tight.c", &tight),
    ] {
        let scratch = Scratch::new();
        let fuzzer = build_puzzle(&scratch, puzzle);
        for seed in ["0", "1"] {
            let out = format!("learnt-{seed}");
            scratch.run(&fuzzer, ["tokens", "-o", &out, "--runs", "60000", "--seed", seed]).expect(0);
            assert_eq!(tokens(&scratch.path(&out).join("tokens.dict")), *expected, "{puzzle} seed {seed}");
        }
    }
}

#[test]
fn the_same_seed_and_runs_give_the_same_files() {
    let scratch = Scratch::new();
    let fuzzer = build(&scratch);
    for out in ["one", "two"] {
        scratch.run(&fuzzer, ["tokens", "-o", out, "--runs", "20000", "--seed", "7"]).expect(0);
    }
    assert_eq!(contents(&scratch, "one/seeds"), contents(&scratch, "two/seeds"));
    let dictionary = |out| fs::read(scratch.path(out).join("tokens.dict")).unwrap();
    assert_eq!(dictionary("one"), dictionary("two"));
    // Both are what a campaign takes.
    scratch
        .run(&fuzzer, ["-i", "one/seeds", "--dict", "one/tokens.dict", "-o", "out", "--runs", "2000"])
        .expect(0);
}

fn campaign(scratch: &Scratch, fuzzer: &Path, more: &[&str]) -> Run {
    let fixed = ["-o", "out", "--seed", "3", "--no-trace", "--runs", "600000"];
    scratch.run(fuzzer, fixed.iter().chain(more)).expect(0)
}

#[test]
fn a_campaign_keeps_what_it_learns_and_a_resumed_one_does_not_learn_again() {
    let scratch = Scratch::new();
    let fuzzer = build(&scratch);
    campaign(&scratch, &fuzzer, &["--learn-tokens"]);
    let learnt = tokens(&scratch.path("out/default/tokens.dict"));
    let needed = ["when", "then", "end", "halt", ":=", ";"];
    assert!(needed.iter().all(|token| learnt.contains(*token)), "{learnt:?}");
    assert!(learnt.iter().all(|token| TOKENS.contains(&token.as_str())), "{learnt:?}");
    let made = |op: &str| {
        let names = scratch.files("out/default/queue").into_iter();
        names.filter(|path| path.to_string_lossy().contains(&format!("op:{op}"))).count()
    };
    let kept = made("token");
    assert!(kept > 10, "{kept}");
    // The worker that crashed was not the last, and what it had learnt was not lost: halting takes six tokens.
    assert!(!scratch.files("out/default/crashes").is_empty());
    assert!(scratch.stat("workers_died") > 0);
    campaign(&scratch, &fuzzer, &["--learn-tokens"]);
    assert_eq!(made("token"), kept, "the dictionary is there already");
    assert_eq!(tokens(&scratch.path("out/default/tokens.dict")), learnt);
}

#[test]
fn from_nothing_tokens_are_learnt_unless_the_user_says_otherwise() {
    let scratch = Scratch::new();
    let fuzzer = build(&scratch);
    scratch.write("seeds/one", "x");
    scratch.write("words.dict", "\"halt\"\n");
    let learns = |name: &str, more: &[&str]| {
        let fixed = ["-o", "out", "--name", name, "--seed", "1", "--runs", "60000"];
        scratch.run(&fuzzer, fixed.iter().chain(more)).expect(0);
        scratch.path("out").join(name).join("tokens.dict").is_file()
    };
    assert!(learns("nothing", &[]));
    assert!(learns("asked", &["-i", "seeds", "--learn-tokens"]));
    assert!(!learns("seeds", &["-i", "seeds"]));
    assert!(!learns("dictionary", &["--dict", "words.dict"]));
    assert!(!learns("refused", &["--no-learn-tokens"]));
}

#[test]
fn deadly_inputs_are_left_out_and_named() {
    let scratch = Scratch::new();
    let source = fs::read_to_string(repository().join("targets/puzzles/tokens_program.c")).unwrap();
    let fuzzer = scratch.fuzzer(&source.replace("if (depth > 1) halts++;", "abort();"));
    let run = scratch.run(&fuzzer, ["tokens", "-o", "learnt", "--runs", "100000"]).expect(0);
    assert!(run.stderr.contains("left out `halt`: crash (SIGABRT) in statement"), "{}", run.stderr);
    let learnt = tokens(&scratch.path("learnt/tokens.dict"));
    assert!(["when", "then", ":=", "<>"].iter().all(|token| learnt.contains(*token)), "{learnt:?}");
}

#[test]
fn a_target_that_ends_at_every_input_is_to_be_mended_first() {
    let scratch = Scratch::new();
    let head = "#include <stdint.h>\n#include <stdlib.h>\n";
    for (body, what) in [
        ("{ abort(); }", "crash (SIGABRT)"),
        ("{ exit(3); }", "exit(3) inside the harness"),
        ("{ if (n > 9 && d[7] == 'x') return 0; abort(); }", "crash (SIGABRT)"),
    ] {
        let fuzzer =
            scratch.fuzzer(&format!("{head}int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {body}"));
        for _ in 0..2 {
            let run = scratch.run(&fuzzer, ["tokens", "-o", "new"]).expect(1);
            let said =
                "waypoint: every input is a finding, so nothing can be learnt; mend the target first: ";
            assert!(run.stderr.contains(&format!("{said}{what}")), "{body}: {}", run.stderr);
        }
    }
    // Where only some are, what can be learnt is.
    let fuzzer = scratch.fuzzer(&format!(
        "{head}int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {{ if (n == 0) abort(); return d[0] == 'x'; }}"
    ));
    scratch.run(&fuzzer, ["tokens", "-o", "new"]).expect(0);
}

#[test]
fn wrong_use_is_explained() {
    let scratch = Scratch::new();
    let fuzzer = build(&scratch);
    let says = |arguments: &[&str], what: &str| {
        let run = scratch.run(&fuzzer, arguments).expect(1);
        assert!(run.stderr.contains(what), "{arguments:?}: {}", run.stderr);
    };
    says(&["tokens"], "-o");
    scratch.write("full/file", "x");
    says(&["tokens", "-o", "full"], "full is not empty; choose another -o, or empty it");
    says(&["tokens", "-o", "full/file"], "choose another -o");
    scratch.write("long/seed", [b'x'; 1000]);
    says(&["tokens", "-o", "new", "-i", "long"], "leave -i out");
    says(&["-o", "out", "--learn-tokens", "--no-learn-tokens"], "--no-learn-tokens");

    let source = repository().join("targets/puzzles/tokens_program.c");
    let plain = scratch.build("plain", &source, ["--events=edge", "-O2", "-fsanitize=fuzzer"]);
    for arguments in [&["tokens", "-o", "new"][..], &["-o", "out", "--learn-tokens"]] {
        let run = scratch.run(&plain, arguments).expect(1);
        assert!(run.stderr.contains("rebuild it with `waypoint-cc --events=edge,cmp ...`"), "{}", run.stderr);
    }
    // By default it is simply not done.
    scratch.run(&plain, ["-o", "out", "--runs", "1000"]).expect(0);
    assert!(!scratch.path("out/default/tokens.dict").exists());
}
