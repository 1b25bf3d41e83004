//! Numbers for the symbols of a grammar, terminals included, and for pairs of them.
use rustc_hash::FxHashMap;

use crate::ir::{Grammar, Node, NodeId};

/// The rule nodes below `rule` that are symbols: nonterminals and terminals.
pub fn symbols_of(grammar: &Grammar, rule: NodeId) -> Vec<NodeId> {
    let (mut found, mut todo) = (Vec::new(), vec![rule]);
    while let Some(node) = todo.pop() {
        match grammar.node(node) {
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                todo.extend(grammar.list(list).iter().rev());
            }
            Node::Repeat { body, .. } => todo.push(*body),
            _ => found.push(node),
        }
    }
    found
}

/// A number per pair of symbols: a square table, or a map where that would be large.
#[derive(Debug, Clone)]
pub struct Pairs {
    count: u32,
    table: Vec<u32>,
    map: FxHashMap<(u32, u32), u32>,
}

impl Pairs {
    /// No number for any pair of `count` symbols.
    pub fn new(count: u32) -> Self {
        let table = if count <= 512 { vec![u32::MAX; (count * count) as usize] } else { Vec::new() };
        Self { count, table, map: FxHashMap::default() }
    }

    /// Sets the number of a pair.
    pub fn insert(&mut self, above: u32, below: u32, number: u32) {
        match self.table.get_mut(above as usize * self.count as usize + below as usize) {
            Some(known) => *known = number,
            None => _ = self.map.insert((above, below), number),
        }
    }

    /// The number of a pair, `u32::MAX` if it has none.
    #[inline]
    pub fn get(&self, above: u32, below: u32) -> u32 {
        if self.table.is_empty() {
            self.map.get(&(above, below)).copied().unwrap_or(u32::MAX)
        } else {
            self.table.get(above as usize * self.count as usize + below as usize).copied().unwrap_or(u32::MAX)
        }
    }
}

/// Numbers for symbols: a nonterminal's own, and beyond those one for every distinct terminal.
pub struct Labels<'a> {
    grammar: &'a Grammar,
    terminals: FxHashMap<Terminal<'a>, u32>,
    /// The next free label.
    pub next: u32,
}

#[derive(PartialEq, Eq, Hash)]
enum Terminal<'a> {
    Literal(&'a [u8], bool),
    Regex(&'a str, bool),
    Bit(bool),
}

impl<'a> Labels<'a> {
    /// Only the nonterminals have labels yet.
    pub fn new(grammar: &'a Grammar) -> Self {
        Self { grammar, terminals: FxHashMap::default(), next: grammar.symbols.len() as u32 }
    }

    /// The label of the symbol that a rule node is.
    pub fn of(&mut self, node: NodeId) -> u32 {
        let grammar = self.grammar;
        let terminal = match grammar.node(node) {
            Node::NonTerminal(symbol) => return symbol.0,
            Node::Literal(literal) => Terminal::Literal(grammar.literal(literal), literal.is_bytes),
            Node::Regex(regex) => {
                let regex = &grammar.regexes[*regex as usize];
                Terminal::Regex(&regex.pattern, regex.is_bytes)
            }
            Node::Bit(bit) => Terminal::Bit(*bit),
            _ => unreachable!("only symbols have labels"),
        };
        *self.terminals.entry(terminal).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        })
    }
}
