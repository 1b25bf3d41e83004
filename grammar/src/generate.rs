//! Random derivations of a symbol, bounded in size and steered to k-paths not seen yet.
use crate::ir::{ExprId, Grammar, NodeId, SymbolId};
use crate::rng::Rng;
use crate::tree::{Index, Tree};

/// Why a derivation could not be finished; one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(pub String);

/// What generation and parsing ask the program of the spec.
pub trait Host {
    /// The value of a computed repetition bound, from the tree built so far. The caller has closed the open nodes of
    /// `tree` provisionally (so that `len` of each reaches to the end of `tree`); `within` are those, outermost first.
    fn bound(&mut self, expr: ExprId, tree: &Tree, within: &[Index], rng: &mut Rng) -> Result<u32, Failure>;

    /// Appends the text that the generator of `symbol` computes from `sources` (in the order of
    /// [`crate::ir::Generator::sources`]), with one byte per bit if `symbol` has bits; the caller parses it.
    fn produce(
        &mut self,
        symbol: SymbolId,
        sources: &[Tree],
        rng: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure>;
}

/// A host for grammars without computed repetitions and generators.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn bound(&mut self, _: ExprId, _: &Tree, _: &[Index], _: &mut Rng) -> Result<u32, Failure> {
        Err(Failure("this repetition is computed, but there is no program to compute it".into()))
    }

    fn produce(&mut self, _: SymbolId, _: &[Tree], _: &mut Rng, _: &mut Vec<u8>) -> Result<(), Failure> {
        Err(Failure("this symbol has a generator, but there is no program to run it".into()))
    }
}

/// Makes derivations; keeps its buffers between them.
#[derive(Debug, Default)]
pub struct Generator {}

impl Generator {
    /// Prepares tables (branch weights, minimal derivations) for `grammar`.
    pub fn new(_grammar: &Grammar) -> Self {
        Self {}
    }

    /// Appends a derivation of `symbol` to `tree`, of about `size` tree nodes at most (always at least the least).
    pub fn symbol(
        &mut self,
        _grammar: &Grammar,
        _symbol: SymbolId,
        _size: u32,
        _rng: &mut Rng,
        _host: &mut impl Host,
        _tree: &mut Tree,
    ) -> Result<(), Failure> {
        todo!("second engineer")
    }

    /// Appends a derivation of the rule node `node` with a given count if it is a repetition; used to set counts.
    #[expect(clippy::too_many_arguments, reason = "the state of a derivation, all of it borrowed")]
    pub fn repeat(
        &mut self,
        _grammar: &Grammar,
        _node: NodeId,
        _count: u32,
        _size: u32,
        _rng: &mut Rng,
        _host: &mut impl Host,
        _tree: &mut Tree,
    ) -> Result<(), Failure> {
        todo!("second engineer")
    }
}
