//! The enabled domains at work: which of a run's values are progress, and who holds what.
mod choice;
pub mod goal;
mod guide;
mod keys;
mod show;

pub use choice::{
    Choice, best_values, can_trace, choose, choose_all, compiled_events, ensure_traceable, is_no_such_domain,
    is_possible, need, no_such_domain, recording, remark, required_events,
};
pub use goal::{Goal, aim};
pub use guide::{Claim, Guide};
pub use keys::Touched;
pub use show::{KeyShown, bytes, closeness, describe, describe_one, domain_json};
