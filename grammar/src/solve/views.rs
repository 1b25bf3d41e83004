//! What constraints about single nodes see of a tree, exactly.
//!
//! `forall <e> in <element>: <e>.<close>.<name> == ..` looks from every `<element>` down a chain of children. A change is
//! seen by it only where it takes or brings a link of such a chain, or is inside of a node at whose text it looks.
use std::ops::Range;

use smallvec::SmallVec;

use super::touch::Set;
use crate::ir::{Grammar, Node, NodeId, SymbolId};
use crate::tree::{Index, Kind, Tree};

/// Links of chains, a bit each.
type Links = u128;

/// A chain of children, from the node that a constraint is about.
#[derive(Debug, Clone)]
pub struct Chain {
    /// Their symbols, that of the node itself first.
    pub symbols: SmallVec<[SymbolId; 4]>,
    /// The text of the last is read.
    pub reads: bool,
    /// A selector ends here, rather than going on.
    pub ends: bool,
}

impl Chain {
    /// Whether it leads to something that is looked at.
    pub fn is_used(&self) -> bool {
        self.ends && self.symbols.len() > 1 || self.reads
    }
}

/// The chains of all constraints that can be seen through.
#[derive(Debug, Default)]
pub struct Chains {
    /// Per symbol, the first links that its nodes are.
    first: Vec<Links>,
    /// Per symbol, the later links that its nodes can be.
    later: Vec<Links>,
    all_later: Links,
    /// Per rule node, the later links that what stands for it can bring.
    brings: Vec<Links>,
    /// Links whose text is read.
    reads: Links,
    /// Per link, its constraint.
    owner: Vec<Set>,
    /// Per symbol, the constraints that are about each node of it.
    about: Vec<Set>,
    /// All of these constraints.
    pub all: Set,
}

/// What is seen of every node of a tree.
#[derive(Debug, Default)]
pub struct Views {
    /// Which links it is, or for what is no symbol, the symbol above it.
    links: Vec<Links>,
    /// The constraints that read its text, or that of a node above it.
    read: Vec<Set>,
    /// Whatever of its kind stands in its place, nobody looks at that.
    quiet: Vec<bool>,
    /// Whatever stands in it, nobody looks at that.
    quiet_inside: Vec<bool>,
}

impl Chains {
    /// None yet.
    pub fn new(grammar: &Grammar) -> Self {
        let count = grammar.symbols.len();
        Self { first: vec![0; count], later: vec![0; count], about: vec![0; count], ..Self::default() }
    }

    /// Adds those of a constraint about each node of a symbol; without effect if there are too many, or if they name what
    /// the grammar does not have.
    pub fn add(&mut self, constraint: Set, about: SymbolId, chains: &[Chain]) {
        let used = |chain: &&Chain| chain.is_used();
        let links: usize = chains.iter().filter(used).map(|chain| chain.symbols.len()).sum();
        let known = |symbol: &SymbolId| (symbol.0 as usize) < self.first.len();
        let all_known = known(&about) && chains.iter().all(|chain| chain.symbols.iter().all(known));
        if constraint == 0 || !all_known || self.owner.len() + links > Links::BITS as usize {
            return;
        }
        for chain in chains.iter().filter(used) {
            for (number, symbol) in chain.symbols.iter().enumerate() {
                let link: Links = 1 << self.owner.len();
                self.owner.push(constraint);
                if number == 0 {
                    self.first[symbol.0 as usize] |= link;
                } else {
                    self.later[symbol.0 as usize] |= link;
                    self.all_later |= link;
                }
                if chain.reads && number + 1 == chain.symbols.len() {
                    self.reads |= link;
                }
            }
        }
        self.about[about.0 as usize] |= constraint;
        self.all |= constraint;
    }

    /// Works out what rule nodes bring, once all chains are there.
    pub fn finish(&mut self, grammar: &Grammar) {
        self.brings = vec![0; grammar.nodes.len()];
        for symbol in &grammar.symbols {
            self.find_brought(grammar, symbol.rule);
        }
    }

    fn find_brought(&mut self, grammar: &Grammar, node: NodeId) -> Links {
        let brought = match grammar.node(node) {
            Node::NonTerminal(symbol) => self.later.get(symbol.0 as usize).copied().unwrap_or(0),
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                let items = grammar.list(list).iter();
                items.fold(0, |brought, item| brought | self.find_brought(grammar, *item))
            }
            Node::Repeat { body, .. } => self.find_brought(grammar, *body),
            Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => 0,
        };
        self.brings[node.0 as usize] = brought;
        brought
    }

    /// The links that a node of `symbol` is, below one that is `above`.
    #[inline]
    pub fn below(&self, above: Links, symbol: SymbolId) -> Links {
        let symbol = symbol.0 as usize;
        (above << 1) & self.later[symbol] | self.first[symbol]
    }

    /// The constraints that read the text of a node that is these links.
    #[inline]
    pub fn reading(&self, links: Links) -> Set {
        self.owners(links & self.reads)
    }

    fn owners(&self, mut links: Links) -> Set {
        let mut set = 0;
        while links != 0 {
            set |= self.owner[links.trailing_zeros() as usize];
            links &= links - 1;
        }
        set
    }

    /// The constraints for which siblings below a node that is `above` are links of chains.
    #[inline]
    pub fn linked(&self, above: Links, tree: &Tree, siblings: Range<Index>) -> Set {
        let next = (above << 1) & self.all_later;
        if next == 0 {
            return 0;
        }
        let (mut hit, mut at) = (0, siblings.start);
        while at < siblings.end {
            let node = tree.node(at);
            if let Kind::Symbol(symbol) = node.kind() {
                hit |= next & self.later[symbol.0 as usize];
            }
            // Selectors do not see control nodes.
            at += if node.is_control() { 1 } else { node.len };
        }
        self.owners(hit)
    }

    /// Whether nobody sees that these siblings below the node at `above` change.
    pub fn misses(&self, views: &Views, above: Index, tree: &Tree, siblings: Range<Index>) -> bool {
        let (links, read) = views.of(above);
        let sees_any = (links << 1) & self.all_later != 0;
        // What may come where there is nothing yet is not known.
        read == 0 && !(siblings.is_empty() && sees_any) && self.linked(links, tree, siblings) == 0
    }

    /// The constraints that are about some of these nodes.
    pub fn about(&self, tree: &Tree, nodes: Range<Index>) -> Set {
        tree.nodes()[nodes.start as usize..nodes.end as usize].iter().fold(0, |seen, node| {
            match node.kind() {
                Kind::Symbol(symbol) => seen | self.about[symbol.0 as usize],
                _ => seen,
            }
        })
    }

    /// What is seen of a tree; `above` gives per node the one above it.
    pub fn views(&self, tree: &Tree, above: &[Index]) -> Views {
        let mut views = Views::default();
        let sees = |links: Links, read: Set, brought: Links| read != 0 || (links << 1) & brought != 0;
        for (at, node) in tree.nodes().iter().enumerate() {
            let (mut links, mut read) = match at {
                0 => (0, 0),
                _ => views.of(above[at]),
            };
            let brought = match node.kind() {
                Kind::Symbol(symbol) => self.later[symbol.0 as usize],
                Kind::Control(node) | Kind::Terminal(node) => self.brings[node.0 as usize],
            };
            views.quiet.push(!sees(links, read, brought));
            let inside = match node.kind() {
                Kind::Symbol(symbol) => {
                    links = self.below(links, symbol);
                    read |= self.reading(links);
                    self.all_later
                }
                Kind::Control(_) | Kind::Terminal(_) => brought,
            };
            views.quiet_inside.push(!sees(links, read, inside));
            views.links.push(links);
            views.read.push(read);
        }
        views
    }
}

impl Views {
    /// Which links a node is, or the symbol above it; and the constraints that read its text, or that of a node above it.
    #[inline]
    pub fn of(&self, at: Index) -> (Links, Set) {
        (self.links[at as usize], self.read[at as usize])
    }

    /// Whether nobody looks at what stands in the place of a node, if it is of the same kind.
    #[inline]
    pub fn is_quiet(&self, at: Index) -> bool {
        self.quiet[at as usize]
    }

    /// Whether nobody looks at what stands in a node.
    #[inline]
    pub fn is_quiet_inside(&self, at: Index) -> bool {
        self.quiet_inside[at as usize]
    }
}
