//! What the operators on repetitions and permutations share: rounds found and put together again.
use super::Mutator;
use crate::ir::{Bound, Grammar, Node};
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

    /// Makes `out` the tree with other rounds, or items, at `at`.
    pub(super) fn join(&mut self, tree: &Tree, at: Index, out: &mut Tree) {
        let rounds = std::mem::take(&mut self.rounds);
        let node = tree.node(at);
        // A permutation's `alt` is not a count.
        let alt = if node.alt == 0 { 0 } else { rounds.len() as u32 };
        self.put(tree, at, out, |out| {
            let at = out.open(node.kind(), alt);
            rounds.iter().for_each(|(start, end)| out.append_siblings(tree, *start..*end));
            out.close(at);
        });
        self.rounds = rounds;
    }
}

/// The bounds of the repetition at `at` if there is one, both are known, and its rounds make nodes.
pub(super) fn fixed_bounds(grammar: &Grammar, tree: &Tree, at: Index) -> Option<(u32, u32)> {
    let Kind::Control(node) = tree.node(at).kind() else { return None };
    match grammar.node(node) {
        Node::Repeat { body, min: Bound::Const(min), max } if grammar.width(*body) > 0 => match max {
            Bound::Const(max) => Some((*min, *max)),
            Bound::Open => Some((*min, u32::MAX)),
            Bound::Expr(_) => None,
        },
        _ => None,
    }
}
