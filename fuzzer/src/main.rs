//! The `waypoint` command: what needs no running target.
use std::process::ExitCode;

fn main() -> ExitCode {
    waypoint_engine::command::main()
}
