//! `mem`: bytes allocated by each call site in one run, and the most that is live at once.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit, spread::SPREAD};

pub(crate) static MEM: Domain = Domain {
    name: "mem",
    help: "more memory: bytes allocated per call site in one run, and the peak of live bytes",
    events: EventSet::of(Event::Alloc),
    maps: &[RunMap::Allocations, RunMap::PeakMemory],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Bytes,
    brings: Some(&SPREAD),
};
