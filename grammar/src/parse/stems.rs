//! Starts that several productions of a goal share, so that they are parsed once.
use super::code::{Code, Element, Stem};
use crate::ir::{Grammar, Node, NodeId};

impl Code {
    /// Groups the productions of a goal by their first element.
    pub fn find_stems(&mut self, grammar: &Grammar, goal: u32) {
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
            let shared = |other: &u32| {
                row.iter().zip(self.row(*other)).take_while(|(a, b)| alike(grammar, **a, **b)).count()
            };
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
