//! Runs inputs in a worker and reads what they reached.
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, bail};
use waypoint_runtime::{
    harness,
    recording::{Recorder, Recording},
};

use super::limits::Limits;
use crate::{
    coverage::Counters,
    engine::run_maps::RunMaps,
    guidance::{self, Choice},
    shared::{Control, Phase, Shared},
    worker::{
        Target,
        buffer::Buffer,
        fork_guard,
        leaks::{Leaks, Report},
    },
};

/// The harness and its run maps.
#[derive(Debug)]
pub struct Probe {
    target: Target,
    control: &'static Control,
    buffer: Buffer,
    leaks: Leaks,
    refusals_count: bool,
    /// As the last run left them.
    pub maps: RunMaps,
}

impl Probe {
    /// For inputs of at most `max_len` bytes and these domains; to be made in the worker. Leaks are findings if they are
    /// wanted.
    pub fn new(
        target: Target,
        shared: Shared,
        max_len: usize,
        leaks: bool,
        chosen: &[Choice],
        limits: Limits,
    ) -> Self {
        let control = shared.control;
        let recording = guidance::recording(chosen, limits.malloc_limit, control);
        let recorder = Recorder::new(Recording { alloc: true, ..recording });
        let mut maps = RunMaps::new(Counters::new(shared.aggregates), recorder, chosen, shared);
        maps.follow_blocks = true;
        maps.follow_always();
        let leaks = Leaks::new(control, leaks, Report::Always);
        Self {
            target,
            control,
            buffer: Buffer::new(max_len),
            leaks,
            refusals_count: limits.refusals_count,
            maps,
        }
    }

    /// Runs `input`, twice if leaks are of interest, which only count then; whether it is a waypoint.
    pub fn run(&mut self, input: &[u8]) -> Result<bool> {
        if self.maps.watch_leaks() {
            self.run_once(input)?;
            self.maps.remember_left();
        }
        self.run_once(input)?;
        if self.maps.watch_leaks() {
            self.maps.confirm_left();
            self.maps.ask();
        }
        match self.maps.take_trouble() {
            Some(trouble) => bail!(trouble),
            None => Ok(self.maps.waypoint_in != 0),
        }
    }

    fn run_once(&mut self, input: &[u8]) -> Result<()> {
        self.maps.begin();
        self.control.begin_run(input);
        let test = self.target.test_one_input;
        // SAFETY: `data` points at `len` bytes that stay valid during the call.
        let call = |data, len| unsafe { harness::call(test, data, len) };
        let leaks = &mut self.leaks;
        let outcome = self.buffer.with(input, |data, len| leaks.watch(|| call(data, len)));
        let is_child = !fork_guard::is_original();
        let overwrote = outcome.overwritten && self.control.overwrite_is_known.load(Relaxed) == 0;
        let refused = self.refusals_count && self.control.refused_size.load(Relaxed) != 0;
        if !is_child && (overwrote || refused) {
            self.control.set_phase(if overwrote { Phase::Overwrote } else { Phase::Refused });
        }
        if is_child || overwrote || refused {
            // A child that the target forked has no business here; the other is the supervisor's to judge.
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) }
        }
        self.control.end_run();
        self.maps.rejected = outcome.value == harness::REJECT;
        self.leaks.check()?;
        self.maps.end();
        self.maps.ask();
        Ok(())
    }

    /// Runs the input of the last run again. What differs is noise and counts no more; whether something new is left.
    pub fn confirm(&mut self, input: &[u8]) -> Result<bool> {
        self.maps.remember();
        self.run(input)?;
        self.maps.confirm();
        Ok(self.maps.waypoint_in != 0)
    }
}
