//! Changes of a tree that are described rather than made: which siblings give way to which parts of other trees.
//!
//! The bytes of the changed tree are those between the changes and those of the parts, so that a tree that nobody keeps
//! never has to be built, and neither are the parts copied before they are written.
use std::ops::Range;
use std::rc::Rc;

use super::{Index, Tree};
use crate::ir::Grammar;

mod apply;

/// Nodes side by side in some tree, which come to stand in another.
#[derive(Debug, Clone)]
struct Part {
    /// The tree; none for the patch's own pieces.
    tree: Option<Rc<Tree>>,
    nodes: Range<Index>,
    /// Where their text stands in the tree's.
    text: Range<u32>,
    /// So often.
    times: u32,
    /// What constraints say about each node of it on its own is known to hold.
    is_valid: bool,
}

/// Siblings that give way to some parts.
#[derive(Debug, Clone)]
struct Edit {
    /// The node that is changed: that of which `old` are the nodes, or the one above them.
    at: Index,
    /// What `alt` of that node becomes.
    alt: Option<u32>,
    /// The nodes that go; where there are none, the parts are put before that node.
    old: Range<Index>,
    /// Where their text stands.
    text: Range<u32>,
    /// Which of all parts come.
    parts: Range<u32>,
    /// How many nodes these have.
    new: u32,
    /// How long their text is.
    new_text: u32,
    /// What constraints say about each of these nodes on its own is known to hold.
    is_valid: bool,
    /// The parts are what stands before an inner node, so many times, the node itself, and what stands behind the inner
    /// one: the inner node, and how many times.
    nested: Option<(Index, u32)>,
}

/// Changes of one tree, at places that are not inside each other.
#[derive(Debug, Default)]
pub struct Patch {
    /// By their places.
    edits: Vec<Edit>,
    /// How many of them are of changes that are complete.
    done: usize,
    parts: Vec<Part>,
    /// Pieces that stand in no other tree, side by side.
    pub(crate) pieces: Tree,
}

impl Patch {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.edits.clear();
        self.parts.clear();
        self.pieces.clear();
        self.done = 0;
    }

    /// How many parts there are: those that are added from now on are of the next edit.
    #[inline]
    pub(crate) fn mark(&self) -> u32 {
        self.parts.len() as u32
    }

    /// Adds nodes of a tree that stand side by side, so many times; whether what constraints say about each of them on its
    /// own is known to hold.
    #[inline]
    pub(crate) fn add(&mut self, tree: Rc<Tree>, nodes: Range<Index>, times: u32, is_valid: bool) {
        let text = tree.text_of_nodes(&nodes);
        let text = text.start as u32..text.end as u32;
        self.parts.push(Part { tree: Some(tree), nodes, text, times, is_valid });
    }

    /// Adds what was put into the own pieces from `from` on; whether what constraints say about each node of it on its own
    /// is known to hold.
    pub(crate) fn add_own(&mut self, from: Index, is_valid: bool) {
        let nodes = from..self.pieces.len();
        let text = self.pieces.text_of_nodes(&nodes);
        let text = text.start as u32..text.end as u32;
        self.parts.push(Part { tree: None, nodes, text, times: 1, is_valid });
    }

    /// The subtree at `at` gives way to the parts from `from` on.
    #[inline]
    pub(crate) fn replace(&mut self, tree: &Tree, at: Index, from: u32) {
        self.edit(tree, at, None, at..tree.end(at), from);
    }

    /// Children of the node at `at` give way to the parts from `from` on, and its count becomes `alt`.
    #[inline]
    pub(crate) fn replace_inside(&mut self, tree: &Tree, at: Index, alt: u32, old: Range<Index>, from: u32) {
        self.edit(tree, at, Some(alt), old, from);
    }

    /// The subtree at `at` is put into itself in the place of its inner node, so many times.
    pub(crate) fn nest(&mut self, tree: &Rc<Tree>, at: Index, inner: Index, times: u32, is_valid: bool) {
        let from = self.mark();
        // What stands before the inner one opens, and what stands behind it closes, as often as it is nested.
        self.add(Rc::clone(tree), at..inner, times, is_valid);
        self.add(Rc::clone(tree), at..tree.end(at), 1, is_valid);
        self.add(Rc::clone(tree), tree.end(inner)..tree.end(at), times, is_valid);
        self.replace(tree, at, from);
        if let Some(edit) = self.edits.last_mut() {
            edit.nested = Some((inner, times));
        }
    }

    #[inline]
    fn edit(&mut self, tree: &Tree, at: Index, alt: Option<u32>, old: Range<Index>, from: u32) {
        let text = tree.text_of_nodes(&old);
        let text = text.start as u32..text.end as u32;
        let (mut new, mut new_text, mut is_valid) = (0, 0, true);
        for part in &self.parts[from as usize..] {
            new += part.len();
            new_text += part.text_len();
            is_valid &= part.is_valid;
        }
        let parts = from..self.mark();
        self.edits.push(Edit { at, alt, old, text, parts, new, new_text, is_valid, nested: None });
    }

    /// Whether no complete change is inside of the node at `at`, or the other way round.
    #[inline]
    pub(crate) fn is_apart(&self, tree: &Tree, at: Index) -> bool {
        self.edits[..self.done].iter().all(|edit| tree.end(edit.at) <= at || tree.end(at) <= edit.at)
    }

    /// The edits since the last time are one complete change; if one of them is inside of an earlier change, or the other
    /// way round, they are taken back. Whether they stay.
    #[inline]
    pub(crate) fn finish(&mut self, tree: &Tree) -> bool {
        if self.done > 0 {
            let fits = self.edits[self.done..].iter().all(|edit| self.is_apart(tree, edit.at));
            if !fits {
                self.take_back();
                return false;
            }
            if self.edits[self.done - 1..].windows(2).any(|pair| pair[0].at > pair[1].at) {
                // Stable, so that edits of one node stay in order.
                self.edits.sort_by_key(|edit| edit.at);
            }
        }
        self.done = self.edits.len();
        true
    }

    /// Makes `out` what the last edit puts in, if that has at most so many nodes; whether there is anything.
    pub(crate) fn last_piece(&self, most: u32, out: &mut Tree) -> bool {
        out.clear();
        match self.edits.last() {
            Some(edit) if edit.new <= most => self.append_new(edit, out),
            _ => {}
        }
        !out.is_empty()
    }

    /// The last edit puts in something else.
    pub(crate) fn set_last_piece(&mut self, piece: &Tree) {
        let (from, parts) = (self.pieces.len(), self.mark());
        self.pieces.append_siblings(piece, 0..piece.len());
        self.add_own(from, false);
        if let Some(edit) = self.edits.last_mut() {
            (edit.parts, edit.new, edit.nested) = (parts..parts + 1, piece.len(), None);
            (edit.new_text, edit.is_valid) = (piece.text.len() as u32, false);
        }
    }

    /// Forgets the edits of a change that is not complete.
    pub(crate) fn take_back(&mut self) {
        self.edits.truncate(self.done);
    }

    fn parts(&self, edit: &Edit) -> &[Part] {
        &self.parts[edit.parts.start as usize..edit.parts.end as usize]
    }

    fn tree_of<'a>(&'a self, part: &'a Part) -> &'a Tree {
        part.tree.as_deref().unwrap_or(&self.pieces)
    }

    #[inline]
    fn text_of<'a>(&'a self, part: &'a Part) -> &'a [u8] {
        &self.tree_of(part).text[part.text.start as usize..part.text.end as usize]
    }

    /// Per edit, the node that is changed, and the nodes that go.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Index, Range<Index>)> {
        self.edits.iter().map(|edit| (edit.at, edit.old.clone()))
    }

    /// Whether in every place where siblings change, as `is_quiet` says of the node that is changed and of whether that is the
    /// one above them, nobody looks at them, and what comes is known to hold on its own.
    #[inline]
    pub(crate) fn is_unseen(&self, is_quiet: impl Fn(Index, bool) -> bool) -> bool {
        self.edits.iter().all(|edit| {
            edit.is_valid
                && is_quiet(edit.at, edit.old.start > edit.at)
                && edit.nested.is_none_or(|(inner, _)| is_quiet(inner, false))
        })
    }

    /// Of the edit with this number, the node in whose place the changed one is put into itself, if it is.
    pub(crate) fn nested(&self, number: usize) -> Option<Index> {
        self.edits[number].nested.map(|(inner, _)| inner)
    }

    /// Per part of the edit with this number, its tree and nodes, and whether what constraints say about each of them on its
    /// own is known to hold.
    pub(crate) fn new_parts(&self, number: usize) -> impl Iterator<Item = (&Tree, Range<Index>, bool)> {
        let parts = self.parts(&self.edits[number]).iter();
        parts.map(|part| (self.tree_of(part), part.nodes.clone(), part.is_valid))
    }

    /// Where what comes is in the changed tree.
    pub(crate) fn new_places(&self) -> impl Iterator<Item = Range<Index>> {
        self.edits.iter().scan(0, |moved, edit| {
            let start = (i64::from(edit.old.start) + *moved) as Index;
            *moved += edit.grown();
            Some(start..start + edit.new)
        })
    }

    /// Whether the bytes can be written without the tree.
    pub fn is_writable(grammar: &Grammar) -> bool {
        !grammar.has_bits
    }
}

impl Part {
    #[inline]
    fn len(&self) -> u32 {
        (self.nodes.end - self.nodes.start) * self.times
    }

    #[inline]
    fn text_len(&self) -> u32 {
        (self.text.end - self.text.start) * self.times
    }
}

impl Edit {
    fn grown(&self) -> i64 {
        i64::from(self.new) - super::edit::len(&self.old)
    }
}
