//! Repairs by removal: what a constraint says about every `<x>` holds where there is no `<x>`.
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::failing::Failing;
use super::solver::Solver;
use crate::ir::{Grammar, Node, SymbolId};
use crate::sizes;
use crate::tree::{Index, Kind};

/// Derivations tried to get one without the symbol.
const TRIES: u32 = 2;

/// Per symbol that was to be avoided, what every rule node needs at least without it.
#[derive(Debug, Default)]
pub struct Avoidable {
    known: FxHashMap<SymbolId, Rc<[u32]>>,
}

impl Avoidable {
    /// Per rule node, the tree nodes of the least word without `avoided`; `u32::MAX` if there is none.
    fn of(&mut self, grammar: &Grammar, avoided: SymbolId) -> Rc<[u32]> {
        let known = self.known.entry(avoided).or_insert_with(|| {
            let is_avoided = |node: &Node| matches!(node, Node::NonTerminal(symbol) if *symbol == avoided);
            sizes::cheapest(grammar, |_, node| is_avoided(node).then_some(u32::MAX))
        });
        known.clone()
    }
}

impl<'s> Solver<'s> {
    /// Derives the nearest parts around failing nodes anew, without the symbols that failed; false if there is no way.
    pub(super) fn avoid(&mut self, failing: &[Failing<'s>]) -> bool {
        self.count_work();
        let grammar = &self.spec.grammar;
        self.donors.clear();
        let mut changes: Vec<(Index, Index)> = Vec::new();
        for failure in failing {
            if failure.bound.is_empty() {
                continue;
            }
            // Mostly what the outermost quantifier is about.
            let count = if self.rng.below(4) == 0 { failure.bound.len() } else { 1 };
            let pick = self.rng.below(count as u32) as usize;
            let (_, at) = failure.bound[pick];
            // What another change replaces anyway is done with.
            if changes.iter().any(|(above, _)| (*above..self.tree.end(*above)).contains(&at)) {
                continue;
            }
            let Kind::Symbol(symbol) = self.tree.node(at).kind() else { continue };
            let free = self.avoidable.of(grammar, symbol);
            // The path down to the node; the last on it that can do without is the nearest.
            let (mut here, mut nearest) = (0, None);
            while here < at {
                if self.tree.end(here) <= at {
                    here = self.tree.end(here);
                    continue;
                }
                if let Kind::Symbol(above) = self.tree.node(here).kind()
                    && above != symbol
                    && free[grammar.symbol(above).rule.0 as usize] != u32::MAX
                {
                    nearest = Some((here, above));
                }
                here += 1;
            }
            let Some((above, instead)) = nearest else { continue };
            let mut size = self.tree.node(above).len;
            self.generator.only = Some(free);
            for _ in 0..TRIES {
                let donor = self.donors.len();
                let made = self.generator.symbol(
                    grammar,
                    instead,
                    size,
                    &mut self.rng,
                    &mut self.program,
                    &mut self.donors,
                );
                if made.is_err() {
                    break;
                }
                let nodes = &self.donors.nodes()[donor as usize..];
                if nodes.iter().any(|node| node.is_symbol(symbol)) {
                    self.donors.truncate(donor);
                    size /= 2;
                } else {
                    changes.push((above, donor));
                    break;
                }
            }
        }
        self.generator.only = None;
        if changes.is_empty() {
            return false;
        }
        self.repairs[1] += 1;
        changes.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (at, donor) in &changes {
            self.tree.replace(*at, &self.donors, *donor);
        }
        true
    }
}
