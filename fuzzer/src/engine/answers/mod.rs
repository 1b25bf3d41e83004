//! The stage that answers comparisons: finds out which bytes of an entry are compared with what, and writes there what
//! they were compared with.
//!
//! An entry is traced once as it is and once coloured: with as many other bytes as do not change its way. A compared
//! number or text that moved with the bytes of one place comes from there.
mod bits;
mod colour;
mod edit;
mod edits;
mod fields;
mod give;
mod limit;
pub mod log;
mod mended;
mod mender;
mod numbers;
mod probing;
mod repair;
mod sizes;
mod texts;
mod together;

use std::{cell::RefCell, rc::Rc, sync::atomic::Ordering::Relaxed};

use libafl::{
    Error,
    corpus::CorpusId,
    fuzzer::HasScheduler,
    stages::{Restartable, Stage},
};
use rustc_hash::{FxHashMap, FxHashSet};

use self::limit::Limit;
pub use self::{edit::Edit, mender::Mender, repair::Repair};
use super::{
    assembly::{Fuzzer, Manager, State},
    climb::Climber,
    effort, energy,
    executor::InProcess,
    havoc::Havoc,
    holders::COVERAGE,
    keep::Keeper,
    parts::Parts,
};
use crate::{origin::Op, shared::Shared};

/// An entry is answered a second time when it has been chosen this often, a third time after the square of it, and so on.
const AGAIN: u32 = 6;
/// About so many runs are made to answer an entry.
const RUNS: usize = 512;
/// So many usual runs are granted for an entry at least, once it is begun with.
const AT_LEAST: f64 = 4096.0;
/// So many entries that answers brought are answered at once, one after the other.
const CHAIN: usize = 32;

/// An entry is begun with again at once when a worker dies in that, so often at most.
const DEATHS: u8 = 8;

/// What it does.
const OPS: [Op; 2] = [Op::Answer, Op::Colour];

/// Answers the comparisons of every entry once.
#[derive(Debug)]
pub struct AnswerStage {
    on: bool,
    shared: Shared,
    keeper: Keeper,
    mender: Rc<RefCell<Mender>>,
    climber: Climber,
    /// How often an answer was tried in vain, by comparison and what it wanted.
    tried: FxHashMap<((usize, usize), u64), u32>,
    tried_of_site: FxHashMap<(usize, usize), u32>,
    /// What comparisons wanted and were given.
    given: FxHashSet<((usize, usize), u64)>,
    havoc: Havoc,
    /// Entries that this worker has answered and outlived.
    survived: FxHashSet<usize>,
    /// What was tried in vain elsewhere is tried all the same: it was to lead to new code, and may do something else.
    looks_anew: bool,
    /// What the entry that is answered may cost.
    limit: Limit,
}

impl AnswerStage {
    /// Does nothing unless it is on.
    pub fn new(
        on: bool,
        shared: Shared,
        keeper: Keeper,
        mender: Rc<RefCell<Mender>>,
        climber: Climber,
    ) -> Self {
        let begun = shared.control.answering.swap(0, Relaxed);
        if let Some(entry) = begun.checked_sub(1) {
            shared.died_answering.add(entry);
        }
        Self {
            on,
            shared,
            keeper,
            mender,
            climber,
            tried: FxHashMap::default(),
            tried_of_site: FxHashMap::default(),
            given: FxHashSet::default(),
            havoc: Havoc::new(),
            survived: FxHashSet::default(),
            looks_anew: false,
            limit: Limit::default(),
        }
    }

    /// Whether an entry's comparisons should be answered now: when it is chosen for the first time, and again when it has
    /// been chosen often, since colours and luck differ, or while answers are what brings most. Of entries that another
    /// domain climbs on one follows the other, and what they compare is mostly the same: they wait.
    fn is_due(&self, parts: &Parts<'_>, entry: CorpusId) -> bool {
        let scheduler = parts.fuzzer.scheduler();
        let covers = scheduler.turn_of() == COVERAGE || scheduler.held(entry) > 0;
        let died = self.shared.died_answering.get(entry.0).min(DEATHS);
        let times = self.shared.answered.get(entry.0).saturating_sub(died);
        let times = u32::from(times) + u32::from(!covers);
        times == 0
            || AGAIN.checked_pow(times).is_some_and(|picks_needed| scheduler.picks(entry) >= picks_needed)
            || (covers && self.survived.contains(&entry.0) && energy::is_owed(self.shared.control, &OPS))
    }
}

impl Stage<InProcess, Manager, State, Fuzzer> for AnswerStage {
    fn perform(
        &mut self,
        fuzzer: &mut Fuzzer,
        executor: &mut InProcess,
        state: &mut State,
        manager: &mut Manager,
    ) -> Result<(), Error> {
        if !self.on {
            return Ok(());
        }
        let mut parts = Parts { fuzzer, executor, state, manager };
        let entry = parts.scheduled()?;
        // What an answer opens up is mostly the next question.
        let mut todo = vec![entry];
        for _ in 0..CHAIN {
            let Some(entry) = todo.pop() else { break };
            // Slow targets with many comparisons would have nothing else done.
            let cost = effort::in_usual_runs(parts.fuzzer.scheduler(), entry, RUNS);
            let left = energy::left(self.shared.control, &OPS);
            if left <= cost {
                break;
            }
            if self.is_due(&parts, entry) {
                self.limit = Limit::new(self.shared.control, left.max(AT_LEAST));
                let before = parts.entries();
                // First of all: should an answer kill us, the next worker knows what we were at.
                self.shared.answered.add(entry.0);
                self.shared.control.answering.store(entry.0 + 1, Relaxed);
                self.looks_anew = parts.fuzzer.scheduler().turn_of() != COVERAGE;
                self.answer(&mut parts, entry)?;
                self.shared.control.answering.store(0, Relaxed);
                self.survived.insert(entry.0);
                todo.extend((before..parts.entries()).map(CorpusId));
            }
        }
        self.look_for_repairs(&mut parts, entry)?;
        self.mutate_mended(&mut parts, entry)
    }
}

// A worker that dies takes its stage with it; what it was at has its mark already.
impl Restartable<State> for AnswerStage {
    fn should_restart(&mut self, _: &mut State) -> Result<bool, Error> {
        Ok(true)
    }

    fn clear_progress(&mut self, _: &mut State) -> Result<(), Error> {
        Ok(())
    }
}
