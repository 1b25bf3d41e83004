//! The scheduler: goes through the corpus, always fuzzing holders and now and then the others.
//!
//! A key's holder is the cheapest entry that reaches it. Cost is counted edges times length, never time, so that
//! a campaign can be repeated.
use std::{num::NonZero, sync::atomic::Ordering::Relaxed};

use libafl::{
    Error,
    corpus::{Corpus, CorpusId},
    schedulers::Scheduler,
    state::{HasCorpus, HasRand},
};
use libafl_bolts::rands::Rand;

use super::assembly::{Input, State};
use crate::{
    coverage::Counters,
    shared::{Control, NO_HOLDER},
};

/// One in this many entries that hold nothing is fuzzed when its turn comes.
const NON_HOLDER_ODDS: NonZero<usize> = NonZero::new(20).unwrap();

#[derive(Debug, Clone, Copy)]
struct Entry {
    cost: u64,
    /// How many keys it holds.
    held: u32,
    /// The number in its name.
    id: u32,
}

/// Favours holders.
#[derive(Debug)]
pub struct HolderScheduler {
    entries: Vec<Entry>,
    /// Where the place in the corpus and the number of cycles are kept, for the next worker.
    control: &'static Control,
}

impl HolderScheduler {
    /// Goes on where the last worker was.
    pub fn new(control: &'static Control) -> Self {
        Self { entries: Vec::new(), control }
    }

    /// Takes in an entry of the corpus, in the order of their numbers.
    pub fn add(&mut self, len: usize, edges: u32, id: u32) {
        self.entries.push(Entry { cost: (len as u64 + 1) * (u64::from(edges) + 1), held: 0, id });
    }

    /// Recounts who holds what, from the aggregates that an earlier worker left.
    pub fn restore(&mut self, counters: &Counters) {
        for holder in counters.holders() {
            if let Some(entry) = self.entries.get_mut(holder as usize) {
                entry.held += 1;
            }
        }
    }

    /// The newest entry takes every key that it reached and that nobody holds more cheaply. To be called while the
    /// counters are those of its run.
    pub fn credit_newest(&mut self, counters: &Counters) {
        let newest = self.entries.len() - 1;
        let cost = self.entries[newest].cost;
        counters.for_each_reached(|holder| {
            if *holder != NO_HOLDER {
                let held_by = &mut self.entries[*holder as usize - 1];
                if held_by.cost <= cost {
                    return;
                }
                held_by.held -= 1;
            }
            *holder = newest as u32 + 1;
            self.entries[newest].held += 1;
        });
    }

    /// The number in an entry's name.
    pub fn id(&self, entry: CorpusId) -> u32 {
        self.entries.get(entry.0).map_or(0, |entry| entry.id)
    }

    /// How many entries hold some key.
    pub fn holders(&self) -> usize {
        self.entries.iter().filter(|entry| entry.held > 0).count()
    }

    /// How many of them have not had their turn yet.
    pub fn pending_holders(&self) -> usize {
        let visited = self.control.visited.load(Relaxed);
        self.entries.iter().skip(visited).filter(|entry| entry.held > 0).count()
    }
}

impl Scheduler<Input, State> for HolderScheduler {
    fn on_add(&mut self, _: &mut State, _: CorpusId) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self, state: &mut State) -> Result<CorpusId, Error> {
        if self.entries.is_empty() {
            return Err(Error::empty("the corpus is empty"));
        }
        loop {
            let mut id = self.control.cursor.load(Relaxed);
            if id >= self.entries.len() {
                id = 0;
                self.control.cycles.fetch_add(1, Relaxed);
            }
            self.control.cursor.store(id + 1, Relaxed);
            if id >= self.control.visited.load(Relaxed) {
                self.control.visited.store(id + 1, Relaxed);
                self.control.pending_holders.store(self.pending_holders() as u64, Relaxed);
            }
            if self.entries[id].held > 0 || state.rand_mut().below(NON_HOLDER_ODDS) == 0 {
                self.set_current_scheduled(state, Some(CorpusId(id)))?;
                return Ok(CorpusId(id));
            }
        }
    }

    fn set_current_scheduled(&mut self, state: &mut State, next: Option<CorpusId>) -> Result<(), Error> {
        *state.corpus_mut().current_mut() = next;
        Ok(())
    }
}
