//! `cov`: how often each edge was taken, in AFL's eight buckets.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static COV: Domain = Domain {
    name: "cov",
    help: "new edges, and new orders of magnitude of how often an edge is taken (on unless --no-coverage)",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::Counters],
    a0: 0,
    reducer: Reducer::BucketUnion,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
