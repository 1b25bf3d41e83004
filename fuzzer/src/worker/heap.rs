//! Keeps the target's heap between runs: given back to the system after a run, its pages would have to be mapped and
//! cleared again in the next one, which takes most of the time of a target that allocates megabytes.

/// Smaller blocks come from the heap; glibc allows no more.
const MAPPED: libc::c_int = 32 << 20;
/// So much free memory stays at the end of the heap.
const KEPT: libc::c_int = 128 << 20;

/// Has no effect where the target brings an allocator of its own, like the sanitizers'.
pub fn keep() {
    // SAFETY: sets two numbers of the C library's allocator; this process has only one thread so far.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}
