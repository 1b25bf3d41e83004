//! The domains: what a run can make progress in, as plain data; one file a domain, one list of all.
//!
//! A domain is `d = (K, V, A, a0, reduce)`. Which keys and values a run produced is the business of the run
//! maps it reads; how an aggregate is stored and scanned is the engine's. Nothing here is unsafe, and nothing
//! knows LibAFL or a target.
#![forbid(unsafe_code)]

mod cmp;
mod cov;
mod diff;
mod event;
mod extra;
mod features;
mod leak;
mod mem;
mod names;
mod out;
mod perf;
mod reducers;
mod slow;
mod spread;
mod stack;
mod valid;

pub use cmp::EQUAL;
pub use event::{ALL_EVENTS, Event, EventSet, UnknownEvent};
pub use features::{FEATURE_KEYS, feature_key, feature_of};
pub use names::nearest;
pub use reducers::{Reducer, bucket};

/// A run map: what one run wrote, key -> value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunMap {
    /// One key a counter of the instrumented program: how often its edge was taken.
    Counters,
    /// One key: how many edges were taken in all.
    PathLength,
    /// One key a comparison (a switch has one for every case): how close it came.
    Comparisons,
    /// One key a call site: how many bytes it allocated.
    Allocations,
    /// One key: the most bytes that were live at once.
    PeakMemory,
    /// One key a counter that the run reached: all bytes it allocated, rounded down to a power of two.
    AllocatedAt,
    /// One key a byte of the target's arrays in libFuzzer's section for extra counters: its value.
    ExtraCounters,
    /// One key a feature that the target put into Centipede's section for extra features: 1.
    ExtraFeatures,
    /// One key a call site: how many of the bytes it allocated are live after the run.
    LeftMemory,
    /// One key a function: how deep the stack was, in bytes.
    StackDepths,
    /// One key: how deep the stack was at most.
    DeepestStack,
    /// One key a file descriptor: how many bytes were written to it.
    Output,
    /// One key a transition from a counter of a function to the next: how often it was taken after a changed line was
    /// reached, counting the one that led there.
    Transitions,
}

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// As they are.
    Number,
    /// As a size in memory.
    Bytes,
    /// As a comparison's score.
    Closeness,
}

/// A domain: which run maps it reads, its initial aggregate and its reducer.
#[derive(Debug)]
pub struct Domain {
    /// What a user writes after `--domain`, and what a queue name carries after `+`.
    pub name: &'static str,
    /// One line for `--list-domains` and the README.
    pub help: &'static str,
    /// The events that must be compiled in.
    pub events: EventSet,
    /// The run maps that hold its keys and values.
    pub maps: &'static [RunMap],
    /// The aggregate of a key that no kept input has touched.
    pub a0: u64,
    /// An input is a waypoint if `reduce(aggregate, value)` differs from the aggregate for some key.
    pub reducer: Reducer,
    /// The aggregate beyond which there is nothing to find: such a key takes no more energy.
    pub goal: Option<u64>,
    /// How its values are shown.
    pub unit: Unit,
    /// A domain that guides along with it, unasked.
    pub brings: Option<&'static Self>,
}

/// Every domain there is, in the order in which they are listed.
#[rustfmt::skip] // one a line, so that a new one is one line
pub static ALL_DOMAINS: &[&Domain] = &[
    &cov::COV,
    &mem::MEM,
    &spread::SPREAD,
    &cmp::CMP,
    &perf::PERF,
    &slow::SLOW,
    &diff::DIFF,
    &stack::STACK,
    &leak::LEAK,
    &out::OUT,
    &valid::VALID,
    &extra::EXTRA,
    &features::FEATURES,
];

/// The domain of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Domain> {
    ALL_DOMAINS.iter().copied().find(|domain| domain.name == name)
}

#[cfg(test)]
mod conformance;
