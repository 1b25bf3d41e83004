//! Which symbols can stand below which, to skip subtrees that cannot hold what is looked for.
use crate::ir::{Grammar, SymbolId};

/// A bit per pair of symbols.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    /// The pairs of `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        let count = grammar.symbols.len();
        let words = count.div_ceil(64);
        let mut reach = Self { words, bits: vec![0; words * count] };
        let uses: Vec<Vec<SymbolId>> =
            grammar.symbol_ids().map(|id| grammar.named_in(id).collect()).collect();
        for (index, uses) in uses.iter().enumerate() {
            for below in uses {
                reach.bits[index * words + below.0 as usize / 64] |= 1 << (below.0 % 64);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..count).rev() {
                for below in &uses[index] {
                    for word in 0..words {
                        let more = reach.bits[below.0 as usize * words + word];
                        let mine = &mut reach.bits[index * words + word];
                        if *mine | more != *mine {
                            *mine |= more;
                            changed = true;
                        }
                    }
                }
            }
        }
        reach
    }

    /// Whether `below` can stand somewhere below `above`. Always, if nothing is known.
    #[inline]
    pub fn can(&self, above: SymbolId, below: SymbolId) -> bool {
        match self.bits.get(above.0 as usize * self.words + below.0 as usize / 64) {
            Some(word) if self.words > 0 => word >> (below.0 % 64) & 1 != 0,
            // A symbol the grammar does not have stands nowhere.
            _ => self.words == 0,
        }
    }
}
