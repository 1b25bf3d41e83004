//! `valid`: how often each edge was taken by inputs for which no assumption failed, in the buckets of coverage.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static VALID: Domain = Domain {
    name: "valid",
    help: "coverage by valid inputs alone: those for which no WAYPOINT_ASSUME of the target failed",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::Counters],
    a0: 0,
    reducer: Reducer::BucketUnion,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
