//! What lives inside the target: the instrumented objects and their counters, and the call of the harness.
//!
//! Small and allocation-free, because target code runs between any two instructions of it. It decides nothing:
//! what a counter means is the business of the domains, when to run is the engine's.

pub mod abi;
pub mod harness;
mod identity;
pub mod leaks;
pub mod objects;

pub use identity::Identity;
