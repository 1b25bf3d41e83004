//! Refused allocations: the first at every call site is noted down with its stack, to become a finding once the run is
//! over.
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use waypoint_runtime::abi::{AllocSlot, Refused};

use super::death;
use crate::{guidance, shared::Control};

static CONTROL: AtomicPtr<Control> = AtomicPtr::new(std::ptr::null_mut());

/// What recorders call; tells through this control page.
pub fn handler(control: &'static Control) -> Refused {
    CONTROL.store(std::ptr::from_ref(control).cast_mut(), Relaxed);
    refused
}

extern "C" fn refused(site: *mut AllocSlot, size: u64, caller: usize) {
    // SAFETY: `handler` stored a reference to memory that is never unmapped.
    let Some(control) = (unsafe { CONTROL.load(Relaxed).as_ref() }) else { return };
    // One finding a run: the next site's turn comes with the next run that goes there.
    if control.refused_size.load(Relaxed) != 0 || !control.is_new_refusal(site as usize) {
        return;
    }
    control.refused_size.store(size, Relaxed);
    let crash = &control.crash;
    crash.clear();
    crash.set_report(guidance::bytes(size).as_bytes());
    death::copy_maps(crash);
    death::walk(caller, &mut |pc, is_return| crash.push_frame(pc, is_return));
}
