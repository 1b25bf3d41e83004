//! Inserts a run of one byte: what loops and counts are made of.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::CorpusId,
    mutators::{MutationResult, Mutator},
    state::HasRand,
};
use libafl_bolts::{Named, nonzero, rands::Rand};

use super::{
    super::assembly::{Input, State},
    growth, open_gap,
};

/// Inserts many times 0, 255, any byte, or one that the input has already.
#[derive(Debug)]
pub struct InsertRun;

impl Named for InsertRun {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("insert-run")
    }
}

impl Mutator<Input, State> for InsertRun {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let bytes = input.as_mut();
        let Some(len) = growth(state, bytes.len()) else { return Ok(MutationResult::Skipped) };
        let rand = state.rand_mut();
        let value = match rand.below(nonzero!(8)) {
            0 => 0,
            1 => u8::MAX,
            2 | 3 => rand.next() as u8,
            _ => bytes.get(rand.below_or_zero(bytes.len())).copied().unwrap_or(0),
        };
        let at = rand.below_or_zero(bytes.len() + 1);
        open_gap(bytes, at, len).fill(value);
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
