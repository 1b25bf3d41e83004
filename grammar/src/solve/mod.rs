//! Constraints: read, checked, computed, searched.
pub mod check;
pub mod distance;
pub mod failing;
pub mod formula;
pub mod host;
pub mod plan;
mod repair;
pub mod solver;
