//! The phase of a campaign in which tokens are learnt, before anything is mutated.
use std::time::Instant;

use libafl::{Error, HasMetadata, fuzzer::ExecutesInput, mutators::Tokens};
use waypoint_runtime::objects;

use super::{
    answers::log::{Sides, Sites},
    assembly::{Input, State},
    keep::Keeper,
    parts::Parts,
    tokens::{self, Counts, Halt, Prober},
};
use crate::{
    origin::{Op, Origin},
    plan::Learn,
    shared::Shared,
};

/// The engine as learning sees it.
struct Engine<'a, 'b> {
    parts: &'a mut Parts<'b>,
    keeper: &'a Keeper,
    shared: Shared,
    sites: Sites,
    max_runs: u64,
    end: Option<Instant>,
    /// How many tokens were known, and how many runs had been made, when one was learnt last.
    last: (usize, u64),
    /// As much is known as when this worker began.
    has_caught_up: bool,
}

/// Learning ends when it has learnt no token in half as many runs as were made before, and so many more.
const GRACE: u64 = 8000;

const ORIGIN: Origin = Origin { parent: 0, op: Op::Token, rep: 1 };

/// Learns as much as the plan allows. Whatever it kept and learnt so far outlives this worker.
pub fn learn(
    parts: &mut Parts<'_>,
    keeper: &Keeper,
    shared: Shared,
    plan: &Learn,
    seed: u64,
) -> Result<(), Error> {
    shared.learning.take_over(&shared.control.input());
    if !shared.learning.is_done() {
        let end = plan.max_time.map(|time| Instant::now() + time);
        let sites = Sites::default();
        // What a worker learnt that died of an input is known until as much has been learnt again.
        let last = (shared.learning.tokens().len(), shared.learning.runs());
        let max_runs = plan.max_runs;
        let parts = &mut *parts;
        let mut engine = Engine { parts, keeper, shared, sites, max_runs, end, last, has_caught_up: false };
        match tokens::learn(&mut engine, tokens::letters(seed), Vec::new()) {
            Ok(()) | Err(Halt::Spent) => shared.learning.finish(),
            Err(Halt::Failed(error)) => return Err(error),
        }
    }
    add_tokens(parts.state, &shared.learning.tokens());
    Ok(())
}

/// Gives the token mutators these as well.
fn add_tokens(state: &mut State, tokens: &[Vec<u8>]) {
    if !tokens.is_empty() {
        let known = state.metadata_or_insert_with(Tokens::default);
        tokens.iter().for_each(|token| {
            known.add_token(token);
        });
    }
}

impl Engine<'_, '_> {
    /// Whether an input may be run; nothing is known of those that may not.
    fn begin(&self, input: &[u8]) -> Result<bool, Halt<Error>> {
        self.keeper.check_end(self.parts.state).map_err(Halt::Failed)?;
        let runs = self.shared.learning.runs();
        let is_late = self.end.is_some_and(|end| Instant::now() >= end);
        let is_in_vain = runs > self.last.1 * 3 / 2 + GRACE;
        if is_late || is_in_vain || runs >= self.max_runs {
            return Err(Halt::Spent);
        }
        Ok(self.shared.learning.begin_run(input))
    }

    fn execute(&mut self, input: &[u8]) -> Result<(), Halt<Error>> {
        let Parts { fuzzer, executor, state, manager } = &mut *self.parts;
        self.shared.control.set_origin(ORIGIN);
        executor.maps_mut().follow_blocks = false;
        let run = fuzzer.execute_input(*state, *executor, *manager, &Input::from(input.to_vec()));
        self.shared.control.op(Op::Token).spend(1, executor.maps().effort());
        run.and_then(|_| self.keeper.report_refusal()).map_err(Halt::Failed)
    }
}

impl Prober for Engine<'_, '_> {
    type Error = Error;

    fn read(&mut self, input: &[u8]) -> Result<Counts, Halt<Error>> {
        if !self.begin(input)? {
            return Ok(Counts::new());
        }
        self.execute(input)?;
        self.shared.learning.end_run();
        Ok(self.parts.executor.maps().counters.counts())
    }

    fn offer(&mut self, input: &[u8], _: bool) -> Result<Counts, Halt<Error>> {
        if !self.begin(input)? {
            return Ok(Counts::new());
        }
        let before = self.parts.entries();
        let considered = self.keeper.consider(self.parts, &Input::from(input.to_vec()), ORIGIN);
        self.shared.learning.end_run();
        considered.map_err(Halt::Failed)?;
        // Its comparisons have been looked at: they are answered only if it is chosen often.
        (before..self.parts.entries()).for_each(|entry| self.shared.answered.add(entry));
        Ok(self.parts.executor.maps().counters.counts())
    }

    fn trace(&mut self, input: &[u8]) -> Result<Vec<((usize, usize), Sides)>, Halt<Error>> {
        // First as it is: a finding in a traced run looks like another one, since that takes place in other code.
        self.read(input)?;
        if !self.begin(input)? {
            return Ok(Vec::new());
        }
        self.parts.executor.maps_mut().trace(true);
        let run = self.execute(input);
        let log = self.sites.read(self.parts.executor.maps());
        self.parts.executor.maps_mut().trace(false);
        self.shared.learning.end_run();
        run.map(|()| log.all.into_iter().map(|(made, sides)| (made.site, sides)).collect())
    }

    fn texts(&mut self) -> Vec<Vec<u8>> {
        objects::texts().map(<[u8]>::to_vec).collect()
    }

    fn tell(&mut self, tokens: Vec<Vec<u8>>) {
        self.has_caught_up = self.has_caught_up || tokens.len() >= self.last.0;
        if self.has_caught_up {
            self.shared.learning.set_tokens(&tokens);
        }
        if tokens.len() > self.last.0 {
            self.last = (tokens.len(), self.shared.learning.runs());
        }
    }
}
