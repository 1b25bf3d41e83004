//! The records that instrumented code carries, as `include/waypoint_abi.h` lays them out.
use std::ffi::{CStr, c_char};

/// The layout this runtime reads.
pub const VERSION: u32 = 1;

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

impl LineRecord {
    /// The path of the source file, as the compiler was given it.
    #[must_use]
    pub fn file(&'static self) -> &'static CStr {
        // SAFETY: a `&'static LineRecord` is only ever made by `FunctionRecord::lines`.
        unsafe { text(&self.file) }
    }
}
