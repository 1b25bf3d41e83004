//! `cmp`: how close each comparison came to equality.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

/// The score of equality, as `WAYPOINT_EQUAL` in `waypoint_abi.h`: larger than that of any other outcome.
pub const EQUAL: u64 = u32::MAX as u64;

pub(crate) static CMP: Domain = Domain {
    name: "cmp",
    help: "closer comparisons: more equal bits of integers, switch cases, floats and texts (memcmp, strcmp, strstr ...)",
    events: EventSet::of(Event::Cmp),
    maps: &[RunMap::Comparisons],
    a0: 0,
    reducer: Reducer::Max,
    goal: Some(EQUAL),
    unit: Unit::Closeness,
    brings: None,
};
