//! Changes of a tree that are described rather than made: which siblings give way to which parts of other trees.
//!
//! The bytes of the changed tree are those between the changes and those of the parts, so that a tree that nobody keeps
//! never has to be built, and neither are the parts copied before they are written.
use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Index, Tree};
use crate::ir::Grammar;

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
    pub(crate) fn add(&mut self, tree: &Rc<Tree>, nodes: Range<Index>, times: u32, is_valid: bool) {
        let text = tree.text_of_nodes(&nodes);
        let text = text.start as u32..text.end as u32;
        self.parts.push(Part { tree: Some(Rc::clone(tree)), nodes, text, times, is_valid });
    }

    /// Adds what was put into the own pieces from `from` on.
    pub(crate) fn add_own(&mut self, from: Index) {
        let nodes = from..self.pieces.len();
        let text = self.pieces.text_of_nodes(&nodes);
        let text = text.start as u32..text.end as u32;
        self.parts.push(Part { tree: None, nodes, text, times: 1, is_valid: false });
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
        self.add(tree, at..inner, times, is_valid);
        self.add(tree, at..tree.end(at), 1, is_valid);
        self.add(tree, tree.end(inner)..tree.end(at), times, is_valid);
        self.replace(tree, at, from);
        if let Some(edit) = self.edits.last_mut() {
            edit.nested = Some((inner, times));
        }
    }

    #[inline]
    fn edit(&mut self, tree: &Tree, at: Index, alt: Option<u32>, old: Range<Index>, from: u32) {
        let text = tree.text_of_nodes(&old);
        let text = text.start as u32..text.end as u32;
        let new = self.parts[from as usize..].iter().map(Part::len).sum();
        self.edits.push(Edit { at, alt, old, text, parts: from..self.mark(), new, nested: None });
    }

    /// Whether no complete change is inside of the node at `at`, or the other way round.
    #[inline]
    pub(crate) fn is_apart(&self, tree: &Tree, at: Index) -> bool {
        self.edits[..self.done].iter().all(|edit| tree.end(edit.at) <= at || tree.end(at) <= edit.at)
    }

    /// The edits since the last time are one complete change; if one of them is inside of an earlier change, or the other
    /// way round, they are taken back. Whether they stay.
    pub(crate) fn finish(&mut self, tree: &Tree) -> bool {
        if self.done > 0 {
            let fits = self.edits[self.done..].iter().all(|edit| self.is_apart(tree, edit.at));
            if !fits {
                self.take_back();
                return false;
            }
            // Stable, so that edits of one node stay in order.
            self.edits.sort_by_key(|edit| edit.at);
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
        self.add_own(from);
        if let Some(edit) = self.edits.last_mut() {
            (edit.parts, edit.new, edit.nested) = (parts..parts + 1, piece.len(), None);
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

    /// Whether what comes has the text of what goes, so that the text of `tree` stays as it is.
    pub fn keeps_text(&self, tree: &Tree) -> bool {
        self.edits.iter().all(|edit| {
            let parts = self.parts(edit);
            let len: u32 = parts.iter().map(|part| (part.text.end - part.text.start) * part.times).sum();
            if len != edit.text.end - edit.text.start {
                return false;
            }
            let mut rest = &tree.text[edit.text.start as usize..edit.text.end as usize];
            parts.iter().all(|part| {
                let text = self.text_of(part);
                (0..part.times).all(|_| {
                    let (now, after) = rest.split_at(text.len());
                    rest = after;
                    now == text
                })
            })
        })
    }

    /// Appends the bytes of the changed `tree` to `out`. The grammar must be without bits.
    pub fn write(&self, tree: &Tree, out: &mut Vec<u8>) {
        let new = self.edits.iter().flat_map(|edit| self.parts(edit));
        let new: usize = new.map(|part| part.text.len() * part.times as usize).sum();
        // At once, and so that longer ones have room next time.
        let len = tree.text.len() + new;
        if out.capacity() - out.len() < len {
            out.reserve(2 * len);
        }
        let mut from = 0;
        for edit in &self.edits {
            out.extend_from_slice(&tree.text[from..edit.text.start as usize]);
            for part in self.parts(edit) {
                let text = self.text_of(part);
                (0..part.times).for_each(|_| out.extend_from_slice(text));
            }
            from = edit.text.end as usize;
        }
        out.extend_from_slice(&tree.text[from..]);
    }

    /// Appends what an edit puts in.
    fn append_new(&self, edit: &Edit, out: &mut Tree) {
        let start = out.len();
        for part in self.parts(edit) {
            let tree = self.tree_of(part);
            (0..part.times).for_each(|_| out.append_siblings(tree, part.nodes.clone()));
        }
        let (Some((inner, times)), [_, whole, _]) = (edit.nested, self.parts(edit)) else { return };
        let (tree, at) = (self.tree_of(whole), whole.nodes.start);
        let around = tree.node(at).len - tree.node(inner).len;
        for level in 0..times {
            let grown = (times - level) * around;
            let mut above = at;
            while above < inner {
                if tree.end(above) > inner {
                    out.grow(start + level * (inner - at) + (above - at), grown);
                    above += 1;
                } else {
                    above = tree.end(above);
                }
            }
        }
    }

    /// Makes `out` the changed `tree`.
    pub fn apply(&self, tree: &Tree, out: &mut Tree) {
        let above = |at, path: &mut SmallVec<[Index; 32]>| {
            let mut above = 0;
            while above < at {
                if tree.end(above) > at {
                    path.push(above);
                    above += 1;
                } else {
                    above = tree.end(above);
                }
            }
        };
        self.apply_with(tree, out, above, &mut Vec::new());
    }

    /// Makes `out` the changed `tree`; `above` adds the nodes above one, in any order. To `around` are added all nodes above
    /// some change, as they stand in the changed tree.
    pub(crate) fn apply_with(
        &self,
        tree: &Tree,
        out: &mut Tree,
        above: impl Fn(Index, &mut SmallVec<[Index; 32]>),
        around: &mut Vec<Index>,
    ) {
        out.clear();
        let mut from = 0;
        for edit in &self.edits {
            out.append_siblings(tree, from..edit.old.start);
            self.append_new(edit, out);
            from = edit.old.end;
        }
        out.append_siblings(tree, from..tree.len());
        let mut path: SmallVec<[Index; 32]> = SmallVec::new();
        for (number, edit) in self.edits.iter().enumerate() {
            let earlier = &self.edits[..number];
            path.clear();
            above(edit.at, &mut path);
            if edit.old.start > edit.at {
                path.push(edit.at);
            }
            for above in &path {
                let before = earlier.iter().filter(|edit| edit.old.end <= *above);
                let moved = i64::from(*above) + before.map(Edit::grown).sum::<i64>();
                around.push(moved as Index);
                let node = &mut out.nodes[moved as usize];
                node.len = (i64::from(node.len) + edit.grown()) as u32;
                if let (true, Some(alt)) = (*above == edit.at, edit.alt) {
                    node.alt = alt;
                }
            }
        }
    }

    /// Per edit, the node that is changed, and the nodes that go.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Index, Range<Index>)> {
        self.edits.iter().map(|edit| (edit.at, edit.old.clone()))
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
}

impl Edit {
    fn grown(&self) -> i64 {
        i64::from(self.new) - super::edit::len(&self.old)
    }
}
