//! What harnesses made for other fuzzers leave in sections of the program (`c/sections.c`).

#[repr(C)]
struct Sections {
    extra_counters: *mut u8,
    extra_counters_stop: *mut u8,
    extra_features: *mut u64,
    extra_features_stop: *mut u64,
    ijon: *mut u8,
    ijon_stop: *mut u8,
}

unsafe extern "C" {
    fn waypoint_sections() -> Sections;
}

fn sections() -> Sections {
    // SAFETY: it returns addresses that the linker set.
    unsafe { waypoint_sections() }
}

/// The elements from `start` up to `stop`.
///
/// # Safety
/// They must be the ends of a section of the program that the target does not use while the slice is held.
unsafe fn between<T>(start: *mut T, stop: *mut T) -> &'static mut [T] {
    let len = (stop as usize).saturating_sub(start as usize) / size_of::<T>();
    if len == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(start, len) }
}

/// libFuzzer's extra counters. Not to be held across a run.
#[must_use]
pub fn extra_counters() -> &'static mut [u8] {
    let sections = sections();
    // SAFETY: set by the linker; the target does not run while the engine looks.
    unsafe { between(sections.extra_counters, sections.extra_counters_stop) }
}

/// Centipede's extra features; those that are 0 mean nothing. Not to be held across a run.
#[must_use]
pub fn extra_features() -> &'static mut [u64] {
    let sections = sections();
    // SAFETY: as above.
    unsafe { between(sections.extra_features, sections.extra_features_stop) }
}

/// Which of IJON's annotations the program has: their numbers, in any order and many times.
#[must_use]
pub fn ijon_kinds() -> &'static [u8] {
    let sections = sections();
    // SAFETY: as above; it is constant.
    unsafe { between(sections.ijon, sections.ijon_stop) }
}
