//! `spread`: how much memory runs allocate in all that take an edge, by order of magnitude.
//!
//! What allocates most may lead nowhere, while another way of spending as much could be repeated. This keeps the ways
//! apart.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static SPREAD: Domain = Domain {
    name: "spread",
    help: "more memory in runs that take some edge, by order of magnitude; comes with `mem`",
    events: EventSet::of(Event::Alloc),
    maps: &[RunMap::AllocatedAt],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Bytes,
    brings: None,
};
