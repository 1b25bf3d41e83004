//! Looks for leaks in a worker, as libFuzzer does: when a run has not freed all it allocated, twice, LeakSanitizer is
//! asked. Nothing of this happens where it is not linked.
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io::{Read, Seek, Write, stderr},
    os::fd::AsRawFd,
    sync::atomic::Ordering::Relaxed,
};

use anyhow::{Context, Result};
use nix::sys::memfd::{MFdFlags, memfd_create};
use waypoint_runtime::{harness, leaks::LeakSanitizer};

use super::death;
use crate::{
    report::leak::{self, Leak},
    shared::{Control, Phase},
};

/// What is said when LeakSanitizer ended the worker; a remedy is to follow.
pub const LEAKS_CANNOT_BE_FOUND: &str = "LeakSanitizer cannot look for leaks here, since it needs ptrace, which a debugger or a container may take from it";

/// So many checks in vain are made whenever there is a suspicion; each further one makes the next rarer, because a
/// check takes as long as hundreds of runs.
const EAGER_CHECKS: u64 = 16;

/// What is done about a leak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The worker ends, the first time that the leak is seen in the campaign.
    Once,
    /// The worker ends.
    Always,
    /// The worker ends, and the sanitizer's own report is printed.
    Aloud,
}

/// The leaks of one worker.
#[derive(Debug)]
pub struct Leaks {
    sanitizer: Option<LeakSanitizer>,
    control: &'static Control,
    report: Report,
    suspected: bool,
    /// The next run repeats the last one.
    repeats: bool,
}

impl Leaks {
    /// Starts to look for them, if they are wanted and can be found.
    pub fn new(control: &'static Control, wanted: bool, report: Report) -> Self {
        let possible = wanted && control.leaks_cannot_be_found.load(Relaxed) == 0;
        let sanitizer = LeakSanitizer::find().filter(|sanitizer| possible && sanitizer.start_counting());
        Self { sanitizer, control, report, suspected: false, repeats: false }
    }

    /// Calls the harness by `run`.
    pub fn watch<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let value = self.watch_run(run);
        if self.sanitizer.is_some() && harness::was_cut_short() {
            // What such a run had not freed yet would be put down to any later one.
            (self.sanitizer, self.suspected) = (None, false);
        }
        value
    }

    fn watch_run<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let Some(sanitizer) = self.sanitizer else { return run() };
        if std::mem::take(&mut self.repeats) {
            let (value, suspected) = sanitizer.ignore(|| sanitizer.count(run));
            self.suspected = suspected;
            return value;
        }
        if self.control.runs.load(Relaxed) < self.control.next_leak_check.load(Relaxed) {
            // What leaks now is not looked for now, nor may a later input be blamed for it.
            self.suspected = false;
            return sanitizer.ignore(run);
        }
        let (value, suspected) = sanitizer.count(run);
        self.suspected = suspected;
        value
    }

    /// Whether the last run may have leaked.
    pub fn are_suspected(&self) -> bool {
        self.suspected
    }

    /// The next run repeats the last one, to see whether the suspicion stays; what it leaks itself does not matter.
    pub fn doubt(&mut self) {
        self.repeats = true;
    }

    /// Looks for leaks if they are still suspected. The first that counts ends the process.
    pub fn check(&mut self) -> Result<()> {
        let Some(sanitizer) = self.sanitizer.filter(|_| std::mem::take(&mut self.suspected)) else {
            return Ok(());
        };
        let file = memfd_create(c"leaks", MFdFlags::MFD_CLOEXEC).context("cannot make room for a report")?;
        let mut file = std::fs::File::from(file);
        // Should LeakSanitizer end the process now, it could not do its work.
        self.control.set_phase(Phase::LooksForLeaks);
        let found = sanitizer.check(file.as_raw_fd());
        self.control.set_phase(Phase::Engine);
        let mut text = Vec::new();
        if found {
            file.rewind().and_then(|()| file.read_to_end(&mut text)).context("cannot read a report")?;
        }
        let leaks = leak::parse(&String::from_utf8_lossy(&text));
        if let Some(leak) = leaks.iter().find(|leak| self.counts(leak)) {
            if self.report == Report::Aloud {
                let _ = stderr().lock().write_all(&text);
            }
            self.end_with(leak);
        }
        let in_vain = self.control.leak_checks_in_vain.fetch_add(1, Relaxed) + 1;
        if in_vain > EAGER_CHECKS {
            let next = self.control.runs.load(Relaxed) + in_vain * in_vain;
            self.control.next_leak_check.store(next, Relaxed);
        }
        Ok(())
    }

    fn counts(&self, leak: &Leak) -> bool {
        let mut hasher = DefaultHasher::new();
        leak.stack.hash(&mut hasher);
        // Always noted down: the next worker is a fork of the same supervisor, in which addresses are the same.
        let is_new = self.control.note_leak(hasher.finish());
        is_new || self.report != Report::Once
    }

    /// Leaves the leak to the supervisor, like any other death.
    fn end_with(&self, leak: &Leak) -> ! {
        let crash = &self.control.crash;
        crash.clear();
        crash.set_report(leak.size.as_bytes());
        death::copy_maps(crash);
        for pc in &leak.stack {
            // The sanitizer has moved return addresses to the call already.
            crash.push_frame(*pc, false);
        }
        self.control.leak_checks_in_vain.store(0, Relaxed);
        self.control.next_leak_check.store(0, Relaxed);
        self.control.set_phase(Phase::Leaked);
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) }
    }
}
