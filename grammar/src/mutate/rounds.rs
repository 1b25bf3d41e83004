//! Mutations of repetitions and permutations: rounds more often, gone, or in another order.
use super::{Mutator, pick};
use crate::ir::{Bound, Grammar, Node};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

impl Mutator {
    pub(super) fn duplicate(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        rng: &mut Rng,
        out: &mut Tree,
    ) -> bool {
        let room = |at: Index| match fixed_bounds(grammar, tree, at) {
            Some((_, max)) if tree.node(at).alt > 0 => max - tree.node(at).alt,
            _ => 0,
        };
        let Some(at) = pick(tree, &mut self.spots, rng, |at| room(at) > 0) else { return false };
        // Usually one more, now and then many.
        let most = if rng.one_in(8) { 32 } else { 2 };
        let copies = 1 + rng.below(room(at).min(most));
        self.split(grammar, tree, at);
        let twice = rng.below(self.rounds.len() as u32) as usize;
        let place = rng.below(self.rounds.len() as u32 + 1) as usize;
        let round = self.rounds[twice];
        self.rounds.splice(place..place, std::iter::repeat_n(round, copies as usize));
        self.join(tree, at, out);
        true
    }

    pub(super) fn drop_round(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        rng: &mut Rng,
        out: &mut Tree,
    ) -> bool {
        let spare = |at: Index| fixed_bounds(grammar, tree, at).map_or(0, |(min, _)| tree.node(at).alt - min);
        let Some(at) = pick(tree, &mut self.spots, rng, |at| spare(at) > 0) else { return false };
        self.split(grammar, tree, at);
        let most = if rng.one_in(8) { spare(at) } else { 1 };
        for _ in 0..=rng.below(most) {
            let gone = rng.below(self.rounds.len() as u32) as usize;
            self.rounds.remove(gone);
        }
        self.join(tree, at, out);
        true
    }

    pub(super) fn reorder(&mut self, grammar: &Grammar, tree: &Tree, rng: &mut Rng, out: &mut Tree) -> bool {
        let several = |at: Index| match tree.node(at).kind() {
            Kind::Control(node) => match grammar.node(node) {
                Node::Repeat { body, .. } => tree.node(at).alt > 1 && grammar.width(*body) > 0,
                Node::Permutation(items) => items.len() > 1,
                _ => false,
            },
            _ => false,
        };
        let Some(at) = pick(tree, &mut self.spots, rng, several) else { return false };
        self.split(grammar, tree, at);
        let count = self.rounds.len() as u32;
        let (one, step) = (rng.below(count), 1 + rng.below(count - 1));
        self.rounds.swap(one as usize, ((one + step) % count) as usize);
        self.join(tree, at, out);
        true
    }

    /// Finds the rounds of the repetition, or the items of the permutation, at `at`.
    fn split(&mut self, grammar: &Grammar, tree: &Tree, at: Index) {
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
    fn join(&mut self, tree: &Tree, at: Index, out: &mut Tree) {
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
fn fixed_bounds(grammar: &Grammar, tree: &Tree, at: Index) -> Option<(u32, u32)> {
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
