//! Parsing any grammar after Earley: all ways to go on are followed at once, position by position.
//!
//! An item is a place in a production (or a count of rounds, or a set of taken items) and where it started; it
//! remembers the first way in which it came about. What came first rests on what was there before, so the tree read
//! off the items is finite even where a symbol derives itself. Where all trees are wanted, the other ways are kept too.
use rustc_hash::FxHashMap;

use super::code::{Code, Element, Form};
use super::input::Text;
use super::seen::Seen;
use super::ways::Ways;
use super::{BYTES_PER_STEP, FOLLOW, Furthest, Job, ParseError, harvest};
use crate::generate::Host;
use crate::ir::{Bound, Node};
use crate::rng::Rng;
use crate::tree::Tree;

/// No item.
pub const NONE: u32 = u32::MAX;

/// The budget is used up also when this many items are there, which take some 400 MB.
const MOST_ITEMS: usize = 12 << 20;

#[derive(Debug, Clone, Copy)]
pub struct Item {
    /// How far it has come.
    pub place: Place,
    /// Where it started.
    pub from: u32,
    /// Where it is.
    pub at: u32,
    /// The item it came from.
    pub before: u32,
    /// The item of the word in between, if that was a goal's.
    pub word: u32,
}

/// How far an item has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before an element.
    Slot(u32),
    /// After this many rounds of a repetition (all that exceed the least count are one if there is no greatest).
    Rounds { goal: u32, count: u32 },
    /// After these items of a permutation.
    Taken { goal: u32, taken: u64 },
    /// A goal's word is through.
    Through(u32),
}

/// Items that wait for a goal's word to be through that starts at some position.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// The first in the list of those that wait.
    first: u32,
    /// The item that says the goal has an empty word here, if it is known yet.
    empty: u32,
}

/// What the parser keeps between texts.
#[derive(Debug, Default)]
pub struct Buffers {
    pub items: Vec<Item>,
    pub ways: Ways,
    /// What is there at the current position.
    seen: Seen,
    /// By position and goal.
    waiting: FxHashMap<(u32, u32), Waiting>,
    /// Lists of waiting items: the item and the next of the list.
    waiters: Vec<(u32, u32)>,
    /// By position, items that get there by a terminal: the item and the next of the list.
    arrivals: Vec<u32>,
    coming: Vec<(Item, u32)>,
    pub furthest: Furthest,
    pub harvest: harvest::Buffers,
    ends: Vec<usize>,
}

/// Parses `job`, within `budget` steps.
pub fn parse<T: Text, H: Host>(
    job: &Job<'_, T>,
    buffers: &mut Buffers,
    budget: u64,
    rng: &mut Rng,
    host: &mut H,
    tree: &mut Tree,
) -> Result<usize, ParseError> {
    let found = fill(job, buffers, budget, false)?;
    let end = buffers.items[found as usize].at;
    harvest::harvest(job, &buffers.items, None, &mut buffers.harvest, found, rng, host, tree)?;
    Ok(job.text.byte(end))
}

/// Fills the chart of `job`; the item that stands for the whole text. With `ways`, keeps all ways in which items came
/// about.
pub fn fill<T: Text>(
    job: &Job<'_, T>,
    buffers: &mut Buffers,
    budget: u64,
    ways: bool,
) -> Result<u32, ParseError> {
    buffers.items.clear();
    buffers.waiting.clear();
    buffers.waiters.clear();
    buffers.coming.clear();
    buffers.furthest.clear();
    buffers.seen.clear();
    buffers.ways.clear(ways);
    buffers.arrivals.clear();
    buffers.arrivals.resize(job.text.len() as usize + 1, NONE);
    let mut chart = Chart { job, buffers, left: budget, at: 0, found: None };
    chart.fill()?;
    chart.found.ok_or_else(|| job.mismatch(&chart.buffers.furthest))
}

struct Chart<'a, 'j, T> {
    job: &'a Job<'j, T>,
    buffers: &'a mut Buffers,
    left: u64,
    at: u32,
    /// The item that says the start symbol's word is through, at the furthest end that counts.
    found: Option<u32>,
}

impl<T: Text> Chart<'_, '_, T> {
    fn fill(&mut self) -> Result<(), ParseError> {
        let text = self.job.text;
        for at in 0..=text.len() {
            self.at = at;
            let mut next = self.buffers.items.len();
            let mut coming = self.buffers.arrivals[at as usize];
            if coming == NONE && at > 0 {
                continue;
            }
            self.buffers.seen.start = next as u32;
            self.buffers.furthest.reach(at);
            while coming != NONE {
                let (item, rest) = self.buffers.coming[coming as usize];
                self.add(item);
                coming = rest;
            }
            if at == 0 {
                let goal = self.job.symbol.0;
                self.buffers.waiting.insert((0, goal), Waiting { first: NONE, empty: NONE });
                self.predict(goal);
            }
            while next < self.buffers.items.len() {
                if self.left == 0 || next > MOST_ITEMS {
                    return Err(ParseError::Budget { at: text.byte(at) });
                }
                self.left = self.left.saturating_sub(1);
                self.advance(next as u32);
                next += 1;
            }
        }
        Ok(())
    }

    /// Adds an item at the current position unless it is there.
    #[inline]
    fn add(&mut self, item: Item) {
        match self.buffers.seen.insert(&self.buffers.items, item.place, item.from) {
            None => self.buffers.items.push(item),
            Some(known) if self.buffers.ways.wanted && item.before != NONE => {
                self.buffers.ways.keep(known, item.before, item.word);
                self.left = self.left.saturating_sub(1);
            }
            Some(_) => {}
        }
    }

    fn start(&mut self, place: Place) {
        self.add(Item { place, from: self.at, at: self.at, before: NONE, word: NONE });
    }

    /// Adds the items with which words of `goal` start here.
    fn predict(&mut self, goal: u32) {
        let Job { code, ahead, text, .. } = *self.job;
        match code.goals[goal as usize].form {
            Form::Choice(..) => {
                let mut candidates = ahead.candidates(code, goal, text.ahead(self.at));
                if candidates.next == candidates.end || self.buffers.furthest.thorough {
                    self.buffers.furthest.note_goal(self.at, code, goal);
                }
                while candidates.next < candidates.end {
                    let production = ahead.candidate(candidates);
                    self.start(Place::Slot(code.productions[production as usize].first));
                    candidates.next += 1;
                }
            }
            Form::Repeat { .. } => self.start(Place::Rounds { goal, count: 0 }),
            Form::Permutation(..) => self.start(Place::Taken { goal, taken: 0 }),
        }
    }

    fn advance(&mut self, index: u32) {
        let item = self.buffers.items[index as usize];
        let code = self.job.code;
        match item.place {
            Place::Slot(slot) => self.element(index, slot),
            Place::Through(goal) => self.through(index, goal, item.from),
            Place::Rounds { goal, count } => {
                let Form::Repeat { body, min, max } = code.goals[goal as usize].form else { return };
                let ahead = self.job.text.ahead(self.at);
                let (min, max) = (lower(min), upper(max));
                if count >= min && !self.job.ahead.can_follow(goal, ahead) {
                    self.buffers.furthest.note(self.at, FOLLOW | goal);
                }
                if count < max && !self.job.ahead.can_repeat(goal, ahead) {
                    self.buffers.furthest.note(self.at, code.productions[body as usize].first);
                }
                if count >= min && self.job.ahead.can_follow(goal, ahead) {
                    self.add(Item { place: Place::Through(goal), before: index, word: NONE, ..item });
                }
                if count < max && (count < min || self.job.ahead.can_repeat(goal, ahead)) {
                    self.want(index, code.productions[body as usize].first);
                }
            }
            Place::Taken { goal, taken } => {
                let Form::Permutation(first, end) = code.goals[goal as usize].form else { return };
                if taken.count_ones() == end - first {
                    self.add(Item { place: Place::Through(goal), before: index, word: NONE, ..item });
                }
                for number in 0..(end - first).min(64) {
                    if taken >> number & 1 == 0 {
                        self.want(index, code.productions[(first + number) as usize].first);
                    }
                }
            }
        }
    }

    /// Goes on from the item `index` with the production that starts at `slot`, which is a round or a taken item.
    fn want(&mut self, index: u32, slot: u32) {
        // Its elements are items of their own that start here; whoever waits for a row is found by the row's start.
        self.wait(index, row_goal(self.job.code, slot), Some(slot));
    }

    #[inline]
    fn element(&mut self, index: u32, slot: u32) {
        let Job { grammar, code, text, ahead, .. } = *self.job;
        let item = self.buffers.items[index as usize];
        let end = match code.elements[slot as usize] {
            Element::Goal(goal) => {
                if ahead.can_start(goal, text.ahead(self.at)) {
                    self.wait(index, goal, None);
                } else {
                    self.buffers.furthest.note(self.at, slot);
                }
                return;
            }
            Element::End(production) => {
                let goal = code.productions[production as usize].goal;
                // For rounds and items this is what can follow the whole, or start the next.
                let fits = match code.goals[goal as usize].form {
                    Form::Choice(..) => ahead.can_follow(goal, text.ahead(self.at)),
                    _ => true,
                };
                if !fits {
                    self.buffers.furthest.note(self.at, FOLLOW | goal);
                    return;
                }
                let what = match code.goals[goal as usize].form {
                    Form::Choice(..) => goal,
                    _ => row_goal(code, code.productions[production as usize].first),
                };
                self.add(Item { place: Place::Through(what), before: index, word: NONE, ..item });
                return;
            }
            Element::Byte(_, byte) => text.literal(self.at, &[byte]),
            Element::Literal(node) => match grammar.node(node) {
                Node::Literal(literal) => text.literal(self.at, grammar.literal(literal)),
                _ => None,
            },
            Element::Bit(_, bit) => text.bit(self.at, bit),
            Element::Regex(_, regex) => {
                let mut ends = std::mem::take(&mut self.buffers.ends);
                ends.clear();
                let regex = &grammar.regexes[regex as usize];
                let mut looked = 0;
                text.rest(self.at, |rest| looked = regex.match_ends(rest, |end| ends.push(end)));
                self.left = self.left.saturating_sub(looked as u64 / BYTES_PER_STEP);
                if ends.is_empty() {
                    self.buffers.furthest.note(self.at, slot);
                }
                for end in &ends {
                    self.arrive(item, index, slot, text.skip(self.at, *end));
                }
                self.left = self.left.saturating_sub(ends.len() as u64);
                self.buffers.ends = ends;
                return;
            }
        };
        match end {
            Some(end) => self.arrive(item, index, slot, end),
            None => self.buffers.furthest.note(self.at, slot),
        }
    }

    /// A terminal takes an item from the current position to `end`.
    #[inline]
    fn arrive(&mut self, item: Item, index: u32, slot: u32, end: u32) {
        let item = Item { place: Place::Slot(slot + 1), at: end, before: index, word: NONE, ..item };
        if end == self.at {
            self.add(item);
        } else {
            let list = &mut self.buffers.arrivals[end as usize];
            self.buffers.coming.push((item, *list));
            *list = self.buffers.coming.len() as u32 - 1;
        }
    }

    /// The item `index` waits for a word of `goal`; `row` is where that starts if the goal is a row.
    fn wait(&mut self, index: u32, goal: u32, row: Option<u32>) {
        let nobody = Waiting { first: NONE, empty: NONE };
        let known = self.buffers.waiting.entry((self.at, goal));
        let is_new = matches!(known, std::collections::hash_map::Entry::Vacant(_));
        let waiting = known.or_insert(nobody);
        self.buffers.waiters.push((index, waiting.first));
        waiting.first = self.buffers.waiters.len() as u32 - 1;
        let empty = waiting.empty;
        if is_new {
            match row {
                Some(slot) => self.start(Place::Slot(slot)),
                None => self.predict(goal),
            }
        }
        if empty != NONE {
            self.step_over(index, empty);
        }
    }

    /// A word of `goal` that started at `from` is through: whoever waited for it goes on.
    fn through(&mut self, index: u32, goal: u32, from: u32) {
        if goal == self.job.symbol.0 && from == 0 && (self.job.prefix || self.at == self.job.text.len()) {
            self.found = Some(index);
        }
        let Some(waiting) = self.buffers.waiting.get_mut(&(from, goal)) else { return };
        if from == self.at {
            waiting.empty = index;
        }
        let mut waiter = waiting.first;
        while waiter != NONE {
            let (item, next) = self.buffers.waiters[waiter as usize];
            self.step_over(item, index);
            self.left = self.left.saturating_sub(1);
            waiter = next;
        }
    }

    /// The item `index` goes on behind the word that the item `word` says is through.
    fn step_over(&mut self, index: u32, word: u32) {
        let item = self.buffers.items[index as usize];
        let place = match item.place {
            Place::Slot(slot) => Place::Slot(slot + 1),
            Place::Rounds { goal, count } => {
                let Form::Repeat { min, max, .. } = self.job.code.goals[goal as usize].form else { return };
                let least = lower(min);
                // An empty round only helps to reach the least count.
                if count >= least && self.buffers.items[word as usize].from == self.at {
                    return;
                }
                let most = if upper(max) == u32::MAX { least } else { u32::MAX };
                Place::Rounds { goal, count: (count + 1).min(most) }
            }
            Place::Taken { goal, taken } => {
                let Place::Through(row) = self.buffers.items[word as usize].place else { return };
                let slot = row - self.job.code.goals.len() as u32;
                let Some(production) = self.job.code.production_at(goal, slot) else { return };
                Place::Taken { goal, taken: taken | 1 << production.alt }
            }
            Place::Through(_) => return,
        };
        self.add(Item { place, from: item.from, at: self.at, before: index, word });
    }
}

/// The goal that stands for a row of elements, a round or an item of a permutation: numbers beyond the true goals.
fn row_goal(code: &Code, slot: u32) -> u32 {
    code.goals.len() as u32 + slot
}

fn lower(bound: Bound) -> u32 {
    match bound {
        Bound::Const(count) => count,
        // Checked when the tree is made.
        Bound::Expr(_) | Bound::Open => 0,
    }
}

fn upper(bound: Bound) -> u32 {
    match bound {
        Bound::Const(count) => count,
        Bound::Expr(_) | Bound::Open => u32::MAX,
    }
}
