//! Changes of a tree that leave it a tree of its grammar: [`OPERATORS`], each in a file of its own.
//!
//! An operator describes what it changes as a [`Patch`] of a [`Subject`], so that bytes can be written, and most mutants
//! forgotten, without building their trees. Repetitions with a computed bound keep their count; fields that are computed from others are the solver's to put
//! right afterwards ([`crate::solve::solver::Solver::variant`]).
use std::rc::Rc;

use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId};
use crate::parse::Parser;
use crate::rng::Rng;
use crate::tree::{Index, Kind, Patch, Tree};

mod cross;
mod drop;
mod duplicate;
mod hoist;
mod insert;
mod kinds;
mod minimise;
mod nest;
mod number;
mod reduce;
mod regrow;
mod reorder;
mod resize;
mod rounds;
mod splice;
mod stock;
mod subject;
mod switch;
mod terminal;
mod varies;

use kinds::Kinds;
pub use stock::{Mended, Mender};
use stock::{Stock, Want};
use subject::Spot;
pub use subject::Subject;

/// One way to change a tree.
#[derive(Clone, Copy)]
pub struct Operator {
    /// What it is called, as in the names of inputs it made.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Where it applies.
    spot: Spot,
    apply: fn(&mut Mutator, &mut Change<'_>) -> Result<bool, Failure>,
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All of them. To add one: a file with an `OPERATOR`, and its name here.
pub const OPERATORS: [Operator; 14] = [
    regrow::OPERATOR,
    splice::OPERATOR,
    cross::OPERATOR,
    switch::OPERATOR,
    duplicate::OPERATOR,
    insert::OPERATOR,
    drop::OPERATOR,
    reorder::OPERATOR,
    resize::OPERATOR,
    hoist::OPERATOR,
    nest::OPERATOR,
    minimise::OPERATOR,
    terminal::OPERATOR,
    number::OPERATOR,
];

/// Larger pieces are not changed further.
const MOST_FURTHER: u32 = 48;

/// What a mutation works with besides its tree.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The grammar of all trees.
    pub grammar: &'a Grammar,
    /// Trees from which subtrees may be taken.
    pub donors: &'a [Rc<Subject>],
    /// About how many nodes a new subtree may have.
    pub size: u32,
    /// Where constraints see a change, one is made that many times less often than elsewhere.
    pub dear: u32,
}

/// A change under way.
struct Change<'a> {
    material: Material<'a>,
    subject: &'a Subject,
    /// The subject's.
    tree: &'a Tree,
    rng: &'a mut Rng,
    host: &'a mut dyn Host,
    /// Becomes what is changed.
    patch: &'a mut Patch,
}

/// Changes trees; keeps its buffers between them.
#[derive(Debug)]
pub struct Mutator {
    generator: Generator,
    stock: Stock,
    parser: Parser,
    kinds: Kinds,
    /// Where the rounds of a repetition, or the items of a permutation, start and end.
    rounds: Vec<(Index, Index)>,
    /// Pairs of a node and what it gives way to.
    pairs: Vec<(Index, Index)>,
    numbers: number::Numbers,
    /// Per rule node, what its shortest word costs, once somebody asked.
    lengths: Option<Rc<[u32]>>,
    /// A piece that is changed further, and how.
    piece: Subject,
    inner: Patch,
    scratch: Tree,
    text: Vec<u8>,
}

impl Mutator {
    /// Prepares tables for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        let mut generator = Generator::new(grammar);
        generator.compute_seldom();
        Self {
            generator,
            stock: Stock::new(grammar),
            parser: Parser::new(grammar),
            kinds: Kinds::new(grammar),
            rounds: Vec::new(),
            pairs: Vec::new(),
            numbers: number::Numbers::default(),
            lengths: None,
            piece: Subject::default(),
            inner: Patch::default(),
            scratch: Tree::default(),
            text: Vec::new(),
        }
    }

    /// Parts are derived so that what constraints say about each node on its own holds, as far as `mender` can.
    pub fn mend_with(&mut self, mender: Box<dyn Mender>) {
        self.stock.mend_with(mender);
    }

    /// How often an operator is worth it for a subject, compared with others: 0 if it applies nowhere.
    pub fn weight(&self, operator: Operator, subject: &Subject, dear: u32) -> f64 {
        subject.weight(operator.spot, dear)
    }

    /// Makes a tree ready to be changed.
    pub fn subject(&self, grammar: &Grammar, tree: Tree) -> Subject {
        Subject::new(grammar, &self.kinds, tree)
    }

    /// Makes `out` a changed copy of `tree` and says how it was changed; none if the grammar has only this word.
    pub fn mutate(
        &mut self,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut dyn Host,
        out: &mut Tree,
    ) -> Result<Option<Operator>, Failure> {
        // The first that applies, from any on.
        let start = rng.below(OPERATORS.len() as u32) as usize;
        for offset in 0..OPERATORS.len() {
            let operator = OPERATORS[(start + offset) % OPERATORS.len()];
            if self.apply(operator, material, tree, rng, host, out)? {
                return Ok(Some(operator));
            }
        }
        Ok(None)
    }

    /// Makes `out` a copy of `tree` changed by `operator`; false if that applies nowhere in it.
    pub fn apply(
        &mut self,
        operator: Operator,
        material: Material<'_>,
        tree: &Tree,
        rng: &mut Rng,
        host: &mut dyn Host,
        out: &mut Tree,
    ) -> Result<bool, Failure> {
        let subject = self.subject(material.grammar, tree.clone());
        let mut patch = Patch::default();
        let changed = self.change(operator, material, &subject, rng, host, &mut patch)?;
        if changed {
            patch.apply(tree, out);
        }
        Ok(changed)
    }

    /// Adds a change by `operator` to those of `patch`; false if it applies nowhere in the subject, or nowhere but
    /// where it is changed already.
    pub fn change(
        &mut self,
        operator: Operator,
        material: Material<'_>,
        subject: &Subject,
        rng: &mut Rng,
        host: &mut dyn Host,
        patch: &mut Patch,
    ) -> Result<bool, Failure> {
        let tree = &subject.tree;
        let made =
            (operator.apply)(self, &mut Change { material, subject, tree, rng, host, patch: &mut *patch });
        match made {
            Ok(true) => Ok(patch.finish(tree)),
            nothing => {
                patch.take_back();
                nothing
            }
        }
    }

    /// Changes what the last change of `patch` put in; false if `operator` applies nowhere in it.
    pub fn change_further(
        &mut self,
        operator: Operator,
        material: Material<'_>,
        rng: &mut Rng,
        host: &mut dyn Host,
        patch: &mut Patch,
    ) -> Result<bool, Failure> {
        let mut piece = std::mem::take(&mut self.piece);
        let mut inner = std::mem::take(&mut self.inner);
        let mut changed = Ok(false);
        // Where counts are computed, a piece on its own has none of what they are computed from.
        inner.clear();
        if !self.kinds.in_context && patch.last_piece(MOST_FURTHER, Rc::make_mut(&mut piece.tree)) {
            piece.prepare(material.grammar, &self.kinds);
            changed = self.change(operator, material, &piece, rng, host, &mut inner);
            if matches!(changed, Ok(true)) {
                inner.apply(&piece.tree, &mut self.scratch);
                patch.set_last_piece(&self.scratch);
            }
        }
        (self.piece, self.inner) = (piece, inner);
        changed
    }

    /// The node at `at` gives way to one derived anew.
    fn derive(&mut self, change: &mut Change<'_>, at: Index, want: Want, size: u32) -> Result<(), Failure> {
        let Change { material, tree, rng, host, patch, .. } = change;
        let (grammar, mark) = (material.grammar, patch.mark());
        if self.kinds.in_context {
            let from = patch.pieces.len();
            let (branch, size) = match want {
                Want::Any => (None, size),
                Want::Least => (None, 0),
                Want::Branch(number, node) => (Some((number, node)), size),
            };
            self.generator.regrow(grammar, tree, at, branch, size, rng, host, &mut self.scratch)?;
            patch.pieces.append(&self.scratch, at);
            patch.add_own(from, false);
        } else {
            let kind = tree.node(at).kind();
            let part = self.stock.draw(&mut self.generator, grammar, kind, want, size, rng, *host)?;
            let nodes = 0..part.tree.len();
            patch.add(part.tree, nodes, 1, part.is_valid);
        }
        patch.replace(tree, at, mark);
        Ok(())
    }
}

/// The branches that a node of this kind chose from; none if it did not choose.
fn choice_of(grammar: &Grammar, kind: Kind) -> &[NodeId] {
    let node = match kind {
        Kind::Symbol(symbol) => grammar.symbol(symbol).rule,
        Kind::Control(node) | Kind::Terminal(node) => node,
    };
    match grammar.node(node) {
        Node::Alternative(list) => grammar.list(list),
        _ => &[],
    }
}
