//! Answers what generation and parsing ask the program of a spec.
use crate::generate::{Failure, Host};
use crate::ir::{ExprId, SymbolId};
use crate::python::trees::{Nature, nature};
use crate::python::value::{TreeRef, Value};
use crate::python::vm::{State, Vm};
use crate::rng::Rng;
use crate::spec::{Spec, show};
use crate::tree::{Index, Tree};

/// A spec's program with its state.
#[derive(Debug)]
pub struct Program<'s> {
    /// The spec.
    pub spec: &'s Spec,
    /// Globals and memory.
    pub state: State,
}

impl<'s> Program<'s> {
    /// The program of `spec` in its first state.
    pub fn new(spec: &'s Spec) -> Self {
        Self { spec, state: spec.state() }
    }

    /// The bound `expr` as it is for a node at `at` of `tree`, all of which stands.
    pub fn bound_at(&mut self, expr: ExprId, tree: &Tree, at: Index, rng: &mut Rng) -> Result<u32, Failure> {
        let lone = &self.spec.exprs[expr.0 as usize];
        let mut vm = Vm::new(&self.spec.grammar, &self.spec.program, &[tree], &mut self.state, rng);
        vm.horizon = at;
        vm.reserve(lone.frame);
        let value = vm.eval(&lone.ex).and_then(|value| vm.int_of(&value));
        drop(vm);
        self.state.stack.clear();
        match value {
            Ok(value) => match value.as_int().map(u32::try_from) {
                Some(Ok(count)) if count <= 1 << 24 => Ok(count),
                Some(_) => Err(Failure(format!("a repetition cannot have {} rounds", value.repr()))),
                None => Err(Failure("a repetition's count is no integer".into())),
            },
            Err(raised) => Err(Failure(format!(
                "{}: the count of a repetition failed: {}",
                self.spec.sources.place(lone.span),
                show(&raised)
            ))),
        }
    }
}

impl Host for Program<'_> {
    fn bound(&mut self, expr: ExprId, tree: &Tree, within: &[Index], rng: &mut Rng) -> Result<u32, Failure> {
        let mut closed = std::mem::take(&mut self.state.scratch);
        closed.clone_from(tree);
        for at in within {
            closed.close(*at);
        }
        let result = self.bound_at(expr, &closed, closed.len(), rng);
        self.state.scratch = closed;
        result
    }

    fn produce(
        &mut self,
        symbol: SymbolId,
        sources: &[Tree],
        rng: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        let spec = self.spec;
        let Some(generator) = &spec.grammar.symbol(symbol).generator else {
            return Err(Failure("this symbol has no generator".into()));
        };
        let lone = &spec.exprs[generator.expr.0 as usize];
        let trees: Vec<&Tree> = sources.iter().collect();
        let mut vm = Vm::new(&spec.grammar, &spec.program, &trees, &mut self.state, rng);
        vm.reserve(lone.frame);
        for (index, (slot, _)) in lone.selectors.iter().enumerate() {
            vm.set_slot(*slot, Value::Tree(TreeRef { tree: index as u32, at: 0 }));
        }
        let result = vm.eval(&lone.ex).and_then(|value| text_for(&mut vm, symbol, &value, out));
        drop(vm);
        self.state.stack.clear();
        result.map_err(|raised| {
            let name = &spec.grammar.symbol(symbol).name;
            Failure(format!(
                "{}: the generator of {name} failed: {}",
                spec.sources.place(lone.span),
                show(&raised)
            ))
        })
    }
}

/// Appends the text that stands for `value` in a tree of `symbol`; true if it has one byte per bit.
pub fn text_for(
    vm: &mut Vm<'_>,
    symbol: SymbolId,
    value: &Value,
    out: &mut Vec<u8>,
) -> crate::python::error::Res<bool> {
    let info = vm.grammar.symbol(symbol);
    match value {
        Value::Tree(at) => {
            let tree = vm.trees[at.tree as usize];
            if info.has_bits && nature(vm.grammar, tree, at.at) == Nature::Bits {
                out.extend_from_slice(tree.text_of(at.at));
                return Ok(true);
            }
            out.extend_from_slice(&vm.tree_bytes(*at)?);
        }
        Value::Str(text) => {
            // Text goes into a symbol of bytes as Latin-1 where it can, as trees of bytes read as text.
            if info.has_bytes && text.chars().all(|c| (c as u32) < 256) {
                out.extend(text.chars().map(|c| c as u32 as u8));
            } else {
                out.extend_from_slice(text.as_bytes());
            }
        }
        Value::Bytes(_) | Value::ByteArray(_) => out.extend_from_slice(&vm.bytes_of(value)?),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) if info.has_bits => {
            let number = value.as_big().unwrap_or_default();
            let width = vm.grammar.least(info.rule).bits as usize;
            let (_, digits) = number.to_radix_be(2);
            let digits: Vec<u8> = digits.into_iter().skip_while(|digit| *digit == 0).collect();
            out.resize(out.len() + width.saturating_sub(digits.len()), 0);
            out.extend(digits);
            return Ok(true);
        }
        other => {
            let text = vm.text_of(other)?;
            out.extend_from_slice(text.as_bytes());
        }
    }
    Ok(false)
}
