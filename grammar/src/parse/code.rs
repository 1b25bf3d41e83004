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
            code.goals.push(Goal { tree: Some(Kind::Symbol(SymbolId(symbol))), form: Form::Choice(0, 0), has_leaf: false });
        }
        // Goals found on the way, with the rule nodes they are made from.
        let mut todo: Vec<(u32, NodeId)> = (0..).zip(&grammar.symbols).map(|(goal, symbol)| (goal, symbol.rule)).collect();
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
                let is_leaf = |production| matches!(code.row(production), [Element::Byte(..) | Element::Bit(..)]);
                code.goals[goal as usize].has_leaf = what.tree.is_some() && code.productions_of(goal).any(is_leaf);
                code.find_stems(grammar, goal);
            }
        }
        code
    }

    /// Groups the productions of a goal by their first element.
    fn find_stems(&mut self, grammar: &Grammar, goal: u32) {
        let mut groups: Vec<(Element, Vec<u32>)> = Vec::new();
        for production in self.productions_of(goal) {
            let Some(first) = self.row(production).first().copied() else { continue };
            match groups.iter_mut().find(|(known, _)| alike(grammar, *known, first)) {
                Some((_, group)) => group.push(production),
                None => groups.push((first, vec![production])),
            }
        }
        for (_, group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
            let row = self.row(group[0]);
            let shared = |other: &u32| row.iter().zip(self.row(*other)).take_while(|(a, b)| alike(grammar, **a, **b)).count();
            let len = group.iter().map(shared).min().unwrap_or(0);
            let stem = Stem { first: self.elements.len() as u32, len: len as u32 };
            let row: Vec<Element> = row[..len].to_vec();
            self.elements.extend(row);
            self.elements.push(Element::End(group[0]));
            for production in group {
                self.productions[production as usize].stem = self.stems.len() as u32;
            }
            self.stems.push(stem);
        }
    }

    fn production(&mut self, grammar: &Grammar, goal: u32, alt: u32, node: NodeId, todo: &mut Vec<(u32, NodeId)>) {
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

    /// Per goal, whether its words include the empty one.
    pub fn nullable(&self, grammar: &Grammar) -> Vec<bool> {
        let mut nullable = vec![false; self.goals.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for goal in 0..self.goals.len() {
                if nullable[goal] {
                    continue;
                }
                let mut rows = self.productions_of(goal as u32).map(|production| {
                    self.row(production).iter().all(|element| self.is_nullable(grammar, *element, &nullable))
                });
                nullable[goal] = match self.goals[goal].form {
                    Form::Choice(..) => rows.any(|empty| empty),
                    Form::Permutation(..) => rows.all(|empty| empty),
                    Form::Repeat { min, .. } => !matches!(min, Bound::Const(1..)) || rows.any(|empty| empty),
                };
                changed |= nullable[goal];
            }
        }
        nullable
    }

    /// Whether an element's words include the empty one, given which goals' do.
    pub fn is_nullable(&self, grammar: &Grammar, element: Element, nullable: &[bool]) -> bool {
        match element {
            Element::Goal(goal) => nullable[goal as usize],
            Element::Literal(node) => {
                matches!(grammar.node(node), Node::Literal(literal) if literal.range.is_empty())
            }
            Element::Regex(_, regex) => grammar.regexes[regex as usize].matches(b""),
            Element::Byte(..) | Element::Bit(..) | Element::End(_) => false,
        }
    }

    /// Per symbol, whether a derivation of it can start with itself.
    pub fn left_recursive(&self, grammar: &Grammar) -> Vec<bool> {
        let nullable = self.nullable(grammar);
        let count = self.goals.len();
        let mut starts: Vec<Vec<u32>> = vec![Vec::new(); count];
        for goal in 0..count {
            for production in self.productions_of(goal as u32) {
                for element in self.row(production) {
                    if let Element::Goal(child) = element {
                        starts[goal].push(*child);
                    }
                    if !self.is_nullable(grammar, *element, &nullable) {
                        break;
                    }
                }
            }
        }
        // On a cycle of "can start with": found by peeling off goals that start with nothing left, from both ends.
        let on_cycle = |from: usize| {
            let mut seen = vec![false; count];
            let mut todo = starts[from].clone();
            while let Some(goal) = todo.pop() {
                if goal as usize == from {
                    return true;
                }
                if !std::mem::replace(&mut seen[goal as usize], true) {
                    todo.extend_from_slice(&starts[goal as usize]);
                }
            }
            false
        };
        (0..grammar.symbols.len()).map(on_cycle).collect()
    }

    /// Per symbol, whether one of which `marked` is true can be reached from it, itself included.
    pub fn reaching(&self, grammar: &Grammar, marked: &[bool]) -> Vec<bool> {
        let mut reaching: Vec<bool> = (0..self.goals.len()).map(|goal| marked.get(goal) == Some(&true)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for goal in (0..self.goals.len()).rev().filter(|goal| !reaching[*goal]).collect::<Vec<_>>() {
                let mut productions = self.productions_of(goal as u32);
                reaching[goal] = productions.any(|production| {
                    let hit = |element: &Element| matches!(element, Element::Goal(child) if reaching[*child as usize]);
                    self.row(production).iter().any(hit)
                });
                changed |= reaching[goal];
            }
        }
        reaching.truncate(grammar.symbols.len());
        reaching
    }

    /// Adds what the element at `slot` stands for in an error: a name, a quoted literal, a pattern.
    pub fn describe(&self, grammar: &Grammar, slot: u32, out: &mut Vec<String>) {
        let text = match self.elements[slot as usize] {
            Element::Byte(node, _) | Element::Literal(node) => match grammar.node(node) {
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

/// Whether two elements have the same words and make one tree node each, of which at most the rule node differs.
fn alike(grammar: &Grammar, one: Element, other: Element) -> bool {
    let word = |node: NodeId| match grammar.node(node) {
        Node::Literal(literal) => grammar.literal(literal),
        _ => &[],
    };
    match (one, other) {
        (Element::Byte(_, one), Element::Byte(_, other)) => one == other,
        (Element::Literal(one), Element::Literal(other)) => word(one) == word(other),
        (Element::Bit(_, one), Element::Bit(_, other)) => one == other,
        (Element::Regex(_, one), Element::Regex(_, other)) => {
            let (one, other) = (&grammar.regexes[one as usize], &grammar.regexes[other as usize]);
            one.pattern == other.pattern && one.is_bytes == other.is_bytes
        }
        (Element::Goal(one), Element::Goal(other)) => one == other,
        _ => false,
    }
}

/// All rule nodes of the rule with the root `rule`.
pub fn nodes_below(grammar: &Grammar, rule: NodeId) -> Vec<NodeId> {
    let (mut found, mut next) = (vec![rule], 0);
    while let Some(node) = found.get(next).copied() {
        next += 1;
        match grammar.node(node) {
            Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                found.extend_from_slice(grammar.list(list));
            }
            Node::Repeat { body, .. } => found.push(*body),
            _ => {}
        }
    }
    found
}
