//! The enabled domains at work: which of a run's values are progress, and who holds what.
mod choice;
mod guide;
mod keys;
mod show;

pub use choice::{Choice, best_values, choose, compiled_events, no_such_domain, recording, required_events};
pub use guide::{Claim, Guide};
pub use keys::Touched;
pub use show::{KeyShown, bytes, describe, domain_json};
