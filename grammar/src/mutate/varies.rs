//! Which symbols and rule nodes have more than one word, so that deriving them anew can change something.
use crate::ir::{Grammar, Node, NodeId};
use crate::tree::Kind;

/// Per rule node and symbol, whether it has more than one derivation.
#[derive(Debug)]
pub struct Varies {
    nodes: Vec<bool>,
    symbols: Vec<bool>,
}

impl Varies {
    /// Computes it as a fixed point over `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        let mut varies =
            Self { nodes: vec![false; grammar.nodes.len()], symbols: vec![false; grammar.symbols.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..grammar.nodes.len()).rev() {
                if !varies.nodes[index] && varies.is_free(grammar, NodeId(index as u32)) {
                    varies.nodes[index] = true;
                    changed = true;
                }
            }
            for (symbol, varies_now) in grammar.symbols.iter().zip(&mut varies.symbols) {
                *varies_now = symbol.generator.is_some() || varies.nodes[symbol.rule.0 as usize];
            }
        }
        varies
    }

    /// Whether a tree node of this kind could look different.
    pub fn has(&self, kind: Kind) -> bool {
        match kind {
            Kind::Symbol(symbol) => self.symbols[symbol.0 as usize],
            Kind::Terminal(node) | Kind::Control(node) => self.nodes[node.0 as usize],
        }
    }

    fn is_free(&self, grammar: &Grammar, node: NodeId) -> bool {
        let child = |node: &NodeId| self.nodes[node.0 as usize];
        match grammar.node(node) {
            Node::Alternative(list) => list.len() > 1 || grammar.list(list).iter().any(child),
            Node::Permutation(list) => list.len() > 1 || grammar.list(list).iter().any(child),
            Node::Sequence(list) => grammar.list(list).iter().any(child),
            Node::Repeat { body, min, max } => min != max || child(body),
            Node::NonTerminal(symbol) => self.symbols[symbol.0 as usize],
            Node::Regex(_) => true,
            Node::Literal(_) | Node::Bit(_) => false,
        }
    }
}
