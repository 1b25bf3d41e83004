//! `out`: bytes written to each file descriptor.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static OUT: Domain = Domain {
    name: "out",
    help: "more output: bytes written to any file descriptor (write, send, stdio, std::cout ...)",
    events: EventSet::of(Event::Out),
    maps: &[RunMap::Output],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Bytes,
    brings: None,
};
