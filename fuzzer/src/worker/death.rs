//! The worker's last words: a signal handler that writes down what happened and where, then lets the process die.
//!
//! It runs in a process that may be corrupted in any way, so it allocates nothing, locks nothing of ours, and writes
//! each fact as soon as it has it. If it fails half way, the supervisor still has the signal and the input.
use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use waypoint_runtime::harness;

use super::fork_guard;
use crate::shared::{Control, Crash, MAX_FRAMES};

/// What the supervisor sends to a worker whose run takes too long.
pub const TIMEOUT_SIGNAL: c_int = libc::SIGUSR2;

/// The stack on which the handler runs, since the target's may be used up.
const STACK_SIZE: usize = 256 << 10;

static CONTROL: AtomicPtr<Control> = AtomicPtr::new(std::ptr::null_mut());

/// Installs the handler for every signal that ends a run. Sanitizers report the faults they understand themselves and
/// then abort, so those are left to them.
pub fn install(control: &'static Control) {
    CONTROL.store(std::ptr::from_ref(control).cast_mut(), Relaxed);
    use_own_stack();
    let always = [libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS, TIMEOUT_SIGNAL];
    let faults = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];
    let faults = faults.iter().filter(|_| !harness::hooks().has_asan());
    for signal in always.iter().chain(faults) {
        // SAFETY: `handle` has the type that SA_SIGINFO asks for.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            let once = if *signal == TIMEOUT_SIGNAL { 0 } else { libc::SA_RESETHAND };
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | once;
            libc::sigaction(*signal, &raw const action, std::ptr::null_mut());
        }
    }
}

fn use_own_stack() {
    let stack = vec![0u8; STACK_SIZE].leak();
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK_SIZE };
    // SAFETY: the memory is never freed.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the address of this thread's errno. A run that is only looked at goes on with what it had.
    let errno = unsafe { &mut *libc::__errno_location() };
    let before = *errno;
    note(signal, info, context);
    *errno = before;
}

fn note(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    if !fork_guard::is_original() {
        // What befalls a process that the target forked off is the target's business.
        // SAFETY: plain system calls.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
        return;
    }
    // SAFETY: `install` stored a reference to memory that is never unmapped.
    let control = unsafe { &*CONTROL.load(Relaxed) };
    let crash = &control.crash;
    if signal == TIMEOUT_SIGNAL && crash.samples() > 0 {
        // SAFETY: the kernel passes the record for an SA_SIGINFO handler.
        let pc = unsafe { program_counter(context.cast()) };
        look_again(crash, pc);
        return;
    }
    crash.signal.store(signal, Relaxed);
    // SAFETY: the kernel passes both records for an SA_SIGINFO handler.
    let pc = unsafe {
        crash.address.store((*info).si_addr() as usize, Relaxed);
        program_counter(context.cast())
    };
    // Whatever was noted down before, such as an allocation that was refused in this run, is not what ended it.
    crash.set_report(harness::hooks().asan_report().map_or(b"", |report| report.to_bytes()));
    crash.push_frame(pc, false);
    copy_maps(crash);
    crash.clear_frames();
    walk(pc, &mut |pc, is_return| crash.push_frame(pc, is_return));
    if signal == TIMEOUT_SIGNAL && !crash.add_sample(None) {
        return;
    }
    // SA_RESETHAND has restored the default action; sent again, the signal ends the process once we return.
    // SAFETY: plain system calls.
    unsafe {
        // No core dump: thousands of them would take all day, and the input is worth more.
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        let fatal = if signal == TIMEOUT_SIGNAL { libc::SIGKILL } else { signal };
        libc::kill(libc::getpid(), fatal);
    }
}

/// Compares the stack with those before, and ends the process when there have been enough.
fn look_again(crash: &Crash, pc: usize) {
    let mut frames = [0; MAX_FRAMES];
    let mut n = 0;
    walk(pc, &mut |pc, _| {
        frames[n] = pc;
        n += 1;
        n < MAX_FRAMES
    });
    if crash.add_sample(Some(&frames[..n])) {
        // SAFETY: a plain system call.
        unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    }
}

/// Where the signal struck.
///
/// # Safety
/// `context` must be what the kernel passed to a signal handler.
unsafe fn program_counter(context: *const libc::ucontext_t) -> usize {
    // SAFETY: the caller's promise.
    let machine = unsafe { &(*context).uc_mcontext };
    #[cfg(target_arch = "x86_64")]
    return machine.gregs[libc::REG_RIP as usize] as usize;
    #[cfg(target_arch = "aarch64")]
    return machine.pc as usize;
}

/// Copies the lines of `/proc/self/maps` that are about code, so that the supervisor can tell which file an address
/// belongs to. Only those: a sanitizer has thousands of others.
pub fn copy_maps(crash: &Crash) {
    const LINE: usize = 1024;
    let mut chunk = [0u8; 4096];
    let mut line = [0u8; LINE];
    let mut len = 0;
    // SAFETY: plain system calls on a buffer of the size given.
    let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    loop {
        // SAFETY: as above.
        let n = unsafe { libc::read(file, chunk.as_mut_ptr().cast(), chunk.len()) };
        if n <= 0 {
            break;
        }
        for byte in &chunk[..n as usize] {
            line[len] = *byte;
            len = (len + 1).min(LINE - 1);
            if *byte == b'\n' {
                if line[..len].windows(6).any(|window| window == b" r-xp ") {
                    crash.push_maps(&line[..len]);
                }
                len = 0;
            }
        }
    }
    // SAFETY: as above.
    unsafe { libc::close(file) };
}

struct Walk<'a> {
    /// Takes a program counter and whether it is a return address; says whether it wants more.
    push: &'a mut dyn FnMut(usize, bool) -> bool,
    /// The first frame to write down; those before it are the handler's own.
    first: usize,
    found_first: bool,
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        trace: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, before_instruction: *mut c_int) -> usize;
}

/// Passes on the program counters from `first`, where a signal struck or a call came from, outwards.
pub fn walk(first: usize, push: &mut dyn FnMut(usize, bool) -> bool) {
    let mut walk = Walk { push, first, found_first: false };
    // SAFETY: `visit` matches the unwinder's callback and `walk` outlives the call.
    unsafe { _Unwind_Backtrace(visit, std::ptr::from_mut(&mut walk).cast()) };
    if !walk.found_first {
        (walk.push)(first, false);
    }
}

extern "C" fn visit(context: *mut c_void, walk: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const STOP: c_int = 5;
    // SAFETY: `walk` is what was passed to `_Unwind_Backtrace`, `context` is the unwinder's.
    let (walk, pc, before) = unsafe {
        let mut before = 0;
        let pc = _Unwind_GetIPInfo(context, &raw mut before);
        (&mut *walk.cast::<Walk<'_>>(), pc, before != 0)
    };
    walk.found_first |= pc == walk.first;
    if walk.found_first && !(walk.push)(pc, !before) {
        return STOP;
    }
    GO_ON
}
