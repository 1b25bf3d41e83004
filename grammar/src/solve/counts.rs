//! Repairs of counts: for `len(<x>) > n`, `len(*<x>) == n` and `|<x>.<y>| < n` a repetition gets other rounds.
use super::failing::Failing;
use super::formula::Comparison;
use super::numbers::flip;
use super::solver::Solver;
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};
use crate::python::code::{Cmp, Ex};
use crate::select::{Base, Selector};
use crate::tree::{Index, Kind};

/// Rounds that no repair goes beyond.
const MOST: i64 = 1 << 16;

/// What a side of a comparison counts.
#[derive(Debug, Clone, Copy)]
enum Counted {
    /// The children of the node in a slot.
    Children(u32),
    /// The occurrences of a symbol, below the node in a slot if one is named.
    Matches(SymbolId, Option<u32>),
}

fn counted(ex: &Ex) -> Option<Counted> {
    let matches = |selector: &Selector| {
        let slot = match selector.base {
            Base::Slot(slot) => Some(slot),
            Base::All(_) => None,
        };
        selector.last_symbol().map(|symbol| Counted::Matches(symbol, slot))
    };
    match ex {
        Ex::Len(inner) => match &**inner {
            Ex::Local(slot) => Some(Counted::Children(*slot)),
            Ex::Select(selector) => matches(selector),
            _ => None,
        },
        Ex::Select(selector) => matches(selector),
        _ => None,
    }
}

impl<'s> Solver<'s> {
    /// Changes the rounds of a repetition so that a count comes to the right side of its bound; false if none does.
    pub(super) fn set_count(&mut self, comparison: &'s Comparison, failure: &Failing<'s>) -> bool {
        let (what, side, other, cmp) = match (counted(&comparison.left), counted(&comparison.right)) {
            (Some(what), _) => (what, &comparison.left, &comparison.right, comparison.cmp),
            (None, Some(what)) => (what, &comparison.right, &comparison.left, flip(comparison.cmp)),
            (None, None) => return false,
        };
        let (Some(now), Some(bound)) = (self.number(side, failure), self.number(other, failure)) else {
            return false;
        };
        let wanted = match cmp {
            Cmp::Lt => bound - 1,
            Cmp::Gt | Cmp::Ne => bound + 1,
            _ => bound,
        };
        let missing = wanted - now;
        let spots = self.repetitions(what, failure);
        if spots.is_empty() || missing == 0 || wanted < 0 {
            return false;
        }
        let (at, gain) = spots[self.rng.below(spots.len() as u32) as usize];
        let Kind::Control(node) = self.tree.node(at).kind() else { return false };
        let Some((min, max)) = fixed(&self.spec.grammar, node) else { return false };
        let rounds = i64::from(self.tree.node(at).alt);
        // Rather one round too many than one too few: what is on the wrong side is repaired again.
        let change = (missing.abs() + gain - 1) / gain * missing.signum();
        let count = (rounds + change).clamp(min, max.min(MOST));
        if count == rounds {
            return false;
        }
        let done = self.generator.recount(
            &self.spec.grammar,
            &self.tree,
            at,
            count as u32,
            16,
            &mut self.rng,
            &mut self.program,
            &mut self.spare,
        );
        if done.is_ok() {
            std::mem::swap(&mut self.tree, &mut self.spare);
        }
        done.is_ok()
    }

    /// The repetitions whose rounds add to what is counted, each with how much a round adds.
    fn repetitions(&self, what: Counted, failure: &Failing<'s>) -> Vec<(Index, i64)> {
        let (tree, grammar) = (&self.tree, &self.spec.grammar);
        let is_repetition = |at: Index| match tree.node(at).kind() {
            Kind::Control(node) => fixed(grammar, node).is_some(),
            _ => false,
        };
        let gain = |at: Index, sum: usize| (at, (sum as i64 / i64::from(tree.node(at).alt.max(1))).max(1));
        match what {
            Counted::Children(slot) => {
                let Some((_, root)) = failure.bound.iter().find(|(known, _)| *known == slot) else {
                    return Vec::new();
                };
                let (mut found, mut at) = (Vec::new(), root + 1);
                while at < tree.end(*root) {
                    if is_repetition(at) {
                        found.push(gain(at, tree.children(at).count()));
                    }
                    // Only through what selectors do not see: the children of the node.
                    at += if tree.node(at).is_control() { 1 } else { tree.node(at).len };
                }
                found
            }
            Counted::Matches(symbol, slot) => {
                let root =
                    failure.bound.iter().find(|(known, _)| Some(*known) == slot).map_or(0, |(_, at)| *at);
                let adds = |at: &Index| match tree.node(*at).kind() {
                    Kind::Control(node) => adds(grammar, node, symbol),
                    _ => false,
                };
                let spots = (root..tree.end(root)).filter(|at| is_repetition(*at)).filter(adds);
                spots.map(|at| gain(at, tree.descendants(at, symbol).count())).collect()
            }
        }
    }
}

/// The bounds of a repetition, if both are known.
fn fixed(grammar: &Grammar, node: NodeId) -> Option<(i64, i64)> {
    match grammar.node(node) {
        Node::Repeat { min: Bound::Const(min), max, .. } => match max {
            Bound::Const(max) => Some((i64::from(*min), i64::from(*max))),
            Bound::Open => Some((i64::from(*min), i64::MAX)),
            Bound::Expr(_) => None,
        },
        _ => None,
    }
}

/// Whether words of `node` can hold `symbol`.
fn adds(grammar: &Grammar, node: NodeId, symbol: SymbolId) -> bool {
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        match grammar.node(node) {
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                todo.extend_from_slice(grammar.list(list));
            }
            Node::Repeat { body, .. } => todo.push(*body),
            Node::NonTerminal(below) if *below == symbol || grammar.reach.can(*below, symbol) => return true,
            _ => {}
        }
    }
    false
}
