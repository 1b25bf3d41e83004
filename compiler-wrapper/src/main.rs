//! `waypoint-cc`, and by its other name `waypoint-c++`: clang plus instrumentation.
use std::process::ExitCode;

fn main() -> ExitCode {
    waypoint_cc::main()
}
