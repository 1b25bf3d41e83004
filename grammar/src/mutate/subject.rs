//! A tree made ready to be changed again and again: where in it every operator applies is found once.
use std::cell::OnceCell;
use std::rc::Rc;

use super::kinds::Kinds;
use super::number;
use crate::ir::{Grammar, SymbolId};
use crate::rng::Rng;
use crate::solve::views::{Chains, Views};
use crate::tree::{Index, Kind, Tree};

/// Places of a tree that have something in common.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spot {
    /// Nodes that could look different.
    Varying,
    /// Symbols that could look different.
    Symbol,
    /// Nodes that chose a branch.
    Choice,
    /// Repetitions with a round that could stand once more.
    Copied,
    /// Repetitions with room for a round.
    Roomy,
    /// Repetitions with a round that can go.
    Spare,
    /// Repetitions whose count is free.
    Counted,
    /// What has rounds or items that can change places.
    Ordered,
    /// Symbols with the same symbol inside.
    Outer,
    /// Words of patterns.
    Word,
    /// Symbols that are numbers.
    Number,
}

const SPOTS: usize = Spot::Number as usize + 1;
/// Those where something inside of the node is changed, rather than the node.
const INSIDE: [Spot; 5] = [Spot::Copied, Spot::Roomy, Spot::Spare, Spot::Counted, Spot::Ordered];

/// Where a wide place is wanted, one is compared with up to so many others.
const MOST_COMPARED: u32 = 7;

/// A tree and its places.
#[derive(Debug, Default)]
pub struct Subject {
    /// The tree.
    pub tree: Rc<Tree>,
    /// It is known to satisfy every constraint.
    pub is_valid: bool,
    /// What constraints see of it, once somebody asked.
    pub(crate) views: OnceCell<Views>,
    spots: [Vec<Index>; SPOTS],
    /// How many of each, the first ones, can be changed without touching a constraint, as far as is known.
    free: [u32; SPOTS],
    /// Per node the one above it; the root's is itself.
    above: Vec<Index>,
    /// The nodes of each symbol in pre-order, symbol after symbol.
    of_symbols: Vec<Index>,
    /// Per symbol, where its nodes end there; they start where those of the symbol before end.
    ends: Vec<u32>,
}

impl Subject {
    /// Makes `tree` ready.
    pub(super) fn new(grammar: &Grammar, kinds: &Kinds, tree: Tree) -> Self {
        let mut subject = Self { tree: Rc::new(tree), ..Self::default() };
        subject.prepare(grammar, kinds);
        subject
    }

    /// Finds the places of the tree, which has changed.
    pub(super) fn prepare(&mut self, grammar: &Grammar, kinds: &Kinds) {
        let Self { tree, spots, above, of_symbols, ends, views, free, .. } = self;
        views.take();
        *free = [0; SPOTS];
        spots.iter_mut().for_each(Vec::clear);
        above.clear();
        let mut parent = 0;
        ends.clear();
        ends.resize(kinds.symbols() + 1, 0);
        let mut symbols = 0;
        for at in 0..tree.len() {
            let node = tree.node(at);
            while parent != 0 && tree.end(parent) <= at {
                parent = above[parent as usize];
            }
            above.push(parent);
            if node.len > 1 {
                parent = at;
            }
            let traits = kinds.of(node.kind());
            let mut mark = |spot: Spot, fits: bool| {
                if fits {
                    spots[spot as usize].push(at);
                }
            };
            mark(Spot::Varying, traits.varies);
            mark(Spot::Choice, traits.chooses);
            match node.kind() {
                Kind::Symbol(symbol) => {
                    symbols += 1;
                    ends[symbol.0 as usize + 1] += 1;
                    mark(Spot::Symbol, traits.varies);
                    mark(Spot::Number, traits.is_free && number::value(grammar, tree, at).is_some());
                }
                Kind::Terminal(_) => mark(Spot::Word, traits.is_word),
                Kind::Control(_) => {
                    mark(Spot::Ordered, traits.permutes || (traits.repeats && node.alt > 1));
                    if let Some((min, max)) = traits.bounds {
                        mark(Spot::Copied, node.alt > 0 && node.alt < max);
                        mark(Spot::Roomy, node.alt < max);
                        mark(Spot::Spare, node.alt > min);
                        mark(Spot::Counted, min < max);
                    }
                }
            }
        }
        // Where the nodes of a symbol start, which moves on to where they end.
        for symbol in 1..ends.len() {
            ends[symbol] += ends[symbol - 1];
        }
        of_symbols.clear();
        of_symbols.resize(symbols, 0);
        for at in 0..tree.len() {
            if let Kind::Symbol(symbol) = tree.node(at).kind() {
                let place = &mut ends[symbol.0 as usize];
                of_symbols[*place as usize] = at;
                *place += 1;
            }
        }
        let mut start = 0;
        for (symbol, end) in (0..).zip(ends.iter().take(kinds.symbols())) {
            if kinds.of(Kind::Symbol(SymbolId(symbol))).recurs {
                let pairs = of_symbols[start..*end as usize].windows(2);
                let outer = pairs.filter(|pair| pair[1] < tree.end(pair[0])).map(|pair| pair[0]);
                spots[Spot::Outer as usize].extend(outer);
            }
            start = *end as usize;
        }
    }

    /// What constraints see of it.
    pub(crate) fn seen_by(&self, chains: &Chains) -> Views {
        chains.views(&self.tree, &self.above)
    }

    /// Sorts places by whether a change there touches a constraint.
    pub(crate) fn look(&mut self, chains: &Chains) {
        let views = self.seen_by(chains);
        let Self { tree, spots, free, above, .. } = self;
        for (number, spots) in spots.iter_mut().enumerate() {
            let inside = INSIDE.iter().any(|spot| *spot as usize == number);
            let is_free = |at: &Index| match (inside, *at) {
                (true, at) => chains.misses(&views, at, tree, at + 1..tree.end(at)),
                (false, 0) => true,
                (false, at) => chains.misses(&views, above[at as usize], tree, at..tree.end(at)),
            };
            // Stable, so that places stay in order.
            spots.sort_by_cached_key(|at| !is_free(at));
            free[number] = spots.partition_point(is_free) as u32;
        }
        self.views = OnceCell::from(views);
    }

    /// The nodes above `at`, nearest first.
    pub(crate) fn above(&self, at: Index) -> impl Iterator<Item = Index> {
        let parent = |at: &Index| (*at > 0).then(|| self.above[*at as usize]);
        std::iter::successors(parent(&at), move |above| parent(above))
    }

    /// The nodes of a symbol in pre-order.
    pub(super) fn of_symbol(&self, symbol: SymbolId) -> &[Index] {
        let place = symbol.0 as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.of_symbols[start as usize..self.ends[place] as usize]
    }

    /// The nodes of a symbol inside the node at `at`, which is not one of them.
    pub(super) fn inside(&self, at: Index, symbol: SymbolId) -> &[Index] {
        let nodes = self.of_symbol(symbol);
        let start = nodes.partition_point(|node| *node <= at);
        let count = nodes[start..].partition_point(|node| *node < self.tree.end(at));
        &nodes[start..start + count]
    }

    /// How often an operator that changes these places is worth it here, compared with others.
    pub(super) fn weight(&self, spot: Spot, dear: u32) -> f64 {
        match (self.spots[spot as usize].len(), self.free[spot as usize]) {
            (0, _) => 0.0,
            (_, 0) if self.views.get().is_some() => 1.0 / f64::from(dear),
            _ => 1.0,
        }
    }

    /// The places to pick from: where a change touches no constraint, if there are such; now and then all.
    fn places(&self, spot: Spot, dear: u32, rng: &mut Rng) -> &[Index] {
        let (all, free) = (&self.spots[spot as usize][..], self.free[spot as usize] as usize);
        // Without chance where there is none.
        let anywhere = |rng: &mut Rng| dear == 1 || dear != u32::MAX && rng.one_in(dear);
        match free == 0 || free == all.len() || anywhere(rng) {
            true => all,
            false => &all[..free],
        }
    }

    /// Whether a change of what is inside the node at `at` touches a constraint, as far as is known.
    pub(super) fn is_dear(&self, spot: Spot, at: Index) -> bool {
        let (all, free) = (&self.spots[spot as usize][..], self.free[spot as usize] as usize);
        self.views.get().is_some() && all[..free].binary_search(&at).is_err()
    }

    /// A random one of these places.
    pub(super) fn pick(&self, spot: Spot, dear: u32, rng: &mut Rng) -> Option<Index> {
        any(self.places(spot, dear, rng), rng)
    }

    /// A random one of these places; as often as not the widest of several, since most nodes are near the leaves.
    pub(super) fn pick_wide(&self, spot: Spot, dear: u32, rng: &mut Rng) -> Option<Index> {
        let spots = self.places(spot, dear, rng);
        let count = spots.len() as u32;
        let (place, luck) = rng.below_both(count, 2 * MOST_COMPARED);
        let mut best = *spots.get(place as usize)?;
        if luck < MOST_COMPARED {
            return Some(best);
        }
        let (mut len, mut left) = (self.tree.node(best).len, 1 + luck - MOST_COMPARED);
        let mut consider = |place: u32| {
            let at = spots[place as usize];
            let here = self.tree.node(at).len;
            if here > len {
                (best, len) = (at, here);
            }
        };
        while left > 0 {
            let (first, second) = rng.below_both(count, count);
            consider(first);
            if left > 1 {
                consider(second);
            }
            left = left.saturating_sub(2);
        }
        Some(best)
    }
}

/// A random one of some nodes.
pub(super) fn any(nodes: &[Index], rng: &mut Rng) -> Option<Index> {
    nodes.get(rng.below(nodes.len() as u32) as usize).copied()
}
