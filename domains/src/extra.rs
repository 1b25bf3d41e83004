//! `extra`: the counters that a harness made for libFuzzer has in `__libfuzzer_extra_counters`.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static EXTRA: Domain = Domain {
    name: "extra",
    help: "libFuzzer's extra counters in new orders of magnitude (on where the target has the section __libfuzzer_extra_counters)",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::ExtraCounters],
    a0: 0,
    reducer: Reducer::BucketUnion,
    goal: None,
    unit: Unit::Number,
    brings: None,
};
