//! The harness: the functions a user wrote for libFuzzer, found and called.
use std::{
    ffi::{CStr, c_char, c_int, c_uint},
    sync::atomic::{AtomicPtr, Ordering},
};

/// `LLVMFuzzerTestOneInput`.
pub type TestOneInput = unsafe extern "C" fn(*const u8, usize) -> c_int;
/// What `LLVMFuzzerTestOneInput` returns to have an input never kept, as with libFuzzer.
pub const REJECT: c_int = -1;
/// `LLVMFuzzerInitialize`.
pub type Initialize = unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char) -> c_int;
/// `LLVMFuzzerCustomMutator`.
pub type CustomMutator = unsafe extern "C" fn(*mut u8, usize, usize, c_uint) -> usize;
/// `LLVMFuzzerCustomCrossOver`.
pub type CustomCrossOver =
    unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut u8, usize, c_uint) -> usize;
/// What answers `LLVMFuzzerMutate`.
pub type Mutate = fn(data: &mut [u8], size: usize) -> usize;

/// The functions the linked harness has (`c/hooks.c`).
#[repr(C)]
#[derive(Debug)]
pub struct Hooks {
    test_one_input: Option<TestOneInput>,
    initialize: Option<Initialize>,
    /// Replaces the built-in mutators.
    pub custom_mutator: Option<CustomMutator>,
    /// Joins two inputs.
    pub custom_crossover: Option<CustomCrossOver>,
    asan: Option<unsafe extern "C" fn()>,
    sanitizer: Option<unsafe extern "C" fn(*const ())>,
    asan_has_report: Option<unsafe extern "C" fn() -> c_int>,
    asan_report: Option<unsafe extern "C" fn() -> *const c_char>,
}

unsafe extern "C" {
    fn waypoint_hooks() -> *const Hooks;
    static waypoint_harness_stack: *const c_char;
    fn waypoint_call_harness(test_one_input: TestOneInput, data: *const u8, size: usize) -> c_int;
    fn waypoint_was_cut_short() -> c_int;
    /// Ends the run from anywhere in it.
    pub(crate) fn waypoint_end_run() -> !;
}

/// Runs the harness once. An exception that leaves it terminates the process where it was thrown.
///
/// # Safety
/// `data` must point at `size` bytes that stay valid during the call. Runs target code.
pub unsafe fn call(test_one_input: TestOneInput, data: *const u8, size: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { waypoint_call_harness(test_one_input, data, size) }
}

/// Whether the last run ended in the middle, so that nothing in it was cleaned up.
#[must_use]
pub fn was_cut_short() -> bool {
    // SAFETY: reads a variable.
    unsafe { waypoint_was_cut_short() != 0 }
}

/// Where the stack of the last run begins: all that it used lies below.
#[must_use]
pub fn stack_begin() -> u64 {
    // SAFETY: written by `waypoint_call_harness` on this very thread.
    unsafe { waypoint_harness_stack as u64 }
}

static MUTATE: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// The functions the linked harness has.
#[must_use]
pub fn hooks() -> &'static Hooks {
    // SAFETY: it returns the address of a static.
    unsafe { &*waypoint_hooks() }
}

impl Hooks {
    /// Calls `LLVMFuzzerInitialize`, if there is one.
    ///
    /// # Safety
    /// `argc` and `argv` must be those of `main`. Runs target code.
    pub unsafe fn initialize(&self, argc: *mut c_int, argv: *mut *mut *mut c_char) {
        if let Some(initialize) = self.initialize {
            // SAFETY: the caller's promise.
            unsafe { initialize(argc, argv) };
        }
    }

    /// `LLVMFuzzerTestOneInput`, if it is linked.
    #[must_use]
    pub fn test_one_input(&self) -> Option<TestOneInput> {
        self.test_one_input
    }

    /// Whether AddressSanitizer is in the process.
    #[must_use]
    pub fn has_asan(&self) -> bool {
        self.asan.is_some()
    }

    /// What AddressSanitizer has just reported, in its own word: `heap-buffer-overflow` and the like.
    #[must_use]
    pub fn asan_report(&self) -> Option<&'static CStr> {
        // SAFETY: queries of the sanitizer that may be made at any time; the text is a constant of its own.
        unsafe {
            if self.asan_has_report?() == 0 {
                return None;
            }
            let text = self.asan_report?();
            (!text.is_null()).then(|| CStr::from_ptr(text))
        }
    }

    /// Whether any sanitizer's runtime is in the process.
    #[must_use]
    pub fn has_sanitizer(&self) -> bool {
        self.sanitizer.is_some()
    }
}

/// Sets what answers `LLVMFuzzerMutate`.
pub fn set_mutate(mutate: Mutate) {
    MUTATE.store(mutate as *mut (), Ordering::Relaxed);
}

/// One built-in mutation, for custom mutators.
///
/// # Safety
/// `data` must hold `max_size` writable bytes, the first `size` of them initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerMutate(data: *mut u8, size: usize, max_size: usize) -> usize {
    let mutate = MUTATE.load(Ordering::Relaxed);
    if mutate.is_null() || max_size == 0 {
        return size;
    }
    // SAFETY: only `set_mutate` stores here, a function of this very type.
    let mutate = unsafe { std::mem::transmute::<*mut (), Mutate>(mutate) };
    // SAFETY: the caller's promise.
    mutate(unsafe { std::slice::from_raw_parts_mut(data, max_size) }, size)
}
