//! The records that instrumented code carries, as `include/waypoint_abi.h` lays them out.
use std::ffi::{CStr, c_char};

/// The layout this runtime reads.
pub const VERSION: u32 = 4;

/// One source line that a counter stands for.
#[repr(C)]
#[derive(Debug)]
pub struct LineRecord {
    /// Index of the counter within its function.
    pub counter: u32,
    /// The line.
    pub line: u32,
    file: i32,
}

/// One instrumented function.
#[repr(C)]
#[derive(Debug)]
pub struct FunctionRecord {
    counters: i32,
    /// How many counters it has.
    pub n_counters: u32,
    lines: i32,
    n_lines: u32,
    name: i32,
    /// The events recorded in it.
    pub events: u32,
    cmps: i32,
    n_cmps: u32,
    cmp_sites: i32,
    allocs: i32,
    n_allocs: u32,
    alloc_sites: i32,
    stack: i32,
    steps: i32,
    n_steps: u32,
    arrivals: i32,
}

/// Where the slots of the transitions into a counter are.
#[repr(C)]
#[derive(Debug)]
pub struct ArrivalsRecord {
    /// The first of them, within the function.
    pub first: u32,
    /// The counter from which it comes, plus one: 0 is the function's entry. The next slots are of the next counters.
    pub lowest: u32,
}

/// As `lowest`: there is one slot, whatever counter was before.
pub const ANYWHERE: u32 = u32::MAX;

/// What a slot stands for.
#[repr(C)]
#[derive(Debug)]
pub struct SiteRecord {
    /// Of a comparison: an index into [`COMPARISONS`].
    pub kind: u32,
    /// Of an integer comparison, in bits.
    pub width: u32,
    /// 0 when unknown.
    pub line: u32,
    file: i32,
}

/// The kinds of comparisons, as `enum waypoint_comparison` counts them.
pub const COMPARISONS: [&str; 5] = ["equality", "order", "case", "float", "text"];

/// How close a comparison came in this run.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CmpSlot {
    /// The best score.
    pub best: u32,
    reserved: u32,
    /// The operands seen with it.
    pub operands: [u64; 2],
}

/// The values that a switch has met in this run.
#[repr(C)]
#[derive(Debug)]
pub struct SwitchSlot {
    touched: u64,
    seen: [u64; 64],
}

/// What a call site has allocated in this run.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AllocSlot {
    /// The sum.
    pub bytes: u64,
    /// What was not freed, while live blocks are followed.
    pub live: u64,
}

#[repr(C)]
#[derive(Debug)]
pub(crate) struct TouchedRecord {
    pub(crate) slots: *mut *mut u8,
    pub(crate) capacity: u32,
    pub(crate) n: u32,
}

#[repr(C)]
#[derive(Debug)]
pub(crate) struct TransitionsRecord {
    pub(crate) touched: TouchedRecord,
    pub(crate) from: u32,
    pub(crate) reached: u32,
}

#[repr(C)]
#[derive(Debug)]
pub(crate) struct Block {
    address: u64,
    size: u64,
    site: *mut AllocSlot,
    run: u64,
}

/// A comparison of a run that was traced.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Traced {
    pub(crate) slot: *mut CmpSlot,
    lengths: [u8; 2],
    reserved: [u8; 6],
    sides: [[u8; 40]; 2],
}

impl Traced {
    /// The sides of a comparison of texts, as far as they could be read.
    #[must_use]
    pub fn texts(&self) -> [&[u8]; 2] {
        let side = |n: usize| &self.sides[n][..usize::from(self.lengths[n]).min(self.sides[n].len())];
        [side(0), side(1)]
    }

    /// The sides of any other comparison.
    #[must_use]
    pub fn numbers(&self) -> [u64; 2] {
        self.sides.map(|side| side.first_chunk().map_or(0, |word| u64::from_ne_bytes(*word)))
    }
}
/// Descriptors that are told apart; higher ones count as the last.
pub const OUTS: usize = 256;

pub(crate) const BLOCKS: usize = 1 << 15;

/// Hears of a refused allocation: its site, its size, and where the target goes on after it.
pub type Refused = extern "C" fn(*mut AllocSlot, u64, usize);

/// What one run wrote, apart from counters and slots.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct RunRecord {
    pub(crate) cmps: TouchedRecord,
    pub(crate) switches: TouchedRecord,
    pub(crate) allocs: TouchedRecord,
    pub(crate) traced: *mut Traced,
    pub(crate) traced_capacity: u32,
    pub(crate) n_traced: u32,
    pub(crate) transitions: TransitionsRecord,
    pub(crate) number: u64,
    pub(crate) malloc_limit: u64,
    pub(crate) live: u64,
    pub(crate) peak: u64,
    pub(crate) n_blocks: u64,
    pub(crate) outs: [u64; OUTS],
    pub(crate) refused: Option<Refused>,
    pub(crate) blocks: [Block; BLOCKS],
}

/// What the engine sets in every object.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct SideRecord {
    pub(crate) cmp_on: u8,
    pub(crate) diff_on: u8,
    pub(crate) alloc_on: u8,
    pub(crate) blocks_on: u8,
    pub(crate) out_on: u8,
    reserved: [u8; 4],
    pub(crate) quick_size: u64,
    pub(crate) run: *mut RunRecord,
    caller: *mut AllocSlot,
    pub(crate) stack_start: u64,
    pub(crate) stack_size: u64,
    pub(crate) counters: *const u32,
    pub(crate) changed: *const u8,
}

/// One program or shared object, as its constructor passes it.
#[repr(C)]
#[derive(Debug)]
pub struct ObjectRecord {
    pub(crate) version: u32,
    pub(crate) reserved: u32,
    pub(crate) counters_start: *mut u32,
    pub(crate) counters_stop: *mut u32,
    pub(crate) functions_start: *const FunctionRecord,
    pub(crate) functions_stop: *const FunctionRecord,
    pub(crate) cmps_start: *mut CmpSlot,
    pub(crate) cmps_stop: *mut CmpSlot,
    pub(crate) allocs_start: *mut AllocSlot,
    pub(crate) allocs_stop: *mut AllocSlot,
    pub(crate) side: *mut SideRecord,
    pub(crate) stacks_start: *mut u64,
    pub(crate) stacks_stop: *mut u64,
    pub(crate) steps_start: *mut u32,
    pub(crate) steps_stop: *mut u32,
    pub(crate) texts_start: *const u8,
    pub(crate) texts_stop: *const u8,
}

/// Where a self-relative offset field points.
fn resolve<T>(field: &i32) -> *const T {
    std::ptr::from_ref(field).cast::<u8>().wrapping_offset(*field as isize).cast()
}

/// The text a self-relative offset points to.
///
/// # Safety
/// The field must be part of a record in the section the plugin wrote it to.
unsafe fn text(field: &'static i32) -> &'static CStr {
    // SAFETY: the plugin points such fields at NUL-terminated constants of the same loaded object, which is
    // pinned for the life of the process.
    unsafe { CStr::from_ptr(resolve::<c_char>(field)) }
}

impl FunctionRecord {
    /// Its first counter.
    #[must_use]
    pub fn counters(&'static self) -> *const u32 {
        resolve(&self.counters)
    }

    /// Its linkage name.
    #[must_use]
    pub fn name(&'static self) -> &'static CStr {
        // SAFETY: a `&'static FunctionRecord` is only ever made from a registered object's section.
        unsafe { text(&self.name) }
    }

    /// The lines its counters stand for.
    #[must_use]
    pub fn lines(&'static self) -> &'static [LineRecord] {
        if self.n_lines == 0 {
            return &[];
        }
        // SAFETY: as for `name`; the plugin wrote `n_lines` records there.
        unsafe { std::slice::from_raw_parts(resolve(&self.lines), self.n_lines as usize) }
    }
}

impl FunctionRecord {
    /// Its first comparison's slot, and what each of its comparisons is.
    #[must_use]
    pub fn cmps(&'static self) -> (*const CmpSlot, &'static [SiteRecord]) {
        (resolve(&self.cmps), self.sites(&self.cmp_sites, self.n_cmps))
    }

    /// Its first allocation's slot, and where each of its allocations is.
    #[must_use]
    pub fn allocs(&'static self) -> (*const AllocSlot, &'static [SiteRecord]) {
        (resolve(&self.allocs), self.sites(&self.alloc_sites, self.n_allocs))
    }

    /// Its slot for the stack.
    #[must_use]
    pub fn stack(&'static self) -> Option<*const u64> {
        (self.stack != 0).then(|| resolve(&self.stack))
    }

    /// Its first transition's slot, how many there are, and for each counter where those that lead to it are.
    #[must_use]
    pub fn steps(&'static self) -> (*const u32, usize, &'static [ArrivalsRecord]) {
        let n = if self.n_steps == 0 { 0 } else { self.n_counters as usize };
        let arrivals = match n {
            0 => &[][..],
            // SAFETY: as for `name`; the plugin wrote one record for each counter there, if there are transitions.
            _ => unsafe { std::slice::from_raw_parts(resolve(&self.arrivals), n) },
        };
        (resolve(&self.steps), self.n_steps as usize, arrivals)
    }

    fn sites(&'static self, field: &'static i32, n: u32) -> &'static [SiteRecord] {
        if n == 0 {
            return &[];
        }
        // SAFETY: as for `name`; the plugin wrote `n` records there.
        unsafe { std::slice::from_raw_parts(resolve(field), n as usize) }
    }
}

impl SiteRecord {
    /// The path of the source file, as the compiler was given it.
    #[must_use]
    pub fn file(&'static self) -> Option<&'static CStr> {
        // SAFETY: a `&'static SiteRecord` is only ever made by `FunctionRecord::sites`.
        (self.file != 0).then(|| unsafe { text(&self.file) })
    }
}

impl LineRecord {
    /// The path of the source file, as the compiler was given it.
    #[must_use]
    pub fn file(&'static self) -> &'static CStr {
        // SAFETY: a `&'static LineRecord` is only ever made by `FunctionRecord::lines`.
        unsafe { text(&self.file) }
    }
}
