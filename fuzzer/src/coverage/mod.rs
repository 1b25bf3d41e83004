//! The run map of counters and its judgement: what the last run touched, and whether any of it is new.
mod counters;
mod scan;

pub use counters::{Counters, EVERY, is_unstable};
pub use scan::bucket;
