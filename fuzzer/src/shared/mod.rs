//! What supervisor and worker share, and what must survive a worker: anonymous memory, inherited by fork.
//!
//! Nothing here has a name in the file system, so nothing stays behind however the processes end.
mod aggregates;
mod control;
mod journal;
mod region;

use anyhow::Result;

pub use aggregates::{Aggregates, NO_HOLDER};
pub use control::{Control, Crash, MAX_FRAMES, Phase};
pub use journal::{Entry, Journal, Place};
use region::Region;

/// Everything the supervisor and its workers share.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// The input being run, what the worker is doing, and its numbers.
    pub control: &'static Control,
    /// Every kept input.
    pub journal: Journal,
    /// What every key has seen so far.
    pub aggregates: Aggregates,
}

impl Shared {
    /// Reserves the memory for inputs of at most `max_len` bytes.
    pub fn new(max_len: usize) -> Result<Self> {
        Ok(Self {
            control: Control::new(max_len)?,
            journal: Journal::new(Region::largest()?),
            aggregates: Aggregates::new()?,
        })
    }
}
