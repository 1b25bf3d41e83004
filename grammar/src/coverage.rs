//! k-paths: which chains of up to k symbols, each the parent of the next, a grammar has and trees have shown.
//!
//! A symbol here is a nonterminal or a terminal (a literal's text, a regex, a bit). Every chain is a state; going from
//! a tree node to its child is one table lookup. States are made when they are first met, so a large grammar costs
//! only what its trees show.
use crate::ir::{Grammar, Node, NodeId, SymbolId};
use crate::tree::{Kind, Tree};

mod labels;

use labels::{Labels, Pairs, symbols_of};

/// The chain of no symbol, above the root of a tree.
pub const NOTHING: u32 = 0;

/// How often generation aims at a chain that does not turn up before it gives that chain up.
const PATIENCE: u8 = 64;

/// Above this many chains in all, generation looks no further ahead than the next symbol.
const FAR: u64 = 1 << 20;

#[derive(Debug, Clone, Copy)]
struct State {
    /// The last symbol, as a label.
    label: u32,
    /// The chain without its first symbol.
    suffix: u32,
    /// Where its transitions start in `next`; those of a chain of length k are its suffix's.
    base: u32,
    depth: u8,
    seen: bool,
    /// Aimed at this often.
    aimed: u8,
    /// Everything this many levels below is seen, or given up.
    quiet: u8,
}

/// The k-paths of a grammar, and which of them trees have shown.
#[derive(Debug, Clone)]
pub struct KPaths {
    k: u8,
    total: u64,
    seen: u64,
    /// Per nonterminal, the labels of what its rule can put below it.
    children: Vec<Vec<u32>>,
    /// Per rule node that is a symbol, its place in `children` of the nonterminal whose rule it stands in.
    slot_of_node: Vec<u32>,
    /// Per nonterminal and child nonterminal, the child's place in `children`.
    slot_of_symbol: Pairs,
    labels: u32,
    states: Vec<State>,
    /// Transitions, 0 where none was made yet.
    next: Vec<u32>,
    /// Where a walk over a tree is: the end of each open symbol, and its state.
    open: Vec<(u32, u32)>,
    ahead: u8,
}

impl KPaths {
    /// The chains of up to `k` symbols that derivations of the start symbol can show.
    pub fn new(grammar: &Grammar, k: u8) -> Self {
        let k = k.max(1);
        let mut labels = Labels::new(grammar);
        let mut paths = Self {
            k,
            total: 0,
            seen: 0,
            children: vec![Vec::new(); grammar.symbols.len()],
            slot_of_node: vec![u32::MAX; grammar.nodes.len()],
            slot_of_symbol: Pairs::new(grammar.symbols.len() as u32),
            labels: 0,
            states: Vec::new(),
            next: Vec::new(),
            open: Vec::new(),
            ahead: 0,
        };
        let mut reached = vec![false; grammar.symbols.len()];
        reached[grammar.start.0 as usize] = true;
        let mut todo = vec![grammar.start];
        while let Some(symbol) = todo.pop() {
            for node in symbols_of(grammar, grammar.symbol(symbol).rule) {
                let label = labels.of(node);
                let list = &mut paths.children[symbol.0 as usize];
                let slot = list.iter().position(|known| *known == label).unwrap_or_else(|| {
                    list.push(label);
                    list.len() - 1
                });
                paths.slot_of_node[node.0 as usize] = slot as u32;
                if let Node::NonTerminal(child) = grammar.node(node) {
                    paths.slot_of_symbol.insert(symbol.0, child.0, slot as u32);
                    if !std::mem::replace(&mut reached[child.0 as usize], true) {
                        todo.push(*child);
                    }
                }
            }
        }
        paths.labels = labels.next;
        paths.count(grammar, &reached);
        paths.ahead = if paths.total <= FAR { 2 } else { 0 };
        let root = State { label: u32::MAX, suffix: 0, base: 0, depth: 0, seen: true, aimed: 0, quiet: 0 };
        paths.states.push(root);
        paths.next.resize(labels.next as usize, 0);
        paths
    }

    /// How many chains there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many of them trees have shown.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Up to `limit` chains that no tree has shown yet, as names and literals, shortest first.
    pub fn unseen(&mut self, grammar: &Grammar, limit: usize) -> Vec<Vec<String>> {
        let names = self.names(grammar);
        let mut found = Vec::new();
        let mut level: Vec<(u32, Vec<u32>)> = Vec::new();
        for label in (0..self.labels).filter(|label| names[*label as usize].is_some()) {
            level.push((self.down(NOTHING, label), vec![label]));
        }
        for _ in 0..self.k {
            let mut next = Vec::new();
            for (state, chain) in level {
                if !self.states[state as usize].seen {
                    found.push(
                        chain
                            .iter()
                            .map(|label| names[*label as usize].clone().unwrap_or_default())
                            .collect(),
                    );
                    if found.len() >= limit {
                        return found;
                    }
                }
                let last = chain[chain.len() - 1] as usize;
                for slot in 0..self.children.get(last).map_or(0, Vec::len) {
                    let mut chain = chain.clone();
                    chain.push(self.children[last][slot]);
                    if chain.len() <= usize::from(self.k) {
                        next.push((self.down(state, slot as u32), chain));
                    }
                }
            }
            level = next;
        }
        found
    }

    /// Per label, what it stands for; none for symbols out of reach.
    fn names(&self, grammar: &Grammar) -> Vec<Option<String>> {
        let mut names = vec![None; self.labels as usize];
        let mut name = |label: u32, text: String| names[label as usize] = Some(text);
        name(grammar.start.0, grammar.symbol(grammar.start).name.clone());
        for (owner, symbol) in grammar.symbols.iter().enumerate() {
            for node in symbols_of(grammar, symbol.rule) {
                let Some(slot) = self.slot(node) else { continue };
                let text = match grammar.node(node) {
                    Node::NonTerminal(child) => grammar.symbol(*child).name.clone(),
                    Node::Literal(literal) => format!("'{}'", grammar.literal(literal).escape_ascii()),
                    Node::Regex(regex) => format!("r'{}'", grammar.regexes[*regex as usize].pattern),
                    Node::Bit(bit) => u8::from(*bit).to_string(),
                    _ => continue,
                };
                name(self.children[owner][slot as usize], text);
            }
        }
        names
    }

    /// Takes note of a tree of the start symbol; returns how many chains were new.
    pub fn add(&mut self, tree: &Tree) -> u64 {
        let before = self.seen;
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let (mut end, mut state) = (u32::MAX, NOTHING);
        for (at, node) in (0..).zip(tree.nodes()) {
            if node.is_control() {
                continue;
            }
            while at >= end {
                (end, state) = open.pop().unwrap_or((u32::MAX, NOTHING));
            }
            let child = self.step(state, node.kind());
            self.show(child);
            if !node.is_terminal() {
                open.push((end, state));
                (end, state) = (at + node.len, child);
            }
        }
        self.open = open;
        self.seen - before
    }

    /// The chain of a node below one with the chain `state`.
    #[inline]
    pub(crate) fn step(&mut self, state: u32, kind: Kind) -> u32 {
        let slot = match kind {
            Kind::Terminal(node) | Kind::Control(node) => self.slot_of_node[node.0 as usize],
            Kind::Symbol(SymbolId(symbol)) if state == NOTHING => symbol,
            Kind::Symbol(SymbolId(symbol)) => {
                self.slot_of_symbol.get(self.states[state as usize].label, symbol)
            }
        };
        if slot == u32::MAX { NOTHING } else { self.down(state, slot) }
    }

    /// The place of a rule node's symbol among what can stand below its nonterminal.
    pub(crate) fn slot(&self, node: NodeId) -> Option<u32> {
        Some(self.slot_of_node[node.0 as usize]).filter(|slot| *slot != u32::MAX)
    }

    /// Whether a chain not seen yet starts, or soon follows, with the child at `slot` below `state`.
    pub(crate) fn promises(&mut self, state: u32, slot: u32) -> bool {
        let child = self.down(state, slot);
        self.unseen_within(child, self.ahead)
    }

    /// Whether nothing new is near below `state`.
    #[inline]
    pub(crate) fn is_quiet(&self, state: u32) -> bool {
        self.states[state as usize].quiet > self.ahead
    }

    /// Notes that nothing new is near below `state`.
    pub(crate) fn set_quiet(&mut self, state: u32) {
        let quiet = self.ahead + 1;
        self.states[state as usize].quiet = quiet;
    }

    fn unseen_within(&mut self, state: u32, levels: u8) -> bool {
        let here = &mut self.states[state as usize];
        if !here.seen && here.aimed < PATIENCE {
            here.aimed += 1;
            return true;
        }
        if levels == 0 || here.quiet >= levels || here.label as usize >= self.children.len() {
            return false;
        }
        let label = here.label as usize;
        for slot in 0..self.children[label].len() {
            let child = self.down(state, slot as u32);
            if self.unseen_within(child, levels - 1) {
                return true;
            }
        }
        self.states[state as usize].quiet = levels;
        false
    }

    #[inline]
    fn show(&mut self, mut state: u32) {
        while !self.states[state as usize].seen {
            self.states[state as usize].seen = true;
            self.seen += 1;
            state = self.states[state as usize].suffix;
        }
    }

    #[inline]
    fn down(&mut self, state: u32, slot: u32) -> u32 {
        let base = self.states[state as usize].base;
        match self.next[(base + slot) as usize] {
            0 => self.make(state, slot),
            next => next,
        }
    }

    #[cold]
    fn make(&mut self, state: u32, slot: u32) -> u32 {
        let above = self.states[state as usize];
        let (label, suffix) = match state {
            NOTHING => (slot, NOTHING),
            _ => {
                let label = self.children[above.label as usize][slot as usize];
                // Below nothing, the place of a symbol is its label.
                let slot = if above.suffix == NOTHING { label } else { slot };
                (label, self.down(above.suffix, slot))
            }
        };
        if above.depth == self.k {
            // Its transitions are its suffix's, except that for k = 1 the suffix is nothing.
            self.next[(above.base + slot) as usize] = suffix;
            return suffix;
        }
        let id = self.states.len() as u32;
        let depth = above.depth + 1;
        let base = if depth == self.k && suffix != NOTHING {
            self.states[suffix as usize].base
        } else {
            let base = self.next.len() as u32;
            let children = self.children.get(label as usize).map_or(0, Vec::len);
            self.next.resize(base as usize + children, 0);
            base
        };
        self.states.push(State { label, suffix, base, depth, seen: false, aimed: 0, quiet: 0 });
        self.next[(above.base + slot) as usize] = id;
        id
    }

    fn count(&mut self, grammar: &Grammar, reached: &[bool]) {
        let terminals = u64::from(self.labels) - grammar.symbols.len() as u64;
        let symbols = reached.iter().filter(|reached| **reached).count() as u64;
        // How many chains of the current length start at each nonterminal; at a terminal, one of length 1.
        let mut chains = vec![1u64; grammar.symbols.len()];
        self.total = terminals + symbols;
        for length in 2..=self.k {
            let longer = |list: &Vec<u32>| {
                let of_label = |label: &u32| match chains.get(*label as usize) {
                    Some(count) => *count,
                    None => u64::from(length == 2),
                };
                list.iter().map(of_label).fold(0, u64::saturating_add)
            };
            chains = self.children.iter().map(longer).collect();
            self.total = chains.iter().fold(self.total, |total, count| total.saturating_add(*count));
        }
    }
}
