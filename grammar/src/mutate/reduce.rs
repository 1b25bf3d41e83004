//! Ways to make a part of a tree smaller, one after the other, for a search that tries them all.
use std::ops::Range;
use std::rc::Rc;

use super::Mutator;
use crate::generate::Host;
use crate::ir::{Grammar, Node};
use crate::rng::Rng;
use crate::sizes;
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
            let start = |number| Self::round_start(grammar, tree, at, number);
            let Some((from, to)) = blocks(node.alt, least).nth(way as usize) else {
                let further = way - blocks(node.alt, least).count() as u32;
                if further > 1 || node.alt <= least {
                    return None;
                }
                let number = if further == 0 { 0 } else { node.alt - 1 };
                let made = shift(tree, at, start(number)..start(number + 1), further == 0, &mut patch);
                if made {
                    patch.apply(tree, out);
                }
                return Some(made);
            };
            let gone = start(from)..start(to);
            patch.replace_inside(tree, at, node.alt - (to - from), gone, 0);
            patch.apply(tree, out);
            return Some(true);
        }
        if way == 0 {
            if !self.kinds.of(node.kind()).varies || node.len <= 1 {
                return Some(false);
            }
            let lengths = self.lengths.get_or_insert_with(|| lengths(grammar)).clone();
            self.generator.only = Some(lengths);
            let made = self.generator.regrow(grammar, tree, at, None, 0, rng, &mut host, out);
            self.generator.only = None;
            return Some(made.is_ok());
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

/// What stands right before the repetition at `at`, as the first of `a (',' a)*`, gives way to what is like it in a round,
/// which goes; or what stands right behind it. False if nothing there is like anything in the round.
fn shift(tree: &Tree, at: Index, round: Range<Index>, before: bool, patch: &mut Patch) -> bool {
    let nodes = |mut range: Range<Index>| {
        let mut nodes = Vec::new();
        while range.start < range.end {
            nodes.push(range.start);
            range.start = tree.end(range.start);
        }
        if before {
            nodes.reverse();
        }
        nodes
    };
    // The innermost node around it.
    let mut around = 0..tree.len();
    let mut here = 0;
    while here < at {
        if tree.end(here) <= at {
            here = tree.end(here);
        } else {
            around = here + 1..tree.end(here);
            here += 1;
        }
    }
    let beside = if before { around.start..at } else { tree.end(at)..around.end };
    let pairs = nodes(beside).into_iter().zip(nodes(round.clone()));
    let alike = |(old, new): &(Index, Index)| tree.node(*old).kind() == tree.node(*new).kind();
    let mut pairs: Vec<_> = pairs.take_while(alike).collect();
    if pairs.is_empty() {
        return false;
    }
    pairs.sort_unstable();
    let gone = |patch: &mut Patch| {
        let mark = patch.mark();
        patch.replace_inside(tree, at, tree.node(at).alt - 1, round.clone(), mark);
    };
    // In the order of their places.
    if !before {
        gone(patch);
    }
    for (old, new) in pairs {
        let (from, mark) = (patch.pieces.len(), patch.mark());
        patch.pieces.append(tree, new);
        patch.add_own(from, false);
        patch.replace(tree, old, mark);
    }
    if before {
        gone(patch);
    }
    true
}

/// Per rule node, what its shortest word costs: bits count most, then tree nodes. `u32::MAX` if there is none.
fn lengths(grammar: &Grammar) -> Rc<[u32]> {
    const BIT: u32 = 8;
    let text = |bits: u32| bits.saturating_mul(BIT).saturating_add(1);
    sizes::cheapest(grammar, |id, node| match node {
        Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => Some(text(grammar.least(id).bits)),
        _ => None,
    })
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
