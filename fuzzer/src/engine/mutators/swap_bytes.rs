//! Two bytes change places, often neighbours: what an input means may hang on the order of what is in it.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::CorpusId,
    mutators::{MutationResult, Mutator},
    state::HasRand,
};
use libafl_bolts::{Named, rands::Rand};

use super::super::assembly::{Input, State};

/// Swaps two bytes.
#[derive(Debug)]
pub struct SwapBytes;

impl Named for SwapBytes {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("swap-bytes")
    }
}

impl Mutator<Input, State> for SwapBytes {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let bytes = input.as_mut();
        if bytes.len() < 2 {
            return Ok(MutationResult::Skipped);
        }
        let rand = state.rand_mut();
        let first = rand.below_or_zero(bytes.len() - 1);
        let second = if rand.coinflip(0.5) { first + 1 } else { rand.below_or_zero(bytes.len()) };
        if bytes[first] == bytes[second] {
            return Ok(MutationResult::Skipped);
        }
        bytes.swap(first, second);
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
