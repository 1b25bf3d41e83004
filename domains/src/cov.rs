//! `cov`: how often each edge was taken, in AFL's eight buckets.
use crate::{Domain, Event, EventSet, RunMap, bucket_union};

pub(crate) static COV: Domain = Domain {
    name: "cov",
    help: "new edges, and new orders of magnitude of how often an edge is taken (always on)",
    events: EventSet::of(Event::Edge),
    map: RunMap::Counters,
    a0: 0,
    reduce: bucket_union,
};
