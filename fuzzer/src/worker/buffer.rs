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
    pub fn with<T>(&mut self, input: &[u8], f: impl FnOnce(*const u8, usize) -> T) -> Outcome<T> {
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
        let value = f(room, len);
        // SAFETY: the `len` bytes written above; the call is over.
        let after = unsafe { std::slice::from_raw_parts(room, len) };
        Outcome { value, overwritten: after != &input[..len] }
    }
}

/// What a call with a copy of the input gave.
#[derive(Debug)]
pub struct Outcome<T> {
    /// What the call returned.
    pub value: T,
    /// Whether it wrote over its input, which is the caller's and constant.
    pub overwritten: bool,
}

/// With an allocation of the target's own allocator, which is the sanitizer's.
fn with_exact<T>(input: &[u8], f: impl FnOnce(*const u8, usize) -> T) -> Outcome<T> {
    // SAFETY: malloc of at least one byte, checked, filled and read within its bounds, freed once.
    unsafe {
        let data = libc::malloc(input.len().max(1)).cast::<u8>();
        if data.is_null() {
            // The target has eaten all memory; let it see an empty input rather than a null pointer's bytes.
            return Outcome { value: f(std::ptr::null(), 0), overwritten: false };
        }
        std::ptr::copy_nonoverlapping(input.as_ptr(), data, input.len());
        let value = f(data, input.len());
        let overwritten = std::slice::from_raw_parts(data, input.len()) != input;
        libc::free(data.cast());
        Outcome { value, overwritten }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_sees_its_input_followed_by_zeros_and_is_caught_writing_to_it() {
        let mut buffer = Buffer::new(100);
        buffer.with(&[9; 100], |_, _| ());
        let read = buffer.with(b"abc", |data, len| {
            // SAFETY: the input and the zeros behind it.
            unsafe { std::slice::from_raw_parts(data, len + SLACK) }.to_vec()
        });
        assert_eq!(read.value, [&b"abc"[..], &[0; SLACK]].concat());
        assert!(!read.overwritten);
        // SAFETY: writes one byte of the input, as a bad target would.
        let written = buffer.with(b"abc", |data, _| unsafe { data.cast_mut().write(b'X') });
        assert!(written.overwritten);
    }
}
