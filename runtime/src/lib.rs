//! What lives inside the target: the instrumented objects, what their recorders write, the domains of the target's own,
//! and the call of the harness.
//!
//! Small, and allocation-free during a run, because target code runs between any two instructions of it. It decides
//! nothing: what a value means is the business of the domains, when to run is the engine's.

pub mod abi;
pub mod dsf;
pub mod harness;
mod identity;
pub mod ijon;
pub mod leaks;
pub mod objects;
pub mod recording;
pub mod sections;
pub mod validity;

pub use identity::Identity;
