//! Changes of trees: subtrees appended, replaced and built anew.
use std::ops::Range;

use super::{Index, Source, Tree, TreeNode};

impl Tree {
    /// Replaces the subtree at `at` by the subtree of `donor` at `from`, which must be of the same symbol or rule node.
    pub fn replace(&mut self, at: Index, donor: &Self, from: Index) {
        let (old, new) = (at..self.end(at), from..donor.end(from));
        let (old_text, new_text) = (self.text_of_nodes(&old), donor.text_of_nodes(&new));
        let (grown, shift) = (len(&new) - len(&old), new_text.len() as i64 - old_text.len() as i64);
        if grown == 0 && shift == 0 && self.sources.is_empty() && donor.sources.is_empty() {
            // Everything else stays where it is.
            let by = old_text.start as i64 - new_text.start as i64;
            let come = &donor.nodes[new.start as usize..new.end as usize];
            for (node, new) in self.nodes[old.start as usize..old.end as usize].iter_mut().zip(come) {
                *node = new.moved(by);
            }
            self.text[old_text].copy_from_slice(&donor.text[new_text]);
            return;
        }
        if grown != 0 {
            let mut above = 0;
            while above < at {
                let node = &mut self.nodes[above as usize];
                if above + node.len > at {
                    node.len = (i64::from(node.len) + grown) as u32;
                    above += 1;
                } else {
                    above += node.len;
                }
            }
        }
        if shift != 0 {
            for node in &mut self.nodes[old.end as usize..] {
                *node = node.moved(shift);
            }
        }
        let by = old_text.start as i64 - new_text.start as i64;
        let nodes = donor.nodes[new.start as usize..new.end as usize].iter().map(|node| node.moved(by));
        self.nodes.splice(old.start as usize..old.end as usize, nodes);
        self.text.splice(old_text, donor.text[new_text].iter().copied());
        if !self.sources.is_empty() || !donor.sources.is_empty() {
            self.sources.retain(|source| !old.contains(&source.node));
            for source in self.sources.iter_mut().filter(|source| source.node >= old.end) {
                source.node = (i64::from(source.node) + grown) as u32;
            }
            let new = donor.sources_of(&new, at);
            self.sources.extend(new);
            self.sources.sort_by_key(|source| source.node);
        }
    }

    /// Appends the subtree of `donor` at `from`, as the next child of the node being built.
    pub fn append(&mut self, donor: &Self, from: Index) {
        self.append_siblings(donor, from..donor.end(from));
    }

    /// Appends the siblings of `donor` of which the nodes are `range`, as next children of the node being built.
    pub fn append_siblings(&mut self, donor: &Self, range: Range<Index>) {
        let text = donor.text_of_nodes(&range);
        let by = self.text.len() as i64 - text.start as i64;
        let base = self.len();
        // First all, then where they start: a copy of the whole is far cheaper than one node by node.
        self.nodes.extend_from_slice(&donor.nodes[range.start as usize..range.end as usize]);
        if by != 0 {
            for node in &mut self.nodes[base as usize..] {
                node.start = node.start.wrapping_add(by as u32);
            }
        }
        self.text.extend_from_slice(&donor.text[text]);
        if !donor.sources.is_empty() {
            self.sources.extend(donor.sources_of(&range, base));
        }
    }

    /// Makes `out` this tree with the subtree at `at` replaced by what `build` appends. `build` gets the tree up to
    /// there and, in `within`, its open nodes, outermost first.
    pub fn rebuild<E>(
        &self,
        at: Index,
        out: &mut Self,
        within: &mut Vec<Index>,
        build: impl FnOnce(&mut Self, &[Index]) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.nodes[at as usize].start;
        out.clear();
        out.nodes.extend_from_slice(&self.nodes[..at as usize]);
        out.text.extend_from_slice(&self.text[..start as usize]);
        if !self.sources.is_empty() {
            out.sources.extend(self.sources_of(&(0..at), 0));
        }
        within.clear();
        let mut above = 0;
        while above < at {
            if self.end(above) > at {
                within.push(above);
                out.reopen(above);
                above += 1;
            } else {
                above = self.end(above);
            }
        }
        build(out, within)?;
        let end = self.end(at);
        out.append_siblings(self, end..self.len());
        let grown = i64::from(out.len()) - i64::from(self.len());
        for above in within {
            let len = i64::from(self.nodes[*above as usize].len) + grown;
            out.nodes[*above as usize].len = len as u32;
        }
        Ok(())
    }

    /// The sources of the nodes in `range`, as if that started at `base`.
    fn sources_of(&self, range: &Range<Index>, base: Index) -> impl Iterator<Item = Source> {
        let inside = self.sources.iter().filter(|source| range.contains(&source.node));
        inside.map(move |source| Source { node: source.node - range.start + base, tree: source.tree.clone() })
    }

    /// Where the text of the siblings of which the nodes are `range` stands.
    pub(crate) fn text_of_nodes(&self, range: &Range<Index>) -> Range<usize> {
        let start =
            |at: Index| self.nodes.get(at as usize).map_or(self.text.len(), |node| node.start as usize);
        start(range.start)..start(range.end)
    }
}

impl TreeNode {
    /// The node with its text elsewhere.
    #[inline]
    fn moved(mut self, by: i64) -> Self {
        // Wrapping, so that many are moved at once by vector instructions.
        self.start = self.start.wrapping_add(by as u32);
        self
    }
}

pub(super) fn len(range: &Range<Index>) -> i64 {
    i64::from(range.end) - i64::from(range.start)
}
