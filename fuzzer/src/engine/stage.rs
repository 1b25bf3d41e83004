//! The stage: makes new inputs from the scheduled entry, runs them and keeps the waypoints.
use std::num::NonZero;

use libafl::corpus::Corpus;
use libafl::{
    Error,
    corpus::HasCurrentCorpusId,
    fuzzer::HasScheduler,
    inputs::HasMutatorBytes,
    stages::{Restartable, Stage},
    state::{HasCorpus, HasExecutions, HasRand},
};
use libafl_bolts::rands::Rand;
use waypoint_runtime::harness;

use super::{
    assembly::{Fuzzer, Input, Manager, State},
    custom,
    executor::InProcess,
    havoc::Havoc,
    keep::Keeper,
};
use crate::origin::{Op, Origin};

/// How many inputs are made from an entry each time it is scheduled, at most; on average half as many.
const MAX_ENERGY: NonZero<usize> = NonZero::new(128).unwrap();

/// One in this many inputs is joined by the harness's own crossover, if it has one.
const CROSSOVER_ODDS: NonZero<usize> = NonZero::new(4).unwrap();

/// Mutates the scheduled entry, byte by byte or as the harness wishes.
#[derive(Debug)]
pub struct MutateStage {
    havoc: Havoc,
    keeper: Keeper,
    max_runs: Option<u64>,
}

impl MutateStage {
    /// Ends the campaign after `max_runs` runs.
    pub fn new(havoc: Havoc, keeper: Keeper, max_runs: Option<u64>) -> Self {
        Self { havoc, keeper, max_runs }
    }

    /// Whether the campaign is over, or this worker's part in it.
    fn is_over(&self, state: &State) -> bool {
        self.keeper.asked_to_end() || self.max_runs.is_some_and(|max| *state.executions() >= max)
    }

    /// Changes `input` and says how.
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<(Op, u16), Error> {
        let hooks = harness::hooks();
        if let Some(crossover) = hooks.custom_crossover
            && state.rand_mut().below(CROSSOVER_ODDS) == 0
        {
            custom::call_crossover(crossover, state, input)?;
            return Ok((Op::CustomCrossOver, 1));
        }
        if let Some(mutator) = hooks.custom_mutator {
            custom::call_mutator(mutator, &mut self.havoc, state, input);
            return Ok((Op::Custom, 1));
        }
        Ok((Op::Havoc, self.havoc.mutate(state, input)?))
    }
}

impl Stage<InProcess, Manager, State, Fuzzer> for MutateStage {
    fn perform(
        &mut self,
        fuzzer: &mut Fuzzer,
        executor: &mut InProcess,
        state: &mut State,
        manager: &mut Manager,
    ) -> Result<(), Error> {
        let Some(parent) = state.current_corpus_id()? else {
            return Err(Error::illegal_state("no entry is scheduled"));
        };
        self.havoc.look_for_tokens(state);
        let original = state.corpus().cloned_input_for_id(parent)?;
        let mut input = original.clone();
        for _ in 0..=state.rand_mut().below(MAX_ENERGY) {
            if self.is_over(state) {
                return Err(Error::shutting_down());
            }
            let bytes = input.as_mut();
            bytes.clear();
            bytes.extend_from_slice(original.mutator_bytes());
            let (op, rep) = self.mutate(state, &mut input)?;
            let origin = Origin { parent: fuzzer.scheduler().id(parent), op, rep };
            self.keeper.consider(fuzzer, executor, state, manager, &input, origin)?;
        }
        Ok(())
    }
}

// A worker that dies takes its stage with it; there is never progress to come back to.
impl Restartable<State> for MutateStage {
    fn should_restart(&mut self, _: &mut State) -> Result<bool, Error> {
        Ok(true)
    }

    fn clear_progress(&mut self, _: &mut State) -> Result<(), Error> {
        Ok(())
    }
}
