//! Mutations that hold on to what is rare: an entry that hits a rarely hit branch is changed only where the branch stays
//! hit (FairFuzz), so that more inputs come behind it. In the turn of another domain it holds on to a key of the entry's.
mod mask;
mod mutate;
mod probe;
mod target;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::atomic::Ordering::Relaxed,
};

use libafl::{
    Error, HasMetadata,
    corpus::{Corpus, CorpusId},
    fuzzer::HasScheduler,
    inputs::HasMutatorBytes,
    mutators::Tokens,
    state::{HasCorpus, HasMaxSize, HasRand},
};
use libafl_bolts::rands::{Rand, StdRand};
use waypoint_runtime::harness;

use self::{
    mask::Mask,
    mutate::{Draft, Stock},
    target::Target,
};
use super::{
    super::{
        assembly::{Input, State},
        energy::Rate,
        keep::Keeper,
        parts::Parts,
    },
    Technique,
};
use crate::{
    origin::{Op, Origin},
    plan::Rare,
    shared::Shared,
};

/// So many mutants are made with a mask before it is asked whether its target is still rare, and as many more whenever one
/// of them is kept.
const MUTANTS: u32 = 512;
/// So many are made with the mask of a seed, and no more, where nobody asked for masks.
const OF_A_SEED: u32 = 2048;
/// So many runs may be spent on finding masks before they have to pay.
const PROBES_AT_FIRST: u64 = 2048;
/// Inputs longer than this are trimmed first, to what holds the target, within so many runs.
const SHORT: usize = 64;
const TRIMMINGS: usize = 96;
/// So many masks are remembered.
const MOST_KNOWN: usize = 4096;
/// The cutoff of what is rare is found again after so many entries.
const CUTOFF_LASTS: u32 = 16;

/// What an entry is changed towards.
#[derive(Debug)]
struct Aim {
    target: Target,
    found: Rc<Found>,
    /// So many mutants may still be made.
    left: u32,
}

/// What was found out about an entry and a target.
#[derive(Debug)]
struct Found {
    /// The entry, or what is left of it after trimming.
    base: Vec<u8>,
    mask: Mask,
}

/// The entry and the domain in whose turn it was chosen.
type Place = (usize, usize);

/// How the last mutant was made.
#[derive(Debug, Clone, Copy)]
struct Made {
    masked: bool,
    afl_stack: bool,
}

/// Masked mutations.
#[derive(Debug)]
pub struct Masked {
    rare: Rare,
    shared: Shared,
    aims: HashMap<Place, Aim>,
    /// How often each target was aimed at from an entry.
    done: HashMap<(usize, Target), u32>,
    /// What was found out then: the entry, or what is left of it after trimming, and its mask.
    known: HashMap<(usize, Target), Rc<Found>>,
    /// Entries in which nothing rare was found, and how often they must have been chosen to be looked at again.
    nothing_until: HashMap<Place, u32>,
    /// Seeds that had their one mask.
    seeds_done: HashSet<usize>,
    current: Place,
    /// So many more mutants of the current entry than usual are worth making: its mask was found just now.
    wants: usize,
    made: Made,
    cutoff: u32,
    cutoff_left: u32,
}

impl Masked {
    /// Nothing is aimed at yet.
    pub fn new(rare: Rare, shared: Shared) -> Self {
        Self {
            rare,
            shared,
            aims: HashMap::new(),
            done: HashMap::new(),
            known: HashMap::new(),
            nothing_until: HashMap::new(),
            seeds_done: HashSet::new(),
            current: (0, 0),
            wants: 0,
            made: Made { masked: true, afl_stack: false },
            cutoff: 0,
            cutoff_left: 0,
        }
    }

    /// Finds a run of late.
    fn rate(&self, ops: &[Op]) -> f64 {
        Rate::of(self.shared.control, ops).value()
    }

    fn runs(&self, op: Op) -> u64 {
        self.shared.control.op(op).all().0
    }

    /// Whether masks and what they cost have found as much a run as other mutations of late, or are still to be tried.
    fn pays(&self) -> bool {
        self.runs(Op::Mask) < PROBES_AT_FIRST || self.rate(&[Op::Masked, Op::Mask]) >= self.rate(&[Op::Havoc])
    }

    /// Whether runs may be spent on finding masks: while these find something themselves, or are few beside the mutants.
    fn may_probe(&self) -> bool {
        let few = self.runs(Op::Mask) <= PROBES_AT_FIRST + self.runs(Op::Masked) / 2;
        few || self.rate(&[Op::Mask]) >= self.rate(&[Op::Havoc])
    }

    /// Whether masks are looked for in this entry: unless somebody asked for them, once in each seed that is a text. What a
    /// program compares there are words and signs, and what keeps them together is told by no comparison; numbers and
    /// checksums of other formats are answered.
    fn is_meant(&mut self, parts: &Parts<'_>, entry: CorpusId) -> Result<bool, Error> {
        if self.rare != Rare::Seeds {
            return Ok(true);
        }
        let is_new = parts.fuzzer.scheduler().is_seed(entry) && self.seeds_done.insert(entry.0);
        Ok(is_new && is_text(parts.input_of(entry)?.mutator_bytes()))
    }

    fn cutoff(&mut self, parts: &Parts<'_>) -> u32 {
        if self.cutoff_left == 0 {
            self.cutoff_left = CUTOFF_LASTS;
            self.cutoff = parts.executor.maps().counters.fewest_hits().map_or(0, target::cutoff);
        }
        self.cutoff_left -= 1;
        self.cutoff
    }

    /// Chooses what to aim at from this entry, whose run is the last: its rarest branch, which has to be rare unless masks
    /// pay anyway; or a key that it holds.
    fn choose(&mut self, parts: &mut Parts<'_>, (entry, domain): Place) -> Option<Target> {
        let cutoff = if self.pays() { u32::MAX - 1 } else { self.cutoff(parts) };
        let times = |target| self.done.get(&(entry, target)).copied().unwrap_or(0);
        let maps = parts.executor.maps();
        let targets = match domain {
            0 => target::rarest(maps, cutoff, times),
            _ => target::held(maps, domain, entry, times),
        };
        let target = targets.get(parts.state.rand_mut().below_or_zero(targets.len())).copied()?;
        *self.done.entry((entry, target)).or_default() += 1;
        Some(target)
    }

    /// Finds something to aim at and the mask for it, by runs; `None` if there is nothing.
    fn aim(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, place: Place) -> Result<Option<Aim>, Error> {
        let entry = CorpusId(place.0);
        let origin = Origin { parent: parts.number_of(entry), op: Op::Mask, rep: 1 };
        let input = parts.input_of(entry)?;
        keeper.consider(parts, &input, origin)?;
        let Some(target) = self.choose(parts, place) else { return Ok(None) };
        let found = match self.known.get(&(place.0, target)) {
            Some(found) => Rc::clone(found),
            None => self.find(parts, keeper, input.mutator_bytes(), target, origin)?,
        };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert((place.0, target), Rc::clone(&found));
        let left = if self.rare == Rare::Seeds { OF_A_SEED } else { MUTANTS };
        Ok(found.mask.allows_anything().then_some(Aim { target, found, left }))
    }

    /// Trims an entry to what holds the target, and finds the mask.
    fn find(
        &self,
        parts: &mut Parts<'_>,
        keeper: &Keeper,
        bytes: &[u8],
        target: Target,
        origin: Origin,
    ) -> Result<Rc<Found>, Error> {
        let mut rand = StdRand::with_seed(parts.state.rand_mut().next());
        let max_len = parts.state.max_size();
        let mut holds = |tried: &[u8]| {
            keeper.check_end(parts.state)?;
            keeper.consider(parts, &Input::from(tried.to_vec()), origin)?;
            Ok::<_, Error>(target.holds(parts.executor.maps()))
        };
        let base = match bytes.len() > SHORT {
            true => probe::trim(bytes, TRIMMINGS, &mut holds)?,
            false => bytes.to_vec(),
        };
        let (mask, kept) = probe::mask(&base, max_len, &mut rand, holds)?;
        let numbers = &self.shared.control.rare;
        numbers.masks.fetch_add(1, Relaxed);
        if kept == 0 {
            numbers.dropped.fetch_add(1, Relaxed);
            target.give_up(parts.executor.maps());
        }
        Ok(Rc::new(Found { base, mask }))
    }
}

/// Whether somebody may have typed this.
fn is_text(bytes: &[u8]) -> bool {
    let is_typed = |letter: char| !letter.is_control() || letter.is_ascii_whitespace();
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_typed))
}

impl Technique for Masked {
    fn ops(&self) -> &[Op] {
        match self.rare {
            // Finding masks has to pay too where nobody asked for them.
            Rare::Seeds => &[Op::Masked, Op::Mask],
            _ => &[Op::Masked],
        }
    }

    fn wants(&self) -> usize {
        self.wants
    }

    fn saves_its_share(&self) -> bool {
        // Seeds are few.
        self.rare != Rare::Seeds
    }

    fn begin(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, entry: CorpusId) -> Result<bool, Error> {
        if harness::hooks().custom_mutator.is_some() {
            // Only the harness knows what its inputs may look like.
            return Ok(false);
        }
        let scheduler = parts.fuzzer.scheduler();
        let (picks, place) = (scheduler.picks(entry), (entry.0, scheduler.turn_of()));
        self.current = place;
        self.wants = 0;
        if self.aims.get(&place).is_some_and(|aim| aim.left > 0) {
            return Ok(true);
        }
        self.aims.remove(&place);
        let looked_at = self.nothing_until.get(&place).is_some_and(|until| picks < *until);
        if looked_at || !self.may_probe() || !self.is_meant(parts, entry)? {
            return Ok(false);
        }
        let before = self.runs(Op::Mask);
        match self.aim(parts, keeper, place)? {
            Some(aim) => {
                // What it cost is spread over as many mutants again.
                self.wants = (2 * (self.runs(Op::Mask) - before)) as usize;
                self.aims.insert(place, aim);
                Ok(true)
            }
            None => {
                self.nothing_until.insert(place, picks.saturating_mul(2).max(4));
                Ok(false)
            }
        }
    }

    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error> {
        let mut rand = StdRand::with_seed(state.rand_mut().next());
        let Some(aim) = self.aims.get_mut(&self.current) else { return Ok(None) };
        aim.left = aim.left.saturating_sub(1);
        let measures = self.rare == Rare::Shadow;
        self.made = Made {
            masked: !measures || rand.below_or_zero(2) == 0,
            afl_stack: measures && rand.below_or_zero(2) == 0,
        };
        // Ours: one to eight mutations; AFL's: 2 to 128.
        let rep = 1u16 << if self.made.afl_stack { 1 + rand.below_or_zero(7) } else { rand.below_or_zero(4) };
        let mut mask =
            if self.made.masked { aim.found.mask.clone() } else { Mask::open(aim.found.base.len()) };
        let bytes = input.as_mut();
        bytes.clear();
        bytes.extend_from_slice(&aim.found.base);
        let other = CorpusId(rand.below_or_zero(state.corpus().count()));
        let other = state.corpus().get(other)?.borrow();
        let stock = Stock {
            tokens: state.metadata::<Tokens>().map_or(&[], |tokens| tokens.tokens()),
            other: other.input().as_ref().map_or(&[], |input| input.mutator_bytes()),
        };
        let mut draft = Draft { bytes, mask: &mut mask, max_len: state.max_size() };
        let mut changed = false;
        for _ in 0..rep {
            changed |= draft.mutate(stock, &mut rand);
        }
        let op = if self.made.masked { Op::Masked } else { Op::Havoc };
        Ok(changed.then_some((op, rep)))
    }

    fn ran(&mut self, parts: &Parts<'_>) {
        if let Some(aim) = self.aims.get(&self.current) {
            let Made { masked, afl_stack } = self.made;
            let hit = aim.target.holds(parts.executor.maps());
            self.shared.control.rare.of(masked, afl_stack).count(hit);
        }
    }

    fn kept(&mut self, _: &mut Parts<'_>, _: CorpusId) -> Result<(), Error> {
        if let Some(aim) = self.aims.get_mut(&self.current).filter(|_| self.rare.is_asked_for()) {
            aim.left += MUTANTS;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_can_be_typed() {
        assert!(is_text(b"var x = 1;\n\tf(x)") && is_text("<p>\u{e9}</p>".as_bytes()) && is_text(b""));
        assert!(!is_text(b"\x89PNG\r\n") && !is_text(b"a\0b"));
    }
}
