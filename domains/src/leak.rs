//! `leak`: bytes that each call site allocated and that are still live after the run.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static LEAK: Domain = Domain {
    name: "leak",
    help: "more memory that is not freed: bytes per call site still live after the run, in two runs of the same input",
    events: EventSet::of(Event::Alloc),
    maps: &[RunMap::LeftMemory],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Bytes,
    brings: None,
};
