//! What is known before generation about every choice: the cost of branches, and what can grow.
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};

/// Tables by rule node.
#[derive(Debug, Default)]
pub struct Choices {
    /// Per rule node: whether its words differ in size without a small bound.
    grows: Vec<bool>,
    /// Per alternative, its place in `alternatives`.
    of_node: Vec<u32>,
    alternatives: Vec<Alternative>,
    /// Branches of all alternatives.
    branches: Vec<Branch>,
    /// Per place in the grammar's lists, the item.
    items: Vec<Item>,
    symbols: Vec<Symbol>,
    /// Branches of symbols that are all a literal of one byte.
    leaves: Vec<(NodeId, u8)>,
    /// The tree nodes that the costliest of the parts needs that can be left out.
    dearest: u32,
}

/// What generation needs of a symbol, close together.
#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    /// Its rule.
    pub rule: NodeId,
    /// How its rule is made.
    pub form: Form,
}

/// How the rule of a symbol is made.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// By choosing from an alternative.
    Choice(u32),
    /// By choosing one of so many bytes, the first of which stands here.
    Leaf(u32, u32),
    /// Without a choice at its root.
    Plain,
    /// Its text is computed.
    Computed,
}

/// An alternative: some of `branches`, cheapest first.
#[derive(Debug, Clone, Copy)]
pub struct Alternative {
    all: Group,
    /// Those that grow, if some grow and some do not.
    growing: Group,
}

/// Some branches that stand together.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    start: u32,
    count: u32,
    /// The greatest extra cost among them.
    most: u32,
}

/// A branch of an alternative.
#[derive(Debug, Clone, Copy)]
pub struct Branch {
    /// Its place in the rule.
    pub number: u32,
    /// Tree nodes it needs more than the cheapest.
    pub extra: u32,
    /// Its rule node.
    pub node: NodeId,
}

/// An item of a sequence.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    /// Its rule node.
    pub node: NodeId,
    /// It grows, and so does something after it, for which room must be left.
    pub holds: bool,
}

impl Choices {
    /// Fills the tables from `grammar` and its least sizes.
    pub fn new(grammar: &Grammar) -> Self {
        let count = grammar.nodes.len();
        let mut choices =
            Self { grows: vec![false; count], of_node: vec![u32::MAX; count], ..Self::default() };
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..count).rev() {
                if !choices.grows[index] && choices.can_grow(grammar, NodeId(index as u32)) {
                    choices.grows[index] = true;
                    changed = true;
                }
            }
        }
        choices.items.extend(grammar.children.iter().map(|node| Item { node: *node, holds: false }));
        for (index, node) in grammar.nodes.iter().enumerate() {
            match node {
                Node::Alternative(list) => choices.add_alternative(grammar, index, grammar.list(list)),
                Node::Sequence(list) => {
                    let mut rest_grows = false;
                    for at in list.clone().rev() {
                        let grows = choices.grows(grammar.children[at as usize]);
                        choices.items[at as usize].holds = grows && rest_grows;
                        rest_grows |= grows;
                    }
                }
                // At least one round more than must be.
                Node::Repeat { body, min, max } if min != max => choices.consider(grammar.least(*body).nodes),
                _ => {}
            }
        }
        for symbol in &grammar.symbols {
            let form = match grammar.node(symbol.rule) {
                _ if symbol.generator.is_some() => Form::Computed,
                Node::Alternative(list) => choices.form_of(grammar, symbol.rule, grammar.list(list)),
                _ => Form::Plain,
            };
            choices.symbols.push(Symbol { rule: symbol.rule, form });
        }
        choices
    }

    /// The slack with which every part that can be left out can be made.
    pub fn dearest(&self) -> u32 {
        self.dearest
    }

    fn consider(&mut self, cost: u32) {
        if cost != u32::MAX {
            self.dearest = self.dearest.max(cost);
        }
    }

    /// What generation needs of the symbol `id`.
    #[inline]
    pub fn symbol(&self, id: SymbolId) -> Symbol {
        self.symbols[id.0 as usize]
    }

    /// Number `index` of the bytes that start at `start`.
    #[inline]
    pub fn leaf(&self, start: u32, index: u32) -> (NodeId, u8) {
        self.leaves[(start + index) as usize]
    }

    /// The item at a place of the grammar's lists.
    #[inline]
    pub fn item(&self, at: u32) -> Item {
        self.items[at as usize]
    }

    /// Whether words of `node` differ in size without a small bound.
    #[inline]
    pub fn grows(&self, node: NodeId) -> bool {
        self.grows[node.0 as usize]
    }

    /// The place of the alternative `node`.
    #[inline]
    pub fn alternative(&self, node: NodeId) -> u32 {
        self.of_node[node.0 as usize]
    }

    /// The branches of an alternative that need at most `slack` tree nodes more than the cheapest.
    #[inline]
    pub fn affordable(&self, alternative: u32, slack: i64) -> &[Branch] {
        self.within(self.alternatives[alternative as usize].all, slack.max(0))
    }

    /// Of the affordable branches those that grow; none if all or no branches of the alternative grow.
    #[inline]
    pub fn growing(&self, alternative: u32, slack: i64) -> &[Branch] {
        self.within(self.alternatives[alternative as usize].growing, slack)
    }

    #[inline]
    fn within(&self, group: Group, slack: i64) -> &[Branch] {
        let all = &self.branches[group.start as usize..(group.start + group.count) as usize];
        if i64::from(group.most) <= slack {
            return all;
        }
        &all[..all.partition_point(|branch| i64::from(branch.extra) <= slack)]
    }

    fn add_alternative(&mut self, grammar: &Grammar, index: usize, list: &[NodeId]) {
        let cost = |branch: &NodeId| grammar.least(*branch).nodes;
        let cheapest = list.iter().map(cost).min().unwrap_or(0);
        let finite = (0..).zip(list).filter(|(_, branch)| cost(branch) != u32::MAX);
        let mut all: Vec<Branch> = finite
            .map(|(number, node)| Branch { number, extra: cost(node) - cheapest, node: *node })
            .collect();
        all.sort_by_key(|branch| branch.extra);
        self.consider(all.last().map_or(0, |branch| branch.extra));
        let growing: Vec<Branch> = all.iter().copied().filter(|branch| self.grows(branch.node)).collect();
        let growing = if growing.len() == all.len() { Group::default() } else { self.add_branches(&growing) };
        let alternative = Alternative { all: self.add_branches(&all), growing };
        self.of_node[index] = self.alternatives.len() as u32;
        self.alternatives.push(alternative);
    }

    fn add_branches(&mut self, branches: &[Branch]) -> Group {
        let start = self.branches.len() as u32;
        self.branches.extend_from_slice(branches);
        let most = branches.last().map_or(0, |branch| branch.extra);
        Group { start, count: branches.len() as u32, most }
    }

    fn form_of(&mut self, grammar: &Grammar, rule: NodeId, list: &[NodeId]) -> Form {
        let byte = |branch: &NodeId| match grammar.node(*branch) {
            Node::Literal(literal) => match grammar.literal(literal) {
                [byte] => Some((*branch, *byte)),
                _ => None,
            },
            _ => None,
        };
        let start = self.leaves.len() as u32;
        self.leaves.extend(list.iter().map_while(byte));
        if self.leaves.len() - start as usize == list.len() {
            return Form::Leaf(start, list.len() as u32);
        }
        self.leaves.truncate(start as usize);
        Form::Choice(self.alternative(rule))
    }

    fn can_grow(&self, grammar: &Grammar, id: NodeId) -> bool {
        match grammar.node(id) {
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                grammar.list(list).iter().any(|child| self.grows(*child))
            }
            Node::Repeat { body, min, max } => match (min, max) {
                (Bound::Const(min), Bound::Const(max)) => max - min > 8 || self.grows(*body),
                _ => true,
            },
            Node::NonTerminal(symbol) => {
                let symbol = grammar.symbol(*symbol);
                symbol.recursive || self.grows(symbol.rule)
            }
            _ => false,
        }
    }
}
