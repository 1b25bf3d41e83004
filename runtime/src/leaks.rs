//! Leaks of the target, where LeakSanitizer is linked: what a run did not free, and the check itself (`c/leaks.c`).
use std::{
    ffi::{c_int, c_long},
    os::fd::RawFd,
};

unsafe extern "C" {
    fn waypoint_leaks_can_be_found() -> c_int;
    fn waypoint_leaks_count() -> c_int;
    fn waypoint_leaks_reset();
    fn waypoint_leaks_surplus() -> c_long;
    fn waypoint_leaks_ignore(yes: c_int);
    fn waypoint_leaks_check(fd: c_int) -> c_int;
}

/// LeakSanitizer, known to be in the process.
#[derive(Debug, Clone, Copy)]
pub struct LeakSanitizer(());

impl LeakSanitizer {
    /// It, if it is linked.
    #[must_use]
    pub fn find() -> Option<Self> {
        // SAFETY: it looks at addresses only.
        unsafe { waypoint_leaks_can_be_found() != 0 }.then_some(Self(()))
    }

    /// From now on allocations are counted; whether that works. To be called once in a process.
    #[must_use]
    pub fn start_counting(self) -> bool {
        // SAFETY: the functions are there, or `self` would not be.
        unsafe { waypoint_leaks_count() != 0 }
    }

    /// Calls `f` and says whether it allocated more blocks than were freed meanwhile.
    pub fn count<T>(self, f: impl FnOnce() -> T) -> (T, bool) {
        // SAFETY: plain access to a counter.
        unsafe { waypoint_leaks_reset() };
        let value = f();
        // SAFETY: as above.
        (value, unsafe { waypoint_leaks_surplus() } > 0)
    }

    /// Calls `f`, whose allocations are never leaks.
    pub fn ignore<T>(self, f: impl FnOnce() -> T) -> T {
        // SAFETY: the functions are there, or `self` would not be; they come in pairs.
        unsafe { waypoint_leaks_ignore(1) };
        let value = f();
        // SAFETY: as above.
        unsafe { waypoint_leaks_ignore(0) };
        value
    }

    /// Looks for leaks and says whether there are any; the report is written to `report`. Where LeakSanitizer is not
    /// allowed to work it ends the process.
    #[must_use]
    pub fn check(self, report: RawFd) -> bool {
        // SAFETY: the functions are there, or `self` would not be.
        unsafe { waypoint_leaks_check(report) != 0 }
    }
}
