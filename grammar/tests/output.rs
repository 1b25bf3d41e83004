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
fn nothing_is_written_beside_other_files() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let file = out.join("input-000001");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(&file, "somebody's work").unwrap();
    let out = out.to_str().unwrap();
    for arguments in [&["generate", "record.fan"][..], &["mutate", "record.fan", "-i", "good.txt"]] {
        let said = run(&[arguments, &["-n", "2", "-o", out]].concat());
        assert!(
            said.ends_with(&format!("waypoint: {out} is not empty; choose another -o, or empty it\n")),
            "{said}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody's work");
    }
    std::fs::remove_file(&file).unwrap();
    run(&["generate", "record.fan", "-n", "2", "-o", out]);
    assert_eq!(std::fs::read_dir(out).unwrap().count(), 2, "an empty one will do");
}

#[test]
fn grammars_that_are_built_in_go_by_their_names() {
    let json = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/json.fan");
    let made = |spec| {
        let said = run(&["generate", spec, "-n", "20", "--seed", "1"]);
        said.split_once('\n').unwrap().1.to_owned()
    };
    assert_eq!(made("json"), made(json));
    let said = run(&["parse", "json", "word.json"]);
    assert!(said.contains("word.json: line 2"), "{said}");
    for name in ["jsno", "nowhere.fan"] {
        let said = run(&["check", name]);
        assert!(said.contains(&format!("cannot read {name}; name a .fan file that is there")), "{said}");
        assert!(said.contains("or a grammar that is built in: arithmetic, c, csv"), "{said}");
    }
    // A file of the same name is what the user means.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("json");
    std::fs::write(&file, "<start> ::= 'mine'\n").unwrap();
    let said = Command::new(env!("CARGO_BIN_EXE_waypoint-language"))
        .args(["generate", "json", "-n", "1"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&said.stdout), "mine\n");
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
