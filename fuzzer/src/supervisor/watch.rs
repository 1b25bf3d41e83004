//! Watches one worker: whether it lives, whether its run takes too long, whether it eats too much.
use std::{
    fs,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use nix::{
    sys::{
        signal::{Signal, kill, killpg},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};

use crate::{
    report::finding::Kind,
    shared::{Control, Phase},
    signals::{self, Wake},
    worker::TIMEOUT_SIGNAL,
};

/// How a worker ended.
#[derive(Debug)]
pub struct End {
    /// What the kernel says.
    pub status: WaitStatus,
    /// Why we ended it, if we did.
    pub ended_by_us: Option<Kind>,
    /// Ended because the campaign was over and it did not listen: not the input's fault.
    pub killed_while_stopping: bool,
}

impl End {
    /// The run's fault, if it was one.
    pub fn kind(&self) -> Kind {
        self.ended_by_us.unwrap_or(match self.status {
            WaitStatus::Signaled(_, signal, _) => Kind::Crash(signal as i32),
            WaitStatus::Exited(_, code) => Kind::Exit(code),
            // Not asked for, so never reported.
            _ => Kind::Exit(0),
        })
    }
}

/// After being asked to write down its stack, a stuck worker has this long before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// How often a stuck worker is asked, and how long after one another: what stays the same tells which function loops.
const SAMPLES: u32 = 5;
const BETWEEN_SAMPLES: Duration = Duration::from_millis(10);
/// How often memory is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// One worker under watch.
#[derive(Debug)]
pub struct Watch {
    pid: Pid,
    control: &'static Control,
    timeout: Duration,
    rss_limit: u64,
    interval: Duration,
    interrupted: bool,
    /// The run last seen under way, and for how long it has been.
    run: u64,
    running_for: Duration,
    slowest: Duration,
    last_step: Instant,
    last_memory_check: Instant,
    /// The run during which the memory limit was first exceeded.
    over_limit_in_run: Option<u64>,
    ended_by_us: Option<(Kind, Instant)>,
    killed_while_stopping: bool,
    /// Samples of its stack that it has made.
    samples: u32,
}

impl Watch {
    /// Starts watching.
    pub fn new(pid: Pid, control: &'static Control, timeout: Duration, rss_limit: u64) -> Self {
        let now = Instant::now();
        Self {
            pid,
            control,
            timeout,
            rss_limit,
            interval: (timeout / 10).clamp(Duration::from_millis(1), Duration::from_millis(50)),
            interrupted: false,
            run: 0,
            running_for: Duration::ZERO,
            slowest: Duration::ZERO,
            last_step: now,
            last_memory_check: now,
            over_limit_in_run: None,
            ended_by_us: None,
            killed_while_stopping: false,
            samples: 0,
        }
    }

    /// Whether the user asked us to stop.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted
    }

    /// How long the longest run has taken, as far as we looked.
    pub fn slowest(&self) -> Duration {
        self.slowest
    }

    /// Waits a little and looks. Says how the worker ended, once it has.
    pub fn step(&mut self) -> Result<Option<End>> {
        let stuck = self.ended_by_us.is_some();
        let interval = if stuck { self.interval.min(BETWEEN_SAMPLES) } else { self.interval };
        if signals::wait(interval) == Wake::Stop {
            self.interrupted = true;
        }
        let status = waitpid(self.pid, Some(WaitPidFlag::WNOHANG)).context("cannot wait for the worker")?;
        if status != WaitStatus::StillAlive {
            // And what the target forked off it; most often there is no such group any more.
            let _ = killpg(self.pid, Signal::SIGKILL);
            let ended_by_us = self.ended_by_us.map(|(kind, _)| kind);
            return Ok(Some(End { status, ended_by_us, killed_while_stopping: self.killed_while_stopping }));
        }
        self.check_time();
        self.check_memory();
        Ok(None)
    }

    /// Ends a worker that does not listen when the campaign is over.
    pub fn kill(&mut self) {
        self.killed_while_stopping = true;
        self.send(Signal::SIGKILL as i32);
    }

    fn check_time(&mut self) {
        let run = self.control.runs.load(Relaxed);
        let since_last = self.last_step.elapsed();
        self.last_step = Instant::now();
        if run != self.run || self.control.phase() != Phase::Run {
            self.run = run;
            self.running_for = Duration::ZERO;
            return;
        }
        // A step that took much longer than asked means that the machine was busy or asleep, not the target.
        self.running_for += since_last.min(self.interval * 2);
        self.slowest = self.slowest.max(self.running_for);
        let samples = self.control.crash.samples();
        match self.ended_by_us {
            None if self.running_for >= self.timeout => self.end(Kind::Hang),
            Some((kind, _)) if samples > self.samples => {
                self.samples = samples;
                self.ended_by_us = Some((kind, Instant::now()));
                self.send(TIMEOUT_SIGNAL);
            }
            Some((_, since)) if since.elapsed() > GRACE => self.send(Signal::SIGKILL as i32),
            _ => {}
        }
    }

    fn check_memory(&mut self) {
        if self.last_memory_check.elapsed() < MEMORY_INTERVAL {
            return;
        }
        self.last_memory_check = Instant::now();
        if self.rss_limit == 0 || resident(self.pid).is_none_or(|bytes| bytes <= self.rss_limit) {
            self.over_limit_in_run = None;
            return;
        }
        let run = self.control.runs.load(Relaxed);
        match self.over_limit_in_run {
            // Give it the chance to finish the run and make room.
            None => {
                self.over_limit_in_run = Some(run);
                self.control.recycle.store(1, Relaxed);
            }
            Some(over) if over == run && self.control.phase() == Phase::Run && self.ended_by_us.is_none() => {
                self.end(Kind::OutOfMemory);
            }
            Some(_) => {}
        }
    }

    /// Asks the worker to write down where it is and die.
    fn end(&mut self, kind: Kind) {
        self.ended_by_us = Some((kind, Instant::now()));
        let samples = if kind == Kind::Hang { SAMPLES } else { 1 };
        self.control.crash.samples_wanted.store(samples, Relaxed);
        self.send(TIMEOUT_SIGNAL);
    }

    fn send(&self, signal: i32) {
        // It may have ended just now; then the next step finds out.
        if let Ok(signal) = Signal::try_from(signal) {
            let _ = kill(self.pid, signal);
        }
    }
}

/// The memory that a process alone uses, in bytes: what it shares with us does not count.
fn resident(pid: Pid) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut pages = statm.split(' ').skip(1).map_while(|field| field.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    // SAFETY: a plain query.
    let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(resident.saturating_sub(shared) * page_size as u64)
}
