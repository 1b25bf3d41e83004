//! What a user sees after a mistake: one sentence that says what failed, where, and what to do.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use waypoint_tests::{Run, Scratch, program};

const NOTHING: &str = "#include <stddef.h>\n#include <stdint.h>\n\
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 5 && data[0] == 'x' ? 0 : 0; }";

/// Everything printed, with the scratch directory taken out.
fn said(scratch: &Scratch, run: &Run) -> String {
    let dir = scratch.path("");
    let dir = dir.display().to_string();
    format!("exit {:?}\n{}{}", run.code, run.stdout, run.stderr).replace(dir.trim_end_matches('/'), "DIR")
}

#[test]
fn mistakes_on_a_fuzzers_command_line() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(NOTHING);
    scratch.write("seeds/a", "a");
    scratch.write("bad.dict", "kw=\"fine\"\nnot a token\n");
    scratch.write("out/used/queue/thesis.doc", "somebody's work");
    scratch.write("a-file", "x");
    scratch.write("campaign/default/fuzzer_setup", "");
    scratch.write("campaign/default/queue/id:000000", "x");
    let mistakes: &[&[&str]] = &[
        &[],
        &["seeds", "a-file"],
        &["missing-file"],
        &["-i", "missing", "-o", "out"],
        &["-i", "seeds"],
        &["-o", "typo", "--domain", "cvo", "--seed", "1"],
        &["-o", "typo2", "--domain", "memory", "--seed", "1"],
        &["-o", "out", "--until", "mem"],
        &["-o", "out", "--until", "mem>="],
        &["-o", "out", "--until", "mem>=1X"],
        &["-o", "out", "--until", ">=5"],
        &["-o", "out", "--until", "mem@>=5"],
        &["-o", "out", "--until", "mem<=5"],
        &["-o", "out", "--until", "cov>=5"],
        &["-o", "typo3", "--until", "men>=5", "--seed", "1"],
        &["-o", "typo4", "--domain", "foo", "--seed", "1"],
        &["-o", "typo5/deep", "--record", "CMP", "--seed", "1"],
        &["-o", "seeds", "--name", "typo6", "--domain", "foo", "--seed", "1"],
        &["-o", "out", "--dict", "bad.dict"],
        &["-o", "out", "--dict", "missing.dict"],
        &["-o", "out", "--name", "used"],
        &["-i", "-", "-o", "out"],
        &["-o", "out", "--name", "../elsewhere"],
        &["-o", "a-file"],
        &["-o", "out", "--max-len", "0"],
        &["-o", "out", "--max-len", "lots"],
        &["-o", "out", "--timeout", "0s"],
        &["-o", "out", "--max-time", "soon"],
        &["-o", "out", "--runs", "0"],
        &["-o", "out", "--runs", "-5"],
        &["-o", "out", "--run", "5"],
        &["-o"],
        &["-o", "out", "a-file"],
        &["a-file", "--json"],
        &["a-file", "--domain", "cmp"],
        &["-i", "campaign", "-o", "out"],
        &["-i", "campaign/default", "-o", "out"],
    ];
    let all: Vec<String> = mistakes
        .iter()
        .map(|arguments| {
            // Should one not be noticed, the test must end all the same.
            let mut command = std::process::Command::new("timeout");
            command.arg("20").arg(&fuzzer).args(*arguments).current_dir(scratch.path(""));
            let run = Run::of(&mut command);
            assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
            format!("$ target {}\n{}", arguments.join(" "), said(&scratch, &run))
        })
        .collect();
    insta::assert_snapshot!(all.join("\n"));
    let left = ["typo", "typo2", "typo3", "typo4", "typo5/deep", "seeds/typo6"].map(|dir| scratch.path(dir));
    assert!(left.iter().all(|dir| !dir.exists()), "a wrong name leaves nothing behind");
}

#[test]
fn what_is_said_without_mistakes() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(NOTHING);
    let help = scratch.run(&fuzzer, ["--help"]).expect(0);
    insta::assert_snapshot!("help", help.stdout);
    let renamed = scratch.path("parse_fuzzer");
    std::fs::hard_link(&fuzzer, &renamed).unwrap();
    let help = scratch.run(&renamed, ["--help"]).expect(0);
    assert!(
        help.stdout.contains("parse_fuzzer -i SEEDS") && !help.stdout.contains("./target"),
        "{}",
        help.stdout
    );
    let domains = scratch.run(&fuzzer, ["--list-domains"]).expect(0);
    insta::assert_snapshot!("domains", domains.stdout);
    let run = scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "1000"]).expect(0);
    insta::with_settings!({filters => vec![(r"in \d\d:\d\d \([^)]*/s\)", "in TIME (SPEED/s)")]}, {
        insta::assert_snapshot!("campaign", said(&scratch, &run));
    });
}

#[test]
fn code_that_nobody_instrumented_is_noticed() {
    let scratch = Scratch::new();
    let source = scratch.write("plain.c", NOTHING);
    let plain =
        std::process::Command::new("cc").args(["-c", "-o"]).arg(scratch.path("plain.o")).arg(source).status();
    assert!(plain.unwrap().success());
    let fuzzer = scratch.build("target", &scratch.path("plain.o"), ["-fsanitize=fuzzer"]);
    let run = scratch.run(&fuzzer, ["-o", "out", "--runs", "100"]).expect(1);
    assert!(run.stderr.contains("compile the code under test with waypoint-cc"), "{}", run.stderr);
}

#[test]
fn a_target_that_dies_before_its_first_run_is_no_finding() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerInitialize(int *argc, char ***argv) { abort(); }\n\
         int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return 0; }",
    );
    let run = scratch.run(&fuzzer, ["-o", "out", "--runs", "100"]).expect(1);
    assert!(run.stderr.contains("before its first run"), "{}", run.stderr);
    assert!(run.stderr.contains("LLVMFuzzerInitialize"), "{}", run.stderr);
    assert!(scratch.files("out/default/crashes").is_empty());
}

#[test]
fn the_waypoint_command() {
    let scratch = Scratch::new();
    let waypoint = program("waypoint");
    scratch.write("text", "not an ELF file");
    let all: Vec<String> = [
        &["counters", "missing"][..],
        &["counters", "text"],
        &["counters", "/bin/sh"],
        &["generate", "json", "-n", "x"],
        &["generate", "json", "--invalid", "x"],
        &["generate", "jsno"],
    ]
    .iter()
    .map(|arguments| {
        let run = scratch.run(&waypoint, *arguments).expect(1);
        format!("$ waypoint {}\n{}", arguments.join(" "), said(&scratch, &run))
    })
    .collect();
    insta::assert_snapshot!(all.join("\n"));
}
