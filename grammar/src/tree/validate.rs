//! Whether a tree is a derivation of the grammar: every node where a rule allows it, every count within its bounds.
use super::{Index, Kind, Tree};
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};

/// The first node that no rule allows where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The node.
    pub at: Index,
    /// What is wrong with it, in one sentence.
    pub what: String,
}

impl Tree {
    /// Whether the whole tree is one derivation of `symbol`; computed bounds of repetitions are taken as open.
    pub fn validate(&self, grammar: &Grammar, symbol: SymbolId) -> Result<(), Flaw> {
        let flaw = |at: Index, what: &str| Err(Flaw { at, what: what.to_owned() });
        if self.is_empty() || self.end(0) != self.len() || !self.node(0).is_symbol(symbol) {
            return flaw(0, "the tree is not one derivation of the symbol asked for");
        }
        let mut at = 0;
        // What must follow, innermost last: rule nodes, or the end of a subtree.
        let mut todo = vec![Todo::Symbol(symbol)];
        while let Some(next) = todo.pop() {
            let node = match next {
                Todo::End(end) if end == at => continue,
                Todo::End(_) => return flaw(at, "a subtree has another length than it says"),
                Todo::Symbol(symbol) => {
                    if at >= self.len() || !self.node(at).is_symbol(symbol) {
                        return flaw(at, "another symbol was due");
                    }
                    let rule = grammar.symbol(symbol).rule;
                    todo.push(Todo::End(self.end(at)));
                    match grammar.node(rule) {
                        Node::Alternative(branches) => {
                            match grammar.list(branches).get(self.node(at).alt as usize) {
                                Some(branch) => todo.push(Todo::Node(*branch)),
                                None => return flaw(at, "there is no such branch"),
                            }
                        }
                        _ => todo.push(Todo::Node(rule)),
                    }
                    at += 1;
                    continue;
                }
                Todo::Node(node) => node,
            };
            match grammar.node(node) {
                Node::Sequence(items) => {
                    todo.extend(grammar.list(items).iter().rev().copied().map(Todo::Node));
                }
                Node::NonTerminal(symbol) => todo.push(Todo::Symbol(*symbol)),
                Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => {
                    if at >= self.len()
                        || self.node(at).kind() != Kind::Terminal(node)
                        || self.node(at).len != 1
                    {
                        return flaw(at, "another terminal was due");
                    }
                    if !terminal_matches(grammar, node, self.text_of(at)) {
                        return flaw(at, "the text is not a word of the terminal");
                    }
                    at += 1;
                }
                Node::Alternative(_) | Node::Repeat { .. } | Node::Permutation(_) => {
                    if at >= self.len() || self.node(at).kind() != Kind::Control(node) {
                        return flaw(at, "another repetition, alternative or permutation was due");
                    }
                    todo.push(Todo::End(self.end(at)));
                    let alt = self.node(at).alt;
                    at += 1;
                    match grammar.node(node) {
                        Node::Alternative(branches) => match grammar.list(branches).get(alt as usize) {
                            Some(branch) => todo.push(Todo::Node(*branch)),
                            None => return flaw(at - 1, "there is no such branch"),
                        },
                        Node::Repeat { body, min, max } => {
                            if matches!(min, Bound::Const(min) if alt < *min)
                                || matches!(max, Bound::Const(max) if alt > *max)
                            {
                                return flaw(at - 1, "the count is out of bounds");
                            }
                            todo.extend((0..alt).map(|_| Todo::Node(*body)));
                        }
                        Node::Permutation(items) => {
                            let mut left = grammar.list(items).to_vec();
                            let mut taken = Vec::new();
                            let mut child = at;
                            while child < self.end(at - 1) {
                                let fits = |item: &NodeId| makes(grammar, *item) == self.node(child).kind();
                                let Some(found) = left.iter().position(fits) else {
                                    return flaw(child, "the permutation has no such item left");
                                };
                                taken.push(Todo::Node(left.remove(found)));
                                child = self.end(child);
                            }
                            if !left.is_empty() {
                                return flaw(at - 1, "the permutation lacks an item");
                            }
                            todo.extend(taken.into_iter().rev());
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
}

enum Todo {
    Node(NodeId),
    Symbol(SymbolId),
    End(Index),
}

/// What kind of tree node a rule node that makes exactly one makes.
fn makes(grammar: &Grammar, node: NodeId) -> Kind {
    match grammar.node(node) {
        Node::NonTerminal(symbol) => Kind::Symbol(*symbol),
        Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => Kind::Terminal(node),
        _ => Kind::Control(node),
    }
}

fn terminal_matches(grammar: &Grammar, node: NodeId, text: &[u8]) -> bool {
    match grammar.node(node) {
        Node::Literal(literal) => grammar.literal(literal) == text,
        Node::Regex(regex) => grammar.regexes[*regex as usize].matches(text),
        Node::Bit(bit) => text == [u8::from(*bit)],
        _ => false,
    }
}
