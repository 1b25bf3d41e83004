//! Inserts a block of the input once more, perhaps several times in a row: more of what is there already.
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

/// Copies a block to behind itself or to any other place, which grows the input.
#[derive(Debug, Default)]
pub struct CloneBlock {
    block: Vec<u8>,
}

impl Named for CloneBlock {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("clone-block")
    }
}

impl Mutator<Input, State> for CloneBlock {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let bytes = input.as_mut();
        let (false, Some(len)) = (bytes.is_empty(), growth(state, bytes.len())) else {
            return Ok(MutationResult::Skipped);
        };
        let rand = state.rand_mut();
        // Half of the time a short block is repeated until it fills the length.
        let longest = if rand.below(nonzero!(2)) == 0 { len } else { len.min(8) };
        let block_len = 1 + rand.below_or_zero(longest.min(bytes.len()));
        let from = rand.below_or_zero(bytes.len() - block_len + 1);
        // What can be repeated stands mostly beside itself: items of lists, chunks, brackets.
        let at = match rand.below(nonzero!(2)) {
            0 => from + block_len,
            _ => rand.below_or_zero(bytes.len() + 1),
        };
        self.block.clear();
        self.block.extend_from_slice(&bytes[from..from + block_len]);
        let len = if longest < len { len } else { block_len };
        for chunk in open_gap(bytes, at, len).chunks_mut(block_len) {
            chunk.copy_from_slice(&self.block[..chunk.len()]);
        }
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
