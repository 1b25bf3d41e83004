//! What leads generation to one branch rather than another: nothing, or k-paths not seen yet.
use crate::coverage::{KPaths, NOTHING};
use crate::generate::choices::Branch;
use crate::ir::{Grammar, Node, NodeId, SymbolId};
use crate::rng::Rng;
use crate::tree::Kind;

/// Follows a derivation downwards and may choose in it.
pub trait Guide {
    /// Whether it must be told where the derivation is.
    const FOLLOWS: bool;

    /// A symbol was opened; returns what [`Guide::leave`] wants back when it is closed.
    fn enter(&mut self, symbol: SymbolId) -> u32;

    /// The symbol was closed.
    fn leave(&mut self, before: u32);

    /// One of `branches` of an alternative of which `list` are the rule nodes, or none to leave it to chance.
    fn branch(
        &mut self,
        grammar: &Grammar,
        list: &[NodeId],
        branches: &[Branch],
        rng: &mut Rng,
    ) -> Option<Branch>;

    /// Whether a repetition should have a round of `body`.
    fn wants(&mut self, grammar: &Grammar, body: NodeId, rng: &mut Rng) -> bool;
}

/// Leaves everything to chance.
pub struct Unguided;

impl Guide for Unguided {
    const FOLLOWS: bool = false;

    #[inline]
    fn enter(&mut self, _: SymbolId) -> u32 {
        0
    }

    #[inline]
    fn leave(&mut self, _: u32) {}

    #[inline]
    fn branch(&mut self, _: &Grammar, _: &[NodeId], _: &[Branch], _: &mut Rng) -> Option<Branch> {
        None
    }

    #[inline]
    fn wants(&mut self, _: &Grammar, _: NodeId, _: &mut Rng) -> bool {
        false
    }
}

/// Prefers what leads to chains of symbols that were not seen yet.
pub struct ToUnseen<'a> {
    paths: &'a mut KPaths,
    state: u32,
}

impl<'a> ToUnseen<'a> {
    /// Starts above the root of a tree.
    pub fn new(paths: &'a mut KPaths) -> Self {
        Self { paths, state: NOTHING }
    }

    /// Whether a symbol that `node` can put directly below the current one is, or soon leads to, something new.
    fn promises(&mut self, grammar: &Grammar, node: NodeId) -> bool {
        match grammar.node(node) {
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                grammar.list(list).iter().any(|child| self.promises(grammar, *child))
            }
            Node::Repeat { body, .. } => self.promises(grammar, *body),
            _ => self.paths.slot(node).is_some_and(|slot| self.paths.promises(self.state, slot)),
        }
    }

    /// Whether nothing new is near, or this choice is left to chance.
    fn is_idle(&self, rng: &mut Rng) -> bool {
        self.state == NOTHING || self.paths.is_quiet(self.state) || rng.one_in(4)
    }
}

impl Guide for ToUnseen<'_> {
    const FOLLOWS: bool = true;

    fn enter(&mut self, symbol: SymbolId) -> u32 {
        let next = self.paths.step(self.state, Kind::Symbol(symbol));
        std::mem::replace(&mut self.state, next)
    }

    fn leave(&mut self, before: u32) {
        self.state = before;
    }

    fn branch(
        &mut self,
        grammar: &Grammar,
        list: &[NodeId],
        branches: &[Branch],
        rng: &mut Rng,
    ) -> Option<Branch> {
        if self.is_idle(rng) {
            return None;
        }
        // Start anywhere, so that equally promising branches are equally likely.
        let start = rng.below(branches.len() as u32) as usize;
        let (late, early) = branches.split_at(start);
        let found =
            early.iter().chain(late).find(|branch| self.promises(grammar, list[branch.number as usize]));
        if found.is_none() && branches.len() == list.len() {
            self.paths.set_quiet(self.state);
        }
        found.copied()
    }

    fn wants(&mut self, grammar: &Grammar, body: NodeId, rng: &mut Rng) -> bool {
        !self.is_idle(rng) && self.promises(grammar, body)
    }
}
