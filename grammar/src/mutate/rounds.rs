//! What several operators need: the rounds of a repetition, and symbols within themselves.
use std::ops::Range;

use super::stock::{Stocked, Want};
use super::subject::{Spot, any};
use super::{Change, Material, Mutator};
use crate::generate::{Failure, Host};
use crate::ir::{Grammar, Node, NodeId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

impl Mutator {
    /// Finds the rounds of the repetition, or the items of the permutation, at `at`.
    pub(super) fn split(&mut self, grammar: &Grammar, tree: &Tree, at: Index) {
        let width = width(grammar, tree, at);
        self.rounds.clear();
        let mut start = at + 1;
        while start < tree.end(at) {
            let mut end = start;
            for _ in 0..width {
                end = tree.end(end);
            }
            self.rounds.push((start, end));
            start = end;
        }
    }

    /// Where the round with this number starts, of the repetition at `at`; the end of that if there is none.
    pub(super) fn round_start(grammar: &Grammar, tree: &Tree, at: Index, number: u32) -> Index {
        let (width, end) = (width(grammar, tree, at), tree.end(at));
        let mut start = at + 1;
        for _ in 0..number * width {
            if start >= end {
                break;
            }
            start = tree.end(start);
        }
        start
    }

    /// The nodes of the round that starts at `start`, of the repetition at `at`.
    pub(super) fn round_at(grammar: &Grammar, tree: &Tree, at: Index, start: Index) -> Range<Index> {
        start..(0..width(grammar, tree, at)).fold(start, |end, _| tree.end(end))
    }

    /// A new round of a repetition with this body.
    pub(super) fn round(
        &mut self,
        material: &Material<'_>,
        body: NodeId,
        size: u32,
        rng: &mut Rng,
        host: &mut dyn Host,
    ) -> Result<Stocked, Failure> {
        let (kind, grammar) = (Kind::Control(body), material.grammar);
        self.stock.draw(&mut self.generator, grammar, kind, Want::Any, size, rng, host)
    }
}

/// How many nodes side by side a round of the node at `at` has.
fn width(grammar: &Grammar, tree: &Tree, at: Index) -> u32 {
    match tree.node(at).kind() {
        Kind::Control(node) => match grammar.node(node) {
            Node::Repeat { body, .. } => grammar.width(*body),
            _ => 1,
        },
        _ => 1,
    }
}

impl Change<'_> {
    /// A random one of these places; none if what was picked is changed already, or is around that.
    #[inline]
    pub(super) fn pick(&mut self, spot: Spot) -> Option<Index> {
        self.subject.pick(spot, self.material.dear, self.rng).filter(|at| self.patch.is_apart(self.tree, *at))
    }

    /// Like [`Change::pick`], but rather a wide one.
    #[inline]
    pub(super) fn pick_wide(&mut self, spot: Spot) -> Option<Index> {
        self.subject
            .pick_wide(spot, self.material.dear, self.rng)
            .filter(|at| self.patch.is_apart(self.tree, *at))
    }

    /// A symbol's node with a node of the same symbol inside it.
    pub(super) fn nested(&mut self) -> Option<(Index, Index)> {
        let at = self.pick(Spot::Outer)?;
        let Kind::Symbol(symbol) = self.tree.node(at).kind() else { return None };
        Some((at, any(self.subject.inside(at, symbol), self.rng)?))
    }
}
