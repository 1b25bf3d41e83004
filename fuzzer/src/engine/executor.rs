//! Runs the harness in this very process. Whatever the target does to it, the input is already noted down.
use std::sync::atomic::Ordering::Relaxed;

use libafl::{
    Error,
    executors::{Executor, ExitKind, HasObservers},
    inputs::HasMutatorBytes,
    state::HasExecutions,
};
use libafl_bolts::tuples::RefIndexable;
use waypoint_runtime::{
    harness::{self, TestOneInput},
    validity,
};

use super::{
    assembly::{Input, State},
    run_maps::RunMaps,
};
use crate::{
    shared::{Control, Phase},
    worker::{buffer::Buffer, fork_guard, leaks::Leaks},
};

/// Calls the harness and fills the run maps. Time limits and deaths are the supervisor's business.
#[derive(Debug)]
pub struct InProcess {
    harness: TestOneInput,
    control: &'static Control,
    buffer: Buffer,
    maps: RunMaps,
    /// What the last run may have leaked.
    pub leaks: Leaks,
}

impl InProcess {
    /// An executor of this harness.
    pub fn new(
        harness: TestOneInput,
        control: &'static Control,
        buffer: Buffer,
        maps: RunMaps,
        leaks: Leaks,
    ) -> Self {
        Self { harness, control, buffer, maps, leaks }
    }

    /// Runs the harness once on these bytes; says what it returned.
    fn call(&mut self, bytes: &[u8]) -> i32 {
        self.control.begin_run(bytes);
        let leaks = &mut self.leaks;
        let result = self.buffer.with(bytes, |data, len| {
            // SAFETY: `data` points at `len` bytes that stay valid during the call. What the target does beyond
            // that is what we are here to find out.
            leaks.watch(|| unsafe { harness::call(self.harness, data, len) })
        });
        if !fork_guard::is_original() {
            // The target forked and this is the child, come back from the harness.
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) }
        }
        if result.overwritten && self.control.overwrite_is_known.load(Relaxed) == 0 {
            self.control.set_phase(Phase::Overwrote);
            // The supervisor saves it as a finding, from the control page.
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) }
        }
        self.control.end_run();
        result.value
    }

    /// The run maps, as the last run left them.
    pub fn maps(&self) -> &RunMaps {
        &self.maps
    }

    /// The run maps, to be changed.
    pub fn maps_mut(&mut self) -> &mut RunMaps {
        &mut self.maps
    }
}

impl<EM, Z> Executor<EM, Input, State, Z> for InProcess {
    fn run_target(
        &mut self,
        _: &mut Z,
        state: &mut State,
        _: &mut EM,
        input: &Input,
    ) -> Result<ExitKind, Error> {
        let bytes = input.mutator_bytes();
        let mut value = self.call(bytes);
        if self.maps.must_repeat() {
            value = self.call(bytes);
            *state.executions_mut() += 1;
        }
        self.maps.rejected = value == harness::REJECT;
        if validity::is_invalid() {
            self.control.invalid_runs.fetch_add(1, Relaxed);
        }
        *state.executions_mut() += 1;
        Ok(ExitKind::Ok)
    }
}

impl HasObservers for InProcess {
    type Observers = RunMaps;

    fn observers(&self) -> RefIndexable<&RunMaps, RunMaps> {
        RefIndexable::from(&self.maps)
    }

    fn observers_mut(&mut self) -> RefIndexable<&mut RunMaps, RunMaps> {
        RefIndexable::from(&mut self.maps)
    }
}
