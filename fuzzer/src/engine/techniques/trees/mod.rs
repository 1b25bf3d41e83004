//! Mutations of an entry's tree that stay in the language of the grammar, constraints included.
mod donors;
mod known;
mod trim;

use std::sync::atomic::Ordering::Relaxed;

use libafl::{Error, corpus::CorpusId, inputs::HasMutatorBytes, state::HasMaxSize};
use waypoint_grammar::{
    mutate::{Material, Mutator, OPERATORS},
    outside::Outside,
    solve::solver::Solver,
    tree::Tree,
};

use self::{donors::Donors, known::Known};
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
    shared::{Shared, StructureNumbers},
    structure::{Language, sidecar::Sidecars},
};

/// About how many nodes a new part has at most.
const SIZE: u32 = 40;
/// Operators that are tried before nothing comes of an attempt.
const TRIES: u32 = 4;
/// Up to so many changes are stacked.
const MOST_CHANGES: u32 = 4;

/// Changes trees.
pub struct Trees {
    language: &'static Language,
    shared: Shared,
    solver: Solver<'static>,
    mutator: Mutator,
    outside: Option<Outside<'static>>,
    known: Known,
    donors: Donors,
    /// The entry whose tree is mutated.
    parent: CorpusId,
    /// Its tree.
    tree: Tree,
    scratch: Tree,
    ops: Vec<Op>,
    /// How often each operator is chosen, by what it found.
    shares: Shares,
    /// Whether the solver's tree is that of what was made last.
    is_of_last: bool,
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
        let ops: Vec<Op> = (0..OPERATORS.len()).map(|place| Op::Tree(place as u8)).collect();
        let sidecars = plan.layout.dir().map(|dir| Sidecars::open(dir, language)).transpose()?;
        Ok(Self {
            language,
            shared,
            solver,
            mutator: Mutator::new(&language.spec.grammar),
            outside: Outside::new(&language.spec.settings, &language.spec.grammar),
            known: Known::new(language, shared, sidecars),
            donors: Donors::default(),
            parent: CorpusId(0),
            tree: Tree::default(),
            scratch: Tree::default(),
            shares: Shares::of(shared.control, ops.chunks(1)),
            ops,
            is_of_last: false,
        })
    }

    /// Makes the tree that of an entry; whether it has one.
    fn load(&mut self, parts: &Parts<'_>, entry: CorpusId) -> Result<bool, Error> {
        let input = parts.input_of(entry)?;
        let number = parts.number_of(entry);
        let known = self.known.tree(&mut self.solver, entry.0, number, input.mutator_bytes(), &mut self.tree);
        known.map_err(|error| Error::unknown(format!("{error:#}")))
    }

    /// Makes the solver's tree a changed copy of the entry's; the last operator and how many there were.
    fn change(&mut self) -> Option<(usize, u16)> {
        let grammar = &self.language.spec.grammar;
        let Solver { rng, program, tree, .. } = &mut self.solver;
        // Small parts cost less, and show as much.
        let size = SIZE >> rng.below(4);
        let material = Material { grammar, donors: self.donors.trees(), size };
        let wanted = if rng.one_in(3) { 2 + rng.below(MOST_CHANGES - 1) } else { 1 };
        let (mut done, mut last) = (0, 0);
        for _ in 0..wanted {
            for _ in 0..TRIES {
                let place = self.shares.at(rng.unit());
                let from = if done == 0 { &self.tree } else { &self.scratch };
                let applied = self.mutator.apply(OPERATORS[place], material, from, rng, program, tree);
                if matches!(applied, Ok(true)) {
                    (done, last) = (done + 1, place);
                    if done < wanted {
                        std::mem::swap(&mut self.scratch, tree);
                    }
                    break;
                }
            }
        }
        if done == 0 {
            return None;
        }
        // The last attempts may have come to nothing.
        if done < wanted {
            std::mem::swap(&mut self.scratch, tree);
        }
        Some((last, done as u16))
    }

    /// Writes the solver's tree out; whether just as it is.
    fn render(&mut self, out: &mut Vec<u8>) -> bool {
        let grammar = &self.language.spec.grammar;
        out.clear();
        let Solver { rng, program, tree, .. } = &mut self.solver;
        let Some(outside) = &mut self.outside else {
            tree.serialise(grammar, 0, out);
            return true;
        };
        if outside.write(grammar, tree, rng, program, out).is_err() {
            out.clear();
        }
        let mut plain = Vec::new();
        tree.serialise(grammar, 0, &mut plain);
        plain == *out
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
        self.donors.offer(&self.tree, &mut self.solver.rng);
        self.shares = Shares::of(self.shared.control, self.ops.chunks(1));
        Ok(true)
    }

    fn parent(&self) -> Option<CorpusId> {
        Some(self.parent)
    }

    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error> {
        let Some((place, changes)) = self.change() else { return Ok(None) };
        let numbers = &self.shared.control.structure;
        StructureNumbers::count(&numbers.made);
        let invalid = self.language.invalid > 0.0 && self.solver.rng.unit() < self.language.invalid;
        if !invalid && !self.solver.satisfy() {
            StructureNumbers::count(&numbers.dropped);
            return Ok(None);
        }
        if self.solver.tree.text() == self.tree.text() && self.outside.is_none() {
            return Ok(None);
        }
        self.is_of_last = self.render(input.as_mut());
        let made = input.mutator_bytes().len() <= state.max_size();
        Ok(made.then_some((self.ops[place], changes)))
    }

    fn kept(&mut self, parts: &mut Parts<'_>, entry: CorpusId) -> Result<(), Error> {
        if !self.is_of_last {
            return Ok(());
        }
        let input = parts.input_of(entry)?;
        let number = parts.number_of(entry);
        self.donors.offer(&self.solver.tree, &mut self.solver.rng);
        let keep = self.known.keep(entry.0, number, input.mutator_bytes(), &self.solver.tree);
        keep.map_err(|error| Error::unknown(format!("{error:#}")))
    }
}
