//! What LibAFL hands to a stage, in one hand.
use libafl::{
    Error,
    corpus::{Corpus, CorpusId, HasCurrentCorpusId},
    fuzzer::HasScheduler,
    state::HasCorpus,
};

use super::{
    assembly::{Fuzzer, Input, Manager, State},
    executor::InProcess,
};

/// The engine, borrowed.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The scheduler and the feedback.
    pub fuzzer: &'a mut Fuzzer,
    /// The harness and the run maps.
    pub executor: &'a mut InProcess,
    /// Random numbers, corpus, tokens, limits.
    pub state: &'a mut State,
    /// What LibAFL asks for.
    pub manager: &'a mut Manager,
}

impl Parts<'_> {
    /// The entry whose turn it is.
    pub fn scheduled(&self) -> Result<CorpusId, Error> {
        self.state.current_corpus_id()?.ok_or_else(|| Error::illegal_state("no entry is scheduled"))
    }

    /// How many entries the corpus has.
    pub fn entries(&self) -> usize {
        self.state.corpus().count()
    }

    /// The input of an entry.
    pub fn input_of(&self, entry: CorpusId) -> Result<Input, Error> {
        self.state.corpus().cloned_input_for_id(entry)
    }

    /// The number in an entry's name.
    pub fn number_of(&self, entry: CorpusId) -> u32 {
        self.fuzzer.scheduler().id(entry)
    }
}
