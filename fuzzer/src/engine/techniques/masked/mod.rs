//! Mutations that hold on to what is rare: an entry that hits a rarely hit branch is changed only where the branch stays
//! hit (FairFuzz), so that more inputs come behind it. In the turn of another domain it holds on to a key of the entry's.
mod mask;
mod mutate;
mod probe;
mod target;

use std::{
    collections::{HashMap, HashSet},
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
/// Finding masks may cost so many runs for every masked mutant, and at the beginning these many.
const PROBES_FOR_A_MUTANT: u64 = 1;
const PROBES_AT_FIRST: u64 = 2048;
/// Inputs longer than this are trimmed first, to what holds the target, within so many runs.
const SHORT: usize = 64;
const TRIMMINGS: usize = 96;
/// The cutoff of what is rare is found again after so many entries.
const CUTOFF_LASTS: u32 = 16;

/// What an entry is changed towards.
#[derive(Debug)]
struct Aim {
    target: Target,
    /// The entry, or what is left of it after trimming.
    base: Vec<u8>,
    mask: Mask,
    /// So many mutants may still be made.
    left: u32,
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
    /// What has been aimed at, by entry.
    done: HashSet<(usize, Target)>,
    /// Entries in which nothing rare was found, and how often they must have been chosen to be looked at again.
    nothing_until: HashMap<Place, u32>,
    current: Place,
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
            done: HashSet::new(),
            nothing_until: HashMap::new(),
            current: (0, 0),
            made: Made { masked: true, afl_stack: false },
            cutoff: 0,
            cutoff_left: 0,
        }
    }

    /// Whether runs may be spent on finding masks: as long as they are not more than the mutants that came of it.
    fn may_probe(&self) -> bool {
        let runs = |op| self.shared.control.op(op).all().0;
        runs(Op::Mask) <= PROBES_AT_FIRST + PROBES_FOR_A_MUTANT * runs(Op::Masked)
    }

    fn cutoff(&mut self, parts: &Parts<'_>) -> u32 {
        if self.cutoff_left == 0 {
            self.cutoff_left = CUTOFF_LASTS;
            self.cutoff = parts.executor.maps().counters.fewest_hits().map_or(0, target::cutoff);
        }
        self.cutoff_left -= 1;
        self.cutoff
    }

    /// Chooses what to aim at from this entry, whose run is the last.
    fn choose(&mut self, parts: &mut Parts<'_>, (entry, domain): Place) -> Option<Target> {
        let cutoff = self.cutoff(parts);
        let is_done = |target| self.done.contains(&(entry, target));
        let maps = parts.executor.maps();
        let targets = match domain {
            0 => target::rarest(maps, cutoff, is_done),
            _ => target::held(maps, domain, entry, is_done),
        };
        let target = targets.get(parts.state.rand_mut().below_or_zero(targets.len())).copied()?;
        self.done.insert((entry, target));
        Some(target)
    }

    /// Finds something to aim at and the mask for it, by runs; `None` if there is nothing.
    fn aim(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, place: Place) -> Result<Option<Aim>, Error> {
        let entry = CorpusId(place.0);
        let origin = Origin { parent: parts.number_of(entry), op: Op::Mask, rep: 1 };
        let input = parts.input_of(entry)?;
        keeper.consider(parts, &input, origin)?;
        let Some(target) = self.choose(parts, place) else { return Ok(None) };
        let mut rand = StdRand::with_seed(parts.state.rand_mut().next());
        let max_len = parts.state.max_size();
        let mut holds = |tried: &[u8]| {
            keeper.check_end(parts.state)?;
            keeper.consider(parts, &Input::from(tried.to_vec()), origin)?;
            Ok::<_, Error>(target.holds(parts.executor.maps()))
        };
        let bytes = input.mutator_bytes();
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
        Ok(mask.allows_anything().then_some(Aim { target, base, mask, left: MUTANTS }))
    }
}

impl Technique for Masked {
    fn ops(&self) -> &[Op] {
        &[Op::Masked, Op::Mask]
    }

    fn begin(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, entry: CorpusId) -> Result<bool, Error> {
        if harness::hooks().custom_mutator.is_some() {
            // Only the harness knows what its inputs may look like.
            return Ok(false);
        }
        let scheduler = parts.fuzzer.scheduler();
        let (picks, place) = (scheduler.picks(entry), (entry.0, scheduler.turn_of()));
        self.current = place;
        if self.aims.get(&place).is_some_and(|aim| aim.left > 0) {
            return Ok(true);
        }
        self.aims.remove(&place);
        let looked_at = self.nothing_until.get(&place).is_some_and(|until| picks < *until);
        if looked_at || !self.may_probe() {
            return Ok(false);
        }
        match self.aim(parts, keeper, place)? {
            Some(aim) => {
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
        let mut mask = if self.made.masked { aim.mask.clone() } else { Mask::open(aim.base.len()) };
        let bytes = input.as_mut();
        bytes.clear();
        bytes.extend_from_slice(&aim.base);
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
        if let Some(aim) = self.aims.get_mut(&self.current) {
            aim.left += MUTANTS;
        }
        Ok(())
    }
}
