//! Which constraints a change of a tree can have broken: the others hold after it if they held before.
//!
//! A constraint sees a tree through its selectors: the nodes of the symbols that they name, and the text of those that they
//! end with. A change that neither takes nor brings such a node, and is not inside one whose text is read, is not seen.
use std::ops::Range;

use super::formula::{Constraint, Formula};
use super::views::{Chain, Chains};
use crate::ir::{Grammar, SymbolId};
use crate::mutate::Subject;
use crate::select::Base;
use crate::tree::{Index, Kind, Patch, Tree};

mod look;

use look::Look;

/// Some constraints, a bit each; those beyond share the last.
pub type Set = u64;

/// All constraints.
pub const ALL: Set = Set::MAX;

/// The bit of a constraint.
pub fn bit(constraint: usize) -> Set {
    1 << constraint.min(63)
}

/// The bit of a constraint if it shares that with no other.
pub fn own_bit(constraint: usize) -> Set {
    if constraint < 63 { 1 << constraint } else { 0 }
}

/// Which constraints see what.
#[derive(Debug)]
pub struct Touching {
    /// Per symbol, those that name it.
    named: Vec<Set>,
    /// Per symbol, those that read its text.
    text: Vec<Set>,
    /// Those of which nobody knows what they see.
    always: Set,
    /// Those that can be seen through.
    pub(super) chains: Chains,
    /// Those of the others that are there.
    coarse: Set,
    /// Per constraint of those that can be seen through, the symbols that it names at one place only.
    once: Vec<Vec<SymbolId>>,
}

impl Touching {
    /// Works it out.
    pub fn new(grammar: &Grammar, constraints: &[Constraint]) -> Self {
        let none = || vec![0; grammar.symbols.len()];
        let chains = Chains::new(grammar);
        let mut touching =
            Self { named: none(), text: none(), always: 0, chains, coarse: 0, once: Vec::new() };
        for (index, constraint) in constraints.iter().enumerate() {
            let mut look = Look {
                touching: &mut touching,
                bit: bit(index),
                bound: Vec::new(),
                roots: 0,
                chains: Vec::new(),
                is_exact: true,
            };
            look.formula(&constraint.formula);
            let mut once = Vec::new();
            let (roots, chains) = (look.roots, look.is_exact.then_some(look.chains));
            if let (Formula::Forall(_, selector, _), 1, Some(chains)) = (&constraint.formula, roots, chains)
                && let (Base::All(symbol), true) = (selector.base, selector.steps.is_empty())
                && touching.always & bit(index) == 0
            {
                touching.chains.add(own_bit(index), symbol, &chains);
                if touching.is_local(index) {
                    once = named_once(&chains);
                }
            }
            touching.once.push(once);
            touching.coarse |= bit(index);
        }
        touching.coarse &= !touching.chains.all;
        touching.chains.finish(grammar);
        touching
    }

    /// Whether it takes no more than a glance to know that no constraint sees what `patch` does to the subject.
    #[inline]
    pub fn clearly_misses(&self, subject: &Subject, patch: &Patch) -> bool {
        let Some(views) = subject.views.get().filter(|_| self.coarse | self.always == 0) else {
            return false;
        };
        // What comes in the place of a node is of its kind.
        patch.is_unseen(|at, inside| if inside { views.is_quiet_inside(at) } else { views.is_quiet(at) })
    }

    /// The constraints that see what `patch` does to the subject.
    pub fn by_patch(&self, subject: &Subject, patch: &Patch) -> Set {
        let mut seen = self.always;
        let views = subject.views.get_or_init(|| subject.seen_by(&self.chains));
        for (number, (at, old)) in patch.places().enumerate() {
            let inside = (old.start > at).then_some(at);
            if let Some(above) = inside.or_else(|| subject.above(at).next()) {
                let (links, read) = views.of(above);
                seen |= read | self.chains.linked(links, &subject.tree, old.clone());
                for (tree, nodes, _) in patch.new_parts(number) {
                    seen |= self.chains.linked(links, tree, nodes);
                }
            }
            // What is around the inner node has another one inside.
            if let Some(inner) = patch.nested(number)
                && let Some(above) = subject.above(inner).next()
            {
                let (links, read) = views.of(above);
                seen |= read | self.chains.linked(links, &subject.tree, inner..subject.tree.end(inner));
            }
            for (tree, nodes, _) in patch.new_parts(number).filter(|(_, _, is_valid)| !is_valid) {
                seen |= self.chains.about(tree, nodes);
            }
            if self.coarse == 0 {
                continue;
            }
            let text = |seen, at| match subject.tree.node(at).kind() {
                Kind::Symbol(symbol) => seen | self.text[symbol.0 as usize],
                _ => seen,
            };
            let mut coarse = subject.above(at).chain(inside).fold(0, text) | self.within(&subject.tree, old);
            for (tree, nodes, _) in patch.new_parts(number) {
                coarse |= self.within(tree, nodes);
            }
            seen |= coarse & self.coarse;
        }
        seen
    }

    /// Whether a constraint is about each node of some symbol, and sees nothing outside of it.
    pub fn is_local(&self, constraint: usize) -> bool {
        self.chains.all & own_bit(constraint) != 0
    }

    /// Whether a constraint about each node of some symbol sees nothing else of it where nodes of `symbol` change.
    pub fn names_once(&self, constraint: usize, symbol: SymbolId) -> bool {
        self.once[constraint].contains(&symbol)
    }

    /// The constraints that see that the part of `tree` at `at` gives way to that of `donor` at `from`, without those that
    /// are `met` by what comes, as far as they see no more than that; the nodes above it are added to `path`.
    pub fn by_part(
        &self,
        tree: &Tree,
        at: Index,
        donor: &Tree,
        from: Index,
        met: Set,
        path: &mut Vec<Index>,
    ) -> Set {
        let (mut seen, mut coarse, mut links, mut above) = (self.always, 0, 0, 0);
        while above < at {
            let node = tree.node(above);
            if above + node.len <= at {
                above += node.len;
                continue;
            }
            if let Kind::Symbol(symbol) = node.kind() {
                links = self.chains.below(links, symbol);
                seen |= self.chains.reading(links);
                coarse |= self.text[symbol.0 as usize];
            }
            path.push(above);
            above += 1;
        }
        let (old, new) = (at..tree.end(at), from..donor.end(from));
        let linked =
            self.chains.linked(links, tree, old.clone()) | self.chains.linked(links, donor, new.clone());
        seen |= linked & !met;
        seen |= self.chains.about(donor, new.clone());
        if self.coarse != 0 {
            coarse |= self.within(tree, old) | self.within(donor, new);
        }
        seen | coarse & self.coarse
    }

    /// Those that name or read some of these nodes.
    fn within(&self, tree: &Tree, nodes: Range<Index>) -> Set {
        tree.nodes()[nodes.start as usize..nodes.end as usize].iter().fold(0, |seen, node| {
            match node.kind() {
                Kind::Symbol(symbol) => seen | self.named[symbol.0 as usize] | self.text[symbol.0 as usize],
                _ => seen,
            }
        })
    }
}

/// The symbols that one link of all chains names.
fn named_once(chains: &[Chain]) -> Vec<SymbolId> {
    let links = || chains.iter().filter(|chain| chain.is_used()).flat_map(|chain| &chain.symbols);
    links().filter(|symbol| links().filter(|other| other == symbol).count() == 1).copied().collect()
}
