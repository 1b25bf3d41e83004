//! IJON's annotations (`ijon.h`): each kind is a domain of the target's, and a state makes coverage a domain of its own.
//!
//! IJON changes which counter an edge counts in: the edge's number XOR the state. Here a counter has a fixed address, so
//! when the state changes, what was counted since the last change is put down to the state that was in force.
use std::{
    cell::UnsafeCell,
    ffi::CStr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::Relaxed},
};

use waypoint_domains::Reducer;

use crate::{
    dsf::{self, Custom, Reduce},
    objects, sections,
};

/// A kind of annotation.
#[derive(Debug)]
pub struct Annotation {
    name: &'static CStr,
    /// One line for `--list-domains`.
    pub help: &'static str,
    keys: usize,
    a0: u64,
    reduce: Reduce,
}

extern "C" fn max(a: u64, v: u64) -> u64 {
    Reducer::Max.apply(a, v)
}

extern "C" fn min(a: u64, v: u64) -> u64 {
    Reducer::Min.apply(a, v)
}

extern "C" fn buckets(a: u64, v: u64) -> u64 {
    Reducer::BucketUnion.apply(a, v)
}

/// As many keys as IJON has; of states and edges there are more.
const KEYS: usize = 1 << 16;
const STATE_KEYS: usize = 1 << 18;

const MAX: u32 = 0;
const MIN: u32 = 1;
const INC: u32 = 3;
const STATE: usize = 4;

/// Every kind, by its number in `ijon.h`.
pub static ANNOTATIONS: [Annotation; 5] = [
    Annotation { name: c"ijon_max", help: "larger values of an IJON_MAX", keys: KEYS, a0: 0, reduce: max },
    Annotation {
        name: c"ijon_min",
        help: "smaller values of an IJON_MIN or IJON_DIST",
        keys: KEYS,
        a0: u64::MAX,
        reduce: min,
    },
    Annotation {
        name: c"ijon_set",
        help: "new values of an IJON_SET, IJON_STRDIST or IJON_BITS",
        keys: KEYS,
        a0: 0,
        reduce: max,
    },
    Annotation {
        name: c"ijon_inc",
        help: "new values of an IJON_INC or IJON_CMP, and new orders of magnitude of their number",
        keys: KEYS,
        a0: 0,
        reduce: buckets,
    },
    Annotation {
        name: c"ijon_state",
        help: "edges taken in a state (IJON_STATE, IJON_CTX) in which they were not, in new orders of magnitude",
        keys: STATE_KEYS,
        a0: 0,
        reduce: buckets,
    },
];

static DOMAINS: [AtomicPtr<Custom>; 5] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 5];

impl Annotation {
    /// The name of its domain.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name.to_str().unwrap_or_default()
    }
}

/// The kinds of annotation that the program itself has; those of shared objects show when they are used.
pub fn in_program() -> impl Iterator<Item = &'static Annotation> {
    let has = |kind: usize| sections::ijon_kinds().iter().any(|found| usize::from(*found) == kind);
    ANNOTATIONS.iter().enumerate().filter(move |(kind, _)| has(*kind)).map(|(_, annotation)| annotation)
}

/// Makes the domains of the kinds that the program has.
pub fn register() {
    for (kind, annotation) in ANNOTATIONS.iter().enumerate() {
        if in_program().any(|known| std::ptr::eq(known, annotation)) {
            domain(kind);
        }
    }
}

fn domain(kind: usize) -> Option<&'static Custom> {
    let place = DOMAINS.get(kind)?;
    // SAFETY: only a domain that is never freed is stored there.
    if let Some(known) = unsafe { place.load(Relaxed).as_ref() } {
        return Some(known);
    }
    let Annotation { name, keys, a0, reduce, .. } = ANNOTATIONS[kind];
    let new = dsf::new_domain(name.as_ptr(), keys, Some(reduce), a0)?;
    place.store(std::ptr::from_ref(new).cast_mut(), Relaxed);
    Some(new)
}

/// An annotation of this kind, at this key, has this value.
pub(crate) extern "C" fn annotate(kind: u32, key: u64, value: u64) {
    let Some(domain) = domain(kind as usize).filter(|_| (kind as usize) < STATE) else { return };
    let key = (key ^ key >> 16 ^ key >> 32) as usize % domain.keys;
    let before = dsf::get(domain, key);
    match kind {
        MAX if value <= before => {}
        MIN if value >= before => {}
        INC => dsf::set(domain, key, before.saturating_add(1)),
        MAX | MIN => dsf::set(domain, key, value),
        _ => dsf::set(domain, key, 1),
    }
}

/// The state in force, and whether there was one in this run.
static IN_FORCE: AtomicU32 = AtomicU32::new(0);
/// The values that were pushed last, a byte each.
static LOG: AtomicU32 = AtomicU32::new(0);
static HAS_STATE: AtomicBool = AtomicBool::new(false);

/// The counters of every object as they were when the state last changed.
struct Before(UnsafeCell<Vec<Vec<u32>>>);

// SAFETY: used by the thread that holds `BUSY`.
unsafe impl Sync for Before {}

static BEFORE: Before = Before(UnsafeCell::new(Vec::new()));
static BUSY: AtomicBool = AtomicBool::new(false);

/// Changes the state, as IJON does: by XOR.
pub(crate) extern "C" fn xor_state(value: u32) {
    HAS_STATE.store(true, Relaxed);
    settle();
    IN_FORCE.fetch_xor(value, Relaxed);
}

/// There is no state from now on.
pub(crate) extern "C" fn reset_state() {
    xor_state(IN_FORCE.load(Relaxed));
    LOG.store(0, Relaxed);
}

/// The last four values are part of the state.
pub(crate) extern "C" fn push_state(value: u32) {
    let before = LOG.load(Relaxed);
    let after = before << 8 | value & 0xff;
    LOG.store(after, Relaxed);
    xor_state(before ^ after);
}

/// Takes what was counted in the last state into its domain. To be called when the harness has returned.
#[inline]
pub fn end_run() {
    if HAS_STATE.load(Relaxed) {
        settle();
    }
}

/// Makes ready for a run.
#[inline]
pub fn reset() {
    if HAS_STATE.swap(false, Relaxed) {
        IN_FORCE.store(0, Relaxed);
        LOG.store(0, Relaxed);
        // SAFETY: no run is under way.
        unsafe { &mut *BEFORE.0.get() }.iter_mut().for_each(|counts| counts.fill(0));
    }
}

/// Puts what was counted since the last change down to the state in force. No state at all is what plain coverage sees.
fn settle() {
    if BUSY.swap(true, std::sync::atomic::Ordering::Acquire) {
        // Another thread of the target is at it.
        return;
    }
    let state = IN_FORCE.load(Relaxed);
    // SAFETY: `BUSY` is ours.
    let before = unsafe { &mut *BEFORE.0.get() };
    before.resize_with(objects::count(), Vec::new);
    let domain = domain(STATE);
    for (object, before) in objects::all().zip(before.iter_mut()) {
        before.resize(object.n_counters(), 0);
        for (index, (count, before)) in object.counters().iter().zip(before.iter_mut()).enumerate() {
            if *count == *before {
                continue;
            }
            let grown = u64::from(count.saturating_sub(*before));
            *before = *count;
            if let Some(domain) = domain.filter(|_| state != 0 && grown != 0) {
                let key = key(object.identity.id, index, state) % domain.keys;
                dsf::set(domain, key, dsf::get(domain, key).saturating_add(grown));
            }
        }
    }
    BUSY.store(false, std::sync::atomic::Ordering::Release);
}

/// A number for an edge in a state that is the same in every process.
fn key(object: u64, index: usize, state: u32) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (object ^ (index as u64).wrapping_mul(ODD)).rotate_left(29) ^ u64::from(state);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(ODD);
    (mixed >> 40) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_states_have_keys_that_hardly_meet() {
        let mut keys: Vec<usize> =
            (0..1000).flat_map(|index| (1..9).map(move |state| key(7, index, state))).collect();
        keys.iter_mut().for_each(|key| *key %= STATE_KEYS);
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > 7800, "{}", keys.len());
    }

    #[test]
    fn annotations_move_values_as_their_names_say() {
        for (kind, values, expected) in
            [(MAX, [3, 9, 4], 9), (MIN, [7, 5, 6], 5), (2, [1, 1, 1], 1), (INC, [0, 0, 0], 3)]
        {
            values.iter().for_each(|value| annotate(kind, 12, *value));
            let domain = domain(kind as usize).unwrap();
            assert_eq!(dsf::get(domain, 12), expected, "{}", domain.name);
        }
        annotate(99, 1, 1);
    }
}
