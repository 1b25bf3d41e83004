//! Lowers Python's syntax to code: names become slots, modules' functions become pointers, the rest is refused.
use std::rc::Rc;

use ruff_python_ast as ast;
use ruff_python_ast::{Expr, Number, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::builtins;
use super::code::{Arguments, Cmp, Collection, Ex, Function, Handler, Loop, Op, Piece, St, Target};
use super::error::{REFUSED, Res, raise};
use super::modules::{self, Module, Object};
use super::names::{assigned, used};
use super::native::Method;
use super::value::Value;
use super::vm::{Program, Vm};
use crate::front::selector::{self, Masked, Step as Written};
use crate::front::source::{Problem, Span};
use crate::ir::SymbolId;
use crate::select::{self, Base, Mode, Selector, Step};

mod calls;
mod expressions;
#[cfg(feature = "python")]
mod foreign;
mod functions;
mod helpers;
mod scopes;
mod selectors;
mod statements;

pub use helpers::{comparison, evaluate};
use helpers::{distance, exception_name};

type Lowered<T = Ex> = Result<T, Problem>;

/// What a name stands for.
#[derive(Debug, Clone)]
enum Name {
    Local(u32),
    Cell(u32),
    Global(u32),
    Const(Value),
    Module(&'static Module),
}

/// The names of one function.
#[derive(Debug, Default)]
struct Scope {
    names: FxHashMap<String, Name>,
    /// Comprehension variables hide names; the innermost are last.
    inner: Vec<(String, Name)>,
    frame: u32,
    is_function: bool,
}

/// What the selectors of an expression mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Every match in turn: a constraint.
    Each,
    /// A tree made for a generator.
    Source,
    /// The nearest match before: a repetition's bound.
    Nearest,
}

/// Lowers the Python of one spec.
#[derive(Debug, Default)]
pub struct Lowerer {
    /// The functions so far.
    pub program: Program,
    /// Slots of global variables.
    pub globals: FxHashMap<String, u32>,
    /// Ids of symbols, with angle brackets.
    pub symbols: FxHashMap<String, SymbolId>,
    /// For each function, what it refers to.
    references: Vec<FxHashSet<u32>>,
    /// What the code being lowered refers to.
    referred: FxHashSet<u32>,
    modules: FxHashMap<String, Name>,
    direct: FxHashMap<String, (u32, usize)>,
    scopes: Vec<Scope>,
    file: u32,
    offset: u32,
    /// The selectors of the expression being lowered, by offset.
    selectors: FxHashMap<u32, selector::Selector>,
    meaning: Option<Meaning>,
    /// Quantified variables: name with angle brackets, slot.
    bound: Vec<(String, u32)>,
    /// How many comparisons have results that can be kept.
    pub memos: u32,
    /// How many selectors count below one quantified node.
    counts: std::cell::Cell<u32>,
    /// How many selectors have matches that can be kept.
    closed: std::cell::Cell<u32>,
    /// The text of the expression being lowered, selectors masked.
    #[cfg(feature = "python")]
    text: String,
    /// Selectors that became slots of the expression being lowered.
    taken: Vec<(u32, Selector, SymbolId)>,
}

/// An expression of a constraint or generator, lowered.
#[derive(Debug, Clone)]
pub struct Lone {
    /// The code.
    pub ex: Ex,
    /// Selectors and the slots their matches go to.
    pub selectors: Vec<(u32, Selector)>,
    /// The first symbol of each of these selectors.
    pub sources: Vec<SymbolId>,
    /// Slots needed.
    pub frame: u32,
    /// Where it stands.
    pub span: Span,
}

impl Lone {
    /// Whether it may draw from chance or call what does.
    pub fn is_random(&self) -> bool {
        let text = format!("{:?}", self.ex);
        text.contains("builtin rand") || text.contains("builtin choice") || text.contains("Direct(")
    }
}

impl Lowerer {
    fn span(&self, range: TextRange) -> Span {
        Span {
            file: self.file,
            start: self.offset + u32::from(range.start()),
            end: self.offset + u32::from(range.end()),
        }
    }

    fn refuse<T>(&self, node: &impl Ranged, message: impl Into<String>) -> Lowered<T> {
        Err(Problem::new(self.span(node.range()), message)
            .help("this Python runs natively; what it does not know is refused at load"))
    }

    fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn slot(&mut self) -> u32 {
        let scope = self.scope();
        scope.frame += 1;
        scope.frame - 1
    }

    fn global(&mut self, name: &str) -> u32 {
        let next = self.globals.len() as u32;
        *self.globals.entry(name.to_owned()).or_insert(next)
    }

    /// Makes the global names of `module` known before any function that uses them is lowered.
    pub fn declare(&mut self, module: &[Stmt]) {
        let mut names = FxHashMap::default();
        for statement in module {
            for name in assigned(std::slice::from_ref(statement)) {
                *names.entry(name).or_insert(0) += 1;
            }
        }
        for statement in module {
            if let Stmt::FunctionDef(def) = statement {
                let parameters = &def.parameters;
                let plain = parameters.vararg.is_none()
                    && parameters.kwarg.is_none()
                    && parameters.kwonlyargs.is_empty()
                    && def.decorator_list.is_empty();
                self.program.functions.push(Err("a function is used before it is defined".into()));
                self.references.push(FxHashSet::default());
                let index = self.program.functions.len() as u32 - 1;
                let count = parameters.posonlyargs.len() + parameters.args.len();
                if plain && names.get(def.name.as_str()) == Some(&1) {
                    self.direct.insert(def.name.to_string(), (index, count));
                } else {
                    self.direct.remove(def.name.as_str());
                }
            }
        }
        for name in names.keys() {
            self.global(name);
        }
    }

    /// Lowers a module; its functions must have been declared by [`Lowerer::declare`] with `first` the index of the
    /// first of them.
    pub fn module(&mut self, module: &[Stmt], file: u32, first: u32) -> Lowered<Vec<St>> {
        (self.file, self.offset, self.scopes) = (file, 0, vec![Scope::default()]);
        let mut next = first;
        let mut out = Vec::new();
        for statement in module {
            if let Stmt::FunctionDef(def) = statement {
                let ex = self.function(def, Some(next))?;
                next += 1;
                let target = Target::Global(self.global(def.name.as_str()));
                out.push(St::Assign(vec![target], ex));
            } else {
                self.statement(statement, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Code that makes the names a statement assigns refuse to be used, for a statement that could not be lowered.
    pub fn missing(&mut self, statement: &[Stmt], problem: Problem) -> Lowered<Vec<St>> {
        // With CPython at hand, whatever needs the statement's names runs there.
        if cfg!(not(feature = "python")) && !matches!(statement, [Stmt::Assign(_) | Stmt::AnnAssign(_)]) {
            return Err(problem);
        }
        let mut code = Vec::new();
        for name in assigned(statement) {
            let value = Value::Missing(problem.message.as_str().into());
            self.bind(&name, Name::Const(value), &mut code)?;
        }
        Ok(code)
    }

    /// How many slots the module's own code needs.
    pub fn module_frame(&mut self) -> u32 {
        self.scope().frame
    }

    /// Starts an expression whose quantified variables are `bound` and that may use slots from `frame` on.
    pub fn begin(&mut self, masked: &Masked, meaning: Meaning, bound: &[(String, u32)], frame: u32) {
        (self.file, self.offset) = (masked.span.file, masked.span.start);
        self.selectors = masked.selectors.iter().cloned().collect();
        #[cfg(feature = "python")]
        self.text.clone_from(&masked.text);
        self.meaning = Some(meaning);
        self.bound = bound.to_vec();
        self.taken.clear();
        self.referred.clear();
        self.scopes = vec![Scope { frame, is_function: true, ..Scope::default() }];
    }

    /// Lowers an expression after [`Lowerer::begin`].
    pub fn lone(&mut self, expr: &Expr) -> Lowered<Lone> {
        self.taken.clear();
        self.referred.clear();
        let ex = self.whole(expr)?;
        let taken = std::mem::take(&mut self.taken);
        Ok(Lone {
            ex,
            sources: taken.iter().map(|(_, _, symbol)| *symbol).collect(),
            selectors: taken.into_iter().map(|(slot, selector, _)| (slot, selector)).collect(),
            frame: self.scope().frame,
            span: self.span(expr.range()),
        })
    }

    /// Lowers an expression with everything it reaches.
    fn own(&mut self, expr: &Expr) -> Lowered {
        let ex = self.expr(expr)?;
        self.check_references(self.span(expr.range()))?;
        Ok(ex)
    }

    #[cfg(not(feature = "python"))]
    fn whole(&mut self, expr: &Expr) -> Lowered {
        self.own(expr)
    }

    /// Lowers an expression, or hands it to CPython; of a comparison each side for itself, so that equations with a
    /// field stay what they are.
    #[cfg(feature = "python")]
    fn whole(&mut self, expr: &Expr) -> Lowered {
        let problem = match self.own(expr) {
            Ok(ex) => return Ok(ex),
            Err(problem) => problem,
        };
        self.taken.clear();
        if let Expr::Compare(compare) = expr
            && let ([op], [right]) = (&*compare.ops, &*compare.comparators)
        {
            let mut side = |side: &Expr| {
                self.referred.clear();
                let taken = self.taken.clone();
                self.own(side).or_else(|problem| {
                    self.taken = taken;
                    self.foreign(side, &problem)
                })
            };
            let sides = (side(&compare.left)?, side(right)?);
            return Ok(Ex::Compare(comparison(*op), Box::new(sides)));
        }
        self.foreign(expr, &problem)
    }
}

/// A symbol that no grammar has.
pub const NOWHERE: SymbolId = SymbolId(0x3fff_ffff);
