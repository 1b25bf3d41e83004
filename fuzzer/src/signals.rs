//! Signals of the supervisor: it handles none and waits for all, so that nothing ever interrupts it.
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};

/// What can wake the supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// A worker may have died.
    Child,
    /// The user wants to stop.
    Stop,
    /// Nothing happened.
    TimeUp,
}

const STOP_SIGNALS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

fn awaited() -> SigSet {
    STOP_SIGNALS.into_iter().chain([Signal::SIGCHLD]).collect()
}

/// From now on these signals wait until [`wait`] takes them.
pub fn hold() -> Result<()> {
    // A closed pipe or a file that may not grow is an error to be handled, not a reason to die.
    for ignored in [Signal::SIGPIPE, Signal::SIGXFSZ] {
        // SAFETY: ignoring a signal installs no code.
        unsafe { signal(ignored, SigHandler::SigIgn) }.context("cannot ignore signals")?;
    }
    sigprocmask(SigmaskHow::SIG_BLOCK, Some(&awaited()), None).context("cannot block signals")
}

/// Waits for a signal, at most this long.
pub fn wait(limit: Duration) -> Wake {
    let set = awaited();
    let limit = libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
    };
    // SAFETY: both arguments outlive the call; no information about the signal is asked for.
    let signal = unsafe { libc::sigtimedwait(set.as_ref(), std::ptr::null_mut(), &raw const limit) };
    match signal {
        libc::SIGCHLD => Wake::Child,
        signal if STOP_SIGNALS.iter().any(|stop| *stop as i32 == signal) => Wake::Stop,
        _ => Wake::TimeUp,
    }
}

/// In a worker: the target gets the usual signal mask, and Ctrl-C, which reaches the whole process group, is left to
/// the supervisor.
pub fn leave_to_supervisor() {
    for stop in STOP_SIGNALS {
        // SAFETY: ignoring a signal installs no code.
        let _ = unsafe { signal(stop, SigHandler::SigIgn) };
    }
    // SAFETY: restores the default, which the target expects. SIGXFSZ stays ignored: we write files too.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    let _ = sigprocmask(SigmaskHow::SIG_UNBLOCK, Some(&awaited()), None);
}
