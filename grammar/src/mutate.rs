//! Changes of a tree that leave it a tree of its grammar: [`OPERATORS`], each in a file of its own.
//!
//! Repetitions with a computed bound keep their count; fields that are computed from others are the solver's to put
//! right afterwards ([`crate::solve::solver::Solver::variant`]).
use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId};
use crate::parse::Parser;
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

mod cross;
mod drop;
mod duplicate;
mod hoist;
mod insert;
mod minimise;
mod nest;
mod number;
mod reduce;
mod regrow;
mod reorder;
mod resize;
mod rounds;
mod splice;
mod switch;
mod terminal;
mod varies;

use varies::Varies;

/// One way to change a tree.
#[derive(Clone, Copy)]
pub struct Operator {
    /// What it is called, as in the names of inputs it made.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    apply: fn(&mut Mutator, &mut Change<'_>) -> Result<bool, Failure>,
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All of them. To add one: a file with an `OPERATOR`, and its name here.
pub const OPERATORS: [Operator; 14] = [
    regrow::OPERATOR,
    splice::OPERATOR,
    cross::OPERATOR,
    switch::OPERATOR,
    duplicate::OPERATOR,
    insert::OPERATOR,
    drop::OPERATOR,
    reorder::OPERATOR,
    resize::OPERATOR,
    hoist::OPERATOR,
    nest::OPERATOR,
    minimise::OPERATOR,
    terminal::OPERATOR,
    number::OPERATOR,
];

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

/// A change under way.
struct Change<'a> {
    material: Material<'a>,
    tree: &'a Tree,
    rng: &'a mut Rng,
    host: &'a mut dyn Host,
    /// Becomes the changed tree.
    out: &'a mut Tree,
}

/// Changes trees; keeps its buffers between them.
#[derive(Debug)]
pub struct Mutator {
    generator: Generator,
    parser: Parser,
    varies: Varies,
    within: Vec<Index>,
    /// Places in a tree that would do.
    spots: Vec<Index>,
    /// Where the rounds of a repetition, or the items of a permutation, start and end.
    rounds: Vec<(Index, Index)>,
    scratch: Tree,
    text: Vec<u8>,
}

impl Mutator {
    /// Prepares tables for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        Self {
            generator: Generator::new(grammar),
            parser: Parser::new(grammar),
            varies: Varies::new(grammar),
            within: Vec::new(),
            spots: Vec::new(),
            rounds: Vec::new(),
            scratch: Tree::default(),
            text: Vec::new(),
        }
    }

    /// Makes `out` a changed copy of `tree` and says how it was changed; none if the grammar has only this word.
    pub fn mutate(
        &mut self,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut dyn Host,
        out: &mut Tree,
    ) -> Result<Option<Operator>, Failure> {
        // The first that applies, from any on.
        let start = rng.below(OPERATORS.len() as u32) as usize;
        for offset in 0..OPERATORS.len() {
            let operator = OPERATORS[(start + offset) % OPERATORS.len()];
            if self.apply(operator, material, tree, rng, host, out)? {
                return Ok(Some(operator));
            }
        }
        Ok(None)
    }

    /// Makes `out` a copy of `tree` changed by `operator`; false if that applies nowhere in it.
    pub fn apply(
        &mut self,
        operator: Operator,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut dyn Host,
        out: &mut Tree,
    ) -> Result<bool, Failure> {
        (operator.apply)(self, &mut Change { material, tree, rng, host, out })
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

    /// A random node that could look different.
    fn varying(&mut self, change: &mut Change<'_>) -> Option<Index> {
        let (Self { varies, spots, .. }, tree) = (self, change.tree);
        pick_wide(tree, spots, change.rng, |at| varies.has(tree.node(at).kind()))
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

/// A random node of `tree` that fits; as often as not the widest of several, since most nodes are near the leaves.
fn pick_wide(
    tree: &Tree,
    spots: &mut Vec<Index>,
    rng: &mut Rng,
    fits: impl Fn(Index) -> bool,
) -> Option<Index> {
    let mut best = pick(tree, spots, rng, &fits)?;
    if rng.one_in(2) {
        return Some(best);
    }
    for _ in 0..1 + rng.below(7) {
        let at = rng.below(tree.len());
        if tree.node(at).len > tree.node(best).len && fits(at) {
            best = at;
        }
    }
    Some(best)
}
