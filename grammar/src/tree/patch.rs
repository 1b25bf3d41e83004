//! Changes of a tree that are described rather than made: which siblings give way to which piece.
//!
//! The bytes of the changed tree are those between the changes and those of the pieces, so that a tree that nobody keeps
//! never has to be built.
use std::ops::Range;

use super::{Index, Tree};
use crate::ir::Grammar;

/// Siblings that give way to a piece.
#[derive(Debug, Clone)]
struct Edit {
    /// The node that is changed: that of which `old` are the nodes, or the one above them.
    at: Index,
    /// What `alt` of that node becomes.
    alt: Option<u32>,
    /// The nodes that go; where there are none, the piece is put before that node.
    old: Range<Index>,
    /// The nodes of the piece.
    new: Range<Index>,
}

/// Changes of one tree, at places that are not inside each other.
#[derive(Debug, Default)]
pub struct Patch {
    /// By their places.
    edits: Vec<Edit>,
    /// How many of them are of changes that are complete.
    done: usize,
    /// All pieces, side by side.
    pub(crate) pieces: Tree,
}

impl Patch {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.edits.clear();
        self.pieces.clear();
        self.done = 0;
    }

    /// The subtree at `at` gives way to the nodes of the pieces from `from` on.
    pub(crate) fn replace(&mut self, tree: &Tree, at: Index, from: Index) {
        self.edits.push(Edit { at, alt: None, old: at..tree.end(at), new: from..self.pieces.len() });
    }

    /// Children of the node at `at` give way to the nodes of the pieces from `from` on, and its count becomes `alt`.
    pub(crate) fn replace_inside(&mut self, at: Index, alt: u32, old: Range<Index>, from: Index) {
        self.edits.push(Edit { at, alt: Some(alt), old, new: from..self.pieces.len() });
    }

    /// The edits since the last time are one complete change; if one of them is inside of an earlier change, or the other
    /// way round, they are taken back. Whether they stay.
    pub(crate) fn finish(&mut self, tree: &Tree) -> bool {
        let (earlier, new) = self.edits.split_at(self.done);
        let apart = |a: &Edit, b: &Edit| tree.end(a.at) <= b.at || tree.end(b.at) <= a.at;
        let fits = new.iter().all(|new| earlier.iter().all(|edit| apart(edit, new)));
        if !fits {
            self.take_back();
        } else if self.done > 0 {
            // Stable, so that edits of one node stay in order.
            self.edits.sort_by_key(|edit| edit.at);
        }
        self.done = self.edits.len();
        fits
    }

    /// Makes `out` the piece of the last edit; whether there is one.
    pub(crate) fn last_piece(&self, out: &mut Tree) -> bool {
        out.clear();
        let Some(edit) = self.edits.last() else { return false };
        out.append_siblings(&self.pieces, edit.new.clone());
        !out.is_empty()
    }

    /// The piece of the last edit becomes another.
    pub(crate) fn set_last_piece(&mut self, piece: &Tree) {
        let from = self.pieces.len();
        self.pieces.append_siblings(piece, 0..piece.len());
        if let Some(edit) = self.edits.last_mut() {
            edit.new = from..self.pieces.len();
        }
    }

    /// Forgets the edits of a change that is not complete.
    pub(crate) fn take_back(&mut self) {
        self.edits.truncate(self.done);
    }

    /// Whether every piece has the text of what it takes the place of, so that the text of `tree` stays as it is.
    pub fn keeps_text(&self, tree: &Tree) -> bool {
        self.edits.iter().all(|edit| {
            tree.text[tree.text_of_nodes(&edit.old)] == self.pieces.text[self.pieces.text_of_nodes(&edit.new)]
        })
    }

    /// Appends the bytes of the changed `tree` to `out`. The grammar must be without bits.
    pub fn write(&self, tree: &Tree, out: &mut Vec<u8>) {
        let mut from = 0;
        for edit in &self.edits {
            let old = tree.text_of_nodes(&edit.old);
            out.extend_from_slice(&tree.text[from..old.start]);
            out.extend_from_slice(&self.pieces.text[self.pieces.text_of_nodes(&edit.new)]);
            from = old.end;
        }
        out.extend_from_slice(&tree.text[from..]);
    }

    /// Makes `out` the changed `tree`.
    pub fn apply(&self, tree: &Tree, out: &mut Tree) {
        out.clear();
        let mut from = 0;
        for edit in &self.edits {
            out.append_siblings(tree, from..edit.old.start);
            out.append_siblings(&self.pieces, edit.new.clone());
            from = edit.old.end;
        }
        out.append_siblings(tree, from..tree.len());
        for (number, edit) in self.edits.iter().enumerate() {
            let earlier = &self.edits[..number];
            let mut above = 0;
            while above < edit.at || (above == edit.at && edit.old.start > edit.at) {
                if above != edit.at && tree.end(above) <= edit.at {
                    above = tree.end(above);
                    continue;
                }
                let before = earlier.iter().filter(|edit| edit.old.end <= above);
                let moved = i64::from(above) + before.map(Edit::grown).sum::<i64>();
                let node = &mut out.nodes[moved as usize];
                node.len = (i64::from(node.len) + edit.grown()) as u32;
                if let (true, Some(alt)) = (above == edit.at, edit.alt) {
                    node.alt = alt;
                }
                above += 1;
            }
        }
    }

    /// Per edit, the node that is changed, the nodes that go, and those of the pieces that come.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Index, Range<Index>, Range<Index>)> {
        self.edits.iter().map(|edit| (edit.at, edit.old.clone(), edit.new.clone()))
    }

    /// Where the pieces are in the changed tree.
    pub(crate) fn new_places(&self) -> impl Iterator<Item = Range<Index>> {
        self.edits.iter().scan(0, |moved, edit| {
            let start = (i64::from(edit.old.start) + *moved) as Index;
            *moved += edit.grown();
            Some(start..start + (edit.new.end - edit.new.start))
        })
    }

    /// All pieces, side by side.
    pub(crate) fn pieces(&self) -> &Tree {
        &self.pieces
    }

    /// Whether the bytes can be written without the tree.
    pub fn is_writable(grammar: &Grammar) -> bool {
        !grammar.has_bits
    }
}

impl Edit {
    fn grown(&self) -> i64 {
        super::edit::len(&self.new) - super::edit::len(&self.old)
    }
}
