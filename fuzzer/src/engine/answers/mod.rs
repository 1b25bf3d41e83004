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
pub mod log;
mod mended;
mod numbers;
mod repair;
mod texts;
mod together;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, VecDeque},
    num::NonZero,
};

use libafl::{
    Error, HasMetadata,
    corpus::CorpusId,
    fuzzer::{ExecutesInput, HasScheduler},
    inputs::HasMutatorBytes,
    mutators::Tokens,
    stages::{Restartable, Stage},
    state::{HasMaxSize, HasRand},
};
use libafl_bolts::rands::Rand;

use self::{
    edit::Edit,
    fields::{Fields, Pair},
    log::{Log, Made, Sides, Sites},
    repair::Repair,
    together::Together,
};
use super::{
    assembly::{Fuzzer, Input, Manager, State},
    energy,
    executor::InProcess,
    havoc::Havoc,
    holders::COVERAGE,
    keep::Keeper,
    parts::Parts,
};
use crate::{
    origin::{Op, Origin},
    shared::Shared,
};

/// So many runs are spent on colouring an entry, and two for every byte of it: to go down to single bytes takes as many.
const COLOURINGS: usize = 16;
const MOST_COLOURINGS: usize = 512;
/// So many answers are tried for an entry.
const ANSWERS: usize = 768;
/// For so many entries what a comparison wants is tried in vain; four times as many if it was given what it wants.
const TRIES: u32 = 8;
const GIVEN_IN_VAIN: u32 = 1;
const IN_VAIN: u32 = 4 * GIVEN_IN_VAIN;
/// So many answers in vain make a comparison hopeless: it wants something else each time, like a checksum of everything.
const TRIES_OF_SITE: u32 = 400;
/// Longer answers are no tokens, and so many tokens are enough.
const MAX_TOKEN: usize = 32;
const MAX_TOKENS: usize = 512;
/// An entry is answered a second time when it has been chosen this often, a third time after the square of it, and so on.
const AGAIN: u32 = 6;
/// One in this many answers is tried although it was tried too often.
const HOPE: NonZero<usize> = NonZero::new(16).unwrap();
/// So many entries that answers brought are answered at once, one after the other.
const CHAIN: usize = 32;

/// What it does.
const OPS: [Op; 2] = [Op::Answer, Op::Colour];

/// Answers the comparisons of every entry once.
#[derive(Debug)]
pub struct AnswerStage {
    on: bool,
    shared: Shared,
    keeper: Keeper,
    sites: Sites,
    /// How often an answer was tried in vain, by comparison and what it wanted.
    tried: HashMap<((usize, usize), u64), u32>,
    tried_of_site: HashMap<(usize, usize), u32>,
    /// The fields of entries that follow the rest of them.
    known_repairs: HashMap<usize, Vec<Repair>>,
    havoc: Havoc,
    /// Entries that this worker has answered and outlived.
    survived: HashSet<usize>,
    /// What was tried in vain elsewhere is tried all the same: it was to lead to new code, and may do something else.
    looks_anew: bool,
}

/// A comparison, what it wants, and how that might be given.
struct Answer {
    made: Made,
    wanted: u64,
    edit: Edit,
    /// What is wanted, if it might be a length.
    length: Option<usize>,
    /// The lowest come first: what moved with the input, what was not tried often, and what was compared last, since
    /// that is what the run ended on.
    rank: (bool, u32, Reverse<usize>),
}

impl AnswerStage {
    /// Does nothing unless it is on.
    pub fn new(on: bool, shared: Shared, keeper: Keeper) -> Self {
        Self {
            on,
            shared,
            keeper,
            sites: Sites::default(),
            tried: HashMap::new(),
            tried_of_site: HashMap::new(),
            known_repairs: HashMap::new(),
            havoc: Havoc::new(),
            survived: HashSet::new(),
            looks_anew: false,
        }
    }

    /// Whether an entry's comparisons should be answered now: when it is chosen for the first time, and again when it has
    /// been chosen often, since colours and luck differ, or while answers are what brings most. Of entries that another
    /// domain climbs on one follows the other, and what they compare is mostly the same: they wait.
    fn is_due(&self, parts: &Parts<'_>, entry: CorpusId) -> bool {
        let scheduler = parts.fuzzer.scheduler();
        let covers = scheduler.turn_of() == COVERAGE || scheduler.held(entry) > 0;
        let times = u32::from(self.shared.answered.get(entry.0)) + u32::from(!covers);
        times == 0
            || AGAIN.checked_pow(times).is_some_and(|picks_needed| scheduler.picks(entry) >= picks_needed)
            || (covers && self.survived.contains(&entry.0) && energy::is_owed(self.shared.control, &OPS))
    }

    /// Runs an input that was made from `parent`, and keeps it if it is a waypoint.
    fn consider(&self, parts: &mut Parts<'_>, input: &[u8], origin: Origin) -> Result<(), Error> {
        self.keeper.check_end(parts.state)?;
        self.keeper.consider(parts, &Input::from(input.to_vec()), origin)
    }

    /// Runs an input for its comparisons only.
    fn trace(&mut self, parts: &mut Parts<'_>, input: &[u8], origin: Origin) -> Result<Log, Error> {
        self.keeper.check_end(parts.state)?;
        let Parts { fuzzer, executor, state, manager } = parts;
        self.shared.control.set_origin(origin);
        executor.maps_mut().follow_blocks = false;
        executor.maps_mut().trace(true);
        let run = fuzzer.execute_input(*state, *executor, *manager, &Input::from(input.to_vec()));
        let log = self.sites.read(executor.maps());
        executor.maps_mut().trace(false);
        run.map(|_| log)
    }

    /// Other bytes wherever they do not change the way of the run: all at once where that works, else half by half.
    fn colour(
        &mut self,
        parts: &mut Parts<'_>,
        plain: &[u8],
        repairs: &[Repair],
        way: u64,
        together: &mut Together,
        origin: Origin,
    ) -> Result<Vec<u8>, Error> {
        let mut coloured = plain.to_vec();
        let mut budget = (COLOURINGS + 2 * plain.len()).min(MOST_COLOURINGS);
        let mut todo = VecDeque::new();
        todo.push_back(0..plain.len());
        while let Some(range) = todo.pop_front().filter(|_| budget > 0) {
            if range.is_empty() {
                continue;
            }
            budget -= 1;
            let mut tried = coloured.clone();
            for byte in &mut tried[range.clone()] {
                *byte = colour::recolour(*byte, parts.state.rand_mut());
            }
            self.consider(parts, &tried, origin)?;
            let mut same = parts.executor.maps().counters.signature() == way;
            if !same && let Some(mended) = self.mended(parts, &tried, repairs, None, origin)? {
                self.consider(parts, &mended, origin)?;
                same = parts.executor.maps().counters.signature() == way;
                tried = mended;
            }
            if same {
                coloured = tried;
            } else if range.len() > 1 {
                let middle = range.start + range.len() / 2;
                todo.extend([range.start..middle, middle..range.end]);
            } else {
                let edit = Edit { at: range.start, len: 1, with: vec![tried[range.start]] };
                if together.wants(&edit, false) {
                    together.look(edit, None, &self.trace(parts, &tried, origin)?);
                }
                // What must not be anything may still be a little more or less.
                let mut tried = coloured.clone();
                for step in [1, u8::MAX] {
                    tried[range.start] = coloured[range.start].wrapping_add(step);
                    self.consider(parts, &tried, origin)?;
                    if parts.executor.maps().counters.signature() == way {
                        coloured[range.start] = tried[range.start];
                        break;
                    }
                }
            }
        }
        Ok(coloured)
    }

    /// The fields of an entry that follow the bytes beside them, as checksums do.
    fn repairs(
        &mut self,
        parts: &mut Parts<'_>,
        plain: &[u8],
        log: &Log,
        origin: Origin,
    ) -> Result<Vec<Repair>, Error> {
        let mut repairs = Vec::new();
        for repair in repair::candidates(plain, log) {
            for range in repair.neighbours(plain.len()) {
                let mut changed = plain.to_vec();
                changed[range].iter_mut().for_each(|byte| *byte ^= 1);
                if changed != plain && repair.follows(&changed, &self.trace(parts, &changed, origin)?) {
                    repairs.push(repair);
                    break;
                }
            }
        }
        Ok(repairs)
    }

    /// A changed input with the fields made right that no longer were.
    fn mended(
        &mut self,
        parts: &mut Parts<'_>,
        changed: &[u8],
        repairs: &[Repair],
        edit: Option<&Edit>,
        origin: Origin,
    ) -> Result<Option<Vec<u8>>, Error> {
        if repairs.is_empty() {
            return Ok(None);
        }
        let log = self.trace(parts, changed, origin)?;
        Ok(repair::mend(repairs, changed, edit, &log))
    }

    /// Runs a changed input, and if that is no waypoint once more with the fields made right; whether one was kept.
    fn consider_mended(
        &mut self,
        parts: &mut Parts<'_>,
        changed: &[u8],
        repairs: &[Repair],
        edit: Option<&Edit>,
        origin: Origin,
    ) -> Result<bool, Error> {
        let before = parts.entries();
        self.consider(parts, changed, origin)?;
        if parts.entries() == before
            && let Some(mended) = self.mended(parts, changed, repairs, edit, origin)?
        {
            self.consider(parts, &mended, origin)?;
        }
        Ok(parts.entries() > before)
    }

    /// Whether trying what this comparison wants is worth another run.
    fn has_hope(&self, made: &Made, wanted: u64, state: &mut State) -> bool {
        let is_fresh = self.looks_anew
            || self.tried.get(&(made.site, wanted)).is_none_or(|tries| *tries < TRIES * IN_VAIN)
                && self.tried_of_site.get(&made.site).is_none_or(|tries| *tries < TRIES_OF_SITE);
        is_fresh || state.rand_mut().below(HOPE) == 0
    }

    /// Whether this side of a comparison is to be given to the other side.
    fn is_open(&self, made: &Made, sides: &Sides, wanted: usize, state: &mut State) -> bool {
        !sides.are_equal() && self.has_hope(made, sides.hash(wanted), state)
    }

    /// What might answer the comparisons of an entry.
    fn answers(&self, state: &mut State, pair: Pair<'_>, plain: &Log, coloured: &Log) -> Vec<Answer> {
        let max_len = state.max_size();
        let fields = Fields::new(pair);
        let mut answers = Vec::new();
        let mut known = HashSet::new();
        for (place, (made, sides)) in plain.all.iter().enumerate() {
            let other = coloured.find(made).unwrap_or(sides);
            for wanted in [0, 1] {
                let hash = sides.hash(wanted);
                let is_new = known.insert((made.site, sides.hash(1 - wanted), hash));
                if !is_new || !self.is_open(made, sides, wanted, state) {
                    continue;
                }
                let length = sides.length(wanted);
                let has_moved = sides.hash(1 - wanted) != other.hash(1 - wanted);
                let tries = self.tried_of_site.get(&made.site).copied().unwrap_or(0);
                let rank = (!has_moved, tries / TRIES, Reverse(place));
                let answer = |edit| Answer { made: *made, wanted: hash, edit, length, rank };
                answers
                    .extend(edits::of(pair, &fields, sides, other, wanted, max_len).into_iter().map(answer));
            }
        }
        answers.sort_by_key(|answer| answer.rank);
        answers
    }

    /// Answers the comparisons of one entry.
    fn answer(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        let input = parts.input_of(entry)?;
        let plain = input.mutator_bytes();
        let colouring = Origin { parent: parts.number_of(entry), op: Op::Colour, rep: 1 };
        let log = self.trace(parts, plain, colouring)?;
        let way = parts.executor.maps().counters.signature();
        let mut sides = log.all.iter().flat_map(|(made, sides)| [(made, sides, 0), (made, sides, 1)]);
        if !sides.any(|(made, sides, wanted)| self.is_open(made, sides, wanted, parts.state)) {
            return Ok(());
        }
        self.give(parts, plain, &log, way, &[], entry)?;
        // Where fields follow others, colours that keep them right reach more bytes, but move more at once.
        let repairs = self.repairs(parts, plain, &log, colouring)?;
        if repairs.is_empty() {
            return Ok(());
        }
        self.known_repairs.insert(entry.0, repairs.clone());
        self.give(parts, plain, &log, way, &repairs, entry)
    }

    /// Colours an entry and gives its comparisons what they want, with these fields kept right.
    fn give(
        &mut self,
        parts: &mut Parts<'_>,
        plain: &[u8],
        log: &Log,
        way: u64,
        repairs: &[Repair],
        entry: CorpusId,
    ) -> Result<(), Error> {
        let origin = |op| Origin { parent: parts.number_of(entry), op, rep: 1 };
        let (colouring, answering) = (origin(Op::Colour), origin(Op::Answer));
        let mut together = Together::new(log);
        let coloured = self.colour(parts, plain, repairs, way, &mut together, colouring)?;
        let other = self.trace(parts, &coloured, colouring)?;
        let max_len = parts.state.max_size();
        let pair = Pair { plain, coloured: &coloured };
        let (mut asked, mut answered) = (HashMap::new(), HashSet::new());
        let mut seen = HashSet::new();
        let mut left = ANSWERS;
        for answer in self.answers(parts.state, pair, log, &other) {
            let longer = answer.length.and_then(|more| answer.edit.apply_longer(plain, more, max_len));
            let (mut found, mut vain) = (false, IN_VAIN);
            for changed in answer.edit.apply(plain, max_len).into_iter().chain(longer) {
                if found || left == 0 || !seen.insert(changed.clone()) {
                    continue;
                }
                left -= 1;
                found = self.consider_mended(parts, &changed, repairs, Some(&answer.edit), answering)?;
                let changes_way = parts.executor.maps().counters.signature() != way;
                let has_moved = !answer.rank.0;
                if changes_way && has_moved && together.wants(&answer.edit, true) {
                    let log = self.trace(parts, &changed, answering)?;
                    if together.look(answer.edit.clone(), Some(&answer.made), &log) {
                        vain = GIVEN_IN_VAIN;
                    }
                }
            }
            let question = (answer.made.site, answer.wanted);
            if found {
                learn(parts.state, &answer.edit.with);
                answered.insert(question);
            } else {
                let least = asked.entry(question).or_insert(vain);
                *least = vain.min(*least);
                *self.tried_of_site.entry(answer.made.site).or_default() += 1;
            }
        }
        for (question, vain) in asked.into_iter().filter(|(question, _)| !answered.contains(question)) {
            *self.tried.entry(question).or_default() += vain;
        }
        self.give_together(parts, plain, together, repairs, answering)
    }
}

/// What answered a comparison is a token from now on.
fn learn(state: &mut State, token: &[u8]) {
    if (2..=MAX_TOKEN).contains(&token.len()) {
        let tokens = state.metadata_or_insert_with(Tokens::default);
        if tokens.len() < MAX_TOKENS {
            tokens.add_token(&token.to_vec());
        }
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
            if !energy::may_spend(self.shared.control, &OPS) {
                break;
            }
            if self.is_due(&parts, entry) {
                let before = parts.entries();
                // First of all: should an answer kill us, the next worker goes on behind this entry.
                self.shared.answered.add(entry.0);
                self.looks_anew = parts.fuzzer.scheduler().turn_of() != COVERAGE;
                self.answer(&mut parts, entry)?;
                self.survived.insert(entry.0);
                todo.extend((before..parts.entries()).map(CorpusId));
            }
        }
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
