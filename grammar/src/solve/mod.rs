//! Constraints: read, checked, computed, searched.
mod avoid;
pub mod check;
pub mod distance;
pub mod failing;
pub mod formula;
pub mod host;
pub mod lint;
mod memo;
pub mod plan;
mod repair;
pub mod search;
pub mod solver;
pub mod stream;
