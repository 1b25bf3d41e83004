//! `slow`: the length of the whole path and nothing else.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static SLOW: Domain = Domain {
    name: "slow",
    help: "longer paths: more edges taken in one run, wherever they are",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::PathLength],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
