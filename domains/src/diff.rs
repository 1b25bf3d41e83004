//! `diff`: what runs after a changed line was reached.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static DIFF: Domain = Domain {
    name: "diff",
    help: "new transitions between edges, and new orders of magnitude of them, once a line of --diff was reached",
    events: EventSet::of(Event::Diff),
    maps: &[RunMap::Transitions],
    a0: 0,
    reducer: Reducer::LogUnion,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
