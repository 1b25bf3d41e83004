//! Changes of a tree that leave it a tree of its grammar.
//!
//! Repetitions with a computed bound keep their count; fields that are computed from others are the solver's to put
//! right afterwards.
use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

mod rounds;
mod varies;

use varies::Varies;

/// One way to change a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// A subtree is derived anew.
    Regrow,
    /// A subtree gives way to one of the same symbol from another tree, or from elsewhere in this one.
    Splice,
    /// A choice is made differently.
    Switch,
    /// A round of a repetition stands several times.
    Duplicate,
    /// A round of a repetition is gone.
    Drop,
    /// Rounds of a repetition, or items of a permutation, change places.
    Reorder,
    /// A subtree gives way to one of the same symbol inside it.
    Hoist,
    /// A subtree of a symbol is put into itself, once or several times.
    Nest,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Regrow,
        Self::Splice,
        Self::Switch,
        Self::Duplicate,
        Self::Drop,
        Self::Reorder,
        Self::Hoist,
        Self::Nest,
    ];
}

/// What a mutation works with besides its tree.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The grammar of all trees.
    pub grammar: &'a Grammar,
    /// Trees from which subtrees may be taken.
    pub donors: &'a [Tree],
    /// About how many nodes a new subtree may have.
    pub size: u32,
}

/// Changes trees; keeps its buffers between them.
#[derive(Debug)]
pub struct Mutator {
    generator: Generator,
    varies: Varies,
    within: Vec<Index>,
    /// Places in a tree that would do.
    spots: Vec<Index>,
    /// Where the rounds of a repetition, or the items of a permutation, start and end.
    rounds: Vec<(Index, Index)>,
    scratch: Tree,
}

impl Mutator {
    /// Prepares tables for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        Self {
            generator: Generator::new(grammar),
            varies: Varies::new(grammar),
            within: Vec::new(),
            spots: Vec::new(),
            rounds: Vec::new(),
            scratch: Tree::default(),
        }
    }

    /// Makes `out` a changed copy of `tree` and says how it was changed; none if the grammar has only this word.
    pub fn mutate(
        &mut self,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<Option<Mutation>, Failure> {
        // The first that applies, from any on.
        let start = rng.below(Mutation::ALL.len() as u32) as usize;
        for offset in 0..Mutation::ALL.len() {
            let mutation = Mutation::ALL[(start + offset) % Mutation::ALL.len()];
            if self.apply(mutation, material, tree, rng, host, out)? {
                return Ok(Some(mutation));
            }
        }
        Ok(None)
    }

    /// Makes `out` a copy of `tree` changed by `mutation`; false if that applies nowhere in it.
    pub fn apply(
        &mut self,
        mutation: Mutation,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<bool, Failure> {
        let grammar = material.grammar;
        match mutation {
            Mutation::Regrow => self.regrow(material, tree, rng, host, out),
            Mutation::Splice => Ok(self.splice(material, tree, rng, out)),
            Mutation::Switch => self.switch(material, tree, rng, host, out),
            Mutation::Duplicate => Ok(self.duplicate(grammar, tree, rng, out)),
            Mutation::Drop => Ok(self.drop_round(grammar, tree, rng, out)),
            Mutation::Reorder => Ok(self.reorder(grammar, tree, rng, out)),
            Mutation::Hoist => Ok(self.hoist(tree, rng, out)),
            Mutation::Nest => Ok(self.nest(tree, rng, out)),
        }
    }

    fn regrow(
        &mut self,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<bool, Failure> {
        let Self { varies, .. } = self;
        let Some(at) = pick(tree, &mut self.spots, rng, |at| varies.has(tree.node(at).kind())) else {
            return Ok(false);
        };
        self.generator.regrow(material.grammar, tree, at, material.size, rng, host, out)?;
        Ok(true)
    }

    fn splice(&mut self, material: Material<'_>, tree: &Tree, rng: &mut Rng, out: &mut Tree) -> bool {
        let Self { varies, .. } = self;
        let is_symbol = |at: Index| matches!(tree.node(at).kind(), Kind::Symbol(_));
        for _ in 0..4 {
            let fits = |at: Index| is_symbol(at) && varies.has(tree.node(at).kind());
            let Some(at) = pick(tree, &mut self.spots, rng, fits) else { return false };
            let from = rng.below(material.donors.len() as u32 + 1) as usize;
            let donor = material.donors.get(from).unwrap_or(tree);
            let kind = tree.node(at).kind();
            let Some(found) = pick(donor, &mut self.spots, rng, |at| donor.node(at).kind() == kind) else {
                continue;
            };
            if donor.text_of(found) == tree.text_of(at) {
                continue;
            }
            self.put(tree, at, out, |out| out.append(donor, found));
            return true;
        }
        false
    }

    fn switch(
        &mut self,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<bool, Failure> {
        let grammar = material.grammar;
        let branches = |at: Index| choice_of(grammar, tree.node(at).kind()).unwrap_or(&[]);
        let Some(at) = pick(tree, &mut self.spots, rng, |at| branches(at).len() > 1) else {
            return Ok(false);
        };
        let (node, list) = (tree.node(at), branches(at));
        let number = (node.alt + 1 + rng.below(list.len() as u32 - 1)) % list.len() as u32;
        self.generator.regrow_as(
            grammar,
            tree,
            at,
            (number, list[number as usize]),
            material.size,
            rng,
            host,
            out,
        )?;
        Ok(true)
    }

    fn hoist(&mut self, tree: &Tree, rng: &mut Rng, out: &mut Tree) -> bool {
        let Some((at, inner)) = self.nested(tree, rng) else { return false };
        self.put(tree, at, out, |out| out.append(tree, inner));
        true
    }

    fn nest(&mut self, tree: &Tree, rng: &mut Rng, out: &mut Tree) -> bool {
        let Some((at, inner)) = self.nested(tree, rng) else { return false };
        let mut grown = std::mem::take(&mut self.scratch);
        grown.clear();
        grown.append(tree, at);
        let (place, mut deepest) = (inner - at, 0);
        // Usually once, now and then several times, but not beyond reason.
        for _ in 0..if rng.one_in(8) { 8 } else { 1 } {
            deepest += place;
            if grown.len() > 1 << 16 {
                break;
            }
            grown.replace(deepest, tree, at);
        }
        self.put(tree, at, out, |out| out.append(&grown, 0));
        self.scratch = grown;
        true
    }

    /// A symbol's node with a node of the same symbol inside it.
    fn nested(&mut self, tree: &Tree, rng: &mut Rng) -> Option<(Index, Index)> {
        for _ in 0..8 {
            let at = rng.below(tree.len());
            let kind = tree.node(at).kind();
            if !matches!(kind, Kind::Symbol(_)) {
                continue;
            }
            self.spots.clear();
            self.spots.extend((at + 1..tree.end(at)).filter(|inner| tree.node(*inner).kind() == kind));
            if !self.spots.is_empty() {
                return Some((at, self.spots[rng.below(self.spots.len() as u32) as usize]));
            }
        }
        None
    }

    /// Makes `out` the tree with the subtree at `at` replaced by what `build` appends.
    fn put(&mut self, tree: &Tree, at: Index, out: &mut Tree, build: impl FnOnce(&mut Tree)) {
        let done: Result<(), std::convert::Infallible> = tree.rebuild(at, out, &mut self.within, |out, _| {
            build(out);
            Ok(())
        });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }
}

/// The branches that a node of this kind chose from; none if it did not choose.
fn choice_of(grammar: &Grammar, kind: Kind) -> Option<&[NodeId]> {
    let node = match kind {
        // The text of a symbol with a generator is not chosen.
        Kind::Symbol(symbol) if grammar.symbol(symbol).generator.is_none() => grammar.symbol(symbol).rule,
        Kind::Control(node) => node,
        _ => return None,
    };
    match grammar.node(node) {
        Node::Alternative(list) => Some(grammar.list(list)),
        _ => None,
    }
}

/// A random node of `tree` that fits.
fn pick(tree: &Tree, spots: &mut Vec<Index>, rng: &mut Rng, fits: impl Fn(Index) -> bool) -> Option<Index> {
    // Where many fit, a few tries find one; where few do, all are looked at.
    for _ in 0..4 {
        let at = rng.below(tree.len());
        if at < tree.len() && fits(at) {
            return Some(at);
        }
    }
    spots.clear();
    spots.extend((0..tree.len()).filter(|at| fits(*at)));
    spots.get(rng.below(spots.len() as u32) as usize).copied()
}
