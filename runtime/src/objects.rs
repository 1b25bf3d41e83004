//! The instrumented objects of this process, in the order in which they registered.
//!
//! Objects come before `main` (the program, its libraries) or in the middle of a run (dlopen) and never go: one
//! loaded late is pinned against dlclose, since its counters are read after every run.
use std::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use waypoint_domains::{Event, EventSet};

use crate::{
    Identity,
    abi::{self, AllocSlot, CmpSlot, FunctionRecord, ObjectRecord, SideRecord},
    identity,
};

/// More objects than any program here has loaded; a further one stays unseen.
pub const MAX_OBJECTS: usize = 1024;

/// One registered object.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    counters: *mut u32,
    n_counters: usize,
    functions: *const FunctionRecord,
    n_functions: usize,
    cmps: *mut CmpSlot,
    n_cmps: usize,
    allocs: *mut AllocSlot,
    n_allocs: usize,
    stacks: *mut u64,
    n_stacks: usize,
    steps: *mut u32,
    n_steps: usize,
    texts: *const u8,
    n_texts: usize,
    pub(crate) side: *mut SideRecord,
    /// Its name across runs.
    pub identity: Identity,
}

struct Registry {
    objects: UnsafeCell<[Option<Object>; MAX_OBJECTS]>,
    /// Objects below this index are complete and never written again.
    len: AtomicUsize,
    /// Set once `main` runs: what registers later came by dlopen.
    started: AtomicBool,
}

// SAFETY: slots below `len` are only read; the one at `len` is written by one thread at a time, because the
// dynamic loader serialises constructors, and is published by the release store of `len`.
unsafe impl Sync for Registry {}

static REGISTRY: Registry = Registry {
    objects: UnsafeCell::new([None; MAX_OBJECTS]),
    len: AtomicUsize::new(0),
    started: AtomicBool::new(false),
};

/// Called by a constructor of every instrumented object.
///
/// # Safety
/// `record` must describe the counters and functions of a loaded object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __waypoint_register(record: *const ObjectRecord) {
    // SAFETY: the caller passes a valid record.
    let record = unsafe { &*record };
    let len = REGISTRY.len.load(Ordering::Acquire);
    let known = all().any(|object| object.counters == record.counters_start);
    if known || len == MAX_OBJECTS || record.version != abi::VERSION {
        return;
    }
    let bytes = |start: usize, stop: usize, size: usize| stop.saturating_sub(start) / size;
    let object = Object {
        counters: record.counters_start,
        n_counters: bytes(record.counters_start as usize, record.counters_stop as usize, size_of::<u32>()),
        functions: record.functions_start,
        n_functions: bytes(
            record.functions_start as usize,
            record.functions_stop as usize,
            size_of::<FunctionRecord>(),
        ),
        cmps: record.cmps_start,
        n_cmps: bytes(record.cmps_start as usize, record.cmps_stop as usize, size_of::<CmpSlot>()),
        allocs: record.allocs_start,
        n_allocs: bytes(record.allocs_start as usize, record.allocs_stop as usize, size_of::<AllocSlot>()),
        stacks: record.stacks_start,
        n_stacks: bytes(record.stacks_start as usize, record.stacks_stop as usize, size_of::<u64>()),
        steps: record.steps_start,
        n_steps: bytes(record.steps_start as usize, record.steps_stop as usize, size_of::<u32>()),
        texts: record.texts_start,
        n_texts: bytes(record.texts_start as usize, record.texts_stop as usize, 1),
        side: record.side,
        identity: identity::of(record.counters_start as usize),
    };
    if REGISTRY.started.load(Ordering::Relaxed) {
        pin(record.counters_start.cast());
    }
    // SAFETY: slot `len` is not yet published and constructors do not run concurrently (see `Registry`).
    unsafe { (*REGISTRY.objects.get())[len] = Some(object) };
    REGISTRY.len.store(len + 1, Ordering::Release);
}

/// Keeps the object that holds `address` loaded for good.
fn pin(address: *const libc::c_void) {
    // SAFETY: dladdr fills `info` or returns 0; NOLOAD never loads anything, it only marks what is loaded.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address, &raw mut info) != 0 && !info.dli_fname.is_null() {
            libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE);
        }
    }
}

/// Says that `main` runs now.
pub fn started() {
    REGISTRY.started.store(true, Ordering::Relaxed);
}

/// How many objects have registered so far; grows when the target loads one.
#[must_use]
#[inline]
pub fn count() -> usize {
    REGISTRY.len.load(Ordering::Acquire)
}

/// The registered objects.
pub fn all() -> impl Iterator<Item = Object> {
    (0..count()).filter_map(|index| {
        // SAFETY: slots below `len` are never written again.
        unsafe { (*REGISTRY.objects.get())[index] }
    })
}

/// The short texts among the constants of all objects.
pub fn texts() -> impl Iterator<Item = &'static [u8]> {
    all().flat_map(|object| object.texts())
}

impl Object {
    /// How many counters it has.
    #[must_use]
    pub fn n_counters(&self) -> usize {
        self.n_counters
    }

    /// Its counters, as the last run left them. Not to be held across a run.
    #[must_use]
    #[allow(clippy::mut_from_ref, reason = "the memory belongs to the target, not to this handle")]
    pub fn counters(&self) -> &mut [u32] {
        // SAFETY: the array lives as long as the pinned object, and the target does not run while the engine
        // holds the slice.
        unsafe { std::slice::from_raw_parts_mut(self.counters, self.n_counters) }
    }

    /// Its functions; none when it was compiled without the plugin.
    #[must_use]
    pub fn functions(&self) -> &'static [FunctionRecord] {
        if self.n_functions == 0 {
            return &[];
        }
        // SAFETY: the section lives as long as the pinned object and is never written.
        unsafe { std::slice::from_raw_parts(self.functions, self.n_functions) }
    }

    /// How many comparisons can be recorded.
    #[must_use]
    pub fn n_cmps(&self) -> usize {
        self.n_cmps
    }

    /// How many call sites of allocation functions can be recorded.
    #[must_use]
    pub fn n_allocs(&self) -> usize {
        self.n_allocs
    }

    /// The number of a comparison's slot, if it is one of this object's.
    #[must_use]
    pub fn cmp_index(&self, slot: *const CmpSlot) -> Option<usize> {
        let at = (slot as usize).checked_sub(self.cmps as usize)? / size_of::<CmpSlot>();
        (at < self.n_cmps).then_some(at)
    }

    /// The number of an allocation's slot, if it is one of this object's.
    #[must_use]
    pub fn alloc_index(&self, slot: *const AllocSlot) -> Option<usize> {
        let at = (slot as usize).checked_sub(self.allocs as usize)? / size_of::<AllocSlot>();
        (at < self.n_allocs).then_some(at)
    }

    /// How many functions have a slot for the stack.
    #[must_use]
    pub fn n_stacks(&self) -> usize {
        self.n_stacks
    }

    /// The lowest address that the stack had in each of these functions. Not to be held across a run.
    #[allow(clippy::mut_from_ref, reason = "the memory belongs to the target, not to this handle")]
    pub(crate) fn stacks(&self) -> &mut [u64] {
        if self.n_stacks == 0 {
            return &mut [];
        }
        // SAFETY: as for `counters`.
        unsafe { std::slice::from_raw_parts_mut(self.stacks, self.n_stacks) }
    }

    /// The number of a function's slot for the stack, if it has one.
    #[must_use]
    pub fn stack_index(&self, function: &'static FunctionRecord) -> Option<usize> {
        let at = (function.stack()? as usize).checked_sub(self.stacks as usize)? / size_of::<u64>();
        (at < self.n_stacks).then_some(at)
    }

    /// How many transitions can be recorded.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// The number of a transition's slot, if it is one of this object's.
    #[must_use]
    pub fn step_index(&self, slot: *const u32) -> Option<usize> {
        let at = (slot as usize).checked_sub(self.steps as usize)? / size_of::<u32>();
        (at < self.n_steps).then_some(at)
    }

    /// The texts among the constants of its units that may be words or hold them, those of each sorted.
    pub fn texts(&self) -> impl Iterator<Item = &'static [u8]> + use<> {
        let all: &'static [u8] = match self.n_texts {
            0 => &[],
            // SAFETY: the section lives as long as the pinned object and is never written.
            n => unsafe { std::slice::from_raw_parts(self.texts, n) },
        };
        all.split(|byte| *byte == 0).filter(|text| !text.is_empty())
    }

    /// The events that are recorded somewhere in it.
    #[must_use]
    pub fn events(&self) -> EventSet {
        // Without the plugin there are no records, but there are counters.
        let bits = self.functions().iter().fold(EventSet::of(Event::Edge).bits(), |bits, f| bits | f.events);
        EventSet::from_bits(bits)
    }

    /// The index of a function's first counter among the object's.
    #[must_use]
    pub fn first_counter(&self, function: &'static FunctionRecord) -> usize {
        (function.counters() as usize).wrapping_sub(self.counters as usize) / size_of::<u32>()
    }
}
