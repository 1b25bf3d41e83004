//! The memory in which the target sees its input: a copy of its own, so that it may do what it likes with it.
use waypoint_runtime::harness;

/// Zeros behind the input: a read past its end gives the same answer in every run.
const SLACK: usize = 64;

/// Where inputs are put for the target.
#[derive(Debug)]
pub struct Buffer {
    /// With AddressSanitizer every input has an allocation of its own, of exactly its size, so that a read past
    /// its end is seen.
    exact: bool,
    room: Vec<u128>,
}

impl Buffer {
    /// A buffer for inputs of at most `max_len` bytes.
    pub fn new(max_len: usize) -> Self {
        let room = (max_len + SLACK).div_ceil(size_of::<u128>());
        Self { exact: harness::hooks().has_asan(), room: vec![0; room] }
    }

    /// Calls `f` with a copy of `input`, aligned as malloc would align it.
    pub fn with<T>(&mut self, input: &[u8], f: impl FnOnce(*const u8, usize) -> T) -> T {
        if self.exact {
            return with_exact(input, f);
        }
        let room = self.room.as_mut_ptr().cast::<u8>();
        let len = input.len().min(self.room.len() * size_of::<u128>() - SLACK);
        // SAFETY: `room` has space for `len + SLACK` bytes, and nothing else refers to it.
        unsafe {
            std::ptr::copy_nonoverlapping(input.as_ptr(), room, len);
            std::ptr::write_bytes(room.add(len), 0, SLACK);
        }
        f(room, len)
    }
}

/// With an allocation of the target's own allocator, which is the sanitizer's.
fn with_exact<T>(input: &[u8], f: impl FnOnce(*const u8, usize) -> T) -> T {
    // SAFETY: malloc of at least one byte, checked, filled within its bounds, freed once.
    unsafe {
        let data = libc::malloc(input.len().max(1)).cast::<u8>();
        if data.is_null() {
            // The target has eaten all memory; let it see an empty input rather than a null pointer's bytes.
            return f(std::ptr::null(), 0);
        }
        std::ptr::copy_nonoverlapping(input.as_ptr(), data, input.len());
        let result = f(data, input.len());
        libc::free(data.cast());
        result
    }
}
