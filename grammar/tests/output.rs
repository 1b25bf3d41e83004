//! What `check`, `parse` and `generate` say, word for word.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use std::process::Command;

fn run(args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_waypoint-language"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/output"))
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    format!("$ {}\n{said}{errors}", args.join(" "))
}

#[test]
fn check_says_how_constraints_are_met_and_what_is_wrong() {
    let said = [run(&["check", "record.fan"]), run(&["check", "mistakes.fan"])].join("\n");
    insta::assert_snapshot!(said);
}

#[test]
fn parse_shows_trees_and_says_what_was_expected() {
    let json = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/json.fan");
    let formats = ["tree", "grammar", "bits", "dot"]
        .map(|format| run(&["parse", "record.fan", "good.txt", "--format", format]));
    let checks = run(&["parse", "--check", "record.fan", "good.txt", "wrong.txt", "broken.txt"]);
    let json =
        run(&["parse", json, "cut.json", "word.json"]).replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "");
    insta::assert_snapshot!([formats.join("\n"), checks, json].join("\n"));
}

#[test]
fn several_jobs_give_one_output_and_say_when_there_is_no_more() {
    let jobs = || run(&["generate", "plain.fan", "-n", "3", "--jobs", "2", "--separator", "--"]);
    let said = jobs();
    assert_eq!(said, jobs());
    assert!(said.contains("no more inputs of this size than these 2"), "{said}");
}

#[test]
fn generate_says_what_cannot_be_meant() {
    let said = [
        run(&["generate", "record.fan", "-n", "0"]),
        run(&["generate", "record.fan", "--coverage", "0"]),
        run(&["generate", "record.fan", "--invalid", "2"]),
        run(&["generate", "plain.fan", "--invalid", "0.5"]),
        run(&["generate", "plain.fan", "--jobs", "0"]),
        run(&["generate", "plain.fan", "--population", "1"]),
        run(&["generate", "plain.fan", "-n", "3"]),
        run(&["generate", "zero.fan", "-n", "1"]),
        run(&["check", "zero.fan"]),
        run(&["check", "record.fan", "--coverage", "0"]),
        run(&["check", "setting.fan"]),
    ];
    insta::assert_snapshot!(said.join("\n"));
}
