//! What a spec's program computed before without arguments, so that it can stand in other derivations again.
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ir::SymbolId;
use crate::rng::Rng;
use crate::tree::{Index, Tree};

/// So many are kept of a symbol.
const MOST: u32 = 32;
/// One in so many is computed anew, whatever there is; while there are fewer, more are.
const NEW: u32 = 64;

/// What was computed, by its symbol.
#[derive(Debug, Default)]
pub(super) struct Again {
    known: FxHashMap<SymbolId, Vec<Rc<Tree>>>,
}

impl Again {
    /// Something that was computed for `symbol` before; now and then nothing, so that it is computed anew.
    pub(super) fn draw(&self, symbol: SymbolId, rng: &mut Rng) -> Option<Rc<Tree>> {
        let known = self.known.get(&symbol)?;
        let count = known.len() as u32;
        let place = (!rng.one_in(((count + 1) * (count + 1)).min(NEW))).then(|| rng.below(count) as usize)?;
        known.get(place).cloned()
    }

    /// Keeps what was computed for `symbol`, the subtree of `tree` at `at`.
    pub(super) fn keep(&mut self, symbol: SymbolId, tree: &Tree, at: Index, rng: &mut Rng) {
        let mut computed = Tree::default();
        computed.append(tree, at);
        let known = self.known.entry(symbol).or_default();
        if known.len() < MOST as usize {
            known.push(Rc::new(computed));
        } else {
            known[rng.below(MOST) as usize] = Rc::new(computed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::NodeId;

    #[test]
    fn what_was_computed_comes_again_and_now_and_then_is_computed_anew() {
        let (mut again, mut rng, symbol) = (Again::default(), Rng::new(1), SymbolId(3));
        assert!(again.draw(symbol, &mut rng).is_none());
        for number in 0..100u8 {
            let mut tree = Tree::default();
            tree.leaf(symbol, 0, NodeId(0), number);
            again.keep(symbol, &tree, 0, &mut rng);
        }
        let drawn: Vec<_> = (0..6400).map(|_| again.draw(symbol, &mut rng)).collect();
        let anew = drawn.iter().filter(|tree| tree.is_none()).count();
        assert!((50..200).contains(&anew), "{anew}");
        assert!(drawn.iter().flatten().all(|tree| tree.len() == 2 && tree.text()[0] < 100));
        assert!(again.draw(SymbolId(4), &mut rng).is_none());
    }
}
