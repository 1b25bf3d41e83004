//! Constraints: read, checked, computed, searched.
mod avoid;
pub mod check;
mod counts;
pub mod distance;
pub mod failing;
pub mod formula;
pub mod host;
pub mod lint;
mod memo;
pub(crate) mod numbers;
pub mod plan;
mod read;
mod repair;
pub mod search;
pub mod solver;
pub mod stream;
mod unify;
mod variant;
