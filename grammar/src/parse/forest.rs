//! Further trees of ambiguous texts: the chart keeps every way in which its items came about, and trees are drawn from it.
use super::input::{Packed, Plain, Text};
use super::ways::Draw;
use super::{Job, Limits, Lookahead, ParseError, Parser, chart, harvest};
use crate::generate::Host;
use crate::ir::{Grammar, SymbolId};
use crate::rng::Rng;
use crate::tree::Tree;

/// Trees of one text that are drawn before it counts as having none that is accepted.
const TREES: usize = 2000;

/// What came of looking for a tree that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picked {
    /// How many bytes the tree covers.
    pub covered: usize,
    /// Whether it was accepted; if not, it is the first one.
    pub accepted: bool,
}

impl Parser {
    /// Like [`Parser::parse`] for packed bits, looking for a tree that `accept` accepts: where the text has several
    /// and the first is not, some of the others are tried.
    #[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
    pub fn parse_accepted<H: Host>(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        input: &[u8],
        limits: Limits,
        rng: &mut Rng,
        host: &mut H,
        tree: &mut Tree,
        accept: &mut dyn FnMut(&Tree, &mut Rng, &mut H) -> bool,
    ) -> Result<Picked, ParseError> {
        let covered = self.parse(grammar, symbol, input, false, limits, rng, host, tree)?;
        if accept(tree, rng, host) {
            return Ok(Picked { covered, accepted: true });
        }
        let first = tree.clone();
        let mut draw = |padding: Option<u32>, rng: &mut Rng, tree: &mut Tree| match padding {
            None => self.draw(grammar, symbol, Plain(input), limits, rng, host, tree, accept),
            Some(bits) => {
                self.draw(grammar, symbol, Packed::new(input, bits), limits, rng, host, tree, accept)
            }
        };
        let found = if grammar.symbol(symbol).has_bits {
            // The first padding with a tree is the one that was parsed.
            (0..8).find_map(|bits| draw(Some(bits), rng, tree))
        } else {
            draw(None, rng, tree)
        };
        if found == Some(true) {
            return Ok(Picked { covered, accepted: true });
        }
        *tree = first;
        Ok(Picked { covered, accepted: false })
    }

    /// Draws trees until one is accepted; none if the text has no tree in this form.
    #[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
    fn draw<T: Text, H: Host>(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        text: T,
        limits: Limits,
        rng: &mut Rng,
        host: &mut H,
        tree: &mut Tree,
        accept: &mut dyn FnMut(&Tree, &mut Rng, &mut H) -> bool,
    ) -> Option<bool> {
        let code = &self.code;
        let form = usize::from(T::PACKED) + 2 * usize::from(limits.prefix);
        let ahead = self.lookaheads[form]
            .get_or_insert_with(|| Box::new(Lookahead::new(grammar, code, T::PACKED, limits.prefix)));
        let job = Job { grammar, code, ahead, symbol, text, prefix: limits.prefix };
        let found = chart::fill(&job, &mut self.chart, limits.steps, true).ok()?;
        let chart::Buffers { items, ways, harvest: memory, .. } = &mut self.chart;
        if ways.is_empty() {
            return Some(false);
        }
        let mut drawn = 0;
        // The two extremes first: where lists are marked by what they contain, one of them is mostly meant.
        for draw in
            [Draw::Latest, Draw::Earliest].into_iter().chain([Draw::Any].into_iter().cycle()).take(TREES)
        {
            // Large trees are drawn less often, within the budget of a parse.
            drawn += u64::from(tree.len());
            if drawn > limits.steps / 8 {
                break;
            }
            tree.clear();
            let made = harvest::harvest(&job, items, Some((&*ways, draw)), memory, found, rng, host, tree);
            if made.is_ok() && accept(tree, rng, host) {
                return Some(true);
            }
        }
        Some(false)
    }
}
