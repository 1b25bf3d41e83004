//! Inputs that leave the grammar on purpose, as the `setting` statements of a spec ask for.
//!
//! Trees always are derivations; what leaves the grammar is what they are written out as.
use crate::front::settings::{Chances, Settings};
use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId, SymbolId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Packer, Tree};

/// How often at most something stands that should stand once.
const MOST: u32 = 5;
/// About how many nodes a part has that is put in.
const SIZE: u32 = 30;

/// What is written instead of a node.
enum Instead {
    /// Nothing else: the node as it is, after what may have been put before it.
    Itself,
    /// What was written already, or nothing at all.
    Done,
    /// The node, so many times.
    Times(u32),
}

/// Writes trees out, leaving the grammar where settings say so.
#[derive(Debug)]
pub struct Outside<'s> {
    settings: &'s Settings,
    generator: Generator,
    part: Tree,
}

impl<'s> Outside<'s> {
    /// For a spec's settings; none if it has none.
    pub fn new(settings: &'s Settings, grammar: &Grammar) -> Option<Self> {
        let made = || Self { settings, generator: Generator::new(grammar), part: Tree::default() };
        (!settings.is_empty()).then(made)
    }

    /// Appends the bytes of `tree`, changed.
    pub fn write(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let mut packer = Packer::new(out);
        // Parts whose bytes will be changed: the node after their last, where their bytes start, how many changes.
        let mut stirred: Vec<(Index, usize, f64)> = Vec::new();
        let mut at = 0;
        while at < tree.len() {
            while let Some((end, start, stack)) = stirred.last().copied()
                && end <= at
            {
                stirred.pop();
                stir(&mut packer, start, stack, rng);
            }
            let chances = self.chances(tree.node(at).kind());
            if chances.havoc > 0.0 && rng.unit() < chances.havoc && packer.is_whole() {
                stirred.push((tree.end(at), packer.out.len(), chances.stack));
            }
            match self.instead(grammar, tree, at, chances, rng, host, &mut packer)? {
                Instead::Itself => {
                    self.terminal(grammar, tree, at, &mut packer);
                    at += 1;
                }
                Instead::Done => at = tree.end(at),
                Instead::Times(count) => {
                    (0..count).for_each(|_| self.terminal(grammar, tree, at, &mut packer));
                    at += 1;
                }
            }
        }
        while let Some((_, start, stack)) = stirred.pop() {
            stir(&mut packer, start, stack, rng);
        }
        packer.finish();
        Ok(())
    }

    fn chances(&self, kind: Kind) -> Chances {
        match kind {
            Kind::Symbol(symbol) => *self.settings.symbol(symbol.0),
            Kind::Terminal(node) | Kind::Control(node) => *self.settings.node(node),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    fn instead(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        chances: Chances,
        rng: &mut Rng,
        host: &mut impl Host,
        packer: &mut Packer<'_>,
    ) -> Result<Instead, Failure> {
        let mut hit = |chance: f64| chance > 0.0 && rng.unit() < chance;
        match tree.node(at).kind() {
            Kind::Symbol(symbol) => {
                if hit(chances.other) {
                    let others = grammar.symbols.len() as u32 - 1;
                    let step = 1 + rng.below(others);
                    let other = SymbolId((symbol.0 + step) % grammar.symbols.len() as u32);
                    self.put(grammar, What::Symbol(other), rng, host, packer)?;
                    return Ok(Instead::Done);
                }
                let rule = grammar.symbol(symbol).rule;
                let chance = self.settings.node(rule).concatenate;
                if matches!(grammar.node(rule), Node::Alternative(_)) && hit(chance) {
                    self.others(grammar, rule, tree.node(at).alt, rng, host, packer)?;
                }
            }
            Kind::Terminal(node) => {
                if hit(chances.repeat) {
                    return Ok(if rng.one_in(2) { Instead::Done } else { Instead::Times(MOST) });
                }
                if let Node::Regex(regex) = grammar.node(node)
                    && hit(chances.invert)
                {
                    let regex = &grammar.regexes[*regex as usize];
                    for _ in 0..chances.tries as u32 {
                        let word: Vec<u8> = (0..rng.below(12)).map(|_| 32 + rng.below(95) as u8).collect();
                        if !regex.matches(&word) {
                            packer.bytes(&word);
                            return Ok(Instead::Done);
                        }
                    }
                }
            }
            Kind::Control(node) => match grammar.node(node) {
                Node::Repeat { .. } if hit(chances.nothing) => return Ok(Instead::Done),
                Node::Repeat { .. } if hit(chances.multiple) => {
                    let count = 2 + rng.below(MOST - 1);
                    self.put(grammar, What::Rounds(node, count), rng, host, packer)?;
                    return Ok(Instead::Done);
                }
                Node::Alternative(_) if hit(chances.concatenate) => {
                    self.others(grammar, node, tree.node(at).alt, rng, host, packer)?;
                }
                _ => {}
            },
        }
        Ok(Instead::Itself)
    }

    /// Writes words of some branches of an alternative other than `taken`.
    fn others(
        &mut self,
        grammar: &Grammar,
        node: NodeId,
        taken: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        packer: &mut Packer<'_>,
    ) -> Result<(), Failure> {
        let Node::Alternative(list) = grammar.node(node) else { return Ok(()) };
        let branches = grammar.list(list);
        let count = branches.len() as u32;
        for _ in 0..(1 + rng.below(MOST - 1)).min(count - 1) {
            let other = (taken + 1 + rng.below(count - 1)) % count;
            self.put(grammar, What::Node(branches[other as usize]), rng, host, packer)?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        grammar: &Grammar,
        what: What,
        rng: &mut Rng,
        host: &mut impl Host,
        packer: &mut Packer<'_>,
    ) -> Result<(), Failure> {
        let mut part = std::mem::take(&mut self.part);
        part.clear();
        let made = match what {
            What::Symbol(symbol) => self.generator.symbol(grammar, symbol, SIZE, rng, host, &mut part),
            What::Node(node) => self.generator.node(grammar, node, SIZE, rng, host, &mut part),
            What::Rounds(node, count) => {
                self.generator.repeat(grammar, node, count, SIZE, rng, host, &mut part)
            }
        };
        (0..part.len()).for_each(|at| self.terminal(grammar, &part, at, packer));
        self.part = part;
        made
    }

    /// Writes the node at `at` if it is a terminal.
    fn terminal(&self, grammar: &Grammar, tree: &Tree, at: Index, packer: &mut Packer<'_>) {
        if let Kind::Terminal(node) = tree.node(at).kind() {
            match grammar.node(node) {
                Node::Bit(bit) => packer.bit(u8::from(*bit)),
                _ => packer.bytes(tree.text_of(at)),
            }
        }
    }
}

/// What to derive and put in.
#[derive(Clone, Copy)]
enum What {
    Symbol(SymbolId),
    Node(NodeId),
    Rounds(NodeId, u32),
}

/// Changes the bytes from `start` on at random, up to two to the power of `stack` times.
fn stir(packer: &mut Packer<'_>, start: usize, stack: f64, rng: &mut Rng) {
    if !packer.is_whole() {
        return;
    }
    let changes = 1u32 << rng.below(stack.clamp(0.0, 16.0) as u32 + 1);
    for _ in 0..changes {
        let len = (packer.out.len() - start) as u32;
        let at = start + rng.below(len) as usize;
        match rng.below(4) {
            0 | 1 if len > 0 => packer.out[at] ^= 1 << rng.below(8),
            2 if len > 0 => drop(packer.out.remove(at)),
            _ => packer.out.insert(at, rng.next() as u8),
        }
    }
}
