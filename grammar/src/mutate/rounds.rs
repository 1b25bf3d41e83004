//! What several operators need: the rounds of a repetition, and symbols within themselves.
use super::subject::{Spot, any};
use super::{Change, Mutator};
use crate::ir::{Grammar, Node};
use crate::tree::{Index, Kind, Tree};

impl Mutator {
    /// Finds the rounds of the repetition, or the items of the permutation, at `at`.
    pub(super) fn split(&mut self, grammar: &Grammar, tree: &Tree, at: Index) {
        let width = match tree.node(at).kind() {
            Kind::Control(node) => match grammar.node(node) {
                Node::Repeat { body, .. } => grammar.width(*body),
                _ => 1,
            },
            _ => 1,
        };
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

    /// Where the round with this number starts, of those found in the node at `at`; the end of that node if there is none.
    pub(super) fn round_start(&self, tree: &Tree, at: Index, number: u32) -> Index {
        self.rounds.get(number as usize).map_or(tree.end(at), |(start, _)| *start)
    }
}

impl Change<'_> {
    /// A symbol's node with a node of the same symbol inside it.
    pub(super) fn nested(&mut self) -> Option<(Index, Index)> {
        let at = self.subject.pick(Spot::Outer, self.rng)?;
        let Kind::Symbol(symbol) = self.tree.node(at).kind() else { return None };
        Some((at, any(self.subject.inside(at, symbol), self.rng)?))
    }
}
