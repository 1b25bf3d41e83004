//! The scoreboard's own tests, which are Python like the scoreboard: statistics, going on, missing peers.

use std::process::Command;

use waypoint_tests::{Run, program, repository};

fn passes(file: &str) {
    let tools = program("waypoint-cc");
    let mut command = Command::new("python3");
    command.arg(repository().join("scripts/boardlib").join(file));
    command.env("WAYPOINT_BIN", tools.parent().unwrap_or(&tools));
    Run::of(&mut command).expect(0);
}

#[test]
fn the_statistics_are_right() {
    passes("test_stats.py");
}

#[test]
fn a_board_goes_on_and_names_who_is_missing() {
    passes("test_board.py");
}
