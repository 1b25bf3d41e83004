//! Mutators that LibAFL lacks, a file each; `havoc` has the list.
mod add_to_block;
mod ascii_number;
mod clone_block;
mod insert_run;
mod swap_bytes;

pub use add_to_block::AddToBlock;
pub use ascii_number::AsciiNumber;
pub use clone_block::CloneBlock;
pub use insert_run::InsertRun;
pub use swap_bytes::SwapBytes;

use libafl::state::{HasMaxSize, HasRand};
use libafl_bolts::{nonzero, rands::Rand};

use super::assembly::State;

/// A length for something inserted into an input of `size` bytes: short ones often, long ones sometimes. LibAFL's own
/// mutators never insert more than 16 bytes at a time while they delete any number, so inputs would hardly grow.
fn growth(state: &mut State, size: usize) -> Option<usize> {
    let room = state.max_size().checked_sub(size).filter(|room| *room > 0)?;
    let rand = state.rand_mut();
    let limit = match rand.below(nonzero!(8)) {
        0 => 1500,
        1 | 2 => 256,
        _ => 32,
    };
    Some(1 + rand.below_or_zero(limit.min(room)))
}

/// Makes room for `len` bytes at `at`.
fn open_gap(bytes: &mut Vec<u8>, at: usize, len: usize) -> &mut [u8] {
    let old = bytes.len();
    bytes.resize(old + len, 0);
    bytes.copy_within(at..old, at + len);
    &mut bytes[at..at + len]
}

#[cfg(test)]
mod tests {
    use libafl::{
        corpus::InMemoryCorpus,
        mutators::{MutationResult, Mutator},
        state::HasMaxSize,
    };
    use libafl_bolts::rands::StdRand;
    use proptest::prelude::*;

    use super::{super::assembly::Input, *};

    fn state(seed: u64, max_size: usize) -> State {
        let corpus = InMemoryCorpus::new;
        let mut state = State::new(StdRand::with_seed(seed), corpus(), corpus(), &mut (), &mut ()).unwrap();
        state.set_max_size(max_size);
        state
    }

    proptest! {
        /// Whatever the input: within the limit, no panic, and unchanged when nothing was done.
        #[test]
        fn every_mutator_keeps_to_the_limit(
            seed: u64,
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            digits in "[0-9]{1,30}",
            room in 0..600usize,
        ) {
            let before = [bytes, digits.into_bytes()].concat();
            let mut state = state(seed, before.len() + room);
            let mut mutators: [Box<dyn Mutator<Input, State>>; 5] = [
                Box::new(InsertRun),
                Box::new(CloneBlock::default()),
                Box::new(AsciiNumber),
                Box::new(AddToBlock),
                Box::new(SwapBytes),
            ];
            for mutator in &mut mutators {
                let mut input = Input::from(before.clone());
                let result = mutator.mutate(&mut state, &mut input).unwrap();
                let after: &[u8] = input.as_ref();
                prop_assert!(after.len() <= before.len() + room);
                prop_assert!(result == MutationResult::Mutated || after == before);
            }
        }
    }

    #[test]
    fn a_run_grows_the_input_and_a_clone_repeats_it() {
        let mut state = state(1, 10_000);
        let mut input = Input::from(b"ab".to_vec());
        for _ in 0..50 {
            InsertRun.mutate(&mut state, &mut input).unwrap();
            CloneBlock::default().mutate(&mut state, &mut input).unwrap();
        }
        let len = input.as_ref().len();
        assert!((500..=10_000).contains(&len), "{len} bytes");
    }
}
