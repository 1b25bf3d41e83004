//! What the operators want to know of a tree node, as far as its kind tells: worked out once for a grammar.
use super::varies::Varies;
use crate::ir::{Bound, Grammar, Node, NodeId};
use crate::tree::Kind;

/// What is known of a kind of tree nodes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traits {
    /// It has more than one derivation.
    pub varies: bool,
    /// It chose one of several branches.
    pub chooses: bool,
    /// It is the word of a pattern.
    pub is_word: bool,
    /// It has several items in any order.
    pub permutes: bool,
    /// It is a symbol that can stand inside itself.
    pub recurs: bool,
    /// It is a symbol whose text is not computed.
    pub is_free: bool,
    /// It is a repetition whose rounds make nodes, with these bounds.
    pub bounds: Option<(u32, u32)>,
    /// It is a repetition of which rounds may change places.
    pub repeats: bool,
}

/// The traits of every kind.
#[derive(Debug)]
pub struct Kinds {
    symbols: Vec<Traits>,
    nodes: Vec<Traits>,
    /// Some count is computed from what stands before it, so that no part can be derived on its own.
    pub in_context: bool,
}

impl Kinds {
    /// Works them out.
    pub fn new(grammar: &Grammar) -> Self {
        let varies = Varies::new(grammar);
        let branches = |node: NodeId| match grammar.node(node) {
            Node::Alternative(list) => list.len(),
            _ => 0,
        };
        let symbols = grammar.symbol_ids().map(|id| {
            let symbol = grammar.symbol(id);
            Traits {
                varies: varies.has(Kind::Symbol(id)),
                // The text of a symbol with a generator is not chosen.
                chooses: symbol.generator.is_none() && branches(symbol.rule) > 1,
                is_free: symbol.generator.is_none(),
                recurs: symbol.recursive,
                ..Traits::default()
            }
        });
        let nodes = (0..grammar.nodes.len()).map(|index| {
            let id = NodeId(index as u32);
            let mut traits = Traits {
                varies: varies.has(Kind::Control(id)),
                chooses: branches(id) > 1,
                ..Traits::default()
            };
            match grammar.node(id) {
                Node::Regex(_) => traits.is_word = true,
                Node::Permutation(items) => traits.permutes = items.len() > 1,
                Node::Repeat { body, min, max } if grammar.width(*body) > 0 => {
                    traits.repeats = true;
                    traits.bounds = match (min, max) {
                        (Bound::Const(min), Bound::Const(max)) => Some((*min, *max)),
                        (Bound::Const(min), Bound::Open) => Some((*min, u32::MAX)),
                        _ => None,
                    };
                }
                _ => {}
            }
            traits
        });
        let is_computed = |bound: &Bound| matches!(bound, Bound::Expr(_));
        let in_context = grammar.nodes.iter().any(
            |node| matches!(node, Node::Repeat { min, max, .. } if is_computed(min) || is_computed(max)),
        );
        Self { symbols: symbols.collect(), nodes: nodes.collect(), in_context }
    }

    /// What is known of nodes of this kind.
    #[inline]
    pub fn of(&self, kind: Kind) -> &Traits {
        match kind {
            Kind::Symbol(symbol) => &self.symbols[symbol.0 as usize],
            Kind::Terminal(node) | Kind::Control(node) => &self.nodes[node.0 as usize],
        }
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }
}
