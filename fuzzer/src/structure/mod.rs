//! Structure: the derivation trees behind inputs, by a grammar that the user names.
//!
//! Bytes on disk stay plain; what is kept beside them ([`sidecar`]) can be rebuilt by parsing. The trees are mutated by
//! a technique of the engine, `engine/techniques/trees`.
pub mod first;
pub mod language;
pub mod shrink;
pub mod sidecar;

pub use language::Language;
