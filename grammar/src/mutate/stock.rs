//! Parts that were derived before: most of what an operator derives is taken from them, so that deriving is paid once for
//! several mutants.
use std::rc::Rc;

use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId};
use crate::rng::Rng;
use crate::tree::{Kind, Tree};

/// So many parts are kept of everything that can be derived.
const MOST: usize = 32;
/// One part in so many is new, whatever there is; while there are fewer, more are.
const NEW: u32 = 8;
/// Like that, of parts with something that the spec's program computes.
const NEW_DEAR: u32 = 512;

/// Parts by what they are derivations of.
#[derive(Debug)]
pub(super) struct Stock {
    /// Per symbol, then per rule node: where its shelves start. The first is for any derivation, the second for least
    /// ones, the others for one branch each.
    first: Vec<u32>,
    symbols: usize,
    shelves: Vec<Vec<Stocked>>,
    mender: Option<Box<dyn Mender>>,
    scratch: Tree,
}

/// A part in stock.
#[derive(Debug, Clone)]
pub(super) struct Stocked {
    /// All of its nodes.
    pub(super) tree: Rc<Tree>,
    /// What constraints say about each of them on its own holds.
    pub(super) is_valid: bool,
    /// It took the spec's program to make it.
    is_dear: bool,
}

/// Who makes parts hold what constraints say about each of their nodes on its own.
pub trait Mender {
    /// Changes `part` until it holds.
    fn mend(&mut self, part: &mut Tree) -> Mended;
}

/// What became of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mended {
    /// No constraint is about it.
    Whole,
    /// It holds, and may be another one.
    Changed,
    /// It does not hold, and may be another one.
    Broken,
}

fn is_computed(grammar: &Grammar, kind: Kind) -> bool {
    matches!(kind, Kind::Symbol(symbol) if grammar.symbol(symbol).generator.is_some())
}

impl std::fmt::Debug for dyn Mender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mender")
    }
}

/// What is wanted of a symbol or rule node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Want {
    /// Any derivation.
    Any,
    /// A least one.
    Least,
    /// One by a branch: its number and rule node.
    Branch(u32, NodeId),
}

impl Stock {
    /// Nothing yet.
    pub(super) fn new(grammar: &Grammar) -> Self {
        let branches = |node: NodeId| match grammar.node(node) {
            Node::Alternative(list) => list.len() as u32,
            _ => 0,
        };
        let mut shelves = 0;
        let mut place = |node: NodeId| {
            let first = shelves;
            shelves += 2 + branches(node);
            first
        };
        let mut first: Vec<u32> = grammar.symbols.iter().map(|symbol| place(symbol.rule)).collect();
        // What stands for a symbol in a rule is derived like the symbol.
        let firsts: Vec<u32> = (0..grammar.nodes.len() as u32)
            .map(|node| match grammar.node(NodeId(node)) {
                Node::NonTerminal(symbol) if (symbol.0 as usize) < first.len() => first[symbol.0 as usize],
                _ => place(NodeId(node)),
            })
            .collect();
        first.extend(firsts);
        let symbols = grammar.symbols.len();
        Self {
            first,
            symbols,
            shelves: vec![Vec::new(); shelves as usize],
            mender: None,
            scratch: Tree::default(),
        }
    }

    /// From now on, parts are mended.
    pub(super) fn mend_with(&mut self, mender: Box<dyn Mender>) {
        self.mender = Some(mender);
    }

    /// A derivation of what a tree node of this kind stands for.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub(super) fn draw(
        &mut self,
        generator: &mut Generator,
        grammar: &Grammar,
        kind: Kind,
        want: Want,
        size: u32,
        rng: &mut Rng,
        host: &mut dyn Host,
    ) -> Result<Stocked, Failure> {
        let place = match kind {
            Kind::Symbol(symbol) => symbol.0 as usize,
            Kind::Terminal(node) | Kind::Control(node) => self.symbols + node.0 as usize,
        };
        let (offset, branch, size) = match want {
            Want::Any => (0, None, size),
            Want::Least => (1, None, 0),
            Want::Branch(number, node) => (2 + number, Some((number, node)), size),
        };
        let shelf = &mut self.shelves[(self.first[place] + offset) as usize];
        let count = shelf.len() as u32;
        let odds = match shelf.last() {
            Some(last) if last.is_dear => ((count + 1) * (count + 1)).min(NEW_DEAR),
            _ => (count + 1).min(NEW),
        };
        let (is_old, place) = rng.below_both(odds, count);
        if is_old != 0 {
            return Ok(shelf[place as usize].clone());
        }
        let tree = &mut self.scratch;
        tree.clear();
        generator.kind(grammar, kind, branch, size, rng, &mut { host }, tree)?;
        let mended = self.mender.as_mut().map(|mender| mender.mend(tree));
        let is_valid = matches!(mended, Some(Mended::Whole | Mended::Changed));
        let is_dear = !tree.sources.is_empty()
            || matches!(mended, Some(Mended::Changed | Mended::Broken))
            || tree.nodes().iter().any(|node| is_computed(grammar, node.kind()));
        let stocked = Stocked { tree: Rc::new(tree.clone()), is_valid, is_dear };
        if shelf.len() < MOST {
            shelf.push(stocked.clone());
        } else {
            shelf[rng.below(count) as usize] = stocked.clone();
        }
        Ok(stocked)
    }
}
