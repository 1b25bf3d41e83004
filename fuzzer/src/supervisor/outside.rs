//! Workers that are killed during a run, and not by us: by the target itself, which is a finding, or from outside, as by a
//! person or by the kernel for the memory of others, which is none.
use std::{sync::atomic::Ordering::Relaxed, time::Instant};

use anyhow::Result;
use nix::sys::{signal::Signal, wait::WaitStatus};
use waypoint_runtime::{harness, recording::Recorder, validity};

use super::{
    Campaign, PATIENCE,
    watch::{End, Watch},
};
use crate::{
    origin::Op,
    report::finding::Kind,
    shared::{Control, Phase},
    worker::{self, Output, buffer::Buffer, fork_guard},
};

impl End {
    /// Whether somebody else than us has killed it.
    pub(super) fn was_killed(&self) -> bool {
        let is_kill = matches!(self.status, WaitStatus::Signaled(_, Signal::SIGKILL, _));
        is_kill && self.ended_by_us.is_none() && !self.killed_while_stopping
    }
}

impl Campaign<'_> {
    /// Saves the input if a fresh worker is killed by it too, or takes too much memory.
    pub(super) fn try_again(&mut self) -> Result<()> {
        let kill = Kind::Crash(libc::SIGKILL);
        if self.findings.has_seen(kill) {
            return self.save(kill);
        }
        let control = self.shared.control;
        match self.run_alone(&control.input())? {
            Some(kind) if kind == kill || kind == Kind::OutOfMemory => self.save(kind),
            _ => {
                self.status.say(
                    "a worker was killed from outside, since its input run again does not end so; the campaign goes on",
                );
                let origin = control.origin();
                let is_seed = matches!(origin.op, Op::Seed | Op::Earlier);
                if is_seed && self.seed_again.replace(origin.parent) != Some(origin.parent) {
                    control.seeds_started.store(origin.parent as usize, Relaxed);
                }
                Ok(())
            }
        }
    }

    /// Runs an input in a worker of its own; what went wrong, if anything. What cannot be told, since the campaign ends,
    /// is what it was before.
    fn run_alone(&mut self, input: &[u8]) -> Result<Option<Kind>> {
        let (plan, target) = (self.plan, self.target);
        let control = match self.alone {
            Some(control) => control,
            None => *self.alone.insert(Control::new(plan.max_len)?),
        };
        let pid = worker::spawn(control, Output::Discarded, target, || {
            let mut recorder = Recorder::new(plan.recording(control));
            recorder.begin(false, false);
            validity::reset();
            control.begin_run(input);
            // SAFETY: `data` points at `len` bytes that stay valid during the call.
            let call = |data, len| unsafe { harness::call(target.test_one_input, data, len) };
            Buffer::new(input.len()).with(input, call);
            if fork_guard::is_original() {
                control.set_phase(Phase::Done);
            }
            Ok(())
        })?;
        let start = Instant::now();
        let mut watch = Watch::new(pid, control, plan.timeout, plan.rss_limit);
        let end = loop {
            self.interrupted |= watch.was_interrupted();
            if self.interrupted || self.is_time_up() && start.elapsed() > PATIENCE {
                watch.kill();
            }
            if let Some(end) = watch.step()? {
                break end;
            }
        };
        Ok((control.phase() != Phase::Done).then(|| end.kind()))
    }
}
