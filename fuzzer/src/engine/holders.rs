//! The scheduler: every domain in turn goes through its holders; now and then any entry is fuzzed.
//!
//! Of a counter, the holder is the cheapest entry that reaches it; of another domain's key, the entry that moved it
//! last, or a cheaper one that reaches the same. Cost is told by length and edges, never time, so that a campaign can
//! be repeated.
use std::{num::NonZero, sync::atomic::Ordering::Relaxed};

use libafl::{
    Error,
    corpus::{Corpus, CorpusId},
    schedulers::Scheduler,
    state::{HasCorpus, HasRand},
};
use libafl_bolts::rands::Rand;

use super::{
    assembly::{Input, State},
    effort,
    run_maps::RunMaps,
    turns::Turns,
};
use crate::{
    guidance::Choice,
    origin::Op,
    shared::{Control, NO_HOLDER, Note},
};

/// One in this many times any entry is chosen, be it a holder or not: alpha of definition 8, but of all choices rather
/// than of all entries, because a domain with few keys may have left thousands of entries behind.
const ANY_ODDS: NonZero<usize> = NonZero::new(20).unwrap();

/// A holder that was chosen twice as often is chosen half as often from here on, and so on.
const PATIENCE: u32 = 64;

/// Costs are whole numbers of such parts.
const FINE: f64 = 16.0;

/// The coverage domain's place.
pub const COVERAGE: usize = 0;

#[derive(Debug, Clone, Copy)]
struct Entry {
    cost: u64,
    /// What a run of it takes, see `effort`.
    effort: u32,
    /// The number in its name.
    id: u32,
    /// How often it was chosen, in all domains.
    picks: u32,
    /// Whether it came from the user.
    is_seed: bool,
}

/// Favours holders.
#[derive(Debug)]
pub struct HolderScheduler {
    entries: Vec<Entry>,
    /// For every enabled domain, how many keys each entry cares for.
    held: Vec<Vec<u32>>,
    /// For every enabled domain, how many keys are cared for in all.
    all_held: Vec<u64>,
    /// Whose turn it is.
    turns: Turns,
    /// The sum of the logarithms of all entries' efforts.
    log_efforts: f64,
    /// How much less often an entry is chosen that was chosen often without success: sigma of definition 8.
    staleness: f64,
    /// The fewest and the most picks of a holder, when the current round through the corpus began.
    picks_range: (u32, u32),
    /// Where the place in the corpus and the number of cycles are kept, for the next worker.
    control: &'static Control,
}

impl HolderScheduler {
    /// Goes on where the last worker was.
    pub fn new(control: &'static Control, chosen: &[Choice], staleness: f64) -> Self {
        let held = vec![Vec::new(); chosen.len()];
        let all_held = vec![0; chosen.len()];
        let turns = Turns::new(control, chosen);
        let picks_range = (0, 0);
        Self { entries: Vec::new(), held, all_held, turns, log_efforts: 0.0, staleness, picks_range, control }
    }

    /// Takes in an entry of the corpus, in the order of their numbers.
    pub fn add(&mut self, len: usize, note: Note) {
        let effort = note.effort.max(1);
        let cost = cost(len, note);
        let is_seed = note.origin.op == Op::Seed;
        self.entries.push(Entry { cost, effort, id: note.id, picks: 0, is_seed });
        self.log_efforts += f64::from(effort).ln();
        self.control.set_usual_effort(self.usual_effort() as u64);
        self.held.iter_mut().for_each(|held| held.push(0));
    }

    /// Recounts who holds what, from the aggregates that an earlier worker left.
    pub fn restore(&mut self, maps: &RunMaps) {
        let mut count = |domain: usize, holder: u32| {
            if let Some(held) = self.held[domain].get_mut(holder as usize) {
                *held += 1;
                self.all_held[domain] += 1;
            }
        };
        maps.counters.holders().for_each(|holder| count(COVERAGE, holder));
        for guide in maps.guides() {
            guide.carers().for_each(|holder| count(guide.index, holder));
        }
    }

    /// The newest entry takes every key that it moved, or that nobody reaches more cheaply, and the aggregates take in
    /// its values. To be called while the run maps are those of its run.
    pub fn credit_newest(&mut self, maps: &RunMaps) {
        let newest = self.entries.len() - 1;
        self.turns.found(maps.waypoint_in);
        if let Some(domain) = maps.domain_of_changes() {
            self.turns.count_reaching(domain, maps.reached_change());
        }
        let cost = self.entries[newest].cost;
        let (held, all_held) = (&mut self.held[COVERAGE], &mut self.all_held[COVERAGE]);
        maps.counters.for_each_reached(|holder| {
            if *holder != NO_HOLDER {
                let held_by = *holder as usize - 1;
                if self.entries[held_by].cost <= cost {
                    return;
                }
                held[held_by] -= 1;
                *all_held -= 1;
            }
            *holder = newest as u32 + 1;
            held[newest] += 1;
            *all_held += 1;
        });
        for guide in maps.movable() {
            let (held, all_held) = (&mut self.held[guide.index], &mut self.all_held[guide.index]);
            let is_dearer =
                |holder: u32| self.entries.get(holder as usize).is_none_or(|entry| entry.cost > cost);
            guide.take(maps.touched(), newest as u32, is_dearer, |holding| {
                if let Some(loser) = holding.lost_by.and_then(|loser| held.get_mut(loser as usize)) {
                    *all_held -= u64::from(*loser > 0);
                    *loser = loser.saturating_sub(1);
                }
                held[newest] += u32::from(holding.taken);
                *all_held += u64::from(holding.taken);
            });
            maps.counters.silence();
        }
    }

    /// The number in an entry's name.
    pub fn id(&self, entry: CorpusId) -> u32 {
        self.entries.get(entry.0).map_or(0, |entry| entry.id)
    }

    /// Whether an entry came from the user.
    pub fn is_seed(&self, entry: CorpusId) -> bool {
        self.entries.get(entry.0).is_some_and(|entry| entry.is_seed)
    }

    /// How often this worker has chosen an entry.
    pub fn picks(&self, entry: CorpusId) -> u32 {
        self.entries.get(entry.0).map_or(0, |entry| entry.picks)
    }

    /// What a run of an entry takes.
    pub fn effort(&self, entry: CorpusId) -> u64 {
        self.entries.get(entry.0).map_or(1, |entry| entry.effort.into())
    }

    /// What a run of an entry usually takes: the geometric mean, which a few slow ones do not move.
    pub fn usual_effort(&self) -> f64 {
        (self.log_efforts / self.entries.len().max(1) as f64).exp()
    }

    /// The domain whose turn it is.
    pub fn turn_of(&self) -> usize {
        self.turns.current()
    }

    /// How many counters an entry holds.
    pub fn held(&self, entry: CorpusId) -> u32 {
        self.held[COVERAGE].get(entry.0).copied().unwrap_or(0)
    }

    fn is_holder(&self, entry: usize) -> bool {
        self.turns.guiding().iter().any(|domain| self.held[*domain][entry] > 0)
    }

    /// How many entries hold some key.
    pub fn holders(&self) -> usize {
        (0..self.entries.len()).filter(|entry| self.is_holder(*entry)).count()
    }

    /// How many of them have not had their turn yet.
    pub fn pending_holders(&self) -> usize {
        let visited = self.control.visited.load(Relaxed);
        (visited..self.entries.len()).filter(|entry| self.is_holder(*entry)).count()
    }

    /// The next holder of this domain, or another entry by chance; `None` if it has no holders: its goals are met, or
    /// nothing has touched it yet.
    fn next_for(&mut self, domain: usize, state: &mut State) -> Option<usize> {
        if self.all_held[domain] == 0 {
            return None;
        }
        if state.rand_mut().below(ANY_ODDS) == 0 {
            return Some(state.rand_mut().below_or_zero(self.entries.len()));
        }
        let cursor = &self.control.domains[domain].cursor;
        let mut skipped = None;
        for _ in 0..=self.entries.len() {
            let mut id = cursor.load(Relaxed);
            if id >= self.entries.len() {
                id = 0;
                self.begin_round(domain);
            }
            cursor.store(id + 1, Relaxed);
            if self.held[domain][id] == 0 {
                continue;
            }
            if self.is_fresh(id, state) && (domain == COVERAGE || self.has_hope(id, state)) {
                return Some(id);
            }
            skipped = Some(id);
        }
        // Where all have been tried often, one of them is tried again.
        skipped
    }

    /// Whether a holder is not skipped for having been tried often: its keys may be such that cannot grow. One that came
    /// anew has not been tried yet.
    fn has_hope(&self, id: usize, state: &mut State) -> bool {
        let tried = self.entries[id].picks / PATIENCE;
        state.rand_mut().below_or_zero(tried as usize + 1) == 0
    }

    /// The entry of the domain that has spent the least and has one.
    fn next_of_all(&mut self, state: &mut State) -> usize {
        // Also from worker to worker.
        let order = self.turns.order(self.control.turn.fetch_add(1, Relaxed));
        let found = (0..order.len()).find_map(|n| Some((n, self.next_for(order[n], state)?)));
        let (place, id) = found.unwrap_or_else(|| (0, state.rand_mut().below_or_zero(self.entries.len())));
        self.turns.begin(&order, place);
        id
    }

    fn begin_round(&mut self, domain: usize) {
        if Some(&domain) == self.turns.guiding().first() {
            self.control.cycles.fetch_add(1, Relaxed);
        }
        let picks = (0..self.entries.len()).filter(|id| self.is_holder(*id)).map(|id| self.entries[id].picks);
        self.picks_range = picks.fold((u32::MAX, 0), |(min, max), picks| (min.min(picks), max.max(picks)));
    }

    /// Whether a holder is not skipped for being stale. A key's staleness is how often an entry that has its aggregate
    /// was chosen since it last moved (definition 6). The holder came when it moved, so its picks tell.
    fn is_fresh(&self, id: usize, state: &mut State) -> bool {
        let (min, max) = self.picks_range;
        if self.staleness <= 0.0 || max == 0 || max < min {
            return true;
        }
        let score = f64::from(self.entries[id].picks.saturating_sub(min)) / f64::from(max);
        state.rand_mut().next_float() >= self.staleness * score
    }
}

/// What makes an entry dear as a holder: the counters it reaches, since it is to be about little, times the geometric mean
/// of its length and of the edges it takes, which mostly grow together.
fn cost(len: usize, note: Note) -> u64 {
    let taken = u64::from(note.effort).saturating_sub(effort::RUN);
    let size = ((len as f64 + 1.0) * (taken as f64 + 1.0)).sqrt();
    (FINE * size * (f64::from(note.edges) + 1.0)) as u64
}

impl Scheduler<Input, State> for HolderScheduler {
    fn on_add(&mut self, _: &mut State, _: CorpusId) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self, state: &mut State) -> Result<CorpusId, Error> {
        if self.entries.is_empty() {
            return Err(Error::empty("the corpus is empty"));
        }
        self.turns.end(self.control.effort());
        let id = self.next_of_all(state);
        self.entries[id].picks = self.entries[id].picks.saturating_add(1);
        self.control.current.store(id, Relaxed);
        if id >= self.control.visited.load(Relaxed) {
            self.control.visited.store(id + 1, Relaxed);
            self.control.pending_holders.store(self.pending_holders() as u64, Relaxed);
        }
        self.set_current_scheduled(state, Some(CorpusId(id)))?;
        Ok(CorpusId(id))
    }

    fn set_current_scheduled(&mut self, state: &mut State, next: Option<CorpusId>) -> Result<(), Error> {
        *state.corpus_mut().current_mut() = next;
        Ok(())
    }
}
