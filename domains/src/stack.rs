//! `stack`: how deep the stack is in each function.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

pub(crate) static STACK: Domain = Domain {
    name: "stack",
    help: "a deeper stack, in any function and in all: deep recursion, large variables",
    events: EventSet::of(Event::Stack),
    maps: &[RunMap::StackDepths, RunMap::DeepestStack],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Bytes,
    brings: None,
};
