//! Tells the worker from processes that the target forked off it: there must never be two fuzzers.
//!
//! A page that the kernel wipes in every forked child, however it was forked, holds the mark of the original.
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering::Relaxed};

use anyhow::{Context, Result};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap_anonymous};

static PAGE: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());

const MARK: u8 = 1;
const PAGE_SIZE: usize = 4096;

/// Marks this process as the original.
pub fn install() -> Result<()> {
    let size = PAGE_SIZE.try_into().context("a page has a size")?;
    // SAFETY: an anonymous mapping at an address of the kernel's choice, never unmapped; the advice concerns it alone.
    let page = unsafe {
        let protection = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        let page =
            mmap_anonymous(None, size, protection, MapFlags::MAP_PRIVATE).context("cannot map a page")?;
        madvise(page, PAGE_SIZE, MmapAdvise::MADV_WIPEONFORK).context("cannot guard against fork")?;
        page.cast::<AtomicU8>()
    };
    PAGE.store(page.as_ptr(), Relaxed);
    mark().store(MARK, Relaxed);
    // SAFETY: the handler only makes a system call, which is allowed in a forked child.
    unsafe { libc::pthread_atfork(None, None, Some(die_with_the_worker)) };
    Ok(())
}

/// Whether this is the process that called [`install`].
pub fn is_original() -> bool {
    mark().load(Relaxed) == MARK
}

fn mark() -> &'static AtomicU8 {
    static NOT_INSTALLED: AtomicU8 = AtomicU8::new(MARK);
    // SAFETY: the pointer is null or that of the page, which is never unmapped.
    unsafe { PAGE.load(Relaxed).as_ref() }.unwrap_or(&NOT_INSTALLED)
}

unsafe extern "C" fn die_with_the_worker() {
    // SAFETY: a plain system call.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}
