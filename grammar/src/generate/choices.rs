//! What is known before generation about every choice: the cost of branches, and what can grow.
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};

/// Tables by rule node.
#[derive(Debug, Default)]
pub struct Choices {
    /// Per rule node: whether its words differ in size without a small bound.
    grows: Vec<bool>,
    /// Per alternative, where its branches stand in `branches`.
    of_alternative: Vec<(u32, u32)>,
    /// Branches with what they cost above the cheapest, cheapest first.
    branches: Vec<Branch>,
    /// Per place in the grammar's lists, whether something after it in its list grows.
    rest_grows: Vec<bool>,
    symbols: Vec<Symbol>,
    /// Per alternative of which some branches grow and some do not, where those that grow stand in `branches`.
    growing: Vec<(u32, u32)>,
}

/// What generation needs of a symbol, close together.
#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    /// Its rule.
    pub rule: NodeId,
    /// Where its branches stand in the grammar's lists, if its rule is an alternative.
    pub branches: Option<u32>,
    /// Whether its text is computed.
    pub computed: bool,
}

/// A branch of an alternative.
#[derive(Debug, Clone, Copy)]
pub struct Branch {
    /// Its place in the rule.
    pub number: u32,
    /// Tree nodes it needs more than the cheapest.
    pub extra: u32,
}

impl Choices {
    /// Fills the tables from `grammar` and its least sizes.
    pub fn new(grammar: &Grammar) -> Self {
        let count = grammar.nodes.len();
        let mut choices =
            Self { grows: vec![false; count], of_alternative: vec![(0, 0); count], ..Self::default() };
        for (index, node) in grammar.nodes.iter().enumerate() {
            let Node::Alternative(range) = node else { continue };
            let cost = |branch: &NodeId| grammar.least(*branch).nodes;
            let list = grammar.list(range);
            let cheapest = list.iter().map(cost).min().unwrap_or(0);
            let start = choices.branches.len();
            choices.branches.extend(
                (0..)
                    .zip(list)
                    .filter(|(_, branch)| cost(branch) != u32::MAX)
                    .map(|(number, branch)| Branch { number, extra: cost(branch) - cheapest }),
            );
            choices.branches[start..].sort_by_key(|branch| branch.extra);
            choices.of_alternative[index] = (start as u32, choices.branches.len() as u32);
        }
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
        choices.rest_grows = vec![false; grammar.children.len()];
        for node in &grammar.nodes {
            if let Node::Sequence(list) = node {
                let mut grows = false;
                for at in list.clone().rev() {
                    choices.rest_grows[at as usize] = grows;
                    grows |= choices.grows(grammar.children[at as usize]);
                }
            }
        }
        choices.symbols.extend(grammar.symbols.iter().map(|symbol| Symbol {
            rule: symbol.rule,
            branches: match grammar.node(symbol.rule) {
                Node::Alternative(list) => Some(list.start),
                _ => None,
            },
            computed: symbol.generator.is_some(),
        }));
        choices.growing = vec![(0, 0); count];
        for (index, node) in grammar.nodes.iter().enumerate() {
            let Node::Alternative(range) = node else { continue };
            let list = grammar.list(range);
            let (start, end) = choices.of_alternative[index];
            let first = choices.branches.len();
            for at in start as usize..end as usize {
                let branch = choices.branches[at];
                if choices.grows(list[branch.number as usize]) {
                    choices.branches.push(branch);
                }
            }
            if choices.branches.len() - first == (end - start) as usize {
                choices.branches.truncate(first);
            }
            choices.growing[index] = (first as u32, choices.branches.len() as u32);
        }
        choices
    }

    /// The branches of an alternative that grow and need at most `slack` tree nodes more than the cheapest; none if all
    /// branches grow.
    #[inline]
    pub fn growing(&self, node: NodeId, slack: i64) -> &[Branch] {
        let (start, end) = self.growing[node.0 as usize];
        let all = &self.branches[start as usize..end as usize];
        let count = all.partition_point(|branch| i64::from(branch.extra) <= slack);
        &all[..count]
    }

    /// What generation needs of the symbol `id`.
    #[inline]
    pub fn symbol(&self, id: SymbolId) -> Symbol {
        self.symbols[id.0 as usize]
    }

    /// Whether something after the place `at` of the grammar's lists grows too.
    #[inline]
    pub fn rest_grows(&self, at: u32) -> bool {
        self.rest_grows[at as usize]
    }

    /// Whether words of `node` differ in size without a small bound.
    #[inline]
    pub fn grows(&self, node: NodeId) -> bool {
        self.grows[node.0 as usize]
    }

    /// The branches of an alternative that need at most `slack` tree nodes more than the cheapest.
    #[inline]
    pub fn affordable(&self, node: NodeId, slack: i64) -> &[Branch] {
        let (start, end) = self.of_alternative[node.0 as usize];
        let all = &self.branches[start as usize..end as usize];
        match all.last() {
            Some(last) if i64::from(last.extra) > slack => {
                let count = all.partition_point(|branch| i64::from(branch.extra) <= slack.max(0));
                &all[..count]
            }
            _ => all,
        }
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
