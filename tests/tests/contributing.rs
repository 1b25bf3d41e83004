//! The new domain that CONTRIBUTING.md shows as a diff is applied as it stands there, and keeps the laws of domains.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, process::Command};

use waypoint_tests::{Scratch, repository};

/// The one block of that kind in CONTRIBUTING.md.
fn diff() -> String {
    let text = fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    let blocks: Vec<&str> =
        text.split("```diff\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 1);
    blocks[0].to_owned()
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{command:?}:\n{text}");
    text
}

#[test]
fn the_domain_shown_in_contributing_is_complete() {
    let scratch = Scratch::new();
    let copy = scratch.path("copy");
    fs::create_dir(&copy).unwrap();
    let domains = repository().join("domains");
    succeed(Command::new("cp").arg("-r").arg(domains).arg(&copy));
    let patch = scratch.write("new-domain.diff", diff());
    succeed(Command::new("git").current_dir(&copy).args(["apply", "--unidiff-zero"]).arg(patch));

    let added = fs::read_to_string(copy.join("domains/src/peak.rs")).unwrap();
    assert!(added.lines().count() <= 40);
    let list = diff().lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).count();
    assert_eq!(list, added.lines().count() + 2, "one file and two lines of the list");

    // The crate alone, in a workspace of its own with the same dependencies.
    let root = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let members = root.lines().find(|line| line.starts_with("members")).unwrap();
    let own = |line: &&str| !line.contains("path = \"") || line.contains("path = \"domains\"");
    let root = root.replace(members, "members = [\"domains\"]");
    let root: Vec<&str> = root.lines().filter(own).collect();
    fs::write(copy.join("Cargo.toml"), root.join("\n")).unwrap();
    fs::copy(repository().join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let target = repository().join("target/contributing");
    let mut test = Command::new(env!("CARGO"));
    test.current_dir(&copy).args(["test", "--release", "--offline", "--target-dir"]).arg(target);
    let said = succeed(&mut test);
    assert!(said.contains("conformance::idempotent_and_order_insensitive ... ok"), "{said}");
}
