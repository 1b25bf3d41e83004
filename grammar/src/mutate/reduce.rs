//! Ways to make a part of a tree smaller, one after the other, for a search that tries them all.
use super::Mutator;
use crate::generate::Host;
use crate::ir::Grammar;
use crate::rng::Rng;
use crate::tree::{Index, Kind, Patch, Tree};

/// So many inner parts of the same symbol are tried in the place of a part.
const INNER: u32 = 4;

impl Mutator {
    /// Makes `out` a copy of `tree` with the part at `at` made smaller in the way with this number; false if that way
    /// leads nowhere, none if there are no further ways.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn reduce(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        way: u32,
        rng: &mut Rng,
        mut host: &mut dyn Host,
        out: &mut Tree,
    ) -> Option<bool> {
        let node = tree.node(at);
        if tree.text_of(at).is_empty() {
            return None;
        }
        let mut patch = Patch::default();
        if let Some((least, _)) = self.kinds.of(node.kind()).bounds {
            let (from, to) = blocks(node.alt, least).nth(way as usize)?;
            let start = |number| Self::round_start(grammar, tree, at, number);
            let gone = start(from)..start(to);
            patch.replace_inside(tree, at, node.alt - (to - from), gone, 0);
            patch.apply(tree, out);
            return Some(true);
        }
        if way == 0 {
            let free = self.kinds.of(node.kind()).varies && node.len > 1;
            let mut least = || self.generator.regrow(grammar, tree, at, None, 0, rng, &mut host, out).is_ok();
            return Some(free && least());
        }
        if way > INNER || !matches!(node.kind(), Kind::Symbol(_)) {
            return None;
        }
        let mut inner = (at + 1..tree.end(at)).filter(|inner| tree.node(*inner).kind() == node.kind());
        let inner = inner.nth(way as usize - 1)?;
        patch.pieces.append(tree, inner);
        patch.add_own(0, false);
        patch.replace(tree, at, 0);
        patch.apply(tree, out);
        Some(true)
    }
}

/// Which of `count` rounds to leave out while `least` stay: all that may go, then halves of them, down to single ones.
fn blocks(count: u32, least: u32) -> impl Iterator<Item = (u32, u32)> {
    let spare = count.saturating_sub(least);
    let sizes = std::iter::successors(Some(spare), |size| Some(size / 2)).take_while(|size| *size > 0);
    sizes.flat_map(move |size| {
        (0..count).step_by(size as usize).map(move |from| (from, (from + size).min(count)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_from_all_to_single_rounds() {
        assert_eq!(blocks(2, 0).collect::<Vec<_>>(), [(0, 2), (0, 1), (1, 2)]);
        assert_eq!(blocks(3, 1).collect::<Vec<_>>(), [(0, 2), (2, 3), (0, 1), (1, 2), (2, 3)]);
        assert_eq!(blocks(3, 3).count(), 0);
    }
}
