//! What the last run wrote, key by key, for every run map.
use std::ops::ControlFlow;

use waypoint_domains::{FEATURE_KEYS, RunMap, feature_key};
use waypoint_runtime::{abi::OUTS, dsf::Custom, objects, recording::Recorder, sections};

use crate::{
    coverage::{Counters, bucket},
    shared::Table,
};

/// Identities of keys that belong to the whole program; those of objects are hashes, so these small numbers are free.
const PATH_LENGTH: u64 = 1;
const PEAK_MEMORY: u64 = 2;
/// Custom domains have a table of their own, with one owner.
const CUSTOM: u64 = 3;
const EXTRA_COUNTERS: u64 = 4;
const EXTRA_FEATURES: u64 = 5;
const DEEPEST_STACK: u64 = 6;
const OUTPUT: u64 = 7;

/// The run maps, as the last run left them.
#[derive(Debug, Clone, Copy)]
pub struct Touched<'a> {
    /// The counters.
    pub counters: &'a Counters,
    /// Comparisons, allocations and transitions.
    pub recorder: &'a Recorder,
}

/// Where the keys of a domain lie in its table.
#[derive(Debug)]
pub enum Keys {
    /// Those of built-in run maps: for each map, the first key of every object.
    Maps(Vec<(RunMap, Vec<Option<usize>>)>),
    /// Those of a domain of the target's own, from this key on.
    Custom(&'static Custom, usize),
    /// Those of a domain that has not been registered yet.
    Unknown,
}

impl Keys {
    /// The keys of these maps, over all objects loaded so far.
    pub fn of(maps: &[RunMap], table: Table, counters: &Counters) -> Self {
        let bases = |map: &RunMap| match map {
            RunMap::PathLength => vec![table.place(PATH_LENGTH, 1)],
            RunMap::PeakMemory => vec![table.place(PEAK_MEMORY, 1)],
            RunMap::ExtraCounters => vec![table.place(EXTRA_COUNTERS, sections::extra_counters().len())],
            RunMap::ExtraFeatures => vec![table.place(EXTRA_FEATURES, FEATURE_KEYS)],
            RunMap::Counters | RunMap::AllocatedAt => counters
                .objects()
                .map(|object| table.place(object.identity.id, object.n_counters()))
                .collect(),
            RunMap::Comparisons => {
                objects::all().map(|object| table.place(object.identity.id, object.n_cmps())).collect()
            }
            RunMap::DeepestStack => vec![table.place(DEEPEST_STACK, 1)],
            RunMap::Output => vec![table.place(OUTPUT, OUTS)],
            RunMap::StackDepths => {
                objects::all().map(|object| table.place(object.identity.id, object.n_stacks())).collect()
            }
            RunMap::Allocations | RunMap::LeftMemory => {
                objects::all().map(|object| table.place(object.identity.id, object.n_allocs())).collect()
            }
            RunMap::Transitions => {
                objects::all().map(|object| table.place(object.identity.id, object.n_steps())).collect()
            }
        };
        Self::Maps(maps.iter().map(|map| (*map, bases(map))).collect())
    }

    /// The keys of a domain of the target's own.
    pub fn custom(domain: &'static Custom, table: Table) -> Self {
        table.place(CUSTOM, domain.keys).map_or(Self::Unknown, |base| Self::Custom(domain, base))
    }

    /// The key for the peak of live memory.
    pub fn peak(&self) -> Option<usize> {
        let Self::Maps(maps) = self else { return None };
        let (_, bases) = maps.iter().find(|(map, _)| *map == RunMap::PeakMemory)?;
        bases.first().copied().flatten()
    }

    /// Whether they are of what is left after a run.
    pub fn are_of_leaks(&self) -> bool {
        matches!(self, Self::Maps(maps) if maps.iter().any(|(map, _)| *map == RunMap::LeftMemory))
    }

    /// Whether no value is larger than the aggregate of its key, for aggregates that start at 0. May say no when it is
    /// so.
    pub fn are_all_below(&self, touched: Touched<'_>, table: Table) -> bool {
        let Self::Maps(maps) = self else { return false };
        let bases = match maps.first() {
            Some((RunMap::Counters, bases)) => bases,
            Some((RunMap::AllocatedAt, bases)) => return is_nothing_more(touched, bases, table),
            _ => return false,
        };
        let (mut below, mut length) = (true, 0u64);
        touched.counters.for_each_entered(|n, first, counts| {
            let Some(base) = bases.get(n).copied().flatten() else { return };
            let aggregates = table.encoded_range(base + first, counts.len());
            below &= compare(counts, aggregates, &mut length);
        });
        let is_known = |(map, bases): &(RunMap, Vec<Option<usize>>)| {
            let key = bases.first().copied().flatten();
            *map == RunMap::PathLength && key.is_some_and(|key| length <= table.encoded(key))
        };
        below && maps[1..].iter().all(is_known)
    }

    /// Whether every count is in a bucket that the aggregate of its key has, for unions of buckets over counters. May say
    /// no when it is so.
    pub fn are_all_in_buckets(&self, touched: Touched<'_>, table: Table) -> bool {
        let Self::Maps(maps) = self else { return false };
        let [(RunMap::Counters, bases)] = maps.as_slice() else { return false };
        let mut known = true;
        touched.counters.for_each_entered(|n, first, counts| {
            let Some(base) = bases.get(n).copied().flatten() else { return };
            known &= has_buckets(counts, table.encoded_range(base + first, counts.len()));
        });
        known
    }

    /// Calls `f` with every touched key and its value, until it breaks.
    pub fn visit<B>(
        &self,
        touched: Touched<'_>,
        mut f: impl FnMut(usize, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // The sources call back without a way to stop, so the first break is remembered and the rest ignored.
        let mut outcome = ControlFlow::Continue(());
        let mut visit = |base: Option<usize>, index: usize, value: u64| {
            if let (Some(base), ControlFlow::Continue(())) = (base, &outcome) {
                outcome = f(base + index, value);
            }
        };
        match self {
            Self::Maps(maps) => {
                for (map, bases) in maps {
                    let base = |n: usize| bases.get(n).copied().flatten();
                    match map {
                        RunMap::Counters => touched.counters.for_each_entered(|n, first, counts| {
                            for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count != 0)
                            {
                                visit(base(n), first + index, u64::from(*count));
                            }
                        }),
                        RunMap::AllocatedAt => {
                            let Some(order) = allocated_order(touched) else { continue };
                            touched.counters.for_each_entered(|n, first, counts| {
                                let reached = counts.iter().enumerate().filter(|(_, count)| **count != 0);
                                reached.for_each(|(index, _)| visit(base(n), first + index, order));
                            });
                        }
                        RunMap::PathLength => visit(base(0), 0, touched.counters.path_length()),
                        RunMap::Comparisons => {
                            touched
                                .recorder
                                .for_each_cmp(|n, index, slot| visit(base(n), index, slot.best.into()));
                        }
                        RunMap::Allocations => {
                            touched.recorder.for_each_alloc(|n, index, bytes| visit(base(n), index, bytes));
                        }
                        RunMap::ExtraCounters => {
                            let counters = sections::extra_counters().iter().enumerate();
                            for (key, count) in counters.filter(|(_, count)| **count != 0) {
                                visit(base(0), key, u64::from(*count));
                            }
                        }
                        RunMap::ExtraFeatures => {
                            for feature in sections::extra_features().iter().filter(|feature| **feature != 0)
                            {
                                visit(base(0), feature_key(*feature), 1);
                            }
                        }
                        RunMap::LeftMemory => {
                            touched
                                .recorder
                                .left()
                                .iter()
                                .for_each(|left| visit(base(left.object), left.index, left.value));
                        }
                        RunMap::StackDepths => {
                            let stacks = touched.recorder.stacks().iter();
                            stacks.for_each(|stack| visit(base(stack.object), stack.index, stack.value));
                        }
                        RunMap::DeepestStack => {
                            let depths = touched.recorder.stacks().iter().map(|stack| stack.value);
                            depths.max().into_iter().for_each(|depth| visit(base(0), 0, depth));
                        }
                        RunMap::Output => {
                            touched
                                .recorder
                                .for_each_out(|descriptor, bytes| visit(base(0), descriptor, bytes));
                        }
                        RunMap::Transitions => {
                            touched
                                .recorder
                                .for_each_transition(|n, index, n_times| visit(base(n), index, n_times));
                        }
                        RunMap::PeakMemory => match touched.recorder.peak() {
                            // Not followed, or nothing allocated.
                            0 => {}
                            peak => visit(base(0), 0, peak),
                        },
                    }
                }
            }
            Self::Custom(domain, base) => domain.for_each(|key, value| visit(Some(*base), key, value)),
            Self::Unknown => {}
        }
        outcome
    }
}

/// All bytes that the run allocated, rounded down to a power of two.
fn allocated_order(touched: Touched<'_>) -> Option<u64> {
    let mut all = 0u64;
    touched.recorder.for_each_alloc(|_, _, bytes| all = all.saturating_add(bytes));
    all.checked_ilog2().map(|order| 1 << order)
}

/// Whether as much was allocated before at every counter that the run reached.
fn is_nothing_more(touched: Touched<'_>, bases: &[Option<usize>], table: Table) -> bool {
    let Some(order) = allocated_order(touched) else { return true };
    let mut known = true;
    touched.counters.for_each_entered(|n, first, counts| {
        let Some(base) = bases.get(n).copied().flatten() else { return };
        known = known && had_as_much(counts, table.encoded_range(base + first, counts.len()), order);
    });
    known
}

/// Whether the aggregate of every count that is not zero is as large.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+sse4.2", "aarch64+neon"))]
fn had_as_much(counts: &[u32], aggregates: &[u64], order: u64) -> bool {
    let mut less = 0u64;
    for (count, aggregate) in counts.iter().zip(aggregates) {
        less |= u64::from(*count != 0) & u64::from(*aggregate < order);
    }
    less == 0
}

/// Whether no count is larger than its aggregate; adds the counts to `sum`.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+sse4.2", "aarch64+neon"))]
fn compare(counts: &[u32], aggregates: &[u64], sum: &mut u64) -> bool {
    let (mut above, mut all) = (0u64, 0u64);
    for (count, aggregate) in counts.iter().zip(aggregates) {
        let count = u64::from(*count);
        above |= u64::from(count > *aggregate);
        all += count;
    }
    *sum += all;
    above == 0
}

/// Whether every count is in a bucket that its aggregate has.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+sse4.2", "aarch64+neon"))]
fn has_buckets(counts: &[u32], aggregates: &[u64]) -> bool {
    let mut new = 0u64;
    for (count, aggregate) in counts.iter().zip(aggregates) {
        new |= u64::from(bucket(*count)) & !*aggregate;
    }
    new == 0
}

#[cfg(test)]
mod tests {
    use super::{compare, had_as_much, has_buckets};

    #[test]
    fn only_counters_that_were_reached_can_have_had_less() {
        assert!(had_as_much(&[0, 1, 2], &[0, 8, 16], 8));
        assert!(!had_as_much(&[0, 0, 0, 0, 0, 0, 0, 0, 1], &[0, 0, 0, 0, 0, 0, 0, 0, 4], 8));
        assert!(had_as_much(&[], &[], 8));
    }

    #[test]
    fn a_count_in_a_new_bucket_is_seen() {
        assert!(has_buckets(&[0, 1, 5, 200], &[0, 1, 8, 255]));
        assert!(!has_buckets(&[0, 0, 0, 0, 0, 0, 0, 0, 2], &[0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert!(has_buckets(&[], &[]));
    }

    #[test]
    fn compares_and_adds() {
        let mut sum = 5;
        assert!(compare(&[1, 2, 3], &[1, 2, 3], &mut sum));
        assert_eq!(sum, 11);
        assert!(!compare(&[0, 0, 0, 0, 0, 0, 0, 0, 7], &[9, 0, 0, 0, 0, 0, 0, 0, 6], &mut sum));
        assert!(compare(&[u32::MAX], &[u64::MAX], &mut sum));
    }
}
