//! The derivation tree: an arena of nodes in pre-order over one buffer of text, without a pointer per node.
//!
//! Which rule nodes make tree nodes:
//! - a nonterminal makes one ([`Kind::Symbol`]); if its rule is an alternative, `alt` is the chosen branch;
//! - a terminal makes one ([`Kind::Terminal`]);
//! - a repetition makes one ([`Kind::Control`]), `alt` is its count; so does an alternative below the root of a rule
//!   (`alt` is the branch), and a permutation (its items in the order taken, `alt` is 0);
//! - a sequence makes none: its items stand side by side.
//!
//! Selectors do not see control nodes: their children count as children of the symbol above.
use std::ops::Range;

use crate::ir::{NodeId, SymbolId};

mod edit;
mod look;
mod pack;
mod patch;
mod store;
mod validate;

pub use pack::Packer;
pub use patch::Patch;
pub use validate::Flaw;

/// A node of a tree, as an index into its pre-order.
pub type Index = u32;

/// What a tree node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A nonterminal.
    Symbol(SymbolId),
    /// A literal, regex or bit of a rule.
    Terminal(NodeId),
    /// A repetition, inner alternative or permutation of a rule.
    Control(NodeId),
}

const TAG: u32 = 0xC000_0000;
const TERMINAL: u32 = 0x4000_0000;
const CONTROL: u32 = 0x8000_0000;

/// One node of a tree, 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TreeNode {
    kind: u32,
    /// The chosen branch, or the count of a repetition.
    pub alt: u32,
    /// How many nodes the subtree has, itself included.
    pub len: u32,
    /// Where its text starts; it ends where the text of the node after the subtree starts.
    pub start: u32,
}

impl TreeNode {
    /// What it stands for.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.kind & TAG {
            0 => Kind::Symbol(SymbolId(self.kind)),
            TERMINAL => Kind::Terminal(NodeId(self.kind & !TAG)),
            _ => Kind::Control(NodeId(self.kind & !TAG)),
        }
    }

    /// Whether it is an occurrence of `symbol`.
    #[inline]
    pub fn is_symbol(&self, symbol: SymbolId) -> bool {
        self.kind == symbol.0
    }

    /// Whether selectors skip it.
    #[inline]
    pub fn is_control(&self) -> bool {
        self.kind & TAG == CONTROL
    }

    /// Whether it is a literal, regex or bit.
    #[inline]
    pub fn is_terminal(&self) -> bool {
        self.kind & TAG == TERMINAL
    }
}

/// A tree that a generator took as its argument, kept with the node whose text was computed from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The node of the symbol with the generator.
    pub node: Index,
    /// The argument; its root is the source's symbol.
    pub tree: Tree,
}

/// A derivation tree, or a forest of them while it is being built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    text: Vec<u8>,
    /// Arguments of generators, by ascending node; empty for most trees.
    pub sources: Vec<Source>,
}

impl Tree {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.text.clear();
        self.sources.clear();
    }

    /// All nodes in pre-order.
    #[inline]
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The number of nodes.
    #[inline]
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at `at`.
    #[inline]
    pub fn node(&self, at: Index) -> TreeNode {
        self.nodes[at as usize]
    }

    /// The index after the last node of the subtree at `at`.
    #[inline]
    pub fn end(&self, at: Index) -> Index {
        at + self.nodes[at as usize].len
    }

    /// Where the text of the subtree at `at` stands in [`Tree::text`].
    #[inline]
    pub fn text_range(&self, at: Index) -> Range<usize> {
        let node = self.nodes[at as usize];
        let end =
            self.nodes.get((at + node.len) as usize).map_or(self.text.len(), |next| next.start as usize);
        node.start as usize..end
    }

    /// The text of the subtree at `at`: bytes, where every bit is a byte of its own (0 or 1).
    #[inline]
    pub fn text_of(&self, at: Index) -> &[u8] {
        &self.text[self.text_range(at)]
    }

    /// The text of the whole tree; see [`Tree::text_of`].
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The children of `at` that selectors see.
    #[inline]
    pub fn children(&self, at: Index) -> Children<'_> {
        Children { tree: self, at: at + 1, end: self.end(at) }
    }

    /// The nearest node above `at` that selectors see; none for the root.
    pub fn parent(&self, at: Index) -> Option<Index> {
        let (mut here, mut seen) = (0, None);
        if at >= self.len() {
            return None;
        }
        loop {
            if here == at {
                return seen;
            }
            if self.end(here) <= at {
                here = self.end(here);
                continue;
            }
            if !self.node(here).is_control() {
                seen = Some(here);
            }
            here += 1;
        }
    }

    /// Starts a nonterminal or control node; its children follow until [`Tree::close`].
    #[inline]
    pub fn open(&mut self, kind: Kind, alt: u32) -> Index {
        let at = self.nodes.len() as Index;
        let kind = match kind {
            Kind::Symbol(id) => id.0,
            Kind::Terminal(id) => id.0 | TERMINAL,
            Kind::Control(id) => id.0 | CONTROL,
        };
        self.nodes.push(TreeNode { kind, alt, len: 1, start: self.text.len() as u32 });
        at
    }

    /// Ends the node that [`Tree::open`] started at `at`.
    #[inline]
    pub fn close(&mut self, at: Index) {
        self.nodes[at as usize].len = self.nodes.len() as u32 - at;
    }

    /// Sets the branch or count of a node that is still open.
    #[inline]
    pub fn set_alt(&mut self, at: Index, alt: u32) {
        self.nodes[at as usize].alt = alt;
    }

    /// Makes the terminal at `at` one of another rule node.
    #[inline]
    pub(crate) fn set_terminal(&mut self, at: Index, node: NodeId) {
        self.nodes[at as usize].kind = node.0 | TERMINAL;
    }

    /// Adds a terminal with its text.
    #[inline]
    pub fn terminal(&mut self, node: NodeId, text: &[u8]) {
        self.open(Kind::Terminal(node), 0);
        match text {
            [byte] => self.text.push(*byte),
            _ => self.text.extend_from_slice(text),
        }
    }

    /// Adds a symbol that is one terminal of one byte.
    #[inline]
    pub(crate) fn leaf(&mut self, symbol: SymbolId, alt: u32, node: NodeId, byte: u8) {
        let start = self.text.len() as u32;
        self.nodes.extend_from_slice(&[
            TreeNode { kind: symbol.0, alt, len: 2, start },
            TreeNode { kind: node.0 | TERMINAL, alt: 0, len: 1, start },
        ]);
        self.text.push(byte);
    }

    /// The text buffer, to append what the terminal last opened stands for.
    #[inline]
    pub fn text_mut(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Drops all nodes from `at` on, and their text.
    pub fn truncate(&mut self, at: Index) {
        if let Some(node) = self.nodes.get(at as usize) {
            self.rewind(at, node.start);
        }
    }

    /// Drops all nodes from `nodes` on and all text from `text` on.
    #[inline]
    pub(crate) fn rewind(&mut self, nodes: u32, text: u32) {
        self.nodes.truncate(nodes as usize);
        self.text.truncate(text as usize);
        while self.sources.last().is_some_and(|source| source.node >= nodes) {
            self.sources.pop();
        }
    }

    /// Makes a closed node count so many more nodes as its own.
    #[inline]
    pub(crate) fn grow(&mut self, at: Index, by: u32) {
        self.nodes[at as usize].len += by;
    }

    /// Makes a closed node count as open again, with nothing in it yet.
    #[inline]
    pub(crate) fn reopen(&mut self, at: Index) {
        self.nodes[at as usize].len = 1;
    }
}

/// The visible children of a node, left to right.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    at: Index,
    end: Index,
}

impl Iterator for Children<'_> {
    type Item = Index;

    #[inline]
    fn next(&mut self) -> Option<Index> {
        while self.at < self.end {
            let (at, node) = (self.at, self.tree.nodes[self.at as usize]);
            if node.is_control() {
                self.at += 1;
            } else {
                self.at += node.len;
                return Some(at);
            }
        }
        None
    }
}
