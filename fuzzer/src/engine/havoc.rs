//! Stacked random mutations of bytes, with tokens when there are any.
use libafl::{
    Error, HasMetadata,
    mutators::{
        HavocMutationsType, MutationResult, MutatorsTuple, TokenInsert, TokenReplace, Tokens, havoc_mutations,
    },
    state::HasRand,
};
use libafl_bolts::{
    nonzero,
    rands::Rand,
    tuples::{HasConstLen, Merge, tuple_list, tuple_list_type},
};

use super::{
    assembly::{Input, State},
    mutators::{AddToBlock, AsciiNumber, CloneBlock, InsertRun, SwapBytes},
};

type TokenMutations = tuple_list_type!(TokenInsert, TokenReplace);
type OwnMutations =
    tuple_list_type!(InsertRun, InsertRun, CloneBlock, CloneBlock, AsciiNumber, AddToBlock, SwapBytes);
type Mutations =
    <<HavocMutationsType as Merge<OwnMutations>>::MergeResult as Merge<TokenMutations>>::MergeResult;

/// At most 2 to this power mutations are stacked. Deeper stacks run slower and, measured by the referee's
/// branches, reach less (`scripts/bench throughput`).
const MAX_STACK_POWER: usize = 3;

/// The built-in mutators.
pub struct Havoc {
    mutations: Mutations,
    /// The token mutators stand last and are left out while there are no tokens.
    active: usize,
}

impl std::fmt::Debug for Havoc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Havoc").field("active", &self.active).finish_non_exhaustive()
    }
}

impl Havoc {
    /// All mutators.
    pub fn new() -> Self {
        let own = tuple_list!(
            InsertRun,
            InsertRun,
            CloneBlock::default(),
            CloneBlock::default(),
            AsciiNumber,
            AddToBlock,
            SwapBytes
        );
        let mutations =
            havoc_mutations().merge(own).merge(tuple_list!(TokenInsert::new(), TokenReplace::new()));
        Self { mutations, active: <Mutations as HasConstLen>::LEN }
    }

    /// Uses the token mutators if there are tokens, which may be learnt at any time.
    pub fn look_for_tokens(&mut self, state: &State) {
        let without = if state.has_metadata::<Tokens>() { 0 } else { <TokenMutations as HasConstLen>::LEN };
        self.active = <Mutations as HasConstLen>::LEN - without;
    }

    /// Stacks some mutations onto `input` and says how many.
    pub fn mutate(&mut self, state: &mut State, input: &mut Input) -> Result<u16, Error> {
        let power = state.rand_mut().below(nonzero!(MAX_STACK_POWER + 1));
        let rep = 1 << power;
        for _ in 0..rep {
            self.mutate_once(state, input)?;
        }
        Ok(rep)
    }

    /// Applies one mutation, and another one if the first found nothing to do.
    pub fn mutate_once(&mut self, state: &mut State, input: &mut Input) -> Result<(), Error> {
        const TRIES: usize = 4;
        for _ in 0..TRIES {
            let choice = state.rand_mut().below_or_zero(self.active);
            if self.mutations.get_and_mutate(choice.into(), state, input)? == MutationResult::Mutated {
                break;
            }
        }
        Ok(())
    }
}
