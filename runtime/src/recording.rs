//! The events that can be switched: what they wrote in the last run, and the resetting of just that.
use std::{
    cell::UnsafeCell,
    ptr::{null, null_mut},
};

use crate::{
    abi::{
        AllocSlot, BLOCKS, Block, CmpSlot, OUTS, Refused, RunRecord, SideRecord, SwitchSlot, TouchedRecord,
        Traced, TransitionsRecord,
    },
    harness,
    objects::{self, Object},
};

/// Which events are recorded, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recording {
    /// Comparisons.
    pub cmp: bool,
    /// Allocations.
    pub alloc: bool,
    /// Transitions from a changed line on.
    pub diff: bool,
    /// What is still live after a run, which needs allocations as well.
    pub leaks: bool,
    /// The stack.
    pub stack: bool,
    /// What is written to files.
    pub out: bool,
    /// The largest allocation that is not refused.
    pub malloc_limit: u64,
    /// Called when one is.
    pub refused: Option<Refused>,
}

/// So many comparisons of one run are noted down.
const TRACED: usize = 1 << 13;

struct Run(UnsafeCell<RunRecord>);

// SAFETY: the engine's one thread is the only one that touches it between runs; during a run only recorders do, with
// atomics where it matters (see `recorders.h`).
unsafe impl Sync for Run {}

const NOTHING: TouchedRecord = TouchedRecord { slots: null_mut(), capacity: 0, n: 0 };

static RUN: Run = Run(UnsafeCell::new(RunRecord {
    cmps: NOTHING,
    switches: NOTHING,
    allocs: NOTHING,
    traced: null_mut(),
    traced_capacity: 0,
    n_traced: 0,
    transitions: TransitionsRecord { touched: NOTHING, from: 0, reached: 0 },
    number: 0,
    malloc_limit: 0,
    live: 0,
    peak: 0,
    n_blocks: 0,
    outs: [0; OUTS],
    refused: None,
    // SAFETY: a block of zeros is one of run 0, which never happens: a free one.
    blocks: unsafe { std::mem::zeroed::<[Block; BLOCKS]>() },
}));

/// The run maps that recorders fill.
#[derive(Debug)]
pub struct Recorder {
    how: Recording,
    follows_blocks: bool,
    follows_transitions: bool,
    /// For every object, the counters that stand for changed lines.
    changed: Vec<Vec<usize>>,
    /// The same as one byte for each counter, for the recorders.
    marks: Vec<Vec<u8>>,
    /// The last run was traced.
    traces: bool,
    objects: Vec<Object>,
    /// Of the last run, by object and slot: how deep the stack was, and what was left.
    stacks: Vec<Value>,
    left: Vec<Value>,
}

/// What one run had for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// The number of the object.
    pub object: usize,
    /// The number of the slot in it.
    pub index: usize,
    /// The value.
    pub value: u64,
}

/// No address of a stack is as high: the slot of a function that was not entered.
const NOT_ENTERED: u64 = u64::MAX;

fn run() -> &'static mut RunRecord {
    // SAFETY: see `Run`; no reference is held across a run, because every method here makes its own.
    unsafe { &mut *RUN.0.get() }
}

impl Recorder {
    /// Switches events on in every object registered so far. There must be only one recorder in a process.
    #[must_use]
    pub fn new(how: Recording) -> Self {
        let mut recorder = Self {
            how,
            follows_blocks: false,
            follows_transitions: false,
            traces: false,
            objects: Vec::new(),
            stacks: Vec::new(),
            left: Vec::new(),
            changed: Vec::new(),
            marks: Vec::new(),
        };
        run().malloc_limit = how.malloc_limit;
        run().refused = how.refused;
        recorder.adopt();
        recorder
    }

    /// Switches events on in objects that were loaded since.
    pub fn adopt(&mut self) {
        self.objects = objects::all().collect();
        let (mut cmps, mut switches, mut allocs, mut steps) = (0, 0, 0, 0);
        for object in &self.objects {
            cmps += object.n_cmps();
            allocs += object.n_allocs();
            // A switch has two cases or more, mostly; one with one has a slot all the same.
            switches += object.n_cmps();
            // Once before a changed line was reached and once after; and a few that threads touch at the same time.
            steps += 2 * object.n_steps() + 64;
        }
        reserve(&mut run().cmps, cmps);
        reserve(&mut run().switches, switches);
        reserve(&mut run().allocs, allocs);
        reserve(&mut run().transitions.touched, steps);
        self.set_sides();
    }

    /// Says which counters of each object, by the object's number, stand for changed lines.
    pub fn set_changed(&mut self, changed: impl Fn(usize) -> Vec<usize>) {
        self.changed = (0..self.objects.len()).map(changed).collect();
        let marked = |(object, changed): (&Object, &Vec<usize>)| {
            let mut marks = vec![0; object.n_counters()];
            changed.iter().for_each(|counter| marks[*counter] = 1);
            marks
        };
        self.marks = self.objects.iter().zip(&self.changed).map(marked).collect();
        self.set_sides();
    }

    fn set_sides(&self) {
        let follow_blocks = self.follows_blocks;
        let (stack_start, stack_size) = if self.how.stack { own_stack() } else { (0, 0) };
        for (n, object) in self.objects.iter().enumerate() {
            object.stacks().fill(if self.how.stack { NOT_ENTERED } else { 0 });
            // SAFETY: the side lives as long as its pinned object; the target does not run now.
            let side: &mut SideRecord = unsafe { &mut *object.side };
            side.run = RUN.0.get();
            side.cmp_on = (self.how.cmp || self.traces).into();
            side.counters = object.counters().as_ptr();
            // What was loaded since stands for nothing changed until somebody says so.
            side.changed = self.marks.get(n).map_or(null(), |marks| marks.as_ptr());
            side.diff_on = (self.how.diff && self.follows_transitions).into();
            side.alloc_on = self.how.alloc.into();
            side.out_on = self.how.out.into();
            (side.stack_start, side.stack_size) = (stack_start, stack_size);
            side.blocks_on = (self.how.alloc && follow_blocks).into();
            // A size close to the largest number cannot be had anyway, and sums must not overflow.
            let quick = self.how.malloc_limit.min(1 << 47);
            side.quick_size = if self.how.alloc && !follow_blocks { quick } else { 0 };
        }
    }

    /// Makes ready for a run; `follow_blocks` if its peak of live memory is of interest, `follow_transitions` if its
    /// transitions from a changed line on are.
    #[inline]
    pub fn begin(&mut self, follow_blocks: bool, follow_transitions: bool) {
        if self.how.stack {
            self.objects.iter().for_each(|object| object.stacks().fill(NOT_ENTERED));
        }
        if self.how.out {
            run().outs.fill(0);
        }
        if self.how.diff && follow_transitions != self.follows_transitions {
            self.follows_transitions = follow_transitions;
            self.set_sides();
        }
        if self.how.alloc {
            let follow_blocks = follow_blocks || self.how.leaks;
            let run = run();
            run.number += 1;
            (run.live, run.peak, run.n_blocks) = (0, 0, 0);
            if follow_blocks != self.follows_blocks {
                self.follows_blocks = follow_blocks;
                self.set_sides();
            }
        }
    }

    /// Whether the runs from now on are traced: every comparison is noted down instead of the closest.
    pub fn trace(&mut self, on: bool) {
        // What a traced run left in the slots is no score.
        self.reset_touched();
        let run = run();
        if on && run.traced.is_null() {
            // SAFETY: all zeros is a comparison without a slot; once for the life of the process.
            let room = vec![unsafe { std::mem::zeroed::<Traced>() }; TRACED];
            run.traced = Vec::leak(room).as_mut_ptr();
        }
        run.traced_capacity = if on { TRACED as u32 } else { 0 };
        self.traces = on;
        self.set_sides();
    }

    /// Calls `f` with every comparison of the last run, which was traced: the number of its object and of its slot.
    pub fn for_each_traced(&self, mut f: impl FnMut(usize, usize, &Traced)) {
        let run = run();
        let n = run.n_traced.min(run.traced_capacity) as usize;
        // SAFETY: `trace` made room for as many; the target does not run now.
        let traced = if n == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(run.traced, n) } };
        for entry in traced {
            if let Some((object, index)) = self.find(|object| object.cmp_index(entry.slot)) {
                f(object, index, entry);
            }
        }
    }

    /// Takes down what must be known before any other code of the target runs.
    #[inline]
    pub fn end(&mut self) {
        if self.how.stack {
            self.read_stacks();
        }
        if self.how.leaks {
            self.left.clear();
            for slot in touched::<AllocSlot>(&run().allocs) {
                // SAFETY: a slot of a pinned object; the target does not run now.
                let value = unsafe { &*slot }.live;
                if value != 0
                    && let Some((object, index)) = self.find(|object| object.alloc_index(slot))
                {
                    self.left.push(Value { object, index, value });
                }
            }
        }
    }

    fn read_stacks(&mut self) {
        self.stacks.clear();
        let begin = harness::stack_begin();
        for (object, slots) in self.objects.iter().map(|object| object.stacks()).enumerate() {
            for (index, lowest) in slots.iter().enumerate().filter(|(_, lowest)| **lowest < begin) {
                self.stacks.push(Value { object, index, value: begin - lowest });
            }
        }
    }

    /// How deep the stack was in every function that was entered.
    #[must_use]
    pub fn stacks(&self) -> &[Value] {
        &self.stacks
    }

    /// What every call site allocated and nobody freed.
    #[must_use]
    pub fn left(&self) -> &[Value] {
        &self.left
    }

    /// What another run of the same input did not leave is not left by this one either: a cache grows only once.
    pub fn leave_no_more_than(&mut self, other: &[Value]) {
        self.left.retain_mut(|own| {
            let same = |value: &&Value| (value.object, value.index) == (own.object, own.index);
            own.value = own.value.min(other.iter().find(same).map_or(0, |value| value.value));
            own.value != 0
        });
    }

    /// Calls `f` with every descriptor that was written to, and the bytes.
    pub fn for_each_out(&self, mut f: impl FnMut(usize, u64)) {
        let written = run().outs.iter().enumerate().filter(|(_, bytes)| **bytes != 0);
        written.for_each(|(descriptor, bytes)| f(descriptor, *bytes));
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

    /// Whether the last run reached a changed line, recorded or not. To be asked before counters are reset.
    #[must_use]
    pub fn reached_change(&self) -> bool {
        self.objects.iter().zip(&self.changed).any(|(object, changed)| {
            let counters = object.counters();
            changed.iter().any(|counter| counters[*counter] != 0)
        })
    }

    /// Calls `f` with the number of the object and of the slot, and the count, of every transition that was taken after a
    /// changed line was reached, and of the one that led there.
    pub fn for_each_transition(&self, mut f: impl FnMut(usize, usize, u64)) {
        let transitions = &run().transitions;
        if transitions.reached == 0 {
            return;
        }
        let from = transitions.from as usize;
        for slot in touched_from::<u32>(&transitions.touched, from) {
            if let Some((n, index)) = self.find(|object| object.step_index(slot)) {
                // SAFETY: a slot of a pinned object; the target does not run now.
                f(n, index, u64::from(unsafe { *slot }.wrapping_neg()));
            }
        }
    }

    fn find(&self, index: impl Fn(&Object) -> Option<usize>) -> Option<(usize, usize)> {
        self.objects.iter().enumerate().find_map(|(n, object)| Some((n, index(object)?)))
    }

    /// Sets to zero what the last run touched.
    #[inline]
    pub fn reset(&mut self) {
        if self.how.cmp || self.how.alloc || self.follows_transitions || self.traces {
            self.reset_touched();
        }
    }

    fn reset_touched(&mut self) {
        clear::<CmpSlot>(&mut run().cmps);
        clear::<SwitchSlot>(&mut run().switches);
        clear::<AllocSlot>(&mut run().allocs);
        run().n_traced = 0;
        clear::<u32>(&mut run().transitions.touched);
        (run().transitions.from, run().transitions.reached) = (0, 0);
    }
}

/// Where the stack of this thread, on which the harness runs, starts, and its size.
fn own_stack() -> (u64, u64) {
    // SAFETY: the attributes are initialised by the first call, read by the second and freed by the third.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        let (mut start, mut size) = (null_mut(), 0);
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return (0, 0);
        }
        libc::pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        (start as u64, size as u64)
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
    touched_from(list, 0)
}

fn touched_from<T>(list: &TouchedRecord, from: usize) -> impl Iterator<Item = *mut T> {
    let n = list.n.min(list.capacity) as usize;
    // SAFETY: `reserve` made room for `capacity` pointers; recorders have filled the first `n`. One that a thread of the
    // target was about to write when the run ended may be missing: it is null then, or one of an earlier run.
    let slots = if n == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(list.slots, n) } };
    slots.iter().skip(from).filter(|slot| !slot.is_null()).map(|slot| slot.cast())
}

fn clear<T>(list: &mut TouchedRecord) {
    for slot in touched::<T>(list) {
        // SAFETY: a slot of a pinned object; all zeros is its state before a run.
        unsafe { slot.write_bytes(0, 1) };
    }
    list.n = 0;
}
