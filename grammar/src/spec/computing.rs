//! Bounds of repetitions and generators: lowered, and computed at load where no tree is needed.
use rustc_hash::FxHashMap;

use super::show;
use crate::front::build::Compute;
use crate::front::selector::Masked;
use crate::front::source::Problem;
use crate::ir::{Bound, ExprId, Grammar, SymbolId};
use crate::python::lower::{Lone, Lowerer, Meaning};
use crate::python::vm::{State, Vm};
use crate::rng::Rng;
use crate::solve::formula;

/// Lowers generators and bounds; bounds that need no tree are computed at once.
pub(super) struct Computing<'a> {
    pub(super) lowerer: &'a mut Lowerer,
    pub(super) state: &'a mut State,
    pub(super) rng: &'a mut Rng,
    pub(super) exprs: Vec<Lone>,
    pub(super) known: FxHashMap<(u32, u32), ExprId>,
}

impl Computing<'_> {
    fn keep(&mut self, lone: Lone) -> ExprId {
        let key = (lone.span.file, lone.span.start);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        self.exprs.push(lone);
        let id = ExprId(self.exprs.len() as u32 - 1);
        self.known.insert(key, id);
        id
    }
}

impl Compute for Computing<'_> {
    fn bound(&mut self, masked: &Masked) -> Result<Bound, Problem> {
        let expr = formula::parse(masked)?;
        self.lowerer.begin(masked, Meaning::Nearest, &[], 0);
        let lone = self.lowerer.lone(&expr)?;
        if !masked.selectors.is_empty() {
            return Ok(Bound::Expr(self.keep(lone)));
        }
        let empty = Grammar::default();
        let mut vm = Vm::new(&empty, &self.lowerer.program, &[], self.state, self.rng);
        vm.reserve(lone.frame);
        let result = vm.eval(&lone.ex);
        drop(vm);
        let random = lone.is_random();
        self.state.stack.clear();
        match result {
            // A bound that draws from chance is drawn anew each time.
            Ok(_) if random => Ok(Bound::Expr(self.keep(lone))),
            Ok(value) => match value.as_int().map(u32::try_from) {
                Some(Ok(count)) => Ok(Bound::Const(count)),
                _ => Err(Problem::new(
                    masked.span,
                    format!("a repetition cannot have {} rounds", value.repr()),
                )),
            },
            Err(raised) => Err(Problem::new(masked.span, format!("this bound failed: {}", show(&raised)))),
        }
    }

    fn generator(&mut self, masked: &Masked) -> Result<(ExprId, Vec<SymbolId>), Problem> {
        let expr = formula::parse(masked)?;
        self.lowerer.begin(masked, Meaning::Source, &[], 0);
        let lone = self.lowerer.lone(&expr)?;
        let sources = lone.sources.clone();
        Ok((self.keep(lone), sources))
    }
}
