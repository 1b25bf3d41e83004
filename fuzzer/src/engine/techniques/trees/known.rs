//! What is known of the structure of every entry: packed in memory, beside the queue on disk, or still to be parsed.
use std::rc::Rc;

use anyhow::Result;
use waypoint_grammar::{
    mutate::{Mutator, Subject},
    rng::Rng,
    solve::solver::Solver,
    tree::Tree,
};

use crate::{
    shared::{Shared, StructureNumbers},
    structure::{Language, language::Fit, sidecar::Sidecars},
};

/// Nodes of all trees that are held ready; when there are more, all are made ready anew.
const MOST_READY: u64 = 1 << 20;

/// A tree that is ready to be mutated.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The tree, or one near it that satisfies the constraints, and where in it operators apply.
    pub subject: Rc<Subject>,
}

/// Packed trees by the entry's place in the corpus.
#[derive(Debug)]
pub struct Known {
    language: &'static Language,
    shared: Shared,
    sidecars: Option<Sidecars>,
    /// Nothing where it is not known yet, an empty one where there is no tree.
    packed: Vec<Option<Box<[u8]>>>,
    /// The entries that have a tree.
    fitting: Vec<usize>,
    /// Of all entries before this one it is known.
    next: usize,
    /// Those that had their turn lately.
    ready: Vec<Option<Ready>>,
    /// Nodes that these have.
    ready_nodes: u64,
}

impl Known {
    /// Nothing is known yet.
    pub fn new(language: &'static Language, shared: Shared, sidecars: Option<Sidecars>) -> Self {
        Self {
            language,
            shared,
            sidecars,
            packed: Vec::new(),
            fitting: Vec::new(),
            next: 0,
            ready: Vec::new(),
            ready_nodes: 0,
        }
    }

    /// The tree of an entry, if it has one, ready to be mutated.
    pub fn ready(
        &mut self,
        solver: &mut Solver<'_>,
        mutator: &Mutator,
        entry: usize,
        number: u32,
        input: &[u8],
    ) -> Result<Option<Ready>> {
        if let Some(Some(ready)) = self.ready.get(entry) {
            return Ok(Some(ready.clone()));
        }
        let mut tree = Tree::default();
        if !self.tree(solver, entry, number, input, &mut tree)? {
            return Ok(None);
        }
        Ok(Some(self.make_ready(solver, mutator, entry, tree)))
    }

    /// Makes the tree of an entry ready to be mutated.
    pub fn make_ready(
        &mut self,
        solver: &mut Solver<'_>,
        mutator: &Mutator,
        entry: usize,
        tree: Tree,
    ) -> Ready {
        solver.tree = tree;
        let mut is_valid = (0..self.language.spec.constraints.len()).all(|index| solver.holds(index));
        if !is_valid {
            // Once for all its mutants, which would have to be repaired one by one.
            let broken = solver.tree.clone();
            is_valid = solver.satisfy();
            if !is_valid {
                solver.tree = broken;
            }
        }
        let tree = std::mem::take(&mut solver.tree);
        let nodes = u64::from(tree.len());
        let mut subject = mutator.subject(&self.language.spec.grammar, tree);
        subject.is_valid = is_valid;
        if is_valid {
            solver.look(&mut subject);
        }
        let subject = Rc::new(subject);
        let ready = Ready { subject };
        if self.ready_nodes + nodes > MOST_READY {
            self.ready.clear();
            self.ready_nodes = 0;
        }
        if self.ready.len() <= entry {
            self.ready.resize(entry + 1, None);
        }
        self.ready[entry] = Some(ready.clone());
        self.ready_nodes += nodes;
        ready
    }

    /// Makes `tree` that of an entry; whether it has one.
    pub fn tree(
        &mut self,
        solver: &mut Solver<'_>,
        entry: usize,
        number: u32,
        input: &[u8],
        tree: &mut Tree,
    ) -> Result<bool> {
        match self.packed.get(entry) {
            Some(Some(packed)) if packed.is_empty() => return Ok(false),
            Some(Some(packed)) => {
                if let Some(restored) = restore(self.language, packed, input) {
                    *tree = restored;
                    return Ok(true);
                }
            }
            _ => {}
        }
        let beside = self.sidecars.as_ref().and_then(|sidecars| sidecars.read(number, input));
        if let Some(packed) = beside.map(<[u8]>::to_vec) {
            let restored = restore(self.language, &packed, input);
            if restored.is_some() || packed.is_empty() {
                self.remember(entry, packed, Fit::Misfit);
                return Ok(restored.map(|restored| *tree = restored).is_some());
            }
        }
        match self.language.parse(solver, input) {
            Fit::Tree => {
                tree.clone_from(&solver.tree);
                self.keep(entry, number, input, tree)?;
                Ok(true)
            }
            fit @ (Fit::Misfit | Fit::Costly) => {
                self.write(number, input, &[])?;
                self.remember(entry, Vec::new(), fit);
                Ok(false)
            }
        }
    }

    /// The first entry of which nothing is known; it may be one that is still to come.
    pub fn unknown(&mut self) -> usize {
        while self.packed.get(self.next).is_some_and(Option::is_some) {
            self.next += 1;
        }
        self.next
    }

    /// Some entry with a tree, rather one of the newer ones.
    pub fn any(&self, rng: &mut Rng) -> Option<usize> {
        let count = self.fitting.len() as u32;
        let place = rng.below(count).max(rng.below(count));
        self.fitting.get(place as usize).copied()
    }

    /// Whether nobody has tried yet to make an entry smaller.
    pub fn is_fresh(&self, entry: usize) -> bool {
        self.shared.parsed.get(entry) == 1
    }

    /// Somebody has from now on.
    pub fn was_tried(&self, entry: usize) {
        self.shared.parsed.add(entry);
    }

    /// An entry has this tree.
    pub fn keep(&mut self, entry: usize, number: u32, input: &[u8], tree: &Tree) -> Result<()> {
        let mut packed = Vec::new();
        tree.store(&self.language.spec.grammar, &mut packed);
        if packed.is_empty() {
            // A language of one word has no choices to keep, nor to change.
            packed.push(0);
        }
        self.write(number, input, &packed)?;
        self.remember(entry, packed, Fit::Tree);
        Ok(())
    }

    fn write(&mut self, number: u32, input: &[u8], packed: &[u8]) -> Result<()> {
        self.sidecars.as_mut().map_or(Ok(()), |sidecars| sidecars.write(number, input, packed))
    }

    /// Takes note of the tree of an entry; if it is empty, `fit` says why.
    fn remember(&mut self, entry: usize, packed: Vec<u8>, fit: Fit) {
        if self.shared.parsed.get(entry) == 0 {
            self.shared.parsed.add(entry);
            let numbers = &self.shared.control.structure;
            StructureNumbers::count(match fit {
                _ if !packed.is_empty() => &numbers.entries,
                Fit::Costly => &numbers.costly,
                Fit::Tree | Fit::Misfit => &numbers.unparsed,
            });
        }
        if !packed.is_empty() && self.packed.get(entry).is_none_or(Option::is_none) {
            self.fitting.push(entry);
        }
        if self.packed.len() <= entry {
            self.packed.resize(entry + 1, None);
        }
        self.packed[entry] = Some(packed.into());
    }
}

/// The packed tree, if it is one of this grammar and of this input.
fn restore(language: &Language, packed: &[u8], input: &[u8]) -> Option<Tree> {
    let grammar = &language.spec.grammar;
    let (tree, _) = Tree::restore(grammar, grammar.start, packed)?;
    let mut bytes = Vec::with_capacity(input.len());
    tree.serialise(grammar, 0, &mut bytes);
    (bytes == input).then_some(tree)
}
