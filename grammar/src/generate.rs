//! Random derivations of a symbol, bounded in size and steered to k-paths not seen yet.
use crate::coverage::KPaths;
use crate::ir::{ExprId, Grammar, Node, NodeId, SymbolId};
use crate::parse::Parser;
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

mod again;
mod ask;
mod choices;
mod guide;
mod machine;

use choices::Choices;
use guide::{ToUnseen, Unguided};

/// Why a derivation could not be finished; one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(pub String);

/// What generation and parsing ask the program of the spec.
pub trait Host {
    /// The value of a computed repetition bound, from the tree built so far. `tree`'s open nodes reach to its end
    /// (`len` of an open node is provisional: 1); `within` are the open nodes, outermost first.
    fn bound(&mut self, expr: ExprId, tree: &Tree, within: &[Index], rng: &mut Rng) -> Result<u32, Failure>;

    /// Appends the text that the generator of `symbol` computes from `sources` (in the order of
    /// [`crate::ir::Generator::sources`]); the caller parses it. True if the text has one byte per bit, false if its
    /// bits are packed.
    fn produce(
        &mut self,
        symbol: SymbolId,
        sources: &[Tree],
        rng: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure>;
}

impl<H: Host + ?Sized> Host for &mut H {
    fn bound(&mut self, expr: ExprId, tree: &Tree, within: &[Index], rng: &mut Rng) -> Result<u32, Failure> {
        (**self).bound(expr, tree, within, rng)
    }

    fn produce(
        &mut self,
        symbol: SymbolId,
        sources: &[Tree],
        rng: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        (**self).produce(symbol, sources, rng, out)
    }
}

/// A host for grammars without computed repetitions and generators.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn bound(&mut self, _: ExprId, _: &Tree, _: &[Index], _: &mut Rng) -> Result<u32, Failure> {
        Err(Failure("this repetition is computed, but there is no program to compute it".into()))
    }

    fn produce(&mut self, _: SymbolId, _: &[Tree], _: &mut Rng, _: &mut Vec<u8>) -> Result<bool, Failure> {
        Err(Failure("this symbol has a generator, but there is no program to run it".into()))
    }
}

/// Makes derivations; keeps its buffers between them.
#[derive(Debug, Default)]
pub struct Generator {
    choices: Choices,
    /// The usual greatest count of a repetition without an upper end, above its lower end.
    pub open_rounds: u32,
    /// How often, of 256 times, a branch that can grow is preferred while there is room.
    pub eager: u32,
    /// Per rule node, the tree nodes it needs at least without something to be avoided; `u32::MAX` where that cannot be.
    pub only: Option<std::rc::Rc<[u32]>>,
    /// What is still to do, innermost last.
    tasks: Vec<machine::Task>,
    /// The symbols whose generators' arguments are being derived, outermost first.
    producing: Vec<SymbolId>,
    /// Made when the first generator's text must be parsed.
    parser: Option<Box<Parser>>,
    within: Vec<Index>,
    /// What was computed before, if it may stand in other derivations again.
    again: Option<again::Again>,
}

impl Generator {
    /// Prepares tables (branch costs, what can grow) for `grammar`.
    pub fn new(grammar: &Grammar) -> Self {
        Self { choices: Choices::new(grammar), open_rounds: 5, ..Self::default() }
    }

    /// From now on, what the spec's program computes without arguments stands in several derivations.
    pub fn compute_seldom(&mut self) {
        self.again = Some(again::Again::default());
    }

    /// The size with which every part of an input that can be left out can be made, also where what comes after it has a
    /// share of the slack held back.
    pub fn roomy(&self, grammar: &Grammar) -> u32 {
        grammar
            .least(grammar.symbol(grammar.start).rule)
            .nodes
            .saturating_add(self.choices.dearest().saturating_mul(4))
    }

    /// Appends a derivation of `symbol` to `tree`, of about `size` tree nodes at most; where the least derivation is
    /// itself that large, of half of `size` or a quarter of the least more. A `size` of 0 gives a least derivation.
    #[inline]
    pub fn symbol(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        self.run(
            grammar,
            machine::Job { what: machine::What::Symbol(symbol), size },
            rng,
            host,
            &mut Unguided,
            tree,
        )
    }

    /// Like [`Generator::symbol`] for the start symbol, preferring what shows chains that `paths` has not seen. The
    /// caller adds the trees it keeps to `paths`.
    pub fn steered(
        &mut self,
        grammar: &Grammar,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        paths: &mut KPaths,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        if paths.seen() == paths.total() {
            return self.symbol(grammar, grammar.start, size, rng, host, tree);
        }
        let job = machine::Job { what: machine::What::Symbol(grammar.start), size };
        self.run(grammar, job, rng, host, &mut ToUnseen::new(paths), tree)
    }

    /// Appends a derivation of the rule node `node`.
    pub fn node(
        &mut self,
        grammar: &Grammar,
        node: NodeId,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        let job = machine::Job { what: machine::What::Node { node, count: None }, size };
        self.run(grammar, job, rng, host, &mut Unguided, tree)
    }

    /// Appends a derivation of the rule node `node`, with a given count if it is a repetition; used to set counts.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn repeat(
        &mut self,
        grammar: &Grammar,
        node: NodeId,
        count: u32,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        let job = machine::Job { what: machine::What::Node { node, count: Some(count) }, size };
        self.run(grammar, job, rng, host, &mut Unguided, tree)
    }

    /// Appends a derivation of what a tree node of this kind stands for, which takes a given branch if it is an
    /// alternative: its number, and its rule node.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn kind(
        &mut self,
        grammar: &Grammar,
        kind: Kind,
        branch: Option<(u32, NodeId)>,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        self.run(grammar, machine::Job { what: what(kind, branch), size }, rng, host, &mut Unguided, tree)
    }

    /// Makes `out` the tree with the subtree at `at` derived anew, by a given branch if it is an alternative, of about
    /// `size` tree nodes at most.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn regrow(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        branch: Option<(u32, NodeId)>,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<(), Failure> {
        let job = machine::Job { what: what(tree.node(at).kind(), branch), size };
        self.anew(grammar, tree, at, job, rng, host, out)
    }

    /// Makes `out` the tree with a given number of rounds of the repetition at `at`: rounds there are kept, missing
    /// ones derived.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn recount(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        count: u32,
        size: u32,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<(), Failure> {
        let Kind::Control(node) = tree.node(at).kind() else {
            return Err(Failure("only a repetition has a count".into()));
        };
        let Node::Repeat { body, .. } = grammar.node(node) else {
            return Err(Failure("only a repetition has a count".into()));
        };
        let kept = count.min(tree.node(at).alt);
        let mut end = at + 1;
        for _ in 0..kept * grammar.width(*body) {
            end = tree.end(end);
        }
        let mut within = std::mem::take(&mut self.within);
        let done = tree.rebuild(at, out, &mut within, |out, within| {
            let open = out.open(Kind::Control(node), count);
            out.append_siblings(tree, at + 1..end);
            self.tasks.extend(within.iter().map(|above| machine::Task::Above(*above)));
            self.tasks.push(machine::Task::Above(open));
            let what = machine::What::Node { node: *body, count: None };
            let mut done = Ok(());
            for _ in kept..count {
                done = self.run(grammar, machine::Job { what, size }, rng, host, &mut Unguided, out);
                if done.is_err() {
                    break;
                }
            }
            self.tasks.clear();
            out.close(open);
            done
        });
        self.within = within;
        done
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    fn anew(
        &mut self,
        grammar: &Grammar,
        tree: &Tree,
        at: Index,
        job: machine::Job,
        rng: &mut Rng,
        host: &mut impl Host,
        out: &mut Tree,
    ) -> Result<(), Failure> {
        let mut within = std::mem::take(&mut self.within);
        let done = tree.rebuild(at, out, &mut within, |out, within| {
            // The tasks of the open nodes above are what tells the host where the new subtree stands.
            self.tasks.extend(within.iter().map(|above| machine::Task::Above(*above)));
            let done = self.run(grammar, job, rng, host, &mut Unguided, out);
            self.tasks.clear();
            done
        });
        self.within = within;
        done
    }
}

/// What a tree node of this kind stands for, by a given branch if it is an alternative.
fn what(kind: Kind, branch: Option<(u32, NodeId)>) -> machine::What {
    match (kind, branch) {
        (kind, Some((number, branch))) => machine::What::Branch { kind, number, branch },
        (Kind::Symbol(symbol), None) => machine::What::Symbol(symbol),
        (Kind::Terminal(node) | Kind::Control(node), None) => machine::What::Node { node, count: None },
    }
}
