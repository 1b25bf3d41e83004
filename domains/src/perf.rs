//! `perf`: how often each edge is taken, as often as possible, and the length of the whole path.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static PERF: Domain = Domain {
    name: "perf",
    help: "more executions of any edge, and longer paths: hot loops, quadratic behaviour",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::Counters, RunMap::PathLength],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
