//! Gives the comparisons of an entry what they want.
use std::{cmp::Reverse, num::NonZero};

use libafl::{
    Error, HasMetadata,
    corpus::CorpusId,
    inputs::HasMutatorBytes,
    mutators::Tokens,
    state::{HasMaxSize, HasRand},
};
use libafl_bolts::rands::Rand;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    AnswerStage,
    edit::Edit,
    edits,
    fields::{Fields, Pair},
    log::{Log, Made, Sides},
    repair::Repair,
    sizes::Sizes,
    together::Together,
};
use crate::{
    engine::{assembly::State, parts::Parts},
    origin::{Op, Origin},
};

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
/// One in this many answers is tried although it was tried too often.
const HOPE: NonZero<usize> = NonZero::new(16).unwrap();

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

/// An entry that is answered.
pub(super) struct Entry<'a> {
    pub(super) id: CorpusId,
    pub(super) plain: &'a [u8],
    /// What it compares.
    log: &'a Log,
    /// Where its run leads.
    pub(super) way: u64,
    /// How much it allocates, if somebody asks.
    allocated: Option<u64>,
}

impl AnswerStage {
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

    /// What might answer the comparisons of an entry. What led to nothing new too often is not tried alone, but may be
    /// given together with others, if it did what it should.
    fn answers(
        &self,
        state: &mut State,
        pair: Pair<'_>,
        plain: &Log,
        coloured: &Log,
        together: &mut Together<'_>,
    ) -> Vec<Answer> {
        let max_len = state.max_size();
        let fields = Fields::new(pair);
        let mut answers = Vec::new();
        let mut known = FxHashSet::default();
        for (place, (made, sides)) in plain.all.iter().enumerate() {
            let other = coloured.find(made).unwrap_or(sides);
            for wanted in [0, 1] {
                let hash = sides.hash(wanted);
                let is_new = known.insert((made.site, sides.hash(1 - wanted), hash));
                if !is_new || sides.are_equal() {
                    continue;
                }
                let has_moved = sides.hash(1 - wanted) != other.hash(1 - wanted);
                let edits = || edits::of(pair, &fields, sides, other, wanted, max_len);
                if !self.has_hope(made, hash, state) {
                    if has_moved && self.given.contains(&(made.site, hash)) {
                        edits().into_iter().for_each(|edit| together.trust(edit));
                    }
                    continue;
                }
                let length = sides.length(wanted);
                let tries = self.tried_of_site.get(&made.site).copied().unwrap_or(0);
                let rank = (!has_moved, tries / TRIES, Reverse(place));
                let answer = |edit| Answer { made: *made, wanted: hash, edit, length, rank };
                answers.extend(edits().into_iter().map(answer));
            }
        }
        answers.sort_by_key(|answer| answer.rank);
        answers
    }

    /// Answers the comparisons of one entry.
    pub(super) fn answer(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        let input = parts.input_of(entry)?;
        let plain = input.mutator_bytes();
        let colouring = Origin { parent: parts.number_of(entry), op: Op::Colour, rep: 1 };
        let log = self.trace(parts, plain, colouring)?;
        let way = parts.executor.maps().counters.signature();
        let allocated = self.climber.asks_for_memory().then(|| parts.executor.maps().allocated());
        let mut sides = log.all.iter().flat_map(|(made, sides)| [(made, sides, 0), (made, sides, 1)]);
        if !sides.any(|(made, sides, wanted)| self.is_open(made, sides, wanted, parts.state)) {
            return Ok(());
        }
        let entry = Entry { id: entry, plain, log: &log, way, allocated };
        self.give(parts, &entry, &[])?;
        // Where fields follow others, colours that keep them right reach more bytes, but move more at once.
        let repairs = self.repairs(parts, plain, &log, colouring)?;
        if repairs.is_empty() {
            return Ok(());
        }
        self.mender.borrow_mut().know(entry.id.0, repairs.clone());
        self.shared.mendable.add(entry.id.0);
        self.give(parts, &entry, &repairs)
    }

    /// Colours an entry and gives its comparisons what they want, with these fields kept right.
    fn give(&mut self, parts: &mut Parts<'_>, entry: &Entry<'_>, repairs: &[Repair]) -> Result<(), Error> {
        let Entry { plain, log, way, .. } = *entry;
        let origin = |op| Origin { parent: parts.number_of(entry.id), op, rep: 1 };
        let (colouring, answering) = (origin(Op::Colour), origin(Op::Answer));
        let mut together = Together::new(log);
        let mut sizes = Sizes::new(entry.allocated);
        let coloured = self.colour(parts, entry, repairs, &mut together, &mut sizes, colouring)?;
        let other = self.trace(parts, &coloured, colouring)?;
        let max_len = parts.state.max_size();
        let pair = Pair { plain, coloured: &coloured };
        let (mut asked, mut answered) = (FxHashMap::default(), FxHashSet::default());
        let mut seen = FxHashSet::default();
        let mut left = ANSWERS;
        for answer in self.answers(parts.state, pair, log, &other, &mut together) {
            if self.limit.ends(self.shared.control) {
                break;
            }
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
                if found {
                    self.climber.climb(parts, entry.id)?;
                }
                if changes_way && has_moved && together.wants(&answer.edit, true) {
                    let log = self.trace(parts, &changed, answering)?;
                    if together.look(answer.edit.clone(), Some(&answer.made), &log) {
                        self.given.insert((answer.made.site, answer.wanted));
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
        let has_led_on = !answered.is_empty();
        for (question, vain) in asked.into_iter().filter(|(question, _)| !answered.contains(question)) {
            *self.tried.entry(question).or_default() += vain;
        }
        self.give_together(parts, plain, together, repairs, has_led_on, answering)?;
        self.enlarge(parts, entry, &sizes, repairs)
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
