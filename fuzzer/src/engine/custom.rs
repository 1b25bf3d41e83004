//! The harness's own mutator and crossover, and the built-in mutation they may ask for.
use std::cell::Cell;

use libafl::{
    Error,
    corpus::{Corpus, CorpusId},
    inputs::HasMutatorBytes,
    state::{HasCorpus, HasMaxSize, HasRand},
};
use libafl_bolts::rands::Rand;
use waypoint_runtime::harness::{self, CustomCrossOver, CustomMutator};

use super::{
    assembly::{Input, State},
    havoc::Havoc,
};

thread_local! {
    /// What `LLVMFuzzerMutate` works with while a custom mutator runs; null at all other times.
    static CURRENT: Cell<(*mut Havoc, *mut State)> = const { Cell::new((std::ptr::null_mut(), std::ptr::null_mut())) };
}

/// Makes `LLVMFuzzerMutate` answer with our mutations.
pub fn provide_built_in_mutation() {
    harness::set_mutate(|data, size| {
        let (havoc, state) = CURRENT.get();
        if havoc.is_null() || size > data.len() {
            return size;
        }
        // SAFETY: `call_mutator` set both from exclusive references, which it does not use until the custom mutator,
        // our caller on this thread, has returned.
        let (havoc, state) = unsafe { (&mut *havoc, &mut *state) };
        let mut input = Input::from(data[..size].to_vec());
        if havoc.mutate_once(state, &mut input).is_err() {
            return size;
        }
        let bytes = input.mutator_bytes();
        let len = bytes.len().min(data.len());
        data[..len].copy_from_slice(&bytes[..len]);
        len
    });
}

/// Lets the harness's mutator change `input`.
pub fn call_mutator(custom: CustomMutator, havoc: &mut Havoc, state: &mut State, input: &mut Input) {
    let max = state.max_size();
    let seed = state.rand_mut().next() as u32;
    let bytes = input.as_mut();
    let size = bytes.len().min(max);
    bytes.resize(max, 0);
    CURRENT.set((havoc, state));
    // SAFETY: `bytes` holds `max` initialised bytes.
    let new_size = unsafe { custom(bytes.as_mut_ptr(), size, max, seed) };
    CURRENT.set((std::ptr::null_mut(), std::ptr::null_mut()));
    bytes.truncate(new_size);
}

/// Lets the harness join `input` with another entry of the corpus.
pub fn call_crossover(custom: CustomCrossOver, state: &mut State, input: &mut Input) -> Result<(), Error> {
    let max = state.max_size();
    let count = state.corpus().count();
    let other = CorpusId(state.rand_mut().below_or_zero(count));
    let seed = state.rand_mut().next() as u32;
    let other = state.corpus().cloned_input_for_id(other)?;
    let (a, b): (&[u8], &[u8]) = (input.as_ref(), other.as_ref());
    let mut out = vec![0; max];
    // SAFETY: both inputs and `out` are valid for the lengths given.
    let size = unsafe { custom(a.as_ptr(), a.len(), b.as_ptr(), b.len(), out.as_mut_ptr(), max, seed) };
    out.truncate(size);
    *input.as_mut() = out;
    Ok(())
}
