//! Texts to trees that satisfy the constraints, where a text has several trees.
use super::solver::{Solver, holds_in};
use crate::parse::{Limits, ParseError, Picked};

impl Solver<'_> {
    /// Makes the tree one of `input`, if it can be one that satisfies every constraint.
    pub fn read(&mut self, input: &[u8], limits: Limits) -> Result<Picked, ParseError> {
        let spec = self.spec;
        self.tree.clear();
        self.parser.parse_accepted(
            &spec.grammar,
            spec.grammar.start,
            input,
            limits,
            &mut self.rng,
            &mut self.program,
            &mut self.tree,
            &mut |tree, rng, program| {
                (0..spec.constraints.len()).all(|index| holds_in(spec, program, rng, tree, index))
            },
        )
    }

    /// Makes the tree the first one of `input`, whatever the constraints; how many bytes it covers.
    pub fn read_any(&mut self, input: &[u8], limits: Limits) -> Result<usize, ParseError> {
        let grammar = &self.spec.grammar;
        let (rng, program, tree) = (&mut self.rng, &mut self.program, &mut self.tree);
        tree.clear();
        self.parser.parse(grammar, grammar.start, input, false, limits, rng, program, tree)
    }

    /// An error of reading `input`, with everything that was expected there.
    pub fn explain(&mut self, input: &[u8], limits: Limits, error: ParseError) -> ParseError {
        let grammar = &self.spec.grammar;
        self.parser.explain(grammar, grammar.start, input, limits, error)
    }
}
