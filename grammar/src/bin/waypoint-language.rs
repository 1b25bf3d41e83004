//! The commands of the language engine without the rest of `waypoint`, to build it quickly.
fn main() {}
