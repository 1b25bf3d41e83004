//! The stage: makes new inputs from the scheduled entry by the techniques, runs them and keeps the waypoints.
use std::{num::NonZero, sync::atomic::Ordering::Relaxed};

use libafl::{
    Error,
    corpus::CorpusId,
    fuzzer::HasScheduler,
    inputs::HasMutatorBytes,
    stages::{Restartable, Stage},
    state::HasRand,
};
use libafl_bolts::rands::Rand;

use super::{
    assembly::{Fuzzer, Manager, State},
    climb::Climber,
    effort,
    energy::Shares,
    executor::InProcess,
    keep::Keeper,
    parts::Parts,
    techniques::Technique,
};
use crate::{origin::Origin, shared::Shared};

/// How many inputs are made from an entry each time it is scheduled, at most; on average half as many.
const MAX_ENERGY: NonZero<usize> = NonZero::new(128).unwrap();

/// So many more are made whenever one takes an edge that none has taken before, since where one leads on others do. Without
/// it, seeds had no more attention than the many entries that come from them.
const LUCKY: usize = 64;

/// But an entry is left at last, when it was given so many.
const MOST: usize = 2048;

/// Mutates the scheduled entry by every technique that has something to do with it.
#[derive(Debug)]
pub struct MutateStage {
    techniques: Vec<Box<dyn Technique>>,
    climber: Climber,
    shared: Shared,
    keeper: Keeper,
}

impl MutateStage {
    /// With these techniques.
    pub fn new(
        techniques: Vec<Box<dyn Technique>>,
        climber: Climber,
        shared: Shared,
        keeper: Keeper,
    ) -> Self {
        Self { techniques, climber, shared, keeper }
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
        let mut parts = Parts { fuzzer, executor, state, manager };
        let entry = parts.scheduled()?;
        let mut ready = Vec::with_capacity(self.techniques.len());
        for technique in &mut self.techniques {
            ready.push(technique.begin(&mut parts, &self.keeper, entry)?);
        }
        let shares = Shares::of(self.shared.control, self.techniques.iter().map(|technique| technique.ops()));
        let takes_part = |n: usize| ready[n] || self.techniques[n].saves_its_share();
        let shares = shares.times(|n| f64::from(u8::from(takes_part(n))));
        let original = parts.input_of(entry)?;
        let mut input = original.clone();
        let wanted: usize = self
            .techniques
            .iter()
            .zip(&ready)
            .map(|(technique, ready)| if *ready { technique.wants() } else { 0 })
            .sum();
        let mut left = wanted + 1 + parts.state.rand_mut().below(MAX_ENERGY);
        let mut more = MOST;
        let control = self.shared.control;
        let mut end = control.effort() + effort::allowance(parts.fuzzer.scheduler(), left);
        while left > 0 {
            left -= 1;
            self.keeper.check_end(parts.state)?;
            let choice = shares.choose(parts.state.rand_mut());
            // What a technique would have got that has nothing to do here is left to the entries where it has.
            if !ready[choice] {
                continue;
            }
            let technique = &mut self.techniques[choice];
            let bytes = input.as_mut();
            bytes.clear();
            bytes.extend_from_slice(original.mutator_bytes());
            let Some((op, rep)) = technique.make(parts.state, &mut input)? else { continue };
            let parent = parts.number_of(technique.parent().unwrap_or(entry));
            let (before, edges) = (parts.entries(), control.edges_found.load(Relaxed));
            self.keeper.consider(&mut parts, &input, Origin { parent, op, rep })?;
            technique.ran(&parts);
            if parts.entries() > before {
                technique.kept(&mut parts, CorpusId(before))?;
                let effort = control.effort();
                self.climber.climb(&mut parts, entry)?;
                // On its own account.
                end += control.effort() - effort;
            }
            if control.edges_found.load(Relaxed) > edges {
                let granted = more.min(LUCKY);
                more -= granted;
                left += granted;
                end += effort::allowance(parts.fuzzer.scheduler(), granted);
            }
            if control.effort() >= end {
                break;
            }
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
