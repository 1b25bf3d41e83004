//! The worker: a fork of the supervisor in which the target runs, and which may die at any moment.
pub mod buffer;
mod death;
pub mod fork_guard;
mod heap;
pub mod leaks;
pub mod refusal;

use std::{
    ffi::{c_char, c_int},
    fs::File,
    os::fd::AsRawFd,
};

use anyhow::{Context, Result};
use nix::{
    sys::{prctl, signal::Signal},
    unistd::{ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork, getppid, setpgid},
};
use waypoint_runtime::{
    harness::{self, TestOneInput},
    leaks::LeakSanitizer,
};

pub use death::TIMEOUT_SIGNAL;

use crate::{shared::Control, signals};

/// The program's arguments and the harness, as the driver was given them.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The harness.
    pub test_one_input: TestOneInput,
    /// `main`'s, for `LLVMFuzzerInitialize`.
    pub argc: *mut c_int,
    /// `main`'s, for `LLVMFuzzerInitialize`.
    pub argv: *mut *mut *mut c_char,
}

/// Where the target's output goes, and its input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Nowhere: it would drown the status line.
    Discarded,
    /// Where ours goes.
    Inherited,
}

/// Forks a worker that does `work` and exits. What it has to say it says through the control page.
pub fn spawn(
    control: &'static Control,
    output: Output,
    target: Target,
    work: impl FnOnce() -> Result<()>,
) -> Result<Pid> {
    control.crash.clear();
    control.forget_pending_refusal();
    control.set_phase(crate::shared::Phase::Start);
    let supervisor = nix::unistd::getpid();
    // SAFETY: the supervisor has one thread, so the child may do anything.
    match unsafe { fork() }.context("cannot start a worker process")? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            if let Err(error) = prepare(control, supervisor, output, target).and_then(|()| work()) {
                control.fail(&format!("{error:#}"));
            }
            // Not `exit`: the target's atexit handlers and the sanitizers' leak check are not part of any run.
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) }
        }
    }
}

/// Sets up a fresh worker up to and including the target's own initialisation.
fn prepare(control: &'static Control, supervisor: Pid, output: Output, target: Target) -> Result<()> {
    // Should the supervisor be killed, nobody is left to look after this process.
    prctl::set_pdeathsig(Signal::SIGKILL).context("cannot tie the worker to its supervisor")?;
    if getppid() != supervisor {
        anyhow::bail!("the supervisor is gone");
    }
    signals::leave_to_supervisor();
    if output == Output::Discarded {
        // A group of its own, so that what the target forks off can be ended with it. Not when replaying: only the
        // foreground group may read the terminal.
        setpgid(Pid::from_raw(0), Pid::from_raw(0)).context("cannot make a process group")?;
    }
    report_panics(control);
    if output == Output::Discarded {
        let null =
            File::options().read(true).write(true).open("/dev/null").context("cannot open /dev/null")?;
        debug_assert!(null.as_raw_fd() > 2);
        dup2_stdin(&null)
            .and_then(|()| dup2_stdout(&null))
            .and_then(|()| dup2_stderr(&null))
            .context("cannot silence the target")?;
    }
    fork_guard::install()?;
    heap::keep();
    death::install(control);
    // SAFETY: these are `main`'s arguments, passed on once per process.
    let initialize = || unsafe { harness::hooks().initialize(target.argc, target.argv) };
    // What it allocates for good is no input's leak.
    match LeakSanitizer::find() {
        Some(sanitizer) => sanitizer.ignore(initialize),
        None => initialize(),
    }
    Ok(())
}

/// A panic here is a bug of ours, not a finding: it must not look like the target's abort.
fn report_panics(control: &'static Control) {
    std::panic::set_hook(Box::new(move |info| {
        control.fail(&format!("Waypoint itself failed, please report this: {info}"));
        // SAFETY: ends the process before anything can turn the panic into an abort.
        unsafe { libc::_exit(1) }
    }));
}
