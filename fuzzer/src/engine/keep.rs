//! Runs an input and keeps it if it is a waypoint: confirmed, on disk, in the journal, in the aggregates, in that
//! order, so that a death in between loses nothing.
use std::{rc::Rc, sync::atomic::Ordering::Relaxed, time::Duration};

use libafl::{
    Error,
    executors::{ExitKind, HasObservers},
    fuzzer::{ExecuteInputResult, ExecutesInput, ExecutionProcessor, HasScheduler},
    inputs::HasMutatorBytes,
    state::HasExecutions,
};

use super::{
    assembly::{Fuzzer, Input, State},
    effort::{Account, Patience},
    executor::InProcess,
    parts::Parts,
};
use crate::{
    origin::{Op, Origin},
    queue::{Kept, Queue},
    shared::{Note, Phase, Shared},
};

/// Decides what is kept.
#[derive(Debug, Clone)]
pub struct Keeper {
    shared: Shared,
    queue: Queue,
    max_runs: Option<u64>,
    account: Rc<Account>,
}

impl Keeper {
    /// Keeps inputs in this queue. The campaign is over after `max_runs` runs.
    pub fn new(shared: Shared, queue: Queue, max_runs: Option<u64>) -> Self {
        let account = Account::new(max_runs.is_none());
        Self { shared, queue, max_runs, account }
    }

    /// Ends a stage if the campaign is over, or this worker's part in it. To be asked before every run.
    pub fn check_end(&self, state: &State) -> Result<(), Error> {
        let over = self.asked_to_end() || self.max_runs.is_some_and(|max| *state.executions() >= max);
        if over { Err(Error::shutting_down()) } else { Ok(()) }
    }

    /// For what is tried in a row and should take no longer than this.
    pub fn patience(&self, limit: Duration) -> Patience {
        self.account.patience(limit)
    }

    /// Whether the supervisor wants this worker to end.
    pub fn asked_to_end(&self) -> bool {
        let control = self.shared.control;
        control.stop.load(Relaxed) != 0 || control.recycle.load(Relaxed) != 0 || control.goals_are_met()
    }

    /// Runs `input`; keeps it if it reaches something new twice. What it leaks ends the worker.
    pub fn consider(&self, parts: &mut Parts<'_>, input: &Input, origin: Origin) -> Result<(), Error> {
        let control = self.shared.control;
        let (runs, effort) = (control.runs.load(Relaxed), control.effort());
        let judged = self.judge(parts, input, origin);
        control.op(origin.op).spend(control.runs.load(Relaxed) - runs, control.effort() - effort);
        judged?;
        let Parts { fuzzer, executor, state, manager } = parts;
        if executor.leaks.are_suspected() {
            executor.leaks.doubt();
            fuzzer.execute_input(*state, *executor, *manager, input)?;
            executor.leaks.check().map_err(|error| Error::unknown(format!("{error:#}")))?;
        }
        Ok(())
    }

    fn judge(&self, parts: &mut Parts<'_>, input: &Input, origin: Origin) -> Result<(), Error> {
        self.shared.control.set_origin(origin);
        // Those that are replayed are few, and were kept for something.
        let is_seed = matches!(origin.op, Op::Seed | Op::Earlier);
        parts.executor.maps_mut().take_turn(parts.fuzzer.scheduler().turn_of());
        let mut is_waypoint = run(parts, input, false)?;
        if (is_waypoint || is_seed) && parts.executor.maps_mut().follow_missed() {
            is_waypoint = run(parts, input, false)?;
        }
        let maps = parts.executor.maps_mut();
        let looks_at_peak = is_seed && maps.has_peak();
        if !is_waypoint && !looks_at_peak && !maps.may_have_peaked() {
            return self.report_refusal();
        }
        maps.remember();
        let follow_blocks = maps.has_peak();
        run(parts, input, follow_blocks)?;
        if parts.executor.maps_mut().confirm() {
            run(parts, input, follow_blocks)?;
            parts.executor.maps_mut().confirm_peak();
        }
        let Parts { fuzzer, executor, state, manager } = parts;
        let result = fuzzer.check_results(*state, *manager, input, executor.maps(), &ExitKind::Ok)?;
        if result == ExecuteInputResult::Corpus {
            self.keep(parts, input, origin)?;
        }
        self.publish(parts.fuzzer, parts.executor);
        self.report_refusal()
    }

    /// Keeps the input although it is no waypoint: there must be something to start from. Whether the harness lets us.
    pub fn keep_anyway(&self, parts: &mut Parts<'_>, input: &Input, origin: Origin) -> Result<bool, Error> {
        self.shared.control.set_origin(origin);
        run(parts, input, false)?;
        if parts.executor.maps().rejected {
            return Ok(false);
        }
        self.keep(parts, input, origin)?;
        Ok(true)
    }

    /// An allocation that was refused for the first time is a finding; the run itself counts as any other. The
    /// supervisor saves it and starts the next worker.
    pub fn report_refusal(&self) -> Result<(), Error> {
        if self.shared.control.refused_size.load(Relaxed) != 0 {
            self.shared.control.set_phase(Phase::Refused);
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) }
        }
        Ok(())
    }

    fn keep(&self, parts: &mut Parts<'_>, input: &Input, origin: Origin) -> Result<(), Error> {
        let Parts { fuzzer, executor, state, manager } = parts;
        let bytes = input.mutator_bytes();
        let (edges, domains) = (executor.maps().counters.edges(), executor.maps().waypoint_in);
        let id = self.write(bytes, origin, domains).map_err(|error| Error::unknown(format!("{error:#}")))?;
        let effort = executor.maps().effort().try_into().unwrap_or(u32::MAX);
        let note = Note { edges, effort, id, origin, domains };
        if self.shared.journal.push(bytes, note).is_none() {
            return Err(Error::unknown(
                "the corpus has outgrown the address space reserved for it; distil it",
            ));
        }
        let is_new = executor.maps().opens_up();
        let result = ExecuteInputResult::Corpus;
        fuzzer.process_execution(*state, *manager, input, &result, &ExitKind::Ok, &*executor.observers())?;
        let scheduler = fuzzer.scheduler_mut();
        scheduler.add(bytes.len(), note);
        scheduler.credit_newest(executor.maps());
        executor.maps().count_kept();
        for (n, numbers) in self.shared.control.domains.iter().enumerate() {
            numbers.waypoints.fetch_add(u64::from(domains >> n & 1), Relaxed);
        }
        self.shared.control.invalid_kept.fetch_add(u64::from(executor.maps().invalid), Relaxed);
        self.shared.control.op(origin.op).find(is_new);
        if self.queue.is_new(origin) {
            self.shared.control.found.fetch_add(1, Relaxed);
        }
        self.shared.control.last_find_ms.store(self.queue.elapsed_ms(), Relaxed);
        Ok(())
    }

    /// Writes an input to the queue, unless it is there from an earlier campaign, and says which number it has.
    fn write(&self, bytes: &[u8], origin: Origin, domains: u32) -> anyhow::Result<u32> {
        if let Some(id) = self.queue.earlier_id(origin) {
            return Ok(id);
        }
        let id = self.shared.control.next_id.fetch_add(1, Relaxed);
        let runs = self.shared.control.runs.load(Relaxed);
        self.queue.add(&Kept { id, bytes, origin, runs, domains })?;
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

/// Runs an input once; whether it is a waypoint.
fn run(parts: &mut Parts<'_>, input: &Input, follow_blocks: bool) -> Result<bool, Error> {
    let Parts { fuzzer, executor, state, manager } = parts;
    executor.maps_mut().follow_blocks = follow_blocks;
    let exit_kind = fuzzer.execute_input(*state, *executor, *manager, input)?;
    if let Some(trouble) = executor.maps_mut().take_trouble() {
        return Err(Error::unknown(trouble));
    }
    let result = fuzzer.check_results(*state, *manager, input, executor.maps(), &exit_kind)?;
    Ok(result == ExecuteInputResult::Corpus)
}
