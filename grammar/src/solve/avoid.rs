//! Repairs by removal: what a constraint says about every `<x>` holds where there is no `<x>`.
use rustc_hash::FxHashMap;

use super::failing::Failing;
use super::solver::Solver;
use crate::ir::{Bound, Grammar, Node, SymbolId};
use crate::tree::{Index, Kind};

/// Derivations tried to get one without the symbol.
const TRIES: u32 = 6;

/// Per symbol that was to be avoided, which symbols have words without it.
#[derive(Debug, Default)]
pub struct Avoidable {
    known: FxHashMap<SymbolId, Vec<bool>>,
}

impl Avoidable {
    /// Which symbols have a word without `avoided`.
    fn of(&mut self, grammar: &Grammar, avoided: SymbolId) -> &[bool] {
        self.known.entry(avoided).or_insert_with(|| {
            let mut nodes = vec![false; grammar.nodes.len()];
            let mut symbols = vec![false; grammar.symbols.len()];
            let mut changed = true;
            while changed {
                changed = false;
                for index in (0..nodes.len()).rev() {
                    let free = !nodes[index]
                        && match &grammar.nodes[index] {
                            Node::Alternative(range) => grammar.list(range).iter().any(|id| nodes[id.0 as usize]),
                            Node::Sequence(range) | Node::Permutation(range) => {
                                grammar.list(range).iter().all(|id| nodes[id.0 as usize])
                            }
                            Node::Repeat { body, min, .. } => *min == Bound::Const(0) || nodes[body.0 as usize],
                            Node::NonTerminal(symbol) => symbols[symbol.0 as usize],
                            Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => true,
                        };
                    if free {
                        nodes[index] = true;
                        changed = true;
                    }
                }
                for (index, symbol) in grammar.symbols.iter().enumerate() {
                    if !symbols[index] && SymbolId(index as u32) != avoided && nodes[symbol.rule.0 as usize] {
                        symbols[index] = true;
                        changed = true;
                    }
                }
            }
            symbols
        })
    }
}

impl<'s> Solver<'s> {
    /// Derives the nearest parts around failing nodes anew, without the symbols that failed; false if there is no way.
    pub(super) fn avoid(&mut self, failing: &[Failing<'s>]) -> bool {
        let grammar = &self.spec.grammar;
        self.donors.clear();
        let mut changes: Vec<(Index, Index)> = Vec::new();
        for failure in failing {
            if failure.bound.is_empty() {
                continue;
            }
            let pick = self.rng.below(failure.bound.len() as u32) as usize;
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
                    && free[above.0 as usize]
                {
                    nearest = Some((here, above));
                }
                here += 1;
            }
            let Some((above, instead)) = nearest else { continue };
            let mut size = self.tree.node(above).len;
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
        if changes.is_empty() {
            return false;
        }
        changes.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (at, donor) in &changes {
            self.tree.replace(*at, &self.donors, *donor);
        }
        true
    }
}
