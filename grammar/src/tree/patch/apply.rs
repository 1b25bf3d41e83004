//! What a patch makes of its tree: the bytes of the changed one, or that tree itself.
use smallvec::SmallVec;

use super::{Edit, Patch};
use crate::tree::{Index, Tree};

impl Patch {
    /// Whether what comes has the text of what goes, so that the text of `tree` stays as it is.
    #[inline]
    pub fn keeps_text(&self, tree: &Tree) -> bool {
        // Lengths tell most apart.
        self.edits.iter().all(|edit| edit.new_text == edit.text.end - edit.text.start)
            && self.edits.iter().all(|edit| self.keeps_text_of(tree, edit))
    }

    fn keeps_text_of(&self, tree: &Tree, edit: &Edit) -> bool {
        let mut rest = &tree.text[edit.text.start as usize..edit.text.end as usize];
        self.parts(edit).iter().all(|part| {
            let text = self.text_of(part);
            (0..part.times).all(|_| {
                let (now, after) = rest.split_at(text.len());
                rest = after;
                now == text
            })
        })
    }

    /// Appends the bytes of the changed `tree` to `out`. The grammar must be without bits.
    pub fn write(&self, tree: &Tree, out: &mut Vec<u8>) {
        // At once for most, and so that longer ones have room next time.
        let len = 2 * tree.text.len();
        if out.capacity() - out.len() < len {
            out.reserve(len);
        }
        let mut from = 0;
        for edit in &self.edits {
            out.extend_from_slice(&tree.text[from..edit.text.start as usize]);
            for part in self.parts(edit) {
                append_times(out, self.text_of(part), part.times as usize);
            }
            from = edit.text.end as usize;
        }
        out.extend_from_slice(&tree.text[from..]);
    }

    /// Appends what an edit puts in.
    pub(super) fn append_new(&self, edit: &Edit, out: &mut Tree) {
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
}

/// Appends `text` so many times; many are copied from those before, twice as many each time.
#[inline]
fn append_times(out: &mut Vec<u8>, text: &[u8], times: usize) {
    if times == 0 {
        return;
    }
    let start = out.len();
    out.extend_from_slice(text);
    let mut done = 1;
    while done < times {
        let more = done.min(times - done);
        out.extend_from_within(start..start + more * text.len());
        done += more;
    }
}
