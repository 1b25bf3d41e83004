//! What holds of goals before any text is seen: which have the empty word, which start with themselves.
use super::code::{Code, Element, Form};
use crate::ir::{Bound, Grammar, Node, NodeId};

impl Code {
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
        for (goal, starts) in starts.iter_mut().enumerate() {
            for production in self.productions_of(goal as u32) {
                for element in self.row(production) {
                    if let Element::Goal(child) = element {
                        starts.push(*child);
                    }
                    if !self.is_nullable(grammar, *element, &nullable) {
                        break;
                    }
                }
            }
        }
        // Left-recursive is what comes round to itself by "can start with".
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
        let mut reaching: Vec<bool> =
            (0..self.goals.len()).map(|goal| marked.get(goal) == Some(&true)).collect();
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
