//! Fields that are computed anew, mostly of fixed length: another text in the derivation that stands there already.
use super::solver::Solver;
use crate::ir::Node;
use crate::tree::{Index, Kind};

impl Solver<'_> {
    /// Adds to the donors the part at `at` with the text at hand, if that is as long, and is derived in just the same way.
    /// It spares the parser; bits and computed texts are left to that.
    pub(super) fn reword(&mut self, at: Index) -> Option<Index> {
        let (grammar, tree) = (&self.spec.grammar, &self.tree);
        let old = tree.text_range(at);
        if old.len() != self.text.len() || !tree.sources.is_empty() {
            return None;
        }
        let is_word = |here: Index| match tree.node(here).kind() {
            Kind::Symbol(symbol) => grammar.symbol(symbol).generator.is_none(),
            Kind::Control(_) => true,
            Kind::Terminal(node) => {
                let place = tree.text_range(here);
                let new = &self.text[place.start - old.start..place.end - old.start];
                match grammar.node(node) {
                    Node::Regex(regex) => grammar.regexes[*regex as usize].matches(new),
                    Node::Literal(_) => tree.text_of(here) == new,
                    _ => false,
                }
            }
        };
        if !(at..tree.end(at)).all(is_word) {
            return None;
        }
        let (donor, start) = (self.donors.len(), self.donors.text().len());
        self.donors.append(tree, at);
        self.donors.text_mut()[start..].copy_from_slice(&self.text);
        Some(donor)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::spec::{Options, Spec};

    #[test]
    fn a_field_is_reworded_to_what_the_parser_would_make_of_it() {
        let text = "<start> ::= <field> <tail>\n<field> ::= <byte>{4}\n<tail> ::= 'a' | 'b'\n";
        let spec = Spec::from_text(Path::new("test.fan"), text, &Options::default());
        let spec = spec.unwrap_or_else(|error| panic!("{error}"));
        let mut solver = Solver::new(&spec, 1);
        for number in 0..200u32 {
            solver.random_tree().unwrap();
            let tail = solver.tree.end(1);
            let Kind::Symbol(symbol) = solver.tree.node(1).kind() else { panic!() };
            solver.donors.clear();
            solver.text = number.wrapping_mul(0x9e37_79b9).to_be_bytes().to_vec();
            let (cheap, parsed) = (solver.reword(1).unwrap(), solver.parse_donor(symbol, false).unwrap());
            let donors = &solver.donors;
            assert!(donors.same(cheap, donors, parsed), "{number}");
            assert_eq!(donors.text_of(cheap), &solver.text[..]);
            solver.text = b"c".to_vec();
            assert_eq!(solver.reword(tail), None, "no such word");
            assert_eq!(solver.reword(1), None, "another length");
        }
    }
}
