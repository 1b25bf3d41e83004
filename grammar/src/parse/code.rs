//! The grammar as the parser runs it: goals, each with productions, each a row of elements.
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};
use crate::tree::Kind;

/// One element of a production.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// A literal of one byte.
    Byte(NodeId, u8),
    /// A longer or empty literal.
    Literal(NodeId),
    /// A regular expression.
    Regex(NodeId, u32),
    /// A bit.
    Bit(NodeId, bool),
    /// A word of a goal.
    Goal(u32),
    /// The end of the production, by its number.
    End(u32),
}

/// Something with words of its own: a symbol, or a part of a rule that repeats, chooses or permutes.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// The tree node it makes; none for a sequence that is repeated.
    pub tree: Option<Kind>,
    /// How its words are made.
    pub form: Form,
    /// Some word of it is one byte or bit.
    pub has_leaf: bool,
}

/// How the words of a goal are made.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// By one of the productions from the first to before the second.
    Choice(u32, u32),
    /// By rounds of the production.
    Repeat {
        /// The production of one round.
        body: u32,
        /// The least number of rounds.
        min: Bound,
        /// The greatest number of rounds.
        max: Bound,
    },
    /// By each of the productions from the first to before the second once, in any order.
    Permutation(u32, u32),
}

/// One way to make a word of a goal, or a part of it.
#[derive(Debug, Clone, Copy)]
pub struct Production {
    /// The goal.
    pub goal: u32,
    /// Which branch of the goal's alternative it is, or which item of its permutation.
    pub alt: u32,
    /// Where its elements start.
    pub first: u32,
    /// The start it shares with other productions of its goal, as a place in [`Code::stems`]; [`ALONE`] if none.
    pub stem: u32,
}

/// The stem of a production that shares its start with no other.
pub const ALONE: u32 = u32::MAX;

/// A start that several productions of a goal share; it is parsed once for all of them.
#[derive(Debug, Clone, Copy)]
pub struct Stem {
    /// Where its elements start.
    pub first: u32,
    /// How many they are.
    pub len: u32,
}

/// A compiled grammar; the goal of a symbol has the symbol's number.
#[derive(Debug, Default)]
pub struct Code {
    pub goals: Vec<Goal>,
    pub productions: Vec<Production>,
    pub elements: Vec<Element>,
    pub stems: Vec<Stem>,
}

impl Code {
    /// Compiles `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        let mut code = Self::default();
        for symbol in 0..grammar.symbols.len() as u32 {
            code.goals.push(Goal {
                tree: Some(Kind::Symbol(SymbolId(symbol))),
                form: Form::Choice(0, 0),
                has_leaf: false,
            });
        }
        // Goals found on the way, with the rule nodes they are made from.
        let mut todo: Vec<(u32, NodeId)> =
            (0..).zip(&grammar.symbols).map(|(goal, symbol)| (goal, symbol.rule)).collect();
        while let Some((goal, node)) = todo.pop() {
            let is_symbol = (goal as usize) < grammar.symbols.len();
            let first = code.productions.len() as u32;
            let form = match grammar.node(node) {
                Node::Alternative(list) => {
                    for (alt, branch) in (0..).zip(grammar.list(list)) {
                        code.production(grammar, goal, alt, *branch, &mut todo);
                    }
                    Form::Choice(first, code.productions.len() as u32)
                }
                Node::Repeat { body, min, max } if !is_symbol => {
                    code.production(grammar, goal, 0, *body, &mut todo);
                    Form::Repeat { body: first, min: *min, max: *max }
                }
                Node::Permutation(list) if !is_symbol => {
                    for (alt, item) in (0..).zip(grammar.list(list)) {
                        code.production(grammar, goal, alt, *item, &mut todo);
                    }
                    Form::Permutation(first, code.productions.len() as u32)
                }
                _ => {
                    code.production(grammar, goal, 0, node, &mut todo);
                    Form::Choice(first, first + 1)
                }
            };
            code.goals[goal as usize].form = form;
        }
        for goal in 0..code.goals.len() as u32 {
            let what = code.goals[goal as usize];
            if matches!(what.form, Form::Choice(..)) {
                let is_leaf =
                    |production| matches!(code.row(production), [Element::Byte(..) | Element::Bit(..)]);
                code.goals[goal as usize].has_leaf =
                    what.tree.is_some() && code.productions_of(goal).any(is_leaf);
                code.find_stems(grammar, goal);
            }
        }
        code
    }

    fn production(
        &mut self,
        grammar: &Grammar,
        goal: u32,
        alt: u32,
        node: NodeId,
        todo: &mut Vec<(u32, NodeId)>,
    ) {
        let number = self.productions.len() as u32;
        self.productions.push(Production { goal, alt, first: self.elements.len() as u32, stem: ALONE });
        let single = [node];
        let items = match grammar.node(node) {
            Node::Sequence(list) => grammar.list(list),
            _ => &single[..],
        };
        for item in items {
            let element = match grammar.node(*item) {
                Node::NonTerminal(symbol) => Element::Goal(symbol.0),
                Node::Literal(literal) => match grammar.literal(literal) {
                    [byte] => Element::Byte(*item, *byte),
                    _ => Element::Literal(*item),
                },
                Node::Regex(regex) => Element::Regex(*item, *regex),
                Node::Bit(bit) => Element::Bit(*item, *bit),
                other => {
                    let tree = (!matches!(other, Node::Sequence(_))).then_some(Kind::Control(*item));
                    self.goals.push(Goal { tree, form: Form::Choice(0, 0), has_leaf: false });
                    let goal = self.goals.len() as u32 - 1;
                    todo.push((goal, *item));
                    Element::Goal(goal)
                }
            };
            self.elements.push(element);
        }
        self.elements.push(Element::End(number));
    }

    /// The elements of a production, its end left out.
    pub fn row(&self, production: u32) -> &[Element] {
        let row = &self.elements[self.productions[production as usize].first as usize..];
        let len = row.iter().position(|element| matches!(element, Element::End(_))).unwrap_or(row.len());
        &row[..len]
    }

    /// The productions of a goal.
    pub fn productions_of(&self, goal: u32) -> std::ops::Range<u32> {
        match self.goals[goal as usize].form {
            Form::Choice(first, end) | Form::Permutation(first, end) => first..end,
            Form::Repeat { body, .. } => body..body + 1,
        }
    }

    /// The production of `goal` of which the elements start at `slot`.
    pub fn production_at(&self, goal: u32, slot: u32) -> Option<Production> {
        let range = self.productions_of(goal);
        let all = &self.productions[range.start as usize..range.end as usize];
        all.binary_search_by_key(&slot, |production| production.first).ok().map(|found| all[found])
    }

    /// Adds what the element at `slot` stands for in an error: a name, a quoted literal, a pattern.
    pub fn describe(&self, grammar: &Grammar, slot: u32, out: &mut Vec<String>) {
        let text = match self.elements[slot as usize] {
            Element::Byte(node, _) | Element::Literal(node) => match grammar.node(node) {
                // What is empty fits everywhere.
                Node::Literal(literal) if literal.range.is_empty() => return,
                Node::Literal(literal) => {
                    let quote = if literal.is_bytes { "b" } else { "" };
                    format!("{quote}'{}'", grammar.literal(literal).escape_ascii())
                }
                _ => return,
            },
            Element::Regex(_, regex) => format!("r'{}'", grammar.regexes[regex as usize].pattern),
            Element::Bit(_, bit) => format!("bit {}", u8::from(bit)),
            Element::Goal(goal) => match self.goals[goal as usize].tree {
                Some(Kind::Symbol(symbol)) => grammar.symbol(symbol).name.clone(),
                _ => {
                    for production in self.productions_of(goal) {
                        let first = self.productions[production as usize].first;
                        // Only what is right there: rules can nest without end.
                        if !matches!(self.elements[first as usize], Element::Goal(inner) if inner >= goal) {
                            self.describe(grammar, first, out);
                        }
                    }
                    return;
                }
            },
            Element::End(_) => return,
        };
        if !out.contains(&text) {
            out.push(text);
        }
    }
}
