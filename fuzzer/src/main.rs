//! The `waypoint` command: what needs no target of its own.
fn main() {}
