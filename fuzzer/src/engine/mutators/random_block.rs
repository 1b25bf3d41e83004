//! Overwrites a short block with random bytes, each its own: a new word where LibAFL's mutators repeat one byte.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::CorpusId,
    mutators::{MutationResult, Mutator},
    state::HasRand,
};
use libafl_bolts::{Named, nonzero, rands::Rand};

use super::super::assembly::{Input, State};

/// Overwrites two to eight bytes.
#[derive(Debug)]
pub struct RandomBlock;

impl Named for RandomBlock {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("random-block")
    }
}

impl Mutator<Input, State> for RandomBlock {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let bytes = input.as_mut();
        if bytes.len() < 2 {
            return Ok(MutationResult::Skipped);
        }
        let rand = state.rand_mut();
        // Short ones are more often what fits.
        let longest = 2 << rand.below(nonzero!(3));
        let len = 2 + rand.below_or_zero(longest.min(bytes.len()) - 1);
        let from = rand.below_or_zero(bytes.len() - len + 1);
        let random = rand.next().to_le_bytes();
        bytes[from..from + len].copy_from_slice(&random[..len]);
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
