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
        if !matches!(statement, [Stmt::Assign(_) | Stmt::AnnAssign(_)]) {
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
        self.meaning = Some(meaning);
        self.bound = bound.to_vec();
        self.taken.clear();
        self.referred.clear();
        self.scopes = vec![Scope { frame, is_function: true, ..Scope::default() }];
    }

    /// Lowers an expression after [`Lowerer::begin`].
    pub fn lone(&mut self, expr: &Expr) -> Lowered<Lone> {
        self.taken.clear();
        let ex = self.expr(expr)?;
        self.check_references(self.span(expr.range()))?;
        let taken = std::mem::take(&mut self.taken);
        Ok(Lone {
            ex,
            sources: taken.iter().map(|(_, _, symbol)| *symbol).collect(),
            selectors: taken.into_iter().map(|(slot, selector, _)| (slot, selector)).collect(),
            frame: self.scope().frame,
            span: self.span(expr.range()),
        })
    }

    /// Binds the Python name `name` to a fresh slot, as `for name in *<a>` of a quantifier does.
    pub fn bind_local(&mut self, name: &str) -> u32 {
        let slot = self.slot();
        self.scope().inner.push((name.to_owned(), Name::Local(slot)));
        slot
    }

    /// Ends what [`Lowerer::bind_local`] began.
    pub fn unbind_local(&mut self) {
        self.scope().inner.pop();
    }

    /// Binds the symbol `name` to a fresh slot, as `forall <name> in ..` does.
    pub fn bind_symbol(&mut self, name: &str) -> u32 {
        let slot = self.slot();
        self.bound.push((name.to_owned(), slot));
        slot
    }

    /// Ends what [`Lowerer::bind_symbol`] began.
    pub fn unbind_symbol(&mut self) {
        self.bound.pop();
    }

    /// The written selector that `expr` masks.
    pub fn masked(&self, expr: &Expr) -> Option<&selector::Selector> {
        match expr {
            Expr::Name(name) => self.selectors.get(&u32::from(name.range.start())),
            _ => None,
        }
    }

    /// Refuses an expression that can reach a function this engine cannot run.
    fn check_references(&self, span: Span) -> Lowered<()> {
        let mut seen = self.referred.clone();
        let mut todo: Vec<u32> = seen.iter().copied().collect();
        while let Some(function) = todo.pop() {
            if let Err(reason) = &self.program.functions[function as usize] {
                return Err(Problem::new(
                    span,
                    format!("this needs a function that is not supported: {reason}"),
                ));
            }
            for next in &self.references[function as usize] {
                if seen.insert(*next) {
                    todo.push(*next);
                }
            }
        }
        Ok(())
    }

    /// A written selector with its names resolved.
    pub fn resolve(&self, written: &selector::Selector) -> Lowered<Selector> {
        let bound =
            |name: &str| self.bound.iter().rev().find(|(known, _)| known == name).map(|(_, slot)| *slot);
        let symbol = |name: &str| match self.symbols.get(name) {
            Some(symbol) => Ok(*symbol),
            None => Err(self.undefined(name, written.span)),
        };
        let base = match bound(&written.base) {
            Some(slot) => Base::Slot(slot),
            None => Base::All(symbol(&written.base)?),
        };
        let mut steps = smallvec::SmallVec::new();
        for step in &written.steps {
            steps.push(match step {
                Written::Child(name) | Written::Descendant(name) => match (bound(name), step) {
                    (Some(slot), _) => Step::Slot(slot),
                    // A selector may name what the grammar lacks: it matches nothing, which the lint tells.
                    (None, Written::Child(_)) => Step::Child(symbol(name).unwrap_or(NOWHERE)),
                    (None, _) => Step::Descendant(symbol(name).unwrap_or(NOWHERE)),
                },
                Written::Item(item) => select::item_step(*item),
            });
        }
        let mode = match (written.star, written.count) {
            (_, true) => Mode::Count,
            (true, _) => Mode::List,
            _ => Mode::Each,
        };
        let mut selector = Selector { base, steps, mode, cache: None };
        if selector.is_closed() {
            let next = self.closed.get() + 1;
            self.closed.set(next);
            selector.cache = Some(next - 1);
        } else if selector.is_count_of_slot() {
            let next = self.counts.get() + 1;
            self.counts.set(next);
            selector.cache = Some(next - 1);
        }
        Ok(selector)
    }

    fn undefined(&self, name: &str, span: Span) -> Problem {
        let near = self
            .symbols
            .keys()
            .filter(|known| !known.starts_with("<_"))
            .min_by_key(|known| distance(known, name));
        let problem = Problem::new(span, format!("the symbol `{name}` is not defined"));
        match near {
            Some(near) if distance(near, name) <= 3 => problem.help(format!("did you mean `{near}`?")),
            _ => problem,
        }
    }

    fn select(&mut self, written: &selector::Selector) -> Lowered {
        let selector = self.resolve(written)?;
        if selector.mode != Mode::Each {
            return Ok(Ex::Select(Box::new(selector)));
        }
        if let (Base::Slot(slot), true) = (selector.base, selector.steps.is_empty()) {
            return Ok(Ex::Local(slot));
        }
        let symbol = match selector.base {
            Base::All(symbol) => symbol,
            Base::Slot(_) => NOWHERE,
        };
        match self.meaning {
            Some(Meaning::Nearest) => Ok(Ex::Select(Box::new(selector))),
            Some(meaning) => {
                if meaning == Meaning::Source && !selector.steps.is_empty() {
                    return Err(Problem::new(
                        written.span,
                        "a generator takes whole symbols, not parts of them",
                    ));
                }
                if let Some((slot, _, _)) = self.taken.iter().find(|(_, known, _)| known.same(&selector)) {
                    return Ok(Ex::Local(*slot));
                }
                let slot = self.slot();
                self.taken.push((slot, selector, symbol));
                Ok(Ex::Local(slot))
            }
            None => Err(Problem::new(written.span, "a selector cannot be used here")),
        }
    }

    fn lookup(&mut self, name: &str) -> Option<Name> {
        let depth = self.scopes.len();
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            if let Some((_, found)) = scope.inner.iter().rev().find(|(known, _)| known == name) {
                // Comprehension variables of enclosing functions are not captured.
                if level + 1 == depth {
                    return Some(found.clone());
                }
            }
            if level + 1 == depth
                && let Some(found) = scope.names.get(name)
            {
                return Some(found.clone());
            }
        }
        if let Some(module) = self.modules.get(name) {
            return Some(module.clone());
        }
        if let Some(slot) = self.globals.get(name) {
            if let Some((function, _)) = self.direct.get(name) {
                self.referred.insert(*function);
            }
            return Some(Name::Global(*slot));
        }
        if let Some(native) = builtins::lookup(name) {
            return Some(Name::Const(Value::Native(native)));
        }
        builtins::exception(name)
            .map(|kind| Name::Const(Value::Object(Rc::new(Object::Exception(kind.into(), "".into())))))
    }

    fn name(&mut self, name: &ast::ExprName) -> Lowered {
        if let Some(written) = self.selectors.get(&u32::from(name.range.start())).cloned() {
            return self.select(&written);
        }
        match self.lookup(name.id.as_str()) {
            Some(Name::Local(slot)) => Ok(Ex::Local(slot)),
            Some(Name::Cell(slot)) => Ok(Ex::Cell(slot)),
            Some(Name::Global(slot)) => Ok(Ex::Global(slot)),
            Some(Name::Const(Value::Missing(reason))) => self.refuse(name, reason.to_string()),
            Some(Name::Const(value)) => Ok(Ex::Const(value)),
            Some(Name::Module(module)) => Ok(Ex::Const(Value::Module(module.name))),
            None if name.id.as_str() == "__name__" => Ok(Ex::Const(Value::str("fandango"))),
            None => self.refuse(name, format!("the name `{}` is not known here", name.id)),
        }
    }

    /// Lowers an expression.
    pub fn expr(&mut self, expr: &Expr) -> Lowered {
        Ok(match expr {
            Expr::Name(name) => self.name(name)?,
            Expr::NumberLiteral(number) => Ex::Const(match &number.value {
                Number::Int(int) => match int.as_i64() {
                    Some(value) => Value::Int(value),
                    None => super::trees::parse_int(&int.to_string(), 0).unwrap_or_default(),
                },
                Number::Float(value) => Value::Float(*value),
                Number::Complex { .. } => return self.refuse(number, "complex numbers are not supported"),
            }),
            Expr::StringLiteral(text) => Ex::Const(Value::str(text.value.to_str())),
            Expr::BytesLiteral(bytes) => Ex::Const(Value::bytes(bytes.value.bytes().collect::<Vec<u8>>())),
            Expr::BooleanLiteral(value) => Ex::Const(Value::Bool(value.value)),
            Expr::NoneLiteral(_) | Expr::EllipsisLiteral(_) => Ex::Const(Value::None),
            Expr::FString(text) => {
                let mut pieces = Vec::new();
                for part in &text.value {
                    match part {
                        ast::FStringPart::Literal(literal) => {
                            pieces.push(Piece::Text((&*literal.value).into()));
                        }
                        ast::FStringPart::FString(text) => self.pieces(&text.elements, &mut pieces)?,
                    }
                }
                Ex::Format(pieces)
            }
            Expr::BoolOp(op) => {
                let mut parts =
                    op.values.iter().map(|value| self.expr(value)).collect::<Lowered<Vec<_>>>()?;
                let mut result = parts.pop().unwrap_or(Ex::Const(Value::None));
                while let Some(part) = parts.pop() {
                    let pair = Box::new((part, result));
                    result = if op.op == ast::BoolOp::And { Ex::And(pair) } else { Ex::Or(pair) };
                }
                result
            }
            Expr::Named(named) => {
                let value = self.expr(&named.value)?;
                let target = self.target(&named.target)?;
                Ex::Named(Box::new(target), Box::new(value))
            }
            Expr::BinOp(op) => {
                let pair = Box::new((self.expr(&op.left)?, self.expr(&op.right)?));
                Ex::Bin(self.operator(op, op.op)?, pair)
            }
            Expr::UnaryOp(op) => {
                let inner = self.expr(&op.operand)?;
                match (op.op, inner) {
                    (ast::UnaryOp::Not, inner) => Ex::Not(Box::new(inner)),
                    (ast::UnaryOp::USub, Ex::Const(Value::Int(value))) => Ex::Const(Value::Int(-value)),
                    (ast::UnaryOp::USub, Ex::Const(Value::Float(value))) => Ex::Const(Value::Float(-value)),
                    (ast::UnaryOp::USub, inner) => Ex::Neg(Box::new(inner)),
                    (ast::UnaryOp::UAdd, inner) => inner,
                    (ast::UnaryOp::Invert, inner) => Ex::Invert(Box::new(inner)),
                }
            }
            Expr::Compare(compare) => {
                let first = self.expr(&compare.left)?;
                let mut rest = Vec::new();
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    rest.push((comparison(*op), self.expr(right)?));
                }
                if rest.len() == 1
                    && let Some((cmp, right)) = rest.pop()
                {
                    Ex::Compare(cmp, Box::new((first, right)))
                } else {
                    Ex::Chain(Box::new(first), rest)
                }
            }
            Expr::If(choice) => Ex::If(Box::new((
                self.expr(&choice.test)?,
                self.expr(&choice.body)?,
                self.expr(&choice.orelse)?,
            ))),
            Expr::Lambda(lambda) => self.lambda(lambda)?,
            Expr::List(list) => Ex::List(self.items(&list.elts)?),
            Expr::Tuple(tuple) => Ex::Tuple(self.items(&tuple.elts)?),
            Expr::Set(set) => Ex::Set(self.items(&set.elts)?),
            Expr::Dict(dict) => {
                let mut items = Vec::new();
                for item in &dict.items {
                    let key = item.key.as_ref().map(|key| self.expr(key)).transpose()?;
                    items.push((key, self.expr(&item.value)?));
                }
                Ex::Dict(items)
            }
            Expr::ListComp(comp) => {
                self.comprehension(Collection::List, &comp.elt, None, &comp.generators)?
            }
            Expr::SetComp(comp) => self.comprehension(Collection::Set, &comp.elt, None, &comp.generators)?,
            Expr::Generator(comp) => {
                self.comprehension(Collection::Generator, &comp.elt, None, &comp.generators)?
            }
            Expr::DictComp(comp) => match &comp.key {
                Some(key) => {
                    self.comprehension(Collection::Dict, key, Some(&comp.value), &comp.generators)?
                }
                None => return self.refuse(comp, "`**` in a comprehension is not supported"),
            },
            Expr::Call(call) => self.call(call)?,
            Expr::Attribute(attribute) => self.attribute(attribute)?,
            Expr::Subscript(subscript) => {
                let value = self.expr(&subscript.value)?;
                match &*subscript.slice {
                    Expr::Slice(slice) => {
                        let mut part =
                            |part: &Option<Box<Expr>>| part.as_ref().map(|ex| self.expr(ex)).transpose();
                        let parts = [part(&slice.lower)?, part(&slice.upper)?, part(&slice.step)?];
                        Ex::Slice(Box::new((value, parts)))
                    }
                    index => Ex::Index(Box::new((value, self.expr(index)?))),
                }
            }
            Expr::Starred(starred) => return self.refuse(starred, "`*` cannot stand here"),
            Expr::Yield(node) => return self.refuse(node, "generator functions (`yield`) are not supported"),
            other => return self.refuse(other, "this kind of expression is not supported"),
        })
    }

    fn operator(&self, node: &impl Ranged, op: ast::Operator) -> Lowered<Op> {
        Ok(match op {
            ast::Operator::Add => Op::Add,
            ast::Operator::Sub => Op::Sub,
            ast::Operator::Mult => Op::Mul,
            ast::Operator::Div => Op::Div,
            ast::Operator::FloorDiv => Op::FloorDiv,
            ast::Operator::Mod => Op::Mod,
            ast::Operator::Pow => Op::Pow,
            ast::Operator::LShift => Op::Shl,
            ast::Operator::RShift => Op::Shr,
            ast::Operator::BitOr => Op::Or,
            ast::Operator::BitAnd => Op::And,
            ast::Operator::BitXor => Op::Xor,
            ast::Operator::MatMult => return self.refuse(node, "`@` is not supported"),
        })
    }

    fn pieces(&mut self, elements: &ast::InterpolatedStringElements, out: &mut Vec<Piece>) -> Lowered<()> {
        for element in elements {
            match element {
                ast::InterpolatedStringElement::Literal(literal) => {
                    out.push(Piece::Text((&*literal.value).into()));
                }
                ast::InterpolatedStringElement::Interpolation(value) => {
                    let ex = self.expr(&value.expression)?;
                    let mut format = Vec::new();
                    if let Some(spec) = &value.format_spec {
                        self.pieces(&spec.elements, &mut format)?;
                    }
                    out.push(Piece::Value(ex, value.conversion == ast::ConversionFlag::Repr, format));
                }
            }
        }
        Ok(())
    }

    fn items(&mut self, items: &[Expr]) -> Lowered<Vec<(Ex, bool)>> {
        items
            .iter()
            .map(|item| match item {
                Expr::Starred(starred) => Ok((self.expr(&starred.value)?, true)),
                other => Ok((self.expr(other)?, false)),
            })
            .collect()
    }

    fn comprehension(
        &mut self,
        kind: Collection,
        element: &Expr,
        value: Option<&Expr>,
        generators: &[ast::Comprehension],
    ) -> Lowered {
        let (locals, symbols) = (self.scope().inner.len(), self.bound.len());
        let mut loops = Vec::new();
        for generator in generators {
            let iter = self.expr(&generator.iter)?;
            let target = self.loop_target(&generator.target)?;
            let ifs = generator.ifs.iter().map(|test| self.expr(test)).collect::<Lowered<Vec<_>>>()?;
            loops.push(Loop { target, iter, ifs });
        }
        let element = self.expr(element)?;
        let value = value.map(|value| self.expr(value)).transpose()?;
        self.scope().inner.truncate(locals);
        self.bound.truncate(symbols);
        Ok(Ex::Comprehension(kind, Box::new((element, value)), loops))
    }

    /// The target of a comprehension: fresh variables that hide others.
    fn loop_target(&mut self, target: &Expr) -> Lowered<Target> {
        match target {
            Expr::Name(name) => {
                if let Some(written) = self.selectors.get(&u32::from(name.range.start())).cloned() {
                    return Ok(Target::Local(self.bind_symbol(&written.base)));
                }
                Ok(Target::Local(self.bind_local(name.id.as_str())))
            }
            Expr::Tuple(tuple) => self.loop_targets(&tuple.elts),
            Expr::List(list) => self.loop_targets(&list.elts),
            other => self.refuse(other, "this target of a loop is not supported"),
        }
    }

    fn loop_targets(&mut self, targets: &[Expr]) -> Lowered<Target> {
        let targets = targets.iter().map(|target| self.loop_target(target)).collect::<Lowered<Vec<_>>>()?;
        Ok(Target::Tuple(targets, None))
    }

    fn arguments(&mut self, arguments: &ast::Arguments) -> Lowered<Arguments> {
        let args = self.items(&arguments.args)?;
        let mut named = Vec::new();
        for keyword in &arguments.keywords {
            named.push((keyword.arg.as_ref().map(|name| name.as_str().into()), self.expr(&keyword.value)?));
        }
        Ok(Arguments { args, named })
    }

    fn call(&mut self, call: &ast::ExprCall) -> Lowered {
        let plain = call.arguments.keywords.is_empty()
            && !call.arguments.args.iter().any(|argument| matches!(argument, Expr::Starred(_)));
        if let Expr::Name(name) = &*call.func
            && !self.selectors.contains_key(&u32::from(name.range.start()))
        {
            let found = self.lookup(name.id.as_str());
            if let (Some(Name::Global(_)), Some((function, count)), true) =
                (&found, self.direct.get(name.id.as_str()).copied(), plain)
                && count == call.arguments.args.len()
            {
                let args =
                    call.arguments.args.iter().map(|arg| self.expr(arg)).collect::<Lowered<Vec<_>>>()?;
                return Ok(Ex::Direct(function, args));
            }
            if let (Some(Name::Const(Value::Native(native))), [argument], true) =
                (&found, &call.arguments.args[..], plain)
            {
                let special: Option<fn(Box<Ex>) -> Ex> = match native.name {
                    "str" => Some(Ex::Str),
                    "bytes" => Some(Ex::Bytes),
                    "int" => Some(Ex::Int),
                    "len" => Some(Ex::Len),
                    _ => None,
                };
                if let Some(special) = special {
                    return Ok(special(Box::new(self.expr(argument)?)));
                }
            }
        }
        if let Expr::Attribute(attribute) = &*call.func
            && self.static_member(attribute)?.is_none()
        {
            let receiver = self.expr(&attribute.value)?;
            let method = self.method_name(attribute)?;
            return Ok(Ex::Method(Box::new(receiver), method, Box::new(self.arguments(&call.arguments)?)));
        }
        let callee = self.expr(&call.func)?;
        let arguments = Box::new(self.arguments(&call.arguments)?);
        Ok(match callee {
            Ex::Const(Value::Native(native)) => Ex::Native(native, arguments),
            other => Ex::Call(Box::new(other), arguments),
        })
    }

    fn method_name(&self, attribute: &ast::ExprAttribute) -> Lowered<Method> {
        match Method::named(attribute.attr.as_str()) {
            Some(method) => Ok(method),
            None => self.refuse(attribute, format!("no value here has an attribute `{}`", attribute.attr)),
        }
    }

    /// The module that `expr` names.
    fn static_module(&mut self, expr: &Expr) -> Lowered<Option<&'static Module>> {
        match expr {
            Expr::Name(name) if !self.selectors.contains_key(&u32::from(name.range.start())) => {
                match self.lookup(name.id.as_str()) {
                    Some(Name::Module(module)) => Ok(Some(module)),
                    Some(Name::Const(Value::Missing(reason))) => self.refuse(expr, reason.to_string()),
                    _ => Ok(None),
                }
            }
            Expr::Attribute(attribute) => Ok(self
                .static_module(&attribute.value)?
                .and_then(|module| modules::module(&format!("{}.{}", module.name, attribute.attr)))),
            _ => Ok(None),
        }
    }

    /// The value of `module.name`, known at load.
    fn static_member(&mut self, attribute: &ast::ExprAttribute) -> Lowered<Option<Value>> {
        let Some(module) = self.static_module(&attribute.value)? else { return Ok(None) };
        // A module in a module is found when one of its members is.
        if modules::module(&format!("{}.{}", module.name, attribute.attr)).is_some() {
            return Ok(Some(Value::Module(module.name)));
        }
        match modules::member(module, attribute.attr.as_str()) {
            Some(value) => Ok(Some(value)),
            None => self
                .refuse(attribute, format!("the module `{}` has no `{}` here", module.name, attribute.attr)),
        }
    }

    fn attribute(&mut self, attribute: &ast::ExprAttribute) -> Lowered {
        if let Some(value) = self.static_member(attribute)? {
            return Ok(Ex::Const(value));
        }
        let value = self.expr(&attribute.value)?;
        let name = self.method_name(attribute)?;
        Ok(Ex::Attribute(Box::new(value), name))
    }

    fn lambda(&mut self, lambda: &ast::ExprLambda) -> Lowered {
        let span = self.span(lambda.range());
        let parameters = lambda.parameters.as_deref();
        let empty = FxHashSet::default();
        let names = super::names::used_expr(&lambda.body);
        self.closure("lambda", parameters, &empty, &names, span, None, &mut |lowerer, out| {
            let value = lowerer.expr(&lambda.body)?;
            out.push(St::Return(Some(value)));
            Ok(())
        })
    }

    /// Lowers a `def` and returns the expression that makes it.
    fn function(&mut self, def: &ast::StmtFunctionDef, index: Option<u32>) -> Lowered {
        let span = self.span(def.range());
        if let Some(decorator) = def.decorator_list.first()
            && let Some(index) = index
        {
            let reason = Problem::new(self.span(decorator.range()), "decorators are not supported");
            self.program.functions[index as usize] = Err(reason.message.into());
        }
        let locals: FxHashSet<String> = assigned(&def.body).into_iter().collect();
        let names = used(&def.body);
        self.closure(
            def.name.as_str(),
            Some(&def.parameters),
            &locals,
            &names,
            span,
            index,
            &mut |lowerer, out| {
                for statement in &def.body {
                    lowerer.statement(statement, out)?;
                }
                Ok(())
            },
        )
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a function, whichever way it is written")]
    fn closure(
        &mut self,
        name: &str,
        parameters: Option<&ast::Parameters>,
        locals: &FxHashSet<String>,
        names: &super::names::Used,
        span: Span,
        index: Option<u32>,
        body: &mut dyn FnMut(&mut Self, &mut Vec<St>) -> Lowered<()>,
    ) -> Lowered {
        let mut params: Vec<Rc<str>> = Vec::new();
        let mut defaults = Vec::new();
        let (mut rest, mut named_rest) = (None, None);
        if let Some(parameters) = parameters {
            for parameter in
                parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs)
            {
                params.push(parameter.name().as_str().into());
                match &parameter.default {
                    Some(default) => defaults.push(self.expr(default)?),
                    None if !defaults.is_empty() => defaults.push(Ex::Const(Value::None)),
                    None => {}
                }
            }
            rest = parameters.vararg.as_ref().map(|parameter| parameter.name.to_string());
            named_rest = parameters.kwarg.as_ref().map(|parameter| parameter.name.to_string());
        }
        let index = index.unwrap_or_else(|| {
            self.program.functions.push(Err("a function is used before it is defined".into()));
            self.references.push(FxHashSet::default());
            self.program.functions.len() as u32 - 1
        });
        let mut scope = Scope { is_function: true, ..Scope::default() };
        let cell = |name: &str| names.in_functions.contains(name);
        let (mut cell_params, mut cells) = (Vec::new(), Vec::new());
        let mut add = |scope: &mut Scope, name: &str, parameter: bool| {
            let slot = scope.frame;
            scope.frame += 1;
            let kind = if cell(name) { Name::Cell(slot) } else { Name::Local(slot) };
            if cell(name) {
                if parameter { cell_params.push(slot) } else { cells.push(slot) }
            }
            scope.names.insert(name.to_owned(), kind);
            slot
        };
        for param in &params {
            add(&mut scope, param, true);
        }
        let rest = rest.map(|name| add(&mut scope, &name, true));
        let named_rest = named_rest.map(|name| add(&mut scope, &name, true));
        let mut own: Vec<&String> = locals
            .iter()
            .filter(|name| !names.globals.contains(*name) && !names.nonlocals.contains(*name))
            .collect();
        own.sort();
        for name in own {
            if !scope.names.contains_key(name) {
                add(&mut scope, name, false);
            }
        }
        // What it uses of the function around it is captured.
        let captured = scope.frame;
        let mut outer = Vec::new();
        let mut wanted: Vec<&String> = names.all.iter().collect();
        wanted.sort();
        for name in wanted {
            if scope.names.contains_key(name) || names.globals.contains(name) {
                continue;
            }
            let found = self.scopes.last().and_then(|around| {
                let inner =
                    around.inner.iter().rev().find(|(known, _)| known == name).map(|(_, found)| found);
                inner.or_else(|| around.names.get(name)).cloned()
            });
            match found {
                Some(Name::Cell(slot)) => {
                    outer.push(slot);
                    scope.names.insert(name.clone(), Name::Cell(scope.frame));
                    scope.frame += 1;
                }
                // A comprehension's variable: its present value is copied.
                Some(Name::Local(slot)) => {
                    outer.push(slot);
                    scope.names.insert(name.clone(), Name::Local(scope.frame));
                    scope.frame += 1;
                }
                Some(other) => {
                    scope.names.insert(name.clone(), other);
                }
                None => {}
            }
        }
        self.scopes.push(scope);
        let before = std::mem::take(&mut self.referred);
        let mut code = Vec::new();
        let result = body(self, &mut code);
        let refers = std::mem::replace(&mut self.referred, before);
        let frame = self.scopes.pop().map_or(0, |scope| scope.frame);
        self.references[index as usize] = refers;
        self.referred.insert(index);
        self.program.functions[index as usize] = match result {
            Ok(()) => Ok(Function {
                name: name.into(),
                defaults: defaults.len(),
                params,
                rest,
                named_rest,
                cell_params,
                cells,
                captured,
                frame,
                body: code.into(),
                span,
            }),
            Err(problem) => Err(format!("`{name}`: {}", problem.message).into()),
        };
        Ok(Ex::Closure(index, outer, defaults))
    }

    fn target(&mut self, target: &Expr) -> Lowered<Target> {
        Ok(match target {
            Expr::Name(name) => match self.scope().names.get(name.id.as_str()).cloned() {
                Some(Name::Local(slot)) => Target::Local(slot),
                Some(Name::Cell(slot)) => Target::Cell(slot),
                Some(_) if self.scope().is_function => {
                    return self.refuse(name, "a name that is imported cannot be assigned");
                }
                _ => {
                    if self.scope().is_function && !self.globals.contains_key(name.id.as_str()) {
                        // The variable of `:=` in a constraint.
                        return Ok(Target::Local(self.bind_local(name.id.as_str())));
                    }
                    self.modules.remove(name.id.as_str());
                    Target::Global(self.global(name.id.as_str()))
                }
            },
            Expr::Tuple(tuple) => self.targets(&tuple.elts)?,
            Expr::List(list) => self.targets(&list.elts)?,
            Expr::Subscript(subscript) => {
                if let Expr::Slice(slice) = &*subscript.slice {
                    return self.refuse(slice, "assigning to a slice is not supported");
                }
                Target::Index(Box::new((self.expr(&subscript.value)?, self.expr(&subscript.slice)?)))
            }
            other => return self.refuse(other, "assigning to an attribute is not supported"),
        })
    }

    fn targets(&mut self, targets: &[Expr]) -> Lowered<Target> {
        let mut star = None;
        let mut out = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            out.push(match target {
                Expr::Starred(starred) => {
                    star = Some(index);
                    self.target(&starred.value)?
                }
                other => self.target(other)?,
            });
        }
        Ok(Target::Tuple(out, star))
    }

    fn block(&mut self, statements: &[Stmt]) -> Lowered<Vec<St>> {
        let mut out = Vec::new();
        for statement in statements {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    fn bind(&mut self, name: &str, value: Name, out: &mut Vec<St>) -> Lowered<()> {
        if self.scope().is_function {
            self.scope().names.insert(name.to_owned(), value);
            return Ok(());
        }
        let slot = self.global(name);
        let value_of = match &value {
            Name::Module(module) => Value::Module(module.name),
            Name::Const(value) => value.clone(),
            _ => Value::None,
        };
        self.modules.insert(name.to_owned(), value);
        out.push(St::Assign(vec![Target::Global(slot)], Ex::Const(value_of)));
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt, out: &mut Vec<St>) -> Lowered<()> {
        match statement {
            Stmt::FunctionDef(def) => {
                let ex = self.function(def, None)?;
                let name = Expr::Name(ast::ExprName {
                    node_index: ast::AtomicNodeIndex::default(),
                    range: def.name.range(),
                    id: def.name.id.clone(),
                    ctx: ast::ExprContext::Store,
                });
                let target = self.target(&name)?;
                out.push(St::Assign(vec![target], ex));
            }
            Stmt::ClassDef(class) => {
                let reason = format!("classes (here `{}`) are not supported", class.name);
                self.bind(class.name.as_str(), Name::Const(Value::Missing(reason.into())), out)?;
            }
            Stmt::Return(node) => {
                let value = node.value.as_ref().map(|value| self.expr(value)).transpose()?;
                out.push(St::Return(value));
            }
            Stmt::Delete(node) => {
                for target in &node.targets {
                    match target {
                        Expr::Subscript(subscript) => {
                            out.push(St::Delete(self.expr(&subscript.value)?, self.expr(&subscript.slice)?));
                        }
                        Expr::Name(_) => {}
                        other => return self.refuse(other, "this cannot be deleted here"),
                    }
                }
            }
            Stmt::Assign(node) => {
                let value = self.expr(&node.value)?;
                let targets =
                    node.targets.iter().map(|target| self.target(target)).collect::<Lowered<Vec<_>>>()?;
                out.push(St::Assign(targets, value));
            }
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    let value = self.expr(value)?;
                    out.push(St::Assign(vec![self.target(&node.target)?], value));
                }
            }
            Stmt::AugAssign(node) => {
                let value = self.expr(&node.value)?;
                let current = self.expr(&node.target)?;
                let op = self.operator(node, node.op)?;
                out.push(St::Update(self.target(&node.target)?, current, op, value));
            }
            Stmt::For(node) => {
                let iter = self.expr(&node.iter)?;
                let target = self.target(&node.target)?;
                out.push(St::For(target, iter, self.block(&node.body)?, self.block(&node.orelse)?));
            }
            Stmt::While(node) => {
                let test = self.expr(&node.test)?;
                out.push(St::While(test, self.block(&node.body)?, self.block(&node.orelse)?));
            }
            Stmt::If(node) => {
                let test = self.expr(&node.test)?;
                let body = self.block(&node.body)?;
                let mut otherwise = Vec::new();
                for clause in node.elif_else_clauses.iter().rev() {
                    let body = self.block(&clause.body)?;
                    otherwise = match &clause.test {
                        Some(test) => vec![St::If(self.expr(test)?, body, otherwise)],
                        None => body,
                    };
                }
                out.push(St::If(test, body, otherwise));
            }
            Stmt::Raise(node) => {
                let value = node.exc.as_ref().map(|value| self.expr(value)).transpose()?;
                out.push(St::Raise(value));
            }
            Stmt::Try(node) => {
                let body = self.block(&node.body)?;
                let mut handlers = Vec::new();
                for ast::ExceptHandler::ExceptHandler(handler) in &node.handlers {
                    let types = match handler.type_.as_deref() {
                        None => Vec::new(),
                        Some(Expr::Tuple(tuple)) => tuple.elts.iter().map(exception_name).collect(),
                        Some(other) => vec![exception_name(other)],
                    };
                    let target = match &handler.name {
                        Some(name) => Some(match self.scope().names.get(name.as_str()).cloned() {
                            Some(Name::Local(slot)) => Target::Local(slot),
                            Some(Name::Cell(slot)) => Target::Cell(slot),
                            _ => Target::Global(self.global(name.as_str())),
                        }),
                        None => None,
                    };
                    handlers.push(Handler { types, target, body: self.block(&handler.body)? });
                }
                out.push(St::Try(body, handlers, self.block(&node.orelse)?, self.block(&node.finalbody)?));
            }
            Stmt::Assert(node) => {
                let message = node.msg.as_ref().map(|message| self.expr(message)).transpose()?;
                out.push(St::Assert(self.expr(&node.test)?, message));
            }
            Stmt::Import(node) => {
                for alias in &node.names {
                    let full = alias.name.as_str();
                    let first = full.split('.').next().unwrap_or(full);
                    let name = alias.asname.as_ref().map_or(first, |name| name.as_str());
                    let value = match modules::module(full) {
                        Some(module) => Name::Module(module),
                        None => Name::Const(Value::Missing(
                            format!("the module `{full}` is not built in, and the feature `python` is off")
                                .into(),
                        )),
                    };
                    self.bind(name, value, out)?;
                }
            }
            Stmt::ImportFrom(node) => {
                let full = node.module.as_ref().map_or("", |module| module.as_str());
                for alias in &node.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                    let member =
                        modules::module(full).and_then(|module| modules::member(module, alias.name.as_str()));
                    let value = member.or_else(|| builtins::lookup(alias.name.as_str()).map(Value::Native));
                    let value = value.unwrap_or_else(|| {
                        Value::Missing(
                            format!("`{}` of the module `{full}` is not built in, and the feature `python` is off", alias.name)
                                .into(),
                        )
                    });
                    if name != "*" {
                        self.bind(&name, Name::Const(value), out)?;
                    }
                }
            }
            Stmt::Expr(node) => {
                if !matches!(&*node.value, Expr::StringLiteral(_)) {
                    out.push(St::Expr(self.expr(&node.value)?));
                }
            }
            Stmt::Pass(_) | Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::TypeAlias(_) => {}
            Stmt::Break(_) => out.push(St::Break),
            Stmt::Continue(_) => out.push(St::Continue),
            Stmt::With(node) => return self.refuse(node, "`with` is not supported"),
            Stmt::Match(node) => return self.refuse(node, "`match` is not supported"),
            other => return self.refuse(other, "this kind of statement is not supported"),
        }
        Ok(())
    }
}

/// A symbol that no grammar has.
pub const NOWHERE: SymbolId = SymbolId(0x3fff_ffff);

fn exception_name(expr: &Expr) -> Rc<str> {
    match expr {
        Expr::Name(name) => name.id.as_str().into(),
        Expr::Attribute(attribute) => match &*attribute.value {
            Expr::Name(module) => format!("{}.{}", module.id, attribute.attr).into(),
            _ => attribute.attr.as_str().into(),
        },
        _ => "Exception".into(),
    }
}

/// Python's comparison as ours.
pub fn comparison(op: ast::CmpOp) -> Cmp {
    match op {
        ast::CmpOp::Eq => Cmp::Eq,
        ast::CmpOp::NotEq => Cmp::Ne,
        ast::CmpOp::Lt => Cmp::Lt,
        ast::CmpOp::LtE => Cmp::Le,
        ast::CmpOp::Gt => Cmp::Gt,
        ast::CmpOp::GtE => Cmp::Ge,
        ast::CmpOp::Is => Cmp::Is,
        ast::CmpOp::IsNot => Cmp::IsNot,
        ast::CmpOp::In => Cmp::In,
        ast::CmpOp::NotIn => Cmp::NotIn,
    }
}

/// Edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut last = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (last + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            last = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// `eval(text)`: an expression over literals and builtins.
pub fn evaluate(vm: &mut Vm<'_>, text: &str) -> Res {
    let parsed = match ruff_python_parser::parse_expression(text.trim()) {
        Ok(parsed) => parsed,
        Err(error) => return raise("SyntaxError", error.error.to_string()),
    };
    let mut lowerer =
        Lowerer { scopes: vec![Scope { is_function: true, ..Scope::default() }], ..Lowerer::default() };
    let ex = match lowerer.expr(&parsed.into_expr()) {
        Ok(ex) => ex,
        Err(problem) if problem.message.contains("not known") => return raise("NameError", problem.message),
        Err(problem) => return raise(REFUSED, problem.message),
    };
    let (old, frame) = (vm.base, lowerer.scope().frame);
    vm.base = vm.state.stack.len();
    vm.reserve(frame);
    let result = vm.eval(&ex);
    vm.state.stack.truncate(vm.base);
    vm.base = old;
    result
}
