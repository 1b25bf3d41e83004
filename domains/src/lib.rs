//! The domains: what a run can make progress in, as plain data; one file a domain, one list of all.
//!
//! A domain is `d = (K, V, A, a0, reduce)`. Which keys and values a run produced is the business of the run
//! map it reads; how an aggregate is stored and scanned is the engine's. Nothing here is unsafe, and nothing
//! knows LibAFL or a target.
#![forbid(unsafe_code)]

mod cov;
mod event;
mod names;
mod reducers;

pub use event::{ALL_EVENTS, Event, EventSet, UnknownEvent};
pub use names::nearest;
pub use reducers::bucket_union;

/// A run map: what one run wrote, key -> value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunMap {
    /// One key a counter of the instrumented program: how often its edge was taken.
    Counters,
}

/// A domain: which run map it reads, its initial aggregate and its reducer.
#[derive(Debug)]
pub struct Domain {
    /// What a user writes after `--domain`, and what a queue name carries after `+`.
    pub name: &'static str,
    /// One line for `--list-domains` and the README.
    pub help: &'static str,
    /// The events that must be compiled in.
    pub events: EventSet,
    /// The run map that holds its keys and values.
    pub map: RunMap,
    /// The aggregate of a key that no kept input has touched.
    pub a0: u64,
    /// `reduce(aggregate, value)`. An input is a waypoint if this differs from the aggregate for some key.
    pub reduce: fn(u64, u64) -> u64,
}

/// Every domain there is, in the order in which they are listed.
pub static ALL_DOMAINS: &[&Domain] = &[&cov::COV];

/// The domain of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Domain> {
    ALL_DOMAINS.iter().copied().find(|domain| domain.name == name)
}

#[cfg(test)]
mod conformance;
