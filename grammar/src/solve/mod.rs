//! Constraints: read, checked, computed, searched.
pub mod check;
pub mod formula;
pub mod host;
