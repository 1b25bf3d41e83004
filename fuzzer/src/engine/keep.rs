//! Runs an input and keeps it if it is a waypoint: confirmed, on disk, in the journal, in the aggregates, in that
//! order, so that a death in between loses nothing.
use std::sync::atomic::Ordering::Relaxed;

use libafl::{
    Error,
    executors::{ExitKind, HasObservers},
    fuzzer::{ExecuteInputResult, ExecutesInput, ExecutionProcessor, HasScheduler},
    inputs::HasMutatorBytes,
};

use super::{
    assembly::{Fuzzer, Input, Manager, State},
    executor::InProcess,
};
use crate::{
    origin::Origin,
    queue::{Kept, Queue},
    shared::Shared,
};

/// Decides what is kept.
#[derive(Debug, Clone)]
pub struct Keeper {
    shared: Shared,
    queue: Queue,
}

impl Keeper {
    /// Keeps inputs in this queue.
    pub fn new(shared: Shared, queue: Queue) -> Self {
        Self { shared, queue }
    }

    /// Whether the supervisor wants this worker to end.
    pub fn asked_to_end(&self) -> bool {
        self.shared.control.stop.load(Relaxed) != 0 || self.shared.control.recycle.load(Relaxed) != 0
    }

    /// Runs `input`; keeps it if it reaches something new twice. What it leaks ends the worker.
    pub fn consider(
        &self,
        fuzzer: &mut Fuzzer,
        executor: &mut InProcess,
        state: &mut State,
        manager: &mut Manager,
        input: &Input,
        origin: Origin,
    ) -> Result<(), Error> {
        self.judge(fuzzer, executor, state, manager, input, origin)?;
        if executor.leaks.are_suspected() {
            executor.leaks.doubt();
            fuzzer.execute_input(state, executor, manager, input)?;
            executor.leaks.check().map_err(|error| Error::unknown(format!("{error:#}")))?;
        }
        Ok(())
    }

    fn judge(
        &self,
        fuzzer: &mut Fuzzer,
        executor: &mut InProcess,
        state: &mut State,
        manager: &mut Manager,
        input: &Input,
        origin: Origin,
    ) -> Result<(), Error> {
        self.shared.control.set_origin(origin);
        if !is_waypoint(fuzzer, executor, state, manager, input)? {
            return Ok(());
        }
        executor.maps_mut().counters.remember();
        fuzzer.execute_input(state, executor, manager, input)?;
        executor.maps_mut().confirm();
        let result = fuzzer.check_results(state, manager, input, executor.maps(), &ExitKind::Ok)?;
        if result == ExecuteInputResult::Corpus {
            self.keep(fuzzer, executor, state, manager, input, origin)?;
        }
        self.publish(fuzzer, executor);
        Ok(())
    }

    fn keep(
        &self,
        fuzzer: &mut Fuzzer,
        executor: &mut InProcess,
        state: &mut State,
        manager: &mut Manager,
        input: &Input,
        origin: Origin,
    ) -> Result<(), Error> {
        let bytes = input.mutator_bytes();
        let edges = executor.maps().counters.edges();
        let id = self.write(bytes, origin).map_err(|error| Error::unknown(format!("{error:#}")))?;
        if self.shared.journal.push(bytes, edges, id, origin).is_none() {
            return Err(Error::unknown(
                "the corpus has outgrown the address space reserved for it; distil it",
            ));
        }
        let result = ExecuteInputResult::Corpus;
        fuzzer.process_execution(state, manager, input, &result, &ExitKind::Ok, &*executor.observers())?;
        let scheduler = fuzzer.scheduler_mut();
        scheduler.add(bytes.len(), edges, id);
        scheduler.credit_newest(&executor.maps().counters);
        if self.queue.is_new(origin) {
            self.shared.control.found.fetch_add(1, Relaxed);
        }
        self.shared.control.last_find_ms.store(self.queue.elapsed_ms(), Relaxed);
        Ok(())
    }

    /// Writes an input to the queue, unless it is there from an earlier campaign, and says which number it has.
    fn write(&self, bytes: &[u8], origin: Origin) -> anyhow::Result<u32> {
        if let Some(id) = self.queue.earlier_id(origin) {
            return Ok(id);
        }
        let id = self.shared.control.next_id.fetch_add(1, Relaxed);
        let runs = self.shared.control.runs.load(Relaxed);
        self.queue.add(&Kept { id, bytes, origin, runs })?;
        Ok(id)
    }

    /// Tells the supervisor where the campaign stands.
    pub fn publish(&self, fuzzer: &mut Fuzzer, executor: &InProcess) {
        let control = self.shared.control;
        let counters = &executor.maps().counters;
        let (found, unstable) = counters.found();
        control.edges_found.store(found as u64, Relaxed);
        control.edges_unstable.store(unstable as u64, Relaxed);
        control.edges_total.store(counters.total() as u64, Relaxed);
        control.holders.store(fuzzer.scheduler().holders() as u64, Relaxed);
        control.pending_holders.store(fuzzer.scheduler().pending_holders() as u64, Relaxed);
    }
}

fn is_waypoint(
    fuzzer: &mut Fuzzer,
    executor: &mut InProcess,
    state: &mut State,
    manager: &mut Manager,
    input: &Input,
) -> Result<bool, Error> {
    let exit_kind = fuzzer.execute_input(state, executor, manager, input)?;
    let result = fuzzer.check_results(state, manager, input, executor.maps(), &exit_kind)?;
    Ok(result == ExecuteInputResult::Corpus)
}
