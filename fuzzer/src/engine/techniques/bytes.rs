//! Random mutations of plain bytes, or what the harness has in their place.
use std::num::NonZero;

use libafl::{Error, corpus::CorpusId, state::HasRand};
use libafl_bolts::rands::Rand;
use waypoint_runtime::harness;

use super::{
    super::{
        assembly::{Input, State},
        custom,
        havoc::Havoc,
        keep::Keeper,
        parts::Parts,
    },
    Technique,
};
use crate::origin::Op;

/// One in this many inputs is joined by the harness's own crossover, if it has one.
const CROSSOVER_ODDS: NonZero<usize> = NonZero::new(4).unwrap();

/// Havoc, or the harness's own mutator and crossover.
#[derive(Debug)]
pub struct Bytes {
    havoc: Havoc,
}

impl Bytes {
    /// With all mutators.
    pub fn new() -> Self {
        Self { havoc: Havoc::new() }
    }
}

impl Technique for Bytes {
    fn ops(&self) -> &[Op] {
        &[Op::Havoc, Op::Custom, Op::CustomCrossOver]
    }

    fn begin(&mut self, parts: &mut Parts<'_>, _: &Keeper, _: CorpusId) -> Result<bool, Error> {
        self.havoc.look_for_tokens(parts.state);
        Ok(true)
    }

    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error> {
        let hooks = harness::hooks();
        if let Some(crossover) = hooks.custom_crossover
            && state.rand_mut().below(CROSSOVER_ODDS) == 0
        {
            custom::call_crossover(crossover, state, input)?;
            return Ok(Some((Op::CustomCrossOver, 1)));
        }
        if let Some(mutator) = hooks.custom_mutator {
            custom::call_mutator(mutator, &mut self.havoc, state, input);
            return Ok(Some((Op::Custom, 1)));
        }
        Ok(Some((Op::Havoc, self.havoc.mutate(state, input)?)))
    }
}
