//! The lowered form of a spec's Python: names are slots, builtins are function pointers.
use std::rc::Rc;

use super::native::{Method, Native};
use super::value::Value;
use crate::front::source::Span;
use crate::select::Selector;

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the operators say all")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    Shl,
    Shr,
    Or,
    And,
    Xor,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the operators say all")]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
    Is,
    IsNot,
}

/// Which collection a comprehension makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collection {
    /// `[..]`
    List,
    /// `{..}`
    Set,
    /// `{k: v ..}`
    Dict,
    /// `(..)`
    Generator,
}

/// One `for .. in .. if ..` of a comprehension.
#[derive(Debug, Clone)]
pub struct Loop {
    /// What each item is bound to.
    pub target: Target,
    /// What is iterated.
    pub iter: Ex,
    /// Conditions.
    pub ifs: Vec<Ex>,
}

/// A part of an f-string.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Text.
    Text(Rc<str>),
    /// A value, whether by `repr`, and its format, itself an f-string.
    Value(Ex, bool, Vec<Piece>),
}

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    /// By position; true marks `*args`.
    pub args: Vec<(Ex, bool)>,
    /// By name; no name marks `**kwargs`.
    pub named: Vec<(Option<Rc<str>>, Ex)>,
}

/// An expression.
#[derive(Debug, Clone)]
pub enum Ex {
    /// A constant.
    Const(Value),
    /// A local variable, or what a quantifier bound.
    Local(u32),
    /// A local variable that nested functions share.
    Cell(u32),
    /// A global variable.
    Global(u32),
    /// All matches of a selector as a list, or their number.
    Select(Box<Selector>),
    /// `a + b`
    Bin(Op, Box<(Ex, Ex)>),
    /// `-a`
    Neg(Box<Ex>),
    /// `~a`
    Invert(Box<Ex>),
    /// `not a`
    Not(Box<Ex>),
    /// `a and b`
    And(Box<(Ex, Ex)>),
    /// `a or b`
    Or(Box<(Ex, Ex)>),
    /// `a < b`
    Compare(Cmp, Box<(Ex, Ex)>),
    /// `a < b < c`
    Chain(Box<Ex>, Vec<(Cmp, Ex)>),
    /// `a if c else b`, as (c, a, b).
    If(Box<(Ex, Ex, Ex)>),
    /// `str(a)` of one argument.
    Str(Box<Ex>),
    /// `bytes(a)` of one argument.
    Bytes(Box<Ex>),
    /// `int(a)` of one argument.
    Int(Box<Ex>),
    /// `len(a)`.
    Len(Box<Ex>),
    /// A builtin.
    Native(&'static Native, Box<Arguments>),
    /// A function of the spec, called directly with as many arguments as it has parameters.
    Direct(u32, Vec<Ex>),
    /// Anything else that is called.
    Call(Box<Ex>, Box<Arguments>),
    /// `a.m(..)`
    Method(Box<Ex>, Method, Box<Arguments>),
    /// `a.name`
    Attribute(Box<Ex>, Method),
    /// `a[i]`
    Index(Box<(Ex, Ex)>),
    /// `a[i:j:k]`
    Slice(Box<(Ex, [Option<Ex>; 3])>),
    /// `[a, b]`; true marks `*a`.
    List(Vec<(Ex, bool)>),
    /// `(a, b)`
    Tuple(Vec<(Ex, bool)>),
    /// `{a, b}`
    Set(Vec<(Ex, bool)>),
    /// `{a: b}`; no key marks `**b`.
    Dict(Vec<(Option<Ex>, Ex)>),
    /// `f".."`
    Format(Vec<Piece>),
    /// A comprehension: element (and value), loops.
    Comprehension(Collection, Box<(Ex, Option<Ex>)>, Vec<Loop>),
    /// A `lambda` or nested `def`: function, captured cells of this frame, defaults.
    Closure(u32, Vec<u32>, Vec<Ex>),
    /// `(x := a)`
    Named(Target2, Box<Ex>),
    /// An expression that runs in CPython, with what it is given.
    #[cfg(feature = "python")]
    Foreign(u32, Vec<Ex>),
}

/// The variable of `:=`.
pub type Target2 = Box<Target>;

/// What is assigned to.
#[derive(Debug, Clone)]
pub enum Target {
    /// A local variable.
    Local(u32),
    /// A shared local variable.
    Cell(u32),
    /// A global variable.
    Global(u32),
    /// `a[i]`
    Index(Box<(Ex, Ex)>),
    /// `a, b`; the index of the starred one.
    Tuple(Vec<Target>, Option<usize>),
}

/// A statement.
#[derive(Debug, Clone)]
pub enum St {
    /// An expression for its effect.
    Expr(Ex),
    /// `a = b = e`
    Assign(Vec<Target>, Ex),
    /// `a += e`
    Update(Target, Ex, Op, Ex),
    /// `if` with its `else`.
    If(Ex, Vec<St>, Vec<St>),
    /// `while` with its `else`.
    While(Ex, Vec<St>, Vec<St>),
    /// `for` with its `else`.
    For(Target, Ex, Vec<St>, Vec<St>),
    /// `return`
    Return(Option<Ex>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `raise`: the exception's type and message, none to raise again.
    Raise(Option<Ex>),
    /// `assert`
    Assert(Ex, Option<Ex>),
    /// `try`: body, handlers (types, variable, body), else, finally.
    Try(Vec<St>, Vec<Handler>, Vec<St>, Vec<St>),
    /// `del a[i]`
    Delete(Ex, Ex),
    /// Nothing.
    Pass,
}

/// One `except`.
#[derive(Debug, Clone)]
pub struct Handler {
    /// The names of the types it catches; empty catches all.
    pub types: Vec<Rc<str>>,
    /// Where the exception goes.
    pub target: Option<Target>,
    /// What it does.
    pub body: Vec<St>,
}

/// A function of the spec.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name, for messages.
    pub name: Rc<str>,
    /// Names of its parameters, in the order of their slots.
    pub params: Vec<Rc<str>>,
    /// How many of the last parameters have defaults.
    pub defaults: usize,
    /// The slot of `*args`.
    pub rest: Option<u32>,
    /// The slot of `**kwargs`.
    pub named_rest: Option<u32>,
    /// Parameters that nested functions share: (slot, cell slot is the same).
    pub cell_params: Vec<u32>,
    /// Slots of variables that are cells but no parameters.
    pub cells: Vec<u32>,
    /// First slot of what it captured.
    pub captured: u32,
    /// Size of its frame.
    pub frame: u32,
    /// Its statements.
    pub body: Rc<[St]>,
    /// Where it stands.
    pub span: Span,
}
