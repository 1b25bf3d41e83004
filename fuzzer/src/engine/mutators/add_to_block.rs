//! Adds the same small number to every byte of a block: what matters about bytes is often how they stand to each other,
//! and this changes it in two places only.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::CorpusId,
    mutators::{MutationResult, Mutator},
    state::HasRand,
};
use libafl_bolts::{Named, nonzero, rands::Rand};

use super::super::assembly::{Input, State};

/// Raises or lowers a block as a whole.
#[derive(Debug)]
pub struct AddToBlock;

impl Named for AddToBlock {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("add-to-block")
    }
}

impl Mutator<Input, State> for AddToBlock {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let bytes = input.as_mut();
        if bytes.is_empty() {
            return Ok(MutationResult::Skipped);
        }
        let rand = state.rand_mut();
        let mut ends = [rand.below_or_zero(bytes.len()), rand.below_or_zero(bytes.len())];
        // Often all up to a place or all from there on: what is between two such places moves against the rest.
        match rand.below(nonzero!(4)) {
            0 => ends[0] = 0,
            1 => ends[0] = bytes.len() - 1,
            _ => {}
        }
        // Mostly by one, so that bytes which differ keep their order.
        let by = if rand.below(nonzero!(4)) == 0 { 1 + rand.below(nonzero!(35)) as u8 } else { 1 };
        let by = if rand.coinflip(0.5) { by } else { by.wrapping_neg() };
        for byte in &mut bytes[ends[0].min(ends[1])..=ends[0].max(ends[1])] {
            *byte = byte.wrapping_add(by);
        }
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
