//! Selectors resolved to symbol ids, run by scanning the pre-order of a tree.
use smallvec::SmallVec;

use crate::front::selector::Item;
use crate::ir::{Grammar, SymbolId};
use crate::tree::{Index, Kind, Tree};

/// Where a selector starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Every occurrence of a symbol in the whole tree.
    All(SymbolId),
    /// The node that a quantifier bound to this slot.
    Slot(u32),
}

/// One step from the nodes selected so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Children that are this symbol.
    Child(SymbolId),
    /// This node or nodes below it that are this symbol.
    Descendant(SymbolId),
    /// The node of a slot: the step names a quantifier's variable.
    Slot(u32),
    /// The child at a position.
    At(i64),
    /// The children in a range; each counts on its own.
    Range(Option<i64>, Option<i64>, Option<i64>),
}

/// What a selector's matches become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One after the other.
    Each,
    /// A list of all.
    List,
    /// How many.
    Count,
}

/// A resolved selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// Where it starts.
    pub base: Base,
    /// How it goes on.
    pub steps: SmallVec<[Step; 4]>,
    /// What its matches become.
    pub mode: Mode,
    /// A number for its matches to be kept under, if they depend on the tree alone, or for its count, if that depends on
    /// one quantified node alone.
    pub cache: Option<u32>,
}

/// All of a run of nodes that are `symbol`; subtrees that cannot hold it are skipped.
#[inline]
pub(crate) fn occurrences(
    grammar: &Grammar,
    tree: &Tree,
    from: Index,
    to: Index,
    symbol: SymbolId,
    f: &mut impl FnMut(Index),
) {
    let nodes = tree.nodes();
    let mut at = from;
    while at < to {
        let node = nodes[at as usize];
        if let Kind::Symbol(here) = node.kind() {
            if here == symbol {
                f(at);
            }
            at += if grammar.reach.can(here, symbol) { 1 } else { node.len };
        } else {
            at += 1;
        }
    }
}

impl Selector {
    /// Appends every match to `out`. `slot` gives the node bound to a slot, if it is one of `tree`.
    pub fn find(
        &self,
        grammar: &Grammar,
        tree: &Tree,
        slot: impl Fn(u32) -> Option<Index>,
        out: &mut Vec<Index>,
    ) {
        match self.base {
            Base::Slot(index) => {
                if let Some(at) = slot(index) {
                    self.steps_from(grammar, tree, at, 0, &slot, out);
                }
            }
            Base::All(symbol) if self.steps.is_empty() => {
                occurrences(grammar, tree, 0, tree.len(), symbol, &mut |at| out.push(at));
            }
            Base::All(symbol) => {
                occurrences(grammar, tree, 0, tree.len(), symbol, &mut |at| {
                    self.steps_from(grammar, tree, at, 0, &slot, out);
                });
            }
        }
    }

    fn steps_from(
        &self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        step: usize,
        slot: &impl Fn(u32) -> Option<Index>,
        out: &mut Vec<Index>,
    ) {
        let Some(now) = self.steps.get(step) else {
            out.push(at);
            return;
        };
        match *now {
            Step::Child(symbol) => {
                let is_last = step + 1 == self.steps.len();
                for child in tree.children(at).filter(|child| tree.node(*child).is_symbol(symbol)) {
                    if is_last {
                        out.push(child);
                    } else {
                        self.steps_from(grammar, tree, child, step + 1, slot, out);
                    }
                }
            }
            Step::Descendant(symbol) => occurrences(grammar, tree, at, tree.end(at), symbol, &mut |below| {
                self.steps_from(grammar, tree, below, step + 1, slot, out);
            }),
            Step::Slot(index) => {
                if let Some(bound) = slot(index) {
                    self.steps_from(grammar, tree, bound, step + 1, slot, out);
                }
            }
            Step::At(position) => {
                let count = if position < 0 { tree.children(at).count() as i64 } else { 0 };
                if let Ok(index) = usize::try_from(position + count)
                    && let Some(child) = tree.children(at).nth(index)
                {
                    self.steps_from(grammar, tree, child, step + 1, slot, out);
                }
            }
            Step::Range(start, stop, stride) => {
                let children: SmallVec<[Index; 16]> = tree.children(at).collect();
                for index in slice_indices(children.len(), start, stop, stride) {
                    self.steps_from(grammar, tree, children[index], step + 1, slot, out);
                }
            }
        }
    }

    /// Whether it selects what `other` selects.
    pub fn same(&self, other: &Self) -> bool {
        self.base == other.base && self.steps == other.steps && self.mode == other.mode
    }

    /// Whether it is a number that depends on one quantified node alone.
    pub fn is_count_of_slot(&self) -> bool {
        self.mode == Mode::Count
            && matches!(self.base, Base::Slot(_))
            && !self.steps.iter().any(|step| matches!(step, Step::Slot(_)))
    }

    /// Whether its matches depend on the tree alone.
    pub fn is_closed(&self) -> bool {
        matches!(self.base, Base::All(_)) && !self.steps.iter().any(|step| matches!(step, Step::Slot(_)))
    }

    /// The symbols it may select, for lints and repairs: that of its last step, or of its base.
    pub fn last_symbol(&self) -> Option<SymbolId> {
        match self.steps.last() {
            Some(Step::Child(symbol) | Step::Descendant(symbol)) => Some(*symbol),
            Some(_) => None,
            None => match self.base {
                Base::All(symbol) => Some(symbol),
                Base::Slot(_) => None,
            },
        }
    }
}

/// The positions that Python's slice `start:stop:stride` takes of `len` elements.
pub fn slice_indices(
    len: usize,
    start: Option<i64>,
    stop: Option<i64>,
    stride: Option<i64>,
) -> impl Iterator<Item = usize> {
    let len = len as i64;
    let stride = stride.unwrap_or(1);
    let stride = if stride == 0 { 1 } else { stride };
    let clamp = |value: i64, low: i64, high: i64| {
        let value = if value < 0 { value.saturating_add(len) } else { value };
        value.clamp(low, high)
    };
    let (mut at, end) = if stride > 0 {
        (start.map_or(0, |value| clamp(value, 0, len)), stop.map_or(len, |value| clamp(value, 0, len)))
    } else {
        (
            start.map_or(len - 1, |value| clamp(value, -1, len - 1)),
            stop.map_or(-1, |value| clamp(value, -1, len - 1)),
        )
    };
    std::iter::from_fn(move || {
        let inside = if stride > 0 { at < end } else { at > end };
        inside.then(|| {
            let now = at;
            at = at.saturating_add(stride);
            now as usize
        })
    })
}

/// The step for a written item.
pub fn item_step(item: Item) -> Step {
    match item {
        Item::At(position) => Step::At(position),
        Item::Slice(start, stop, stride) => Step::Range(start, stop, stride),
    }
}

#[cfg(test)]
mod tests {
    use super::slice_indices;

    #[test]
    fn slices_take_what_python_takes() {
        let take = |start, stop, stride| slice_indices(5, start, stop, stride).collect::<Vec<_>>();
        assert_eq!(take(None, None, None), [0, 1, 2, 3, 4]);
        assert_eq!(take(None, None, Some(-1)), [4, 3, 2, 1, 0]);
        assert_eq!(take(Some(-2), None, None), [3, 4]);
        assert_eq!(take(Some(1), Some(-1), Some(2)), [1, 3]);
        assert_eq!(take(Some(3), Some(0), Some(-2)), [3, 1]);
        assert_eq!(take(Some(9), None, None), [0usize; 0]);
    }
}
