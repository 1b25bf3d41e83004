//! The enabled domains at work: which of a run's values are progress, and who holds what.
mod choice;
mod guide;
mod keys;
mod show;

pub use choice::{Choice, Which, choose, required_events};
pub use guide::{Claim, Guide, Holding};
pub use keys::Touched;
pub use show::{Holder, KeyShown, describe, domain_json};
