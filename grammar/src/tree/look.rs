//! What a tree shows: its bytes, its value as a number, its occurrences of a symbol, and whether two are the same.
use super::{Index, Packer, Tree};
use crate::ir::{Grammar, Node, SymbolId};
use crate::tree::Kind;

impl Tree {
    /// Appends the subtree's bytes to `out`, with bits packed; an unfilled last byte is padded with zeros.
    pub fn serialise(&self, grammar: &Grammar, at: Index, out: &mut Vec<u8>) {
        if !grammar.has_bits || at >= self.len() {
            out.extend_from_slice(if at < self.len() { self.text_of(at) } else { &[] });
            return;
        }
        let mut packer = Packer::new(out);
        for here in at..self.end(at) {
            let Kind::Terminal(node) = self.node(here).kind() else { continue };
            let text = self.text_of(here);
            if matches!(grammar.node(node), Node::Bit(_)) {
                packer.bit(text[0]);
            } else {
                packer.bytes(text);
            }
        }
        packer.finish();
    }

    /// The subtree's bits and bytes as one number, most significant first; none if it has more than 128 bits.
    pub fn bits_value(&self, grammar: &Grammar, at: Index) -> Option<u128> {
        let (mut value, mut width) = (0u128, 0u32);
        for here in at..self.end(at) {
            let Kind::Terminal(node) = self.node(here).kind() else { continue };
            let step = if matches!(grammar.node(node), Node::Bit(_)) { 1 } else { 8 };
            for byte in self.text_of(here) {
                width += step;
                if width > 128 {
                    return None;
                }
                value = value << step | u128::from(*byte);
            }
        }
        Some(value)
    }

    /// How many bits the subtree's bytes have.
    pub fn bit_len(&self, grammar: &Grammar, at: Index) -> u64 {
        if !grammar.has_bits {
            return 8 * self.text_of(at).len() as u64;
        }
        let terminals = (at..self.end(at)).filter_map(|here| match self.node(here).kind() {
            Kind::Terminal(node) if matches!(grammar.node(node), Node::Bit(_)) => Some(1),
            Kind::Terminal(_) => Some(8 * self.text_of(here).len() as u64),
            _ => None,
        });
        terminals.sum()
    }

    /// All occurrences of `symbol` in the subtree at `at`, itself included, in pre-order.
    #[inline]
    pub fn descendants(&self, at: Index, symbol: SymbolId) -> impl Iterator<Item = Index> {
        (at..self.end(at)).filter(move |here| self.node(*here).is_symbol(symbol))
    }

    /// Whether the subtrees at `a` and, in `other`, at `b` show selectors the same symbols and text.
    pub fn same(&self, a: Index, other: &Self, b: Index) -> bool {
        if self.text_of(a) != other.text_of(b) {
            return false;
        }
        let (end, other_end) = (self.end(a), other.end(b));
        // Equal visible nodes in equal order have equal shape if their subtrees end together; `open` holds those ends.
        let mut open: smallvec::SmallVec<[(Index, Index); 16]> = smallvec::SmallVec::new();
        let (mut a, mut b) = (a, b);
        loop {
            while a < end && self.node(a).is_control() {
                a += 1;
            }
            while b < other_end && other.node(b).is_control() {
                b += 1;
            }
            while let Some((ours, theirs)) = open.last() {
                if (a >= *ours) != (b >= *theirs) {
                    return false;
                }
                if a < *ours {
                    break;
                }
                open.pop();
            }
            if a >= end || b >= other_end {
                return a >= end && b >= other_end;
            }
            let (left, right) = (self.node(a), other.node(b));
            if left.is_terminal() != right.is_terminal()
                || (!left.is_terminal() && left.kind() != right.kind())
                || self.text_of(a) != other.text_of(b)
            {
                return false;
            }
            open.push((self.end(a), other.end(b)));
            a += 1;
            b += 1;
        }
    }
}
