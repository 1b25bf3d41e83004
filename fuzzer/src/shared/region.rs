//! A stretch of memory that a process and its forks share; pages cost nothing until they are written.
use anyhow::{Context, Result};
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};

/// Shared memory that starts zeroed and lives as long as the process.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    base: *mut u8,
    len: usize,
}

impl Region {
    /// A region of `len` bytes.
    pub fn new(len: usize) -> Result<Self> {
        let size = len.try_into().context("a shared region cannot be empty")?;
        let flags = MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches nothing that exists.
        let base = unsafe { mmap_anonymous(None, size, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, flags) };
        let base = base.with_context(|| {
            format!("cannot reserve {} MiB of address space; raise `ulimit -v`", len >> 20)
        })?;
        Ok(Self { base: base.as_ptr().cast(), len })
    }

    /// As large a region as the process may have: address space, not memory, is what it takes.
    pub fn largest() -> Result<Self> {
        let mut gib = 64;
        loop {
            match Self::new(gib << 30) {
                Err(_) if gib > 1 => gib /= 2,
                result => return result,
            }
        }
    }

    /// Its size in bytes.
    pub fn len(self) -> usize {
        self.len
    }

    /// The `count` values of type `T` from byte `offset` on.
    ///
    /// # Panics
    /// If they do not lie within the region or are not aligned: a mistake in our own layout.
    pub fn at<T: Plain>(self, offset: usize, count: usize) -> *mut T {
        assert!(offset.is_multiple_of(align_of::<T>()), "misaligned shared offset");
        let end = count.checked_mul(size_of::<T>()).and_then(|size| size.checked_add(offset));
        assert!(end.is_some_and(|end| end <= self.len), "shared region overrun");
        self.base.wrapping_add(offset).cast()
    }
}

/// Types for which every bit pattern, all zeros above all, is a value.
///
/// # Safety
/// The implementer must be such a type, without padding that matters and without drop code.
pub unsafe trait Plain {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}
// SAFETY: an array of such values.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
