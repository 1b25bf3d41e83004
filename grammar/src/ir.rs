//! The compiled grammar: symbols, and their rules as flat arrays of nodes.
//!
//! Shape that the front end guarantees, and on which trees, generation and parsing rely:
//! - an item of a `Sequence` is never a `Sequence` itself; a branch of an `Alternative` never is an `Alternative`;
//! - a `Sequence` may be empty (the empty word), an `Alternative` has at least one branch;
//! - an item of a `Permutation` is never a `Sequence` or the `NodeId` of another item: it makes exactly one tree node;
//! - every nonterminal has a rule, every symbol that can be reached from `start` can derive a finite word.
use std::ops::Range;

use crate::reach::Reach;
use crate::regex::Regex;

/// A nonterminal, as an index into [`Grammar::symbols`].
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A node of a rule, as an index into [`Grammar::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A compiled Python expression, as an index into the program of the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// One end of a repetition's range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Known at load.
    Const(u32),
    /// Computed from what is already in the tree, once per repetition.
    Expr(ExprId),
    /// No upper end: `*`, `+`, `{n,}`.
    Open,
}

/// One node of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// One of the branches, which stand in [`Grammar::children`].
    Alternative(Range<u32>),
    /// All items in order, which stand in [`Grammar::children`].
    Sequence(Range<u32>),
    /// All items in any order, which stand in [`Grammar::children`].
    Permutation(Range<u32>),
    /// `body` between `min` and `max` times.
    Repeat {
        /// What is repeated.
        body: NodeId,
        /// The least count; never `Open`.
        min: Bound,
        /// The greatest count; where it is `Expr`, it is the same expression as `min` or computed on its own.
        max: Bound,
    },
    /// Another symbol.
    NonTerminal(SymbolId),
    /// A literal.
    Literal(Literal),
    /// A word of a regular expression, as an index into [`Grammar::regexes`].
    Regex(u32),
    /// One bit, most significant first.
    Bit(bool),
}

/// The bytes of a literal and how they count as a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Where the bytes stand in [`Grammar::text`]; text is UTF-8.
    pub range: Range<u32>,
    /// `b'..'` rather than `'..'`.
    pub is_bytes: bool,
}

/// A nonterminal and its rule.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Its name, with the angle brackets.
    pub name: String,
    /// The root of its rule.
    pub rule: NodeId,
    /// `:= expr` after the rule.
    pub generator: Option<Generator>,
    /// Some word of it contains a bit (and so may not fill a byte).
    pub has_bits: bool,
    /// Some word of it contains bytes (`b'..'`, `rb'..'`) or bits, so that as text it is read as Latin-1.
    pub has_bytes: bool,
    /// It can derive itself.
    pub recursive: bool,
}

/// How a symbol's text is computed instead of being derived.
#[derive(Debug, Clone)]
pub struct Generator {
    /// The expression; its value is parsed into the symbol.
    pub expr: ExprId,
    /// The symbols it takes, each generated anew and kept with the tree as a source.
    pub sources: Vec<SymbolId>,
}

/// The least that any word of a node costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Least {
    /// Tree nodes.
    pub nodes: u32,
    /// Nested nonterminals.
    pub depth: u32,
    /// Bits of text.
    pub bits: u32,
}

/// `least` of a node that derives no finite word.
pub const UNPRODUCTIVE: Least = Least { nodes: u32::MAX, depth: u32::MAX, bits: u32::MAX };

/// A compiled grammar.
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    /// The nonterminals.
    pub symbols: Vec<Symbol>,
    /// The nodes of all rules.
    pub nodes: Vec<Node>,
    /// The lists of children that nodes refer to.
    pub children: Vec<NodeId>,
    /// The bytes of all literals.
    pub text: Vec<u8>,
    /// The regular expressions.
    pub regexes: Vec<Regex>,
    /// Per node, the least any of its words costs.
    pub least: Vec<Least>,
    /// The symbol of the whole input.
    pub start: SymbolId,
    /// Some symbol has bits: texts of trees hold one byte per bit and must be packed.
    pub has_bits: bool,
    /// Which symbols can stand below which.
    pub reach: Reach,
}

impl Grammar {
    /// The node `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The symbol `id`.
    #[inline]
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// The children in `range`, as a node names them.
    #[inline]
    pub fn list(&self, range: &Range<u32>) -> &[NodeId] {
        &self.children[range.start as usize..range.end as usize]
    }

    /// The bytes of a literal.
    #[inline]
    pub fn literal(&self, literal: &Literal) -> &[u8] {
        &self.text[literal.range.start as usize..literal.range.end as usize]
    }

    /// The least any word of `id` costs.
    #[inline]
    pub fn least(&self, id: NodeId) -> Least {
        self.least[id.0 as usize]
    }

    /// The symbol called `name`, angle brackets included.
    pub fn find(&self, name: &str) -> Option<SymbolId> {
        self.symbols.iter().position(|symbol| symbol.name == name).map(|index| SymbolId(index as u32))
    }

    /// The nodes of the rule of `symbol`, those of other symbols' rules not among them.
    pub fn rule_nodes(&self, symbol: SymbolId) -> impl Iterator<Item = &Node> {
        let mut todo = vec![self.symbol(symbol).rule];
        std::iter::from_fn(move || {
            let node = self.node(todo.pop()?);
            match node {
                Node::Alternative(range) | Node::Sequence(range) | Node::Permutation(range) => {
                    todo.extend_from_slice(self.list(range));
                }
                Node::Repeat { body, .. } => todo.push(*body),
                _ => {}
            }
            Some(node)
        })
    }

    /// The symbols that the rule of `symbol` names, each as often as it does.
    pub fn named_in(&self, symbol: SymbolId) -> impl Iterator<Item = SymbolId> {
        self.rule_nodes(symbol).filter_map(|node| match node {
            Node::NonTerminal(named) => Some(*named),
            _ => None,
        })
    }

    /// The ids of all symbols.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len() as u32).map(SymbolId)
    }

    /// How many tree nodes `id` makes side by side: those of a sequence's items, otherwise one.
    #[inline]
    pub fn width(&self, id: NodeId) -> u32 {
        match self.node(id) {
            Node::Sequence(range) => range.end - range.start,
            _ => 1,
        }
    }
}
