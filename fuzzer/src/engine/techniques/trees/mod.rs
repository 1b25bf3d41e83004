//! Mutations of an entry's tree that stay in the language of the grammar, constraints included.
mod broken;
mod dear;
mod donors;
mod known;
mod sound;
mod trim;
mod vain;

use std::{rc::Rc, sync::atomic::Ordering::Relaxed};

use libafl::{Error, corpus::CorpusId, inputs::HasMutatorBytes, state::HasMaxSize};
use waypoint_grammar::{
    mutate::{Material, Mutator, OPERATORS},
    outside::Outside,
    solve::solver::Solver,
    tree::{Patch, Tree},
};

use self::{
    dear::Dear,
    donors::Donors,
    known::{Known, Ready},
    vain::Vain,
};
use super::{
    super::{
        assembly::{Input, State},
        energy::Shares,
        keep::Keeper,
        parts::Parts,
    },
    Technique,
};
use crate::{
    origin::Op,
    plan::FuzzPlan,
    shared::Shared,
    structure::{Language, sidecar::Sidecars},
};

/// About how many nodes a new part has at most.
const SIZE: u32 = 32;
/// Operators that are tried before nothing comes of an attempt.
const TRIES: u32 = 4;
/// Up to so many changes are stacked, in one of so many mutants.
const MOST_CHANGES: u32 = 4;
const STACKED: u32 = 5;
/// One in so many of the changes after the first is made inside what was put in before it; the others stand apart.
const FURTHER: u32 = 24;

/// The odds of a change that constraints see where others are possible.
const NEVER: u32 = u32::MAX;

/// After so many entries the shares of operators are worked out again.
const SHARED: u32 = 8;

/// Changes trees.
pub struct Trees {
    language: &'static Language,
    shared: Shared,
    solver: Solver<'static>,
    mutator: Mutator,
    outside: Option<Outside<'static>>,
    known: Known,
    donors: Donors,
    dear: Dear,
    vain: Vain,
    /// The entry whose tree is mutated.
    parent: CorpusId,
    /// Its tree.
    entry: Ready,
    patch: Patch,
    ops: Vec<Op>,
    /// How often each operator is chosen, by what it found.
    shares: Shares,
    /// So often, of those that apply to the entry where no constraint sees it.
    free: Shares,
    /// So often, of those that apply to the entry, once somebody asked.
    anywhere: Option<Shares>,
    /// Entries until the shares are worked out again.
    left: u32,
    /// One in so many mutants is changed where constraints may see it.
    odds: u32,
    /// What there is of what was made last.
    last: Last,
}

/// What there is of the input that was made last.
enum Last {
    /// Changes of a tree.
    Patch,
    /// The solver's tree.
    Tree,
    /// Nothing: it was left as no tree is.
    Nothing,
}

impl std::fmt::Debug for Trees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trees").field("language", &self.language.name).finish_non_exhaustive()
    }
}

impl Trees {
    /// By this grammar.
    pub fn new(language: &'static Language, plan: &FuzzPlan, shared: Shared) -> anyhow::Result<Self> {
        // As everything random, it goes on differently after a worker's death.
        let seed = plan.seed.wrapping_add(shared.control.runs.load(Relaxed));
        let mut solver = Solver::new(&language.spec, seed);
        solver.size = SIZE;
        solver.compute_seldom();
        let mut mutator = Mutator::new(&language.spec.grammar);
        if !language.spec.constraints.is_empty() {
            let mut mender = Solver::new(&language.spec, seed);
            mender.compute_seldom();
            mutator.mend_with(Box::new(mender));
        }
        let ops: Vec<Op> = (0..OPERATORS.len()).map(|place| Op::Tree(place as u8)).collect();
        let sidecars = plan.layout.dir().map(|dir| Sidecars::open(dir, language)).transpose()?;
        Ok(Self {
            language,
            shared,
            solver,
            mutator,
            outside: Outside::new(&language.spec.settings, &language.spec.grammar),
            known: Known::new(language, shared, sidecars),
            donors: Donors::default(),
            dear: Dear::default(),
            vain: Vain::new(shared.control),
            parent: CorpusId(0),
            entry: Ready { subject: Rc::default() },
            patch: Patch::default(),
            shares: Shares::of(shared.control, ops.chunks(1)),
            free: Shares::of(shared.control, ops.chunks(1)),
            anywhere: None,
            left: 0,
            odds: 1,
            ops,
            last: Last::Nothing,
        })
    }

    /// Makes the tree that of an entry; whether it has one.
    fn load(&mut self, parts: &Parts<'_>, entry: CorpusId) -> Result<bool, Error> {
        let input = parts.input_of(entry)?;
        let number = parts.number_of(entry);
        let bytes = input.mutator_bytes();
        let ready = self.known.ready(&mut self.solver, &self.mutator, entry.0, number, bytes);
        let ready = ready.map_err(|error| Error::unknown(format!("{error:#}")))?;
        let has_one = ready.is_some();
        self.entry = ready.unwrap_or_else(|| self.entry.clone());
        Ok(has_one)
    }

    /// Makes the patch one of the entry's tree, anywhere or as far as possible where no constraint sees it; the last operator
    /// and how many there were.
    fn change(&mut self, anywhere: bool) -> Option<(usize, u16)> {
        let Self { mutator, patch, entry, .. } = self;
        let Solver { rng, program, .. } = &mut self.solver;
        patch.clear();
        let (small, stacked) = rng.below_both(4, STACKED);
        // Small parts cost less, and show as much.
        let size = SIZE >> small;
        let material = Material {
            grammar: &self.language.spec.grammar,
            donors: self.donors.trees(),
            size,
            dear: if anywhere { 1 } else { NEVER },
        };
        let shares: &Shares = match anywhere {
            true => self.anywhere.get_or_insert_with(|| {
                self.shares.times(|place| mutator.weight(OPERATORS[place], &entry.subject, 1))
            }),
            false => &self.free,
        };
        let wanted = if stacked == 0 { 2 + rng.below(MOST_CHANGES - 1) } else { 1 };
        let (mut done, mut last) = (0, 0);
        for _ in 0..wanted {
            // In a small tree there may be no room for another.
            for _ in 0..if done == 0 { TRIES } else { 1 } {
                let place = shares.drawn(rng.next());
                let changed = if done > 0 && rng.one_in(FURTHER) {
                    mutator.change_further(OPERATORS[place], material, rng, program, patch)
                } else {
                    mutator.change(OPERATORS[place], material, &entry.subject, rng, program, patch)
                };
                if matches!(changed, Ok(true)) {
                    (done, last) = (done + 1, place);
                    break;
                }
            }
        }
        (done > 0).then_some((last, done))
    }
}

impl Technique for Trees {
    fn ops(&self) -> &[Op] {
        &self.ops
    }

    fn begin(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, entry: CorpusId) -> Result<bool, Error> {
        // Entries that never have their turn may have structure that others lack.
        let unknown = self.known.unknown();
        if unknown < parts.entries() {
            self.load(parts, CorpusId(unknown))?;
        }
        self.parent = entry;
        if self.load(parts, entry)? {
            let input = parts.input_of(entry)?;
            let input = input.mutator_bytes();
            if self.known.is_fresh(entry.0) && trim::pays(self.shared.control, input) {
                // First of all: should a smaller input kill us, the next worker goes on behind this entry.
                self.known.was_tried(entry.0);
                trim::trim(self.language, parts, keeper, entry, input)?;
            }
        } else {
            // It has no tree, so another one's is mutated: what holds most is often what is cheapest and fits nothing.
            let Some(other) = self.known.any(&mut self.solver.rng) else { return Ok(false) };
            self.parent = CorpusId(other);
            if !self.load(parts, self.parent)? {
                return Ok(false);
            }
        }
        self.donors.offer(&self.entry.subject, &mut self.solver.rng);
        if self.left == 0 {
            self.shares = Shares::of(self.shared.control, self.ops.chunks(1));
            self.left = SHARED;
        }
        self.left -= 1;
        let (mutator, subject) = (&self.mutator, &self.entry.subject);
        self.free = self.shares.times(|place| mutator.weight(OPERATORS[place], subject, NEVER));
        self.anywhere = None;
        self.odds = self.dear.odds();
        Ok(true)
    }

    fn parent(&self) -> Option<CorpusId> {
        Some(self.parent)
    }

    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error> {
        let broken = if self.is_to_break() { self.broken(input.as_mut()) } else { None };
        let made = broken.or_else(|| self.sound(input.as_mut()));
        let made = made.filter(|_| input.mutator_bytes().len() <= state.max_size());
        Ok(made.map(|(place, changes)| (self.ops[place], changes)))
    }

    fn kept(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        self.dear.found();
        let mut tree = Tree::default();
        match self.last {
            Last::Patch => self.patch.apply(&self.entry.subject.tree, &mut tree),
            Last::Tree => std::mem::swap(&mut tree, &mut self.solver.tree),
            Last::Nothing => return Ok(()),
        }
        let input = parts.input_of(entry)?;
        let keep = self.known.keep(entry.0, parts.number_of(entry), input.mutator_bytes(), &tree);
        keep.map_err(|error| Error::unknown(format!("{error:#}")))?;
        let ready = self.known.make_ready(&mut self.solver, &self.mutator, entry.0, tree);
        self.donors.offer(&ready.subject, &mut self.solver.rng);
        Ok(())
    }
}
