//! Whether the input of the last run is valid: what the assumptions of `waypoint.h` left.
use std::{
    ffi::{CStr, c_char},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

/// Where the first assumption that failed in this run stands, and its text; null while none has.
static FAILED: AtomicPtr<c_char> = AtomicPtr::new(null_mut());

pub(crate) extern "C" fn assumption_failed(place: *const c_char) {
    let place = if place.is_null() { c"somewhere".as_ptr() } else { place };
    let _ = FAILED.compare_exchange(null_mut(), place.cast_mut(), Relaxed, Relaxed);
}

/// Makes ready for a run.
#[inline]
pub fn reset() {
    FAILED.store(null_mut(), Relaxed);
}

/// Whether an assumption has failed in this run.
#[must_use]
#[inline]
pub fn is_invalid() -> bool {
    !FAILED.load(Relaxed).is_null()
}

/// The first assumption that failed in the last run, as `FILE:LINE: CONDITION`.
#[must_use]
pub fn failed_assumption() -> Option<String> {
    let place = FAILED.load(Relaxed);
    // SAFETY: `waypoint.h` passes string constants of the target, which is not unloaded.
    (!place.is_null()).then(|| unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned())
}
