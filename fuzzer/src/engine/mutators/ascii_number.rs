//! Changes a number that is written in digits, as text formats have them.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::CorpusId,
    mutators::{MutationResult, Mutator},
    state::{HasMaxSize, HasRand},
};
use libafl_bolts::{Named, nonzero, rands::Rand};

use super::super::assembly::{Input, State};

/// Replaces a decimal number by a neighbour, a multiple, a boundary or anything.
#[derive(Debug)]
pub struct AsciiNumber;

impl Named for AsciiNumber {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("ascii-number")
    }
}

impl Mutator<Input, State> for AsciiNumber {
    fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<MutationResult, Error> {
        let max_size = state.max_size();
        let bytes = input.as_mut();
        let rand = state.rand_mut();
        // The first digit from some place on, and all that follow it.
        let from = rand.below_or_zero(bytes.len());
        let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit).map(|skip| from + skip) else {
            return Ok(MutationResult::Skipped);
        };
        let end =
            bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |n| start + n);
        let digits = &bytes[start..end.min(start + 19)];
        let value = digits.iter().fold(0u64, |value, digit| value.wrapping_mul(10) + u64::from(digit - b'0'));
        let changed = match rand.below(nonzero!(6)) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            2 => value / 2,
            3 => value.wrapping_mul(2),
            4 => (1 << rand.below(nonzero!(64))) - (rand.next() & 1),
            _ => rand.next() >> rand.below(nonzero!(64)),
        };
        let text = changed.to_string();
        if bytes.len() - (end - start) + text.len() > max_size {
            return Ok(MutationResult::Skipped);
        }
        bytes.splice(start..end, text.bytes());
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _: &mut State, _: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
