//! The events that can be switched: what they wrote in the last run, and the resetting of just that.
use std::{cell::UnsafeCell, ptr::null_mut};

use crate::{
    abi::{AllocSlot, BLOCKS, Block, CmpSlot, Refused, RunRecord, SideRecord, SwitchSlot, TouchedRecord},
    objects::{self, Object},
};

/// Which events are recorded, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recording {
    /// Comparisons.
    pub cmp: bool,
    /// Allocations.
    pub alloc: bool,
    /// The largest allocation that is not refused.
    pub malloc_limit: u64,
    /// Called when one is.
    pub refused: Option<Refused>,
}

struct Run(UnsafeCell<RunRecord>);

// SAFETY: the engine's one thread is the only one that touches it between runs; during a run only recorders do, with
// atomics where it matters (see `recorders.h`).
unsafe impl Sync for Run {}

const NOTHING: TouchedRecord = TouchedRecord { slots: null_mut(), capacity: 0, n: 0 };

static RUN: Run = Run(UnsafeCell::new(RunRecord {
    cmps: NOTHING,
    switches: NOTHING,
    allocs: NOTHING,
    number: 0,
    malloc_limit: 0,
    live: 0,
    peak: 0,
    n_blocks: 0,
    refused: None,
    // SAFETY: a block of zeros is one of run 0, which never happens: a free one.
    blocks: unsafe { std::mem::zeroed::<[Block; BLOCKS]>() },
}));

/// The run maps that recorders fill.
#[derive(Debug)]
pub struct Recorder {
    how: Recording,
    follows_blocks: bool,
    objects: Vec<Object>,
}

fn run() -> &'static mut RunRecord {
    // SAFETY: see `Run`; no reference is held across a run, because every method here makes its own.
    unsafe { &mut *RUN.0.get() }
}

impl Recorder {
    /// Switches events on in every object registered so far. There must be only one recorder in a process.
    #[must_use]
    pub fn new(how: Recording) -> Self {
        let mut recorder = Self { how, follows_blocks: false, objects: Vec::new() };
        run().malloc_limit = how.malloc_limit;
        run().refused = how.refused;
        recorder.adopt();
        recorder
    }

    /// Switches events on in objects that were loaded since.
    pub fn adopt(&mut self) {
        self.objects = objects::all().collect();
        let (mut cmps, mut switches, mut allocs) = (0, 0, 0);
        for object in &self.objects {
            cmps += object.n_cmps();
            allocs += object.n_allocs();
            // A switch has two cases or more, mostly; one with one has a slot all the same.
            switches += object.n_cmps();
        }
        reserve(&mut run().cmps, cmps);
        reserve(&mut run().switches, switches);
        reserve(&mut run().allocs, allocs);
        self.set_sides(self.follows_blocks);
    }

    fn set_sides(&self, follow_blocks: bool) {
        for object in &self.objects {
            // SAFETY: the side lives as long as its pinned object; the target does not run now.
            let side: &mut SideRecord = unsafe { &mut *object.side };
            side.run = RUN.0.get();
            side.cmp_on = self.how.cmp.into();
            side.alloc_on = self.how.alloc.into();
            side.blocks_on = (self.how.alloc && follow_blocks).into();
            // A size close to the largest number cannot be had anyway, and sums must not overflow.
            let quick = self.how.malloc_limit.min(1 << 47);
            side.quick_size = if self.how.alloc && !follow_blocks { quick } else { 0 };
        }
    }

    /// Makes ready for a run; `follow_blocks` if its peak of live memory is of interest.
    #[inline]
    pub fn begin(&mut self, follow_blocks: bool) {
        if self.how.alloc {
            let run = run();
            run.number += 1;
            (run.live, run.peak, run.n_blocks) = (0, 0, 0);
            if follow_blocks != self.follows_blocks {
                self.follows_blocks = follow_blocks;
                self.set_sides(follow_blocks);
            }
        }
    }

    /// The most bytes that were live at once; 0 if blocks were not followed.
    #[must_use]
    pub fn peak(&self) -> u64 {
        run().peak
    }

    /// Calls `f` with the number of the object and of the slot, and the slot, of every comparison made.
    pub fn for_each_cmp(&self, mut f: impl FnMut(usize, usize, &CmpSlot)) {
        for slot in touched::<CmpSlot>(&run().cmps) {
            let found = |object: &Object| object.cmp_index(slot);
            if let Some((n, index)) = self.find(found) {
                // SAFETY: a slot of a pinned object; the target does not run now.
                f(n, index, unsafe { &*slot });
            }
        }
    }

    /// Calls `f` with the number of the object and of the slot, and the bytes, of every call site that allocated.
    pub fn for_each_alloc(&self, mut f: impl FnMut(usize, usize, u64)) {
        for slot in touched::<AllocSlot>(&run().allocs) {
            if let Some((n, index)) = self.find(|object| object.alloc_index(slot)) {
                // SAFETY: a slot of a pinned object; the target does not run now.
                f(n, index, unsafe { &*slot }.bytes);
            }
        }
    }

    fn find(&self, index: impl Fn(&Object) -> Option<usize>) -> Option<(usize, usize)> {
        self.objects.iter().enumerate().find_map(|(n, object)| Some((n, index(object)?)))
    }

    /// Sets to zero what the last run touched.
    #[inline]
    pub fn reset(&mut self) {
        if self.how.cmp || self.how.alloc {
            self.reset_touched();
        }
    }

    fn reset_touched(&mut self) {
        clear::<CmpSlot>(&mut run().cmps);
        clear::<SwitchSlot>(&mut run().switches);
        clear::<AllocSlot>(&mut run().allocs);
    }
}

/// Makes room for `capacity` slots.
fn reserve(list: &mut TouchedRecord, capacity: usize) {
    if capacity > list.capacity as usize {
        let mut slots = Vec::with_capacity(capacity);
        slots.resize(capacity, null_mut());
        // A list is replaced only when the target has loaded another object: what is lost by leaking is little.
        list.slots = Vec::leak(slots).as_mut_ptr();
        list.capacity = u32::try_from(capacity).unwrap_or(u32::MAX);
        list.n = 0;
    }
}

fn touched<T>(list: &TouchedRecord) -> impl Iterator<Item = *mut T> {
    let n = list.n.min(list.capacity) as usize;
    // SAFETY: `reserve` made room for `capacity` pointers; recorders have filled the first `n`. One that a thread of the
    // target was about to write when the run ended may be missing: it is null then, or one of an earlier run.
    let slots = if n == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(list.slots, n) } };
    slots.iter().filter(|slot| !slot.is_null()).map(|slot| slot.cast())
}

fn clear<T>(list: &mut TouchedRecord) {
    for slot in touched::<T>(list) {
        // SAFETY: a slot of a pinned object; all zeros is its state before a run.
        unsafe { slot.write_bytes(0, 1) };
    }
    list.n = 0;
}
