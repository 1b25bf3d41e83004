//! All that could have stood where a text does not parse: found by the chart, after the fact.
use super::input::{Packed, Plain, Text};
use super::{Job, Limits, Lookahead, ParseError, Parser, chart};
use crate::ir::{Grammar, SymbolId};

impl Parser {
    /// The error for `input`, with everything that was expected where `error` says it does not fit.
    pub fn explain(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        input: &[u8],
        limits: Limits,
        error: ParseError,
    ) -> ParseError {
        let found = if grammar.symbol(symbol).has_bits {
            self.thorough(grammar, symbol, Packed::new(input, 0), limits)
        } else {
            self.thorough(grammar, symbol, Plain(input), limits)
        };
        match (found, &error) {
            // Computed counts are open to the chart, so it may get further; then the first error is the better one.
            (Some(ParseError::Mismatch { at, expected }), ParseError::Mismatch { at: known, .. })
                if at == *known =>
            {
                ParseError::Mismatch { at, expected }
            }
            _ => error,
        }
    }

    fn thorough<T: Text>(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        text: T,
        limits: Limits,
    ) -> Option<ParseError> {
        let code = &self.code;
        let form = usize::from(T::PACKED) + 2 * usize::from(limits.prefix);
        let ahead = self.lookaheads[form]
            .get_or_insert_with(|| Box::new(Lookahead::new(grammar, code, T::PACKED, limits.prefix)));
        let job = Job { grammar, code, ahead, symbol, text, prefix: limits.prefix };
        self.chart.furthest.thorough = true;
        let filled = chart::fill(&job, &mut self.chart, limits.steps, false);
        self.chart.furthest.thorough = false;
        filled.err()
    }
}
