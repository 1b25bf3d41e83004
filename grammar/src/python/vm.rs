//! Runs lowered Python over trees.
use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::code::{Arguments, Collection, Ex, Function, Handler, Loop, Piece, St, Target};
use super::error::{REFUSED, Raised, Res, catches, raise};
use super::native::Args;
use super::value::{Closure, Dict, Set, TreeRef, Value};
use crate::ir::Grammar;
use crate::rng::Rng;
use crate::select::{Base, Mode, Selector, slice_indices};
use crate::tree::{Index, Tree};

/// Loop rounds and calls one evaluation may take.
const FUEL: u64 = 50_000_000;
/// How deep calls may nest.
const DEPTH: u32 = 200;

/// The functions of a spec.
#[derive(Debug, Default)]
pub struct Program {
    /// The functions; one that uses what this engine lacks says so when called.
    pub functions: Vec<Result<Function, Rc<str>>>,
}

/// What an evaluation keeps between runs: globals and the stack's memory.
#[derive(Debug, Default)]
pub struct State {
    /// The global variables.
    pub globals: Vec<Value>,
    /// Frames of slots.
    pub stack: Vec<Value>,
    /// What printed.
    pub printed: String,
    /// The first reason why something could not be run at all.
    pub refused: Option<String>,
    /// The first exception that skipped a combination or failed a test.
    pub raised: Option<String>,
    /// Memory for a tree.
    pub scratch: Tree,
    /// Matches in use, the innermost last.
    pub found: Vec<Index>,
    /// Matches that depend on the tree alone, with the evaluation that found them.
    pub kept: Vec<(u64, Vec<Index>)>,
    /// Results of comparisons by the node they depend on: twice the evaluation that found them, plus the result.
    memos: Vec<Vec<u64>>,
    /// Counts by the node they depend on, with the evaluation that found them.
    counts: Vec<Vec<(u64, u32)>>,
    stamp: u64,
}

/// Matches of a selector: kept under a number, or on the stack of matches.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    kept: Option<u32>,
    start: u32,
    end: u32,
}

impl Found {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.end - self.start
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.end == self.start
    }
}

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// One evaluation.
pub struct Vm<'t> {
    /// The grammar of the trees.
    pub grammar: &'t Grammar,
    /// The functions.
    pub program: &'t Program,
    /// The trees that values refer to.
    pub trees: SmallVec<[&'t Tree; 2]>,
    /// Globals and stack.
    pub state: &'t mut State,
    /// Chance.
    pub rng: &'t mut Rng,
    /// First slot of the current frame.
    pub base: usize,
    /// Which evaluation this is, to know whose matches are kept.
    stamp: u64,
    /// Only nodes before this one can be selected: what is built so far.
    pub horizon: Index,
    fuel: u64,
    depth: u32,
    handled: Option<Box<Raised>>,
}

impl<'t> Vm<'t> {
    /// An evaluation over `trees`.
    pub fn new(
        grammar: &'t Grammar,
        program: &'t Program,
        trees: &[&'t Tree],
        state: &'t mut State,
        rng: &'t mut Rng,
    ) -> Self {
        let base = state.stack.len();
        state.stamp += 1;
        let stamp = state.stamp;
        Self {
            grammar,
            program,
            trees: SmallVec::from_slice(trees),
            state,
            rng,
            base,
            stamp,
            horizon: Index::MAX,
            fuel: FUEL,
            depth: 0,
            handled: None,
        }
    }

    /// Makes room for `slots` slots of the current frame.
    pub fn reserve(&mut self, slots: u32) {
        let need = self.base + slots as usize;
        if self.state.stack.len() < need {
            self.state.stack.resize(need, Value::None);
        }
    }

    /// The slot `index` of the current frame.
    #[inline]
    pub fn slot(&self, index: u32) -> &Value {
        &self.state.stack[self.base + index as usize]
    }

    /// Sets the slot `index` of the current frame.
    #[inline]
    pub fn set_slot(&mut self, index: u32, value: Value) {
        self.state.stack[self.base + index as usize] = value;
    }

    /// Counts a step of work.
    #[inline]
    pub fn step(&mut self) -> Res<()> {
        self.fuel -= 1;
        if self.fuel == 0 { raise(REFUSED, "this Python ran for more than 50 million steps") } else { Ok(()) }
    }

    /// Finds the matches of a selector in the input; [`Vm::release`] must follow.
    pub fn find(&mut self, selector: &Selector) -> Found {
        let Some(tree) = self.trees.first().copied() else { return Found { kept: None, start: 0, end: 0 } };
        if let (Some(id), Base::All(_), true) = (selector.cache, selector.base, self.horizon == Index::MAX) {
            let id = id as usize;
            if self.state.kept.len() <= id {
                self.state.kept.resize_with(id + 1, Default::default);
            }
            let entry = &mut self.state.kept[id];
            if entry.0 != self.stamp {
                entry.0 = self.stamp;
                entry.1.clear();
                selector.find(self.grammar, tree, |_| None, &mut entry.1);
            }
            return Found { kept: Some(id as u32), start: 0, end: entry.1.len() as u32 };
        }
        let mut found = std::mem::take(&mut self.state.found);
        let start = found.len();
        let slot = |index| match self.slot(index) {
            Value::Tree(at) if at.tree == 0 => Some(at.at),
            _ => None,
        };
        selector.find(self.grammar, tree, slot, &mut found);
        if self.horizon != Index::MAX {
            let mut kept = start;
            for at in start..found.len() {
                if found[at] < self.horizon {
                    found[kept] = found[at];
                    kept += 1;
                }
            }
            found.truncate(kept);
        }
        let end = found.len();
        self.state.found = found;
        Found { kept: None, start: start as u32, end: end as u32 }
    }

    /// How many nodes a selector finds below the one in `slot`, kept under `id`.
    fn count_below(&mut self, id: u32, slot: u32, selector: &Selector) -> u32 {
        let at = match self.slot(slot) {
            Value::Tree(at) => at.at as usize,
            _ => 0,
        };
        let id = id as usize;
        if self.state.counts.len() <= id {
            self.state.counts.resize_with(id + 1, Vec::new);
        }
        if let Some((stamp, count)) = self.state.counts[id].get(at)
            && *stamp == self.stamp
        {
            return *count;
        }
        let found = self.find(selector);
        self.release(&found);
        let counts = &mut self.state.counts[id];
        if counts.len() <= at {
            counts.resize(at + 1, (0, 0));
        }
        counts[at] = (self.stamp, found.len());
        found.len()
    }

    /// The result kept under `id` for the node in `slot`, if there is one.
    #[inline]
    pub fn remembered(&self, (id, slot): (u32, u32)) -> Option<bool> {
        let Value::Tree(at) = self.slot(slot) else { return None };
        let entry = *self.state.memos.get(id as usize)?.get(at.at as usize)?;
        (entry >> 1 == self.stamp).then_some(entry & 1 != 0)
    }

    /// Keeps a result under `id` for the node in `slot`.
    pub fn remember(&mut self, (id, slot): (u32, u32), result: bool) {
        let Value::Tree(at) = self.slot(slot) else { return };
        let (id, at) = (id as usize, at.at as usize);
        if self.state.memos.len() <= id {
            self.state.memos.resize_with(id + 1, Vec::new);
        }
        let memo = &mut self.state.memos[id];
        if memo.len() <= at {
            memo.resize(at + 1, 0);
        }
        memo[at] = self.stamp << 1 | u64::from(result);
    }

    /// One match.
    #[inline]
    pub fn found(&self, found: &Found, index: u32) -> Index {
        match found.kept {
            Some(id) => self.state.kept[id as usize].1[index as usize],
            None => self.state.found[(found.start + index) as usize],
        }
    }

    /// Gives the memory of matches back; the last found first.
    #[inline]
    pub fn release(&mut self, found: &Found) {
        if found.kept.is_none() {
            self.state.found.truncate(found.start as usize);
        }
    }

    /// The value of an expression.
    pub fn eval(&mut self, ex: &Ex) -> Res {
        match ex {
            Ex::Const(value) => Ok(value.clone()),
            Ex::Local(slot) => match self.slot(*slot) {
                Value::Missing(reason) => raise(REFUSED, reason.to_string()),
                value => Ok(value.clone()),
            },
            Ex::Cell(slot) => match self.slot(*slot) {
                Value::Cell(cell) => Ok(cell.borrow().clone()),
                _ => raise("NameError", "a variable is used before it is assigned"),
            },
            Ex::Global(slot) => match &self.state.globals[*slot as usize] {
                Value::Missing(reason) => raise(REFUSED, reason.to_string()),
                value => Ok(value.clone()),
            },
            Ex::Select(selector) => {
                if let (Some(id), Base::Slot(slot)) = (selector.cache, selector.base) {
                    return Ok(Value::Int(i64::from(self.count_below(id, slot, selector))));
                }
                let found = self.find(selector);
                let tree = |vm: &Self, index| Value::Tree(TreeRef { tree: 0, at: vm.found(&found, index) });
                let value = match selector.mode {
                    Mode::Count => Ok(Value::Int(i64::from(found.len()))),
                    Mode::List => Ok(Value::list((0..found.len()).map(|index| tree(self, index)).collect())),
                    // While a tree is being built, the nearest match before is meant.
                    Mode::Each => match found.len() {
                        0 => raise("LookupError", "a selector matches nothing here"),
                        count => Ok(tree(self, count - 1)),
                    },
                };
                self.release(&found);
                value
            }
            Ex::Bin(op, pair) => {
                let a = self.eval(&pair.0)?;
                let b = self.eval(&pair.1)?;
                self.binary(*op, &a, &b)
            }
            Ex::Neg(inner) => {
                let value = self.eval(inner)?;
                self.negate(&value)
            }
            Ex::Invert(inner) => {
                let value = self.eval(inner)?;
                let value = self.natural(&value)?;
                match value.as_big() {
                    Some(big) => Ok(Value::big(-big - 1)),
                    None => raise("TypeError", "`~` needs an integer"),
                }
            }
            Ex::Not(inner) => Ok(Value::Bool(!self.test(inner)?)),
            Ex::And(pair) => {
                let a = self.eval(&pair.0)?;
                if self.truth(&a)? { self.eval(&pair.1) } else { Ok(a) }
            }
            Ex::Or(pair) => {
                let a = self.eval(&pair.0)?;
                if self.truth(&a)? { Ok(a) } else { self.eval(&pair.1) }
            }
            Ex::Compare(cmp, pair) => Ok(Value::Bool(self.compare_ex(*cmp, &pair.0, &pair.1)?)),
            Ex::Chain(first, rest) => {
                let mut left = self.eval(first)?;
                for (cmp, right) in rest {
                    let right = self.eval(right)?;
                    if !self.compare(*cmp, &left, &right)? {
                        return Ok(Value::Bool(false));
                    }
                    left = right;
                }
                Ok(Value::Bool(true))
            }
            Ex::If(parts) => {
                if self.test(&parts.0)? {
                    self.eval(&parts.1)
                } else {
                    self.eval(&parts.2)
                }
            }
            Ex::Str(inner) => match self.eval(inner)? {
                text @ Value::Str(_) => Ok(text),
                value => Ok(Value::str(self.text_of(&value)?)),
            },
            Ex::Bytes(inner) => {
                let value = self.eval(inner)?;
                self.make_bytes(&value)
            }
            Ex::Int(inner) => {
                let value = self.eval(inner)?;
                self.int_of(&value)
            }
            Ex::Len(inner) => {
                if let Ex::Str(text) = &**inner {
                    if let Some(text) = self.plain_text(text)
                        && text.is_ascii()
                    {
                        return Ok(Value::Int(text.len() as i64));
                    }
                    let value = self.eval(text)?;
                    return Ok(Value::Int(char_count(&self.text_of(&value)?)));
                }
                if let Ex::Bytes(bytes) = &**inner
                    && let value @ Value::Tree(_) = self.eval(bytes)?
                {
                    return Ok(Value::Int(self.bytes_of(&value)?.len() as i64));
                }
                let value = self.eval(inner)?;
                self.len(&value).map(Value::Int)
            }
            Ex::Native(native, arguments) => {
                let args = self.arguments(arguments)?;
                (native.call)(self, args)
            }
            Ex::Direct(function, arguments) => {
                let start = self.state.stack.len();
                let mut args = SmallVec::<[Value; 4]>::new();
                for argument in arguments {
                    args.push(self.eval(argument)?);
                }
                debug_assert!(self.state.stack.len() >= start);
                self.call_function(*function, &[], Args { pos: args, named: SmallVec::new() }, &[])
            }
            Ex::Call(callee, arguments) => {
                let callee = self.eval(callee)?;
                let args = self.arguments(arguments)?;
                self.call(&callee, args)
            }
            Ex::Method(receiver, method, arguments) => {
                let value = self.eval(receiver)?;
                let args = self.arguments(arguments)?;
                self.method(&value, *method, args)
            }
            Ex::Attribute(receiver, name) => {
                let value = self.eval(receiver)?;
                self.attribute(&value, *name)
            }
            Ex::Index(pair) => {
                let value = self.eval(&pair.0)?;
                let index = self.eval(&pair.1)?;
                self.index(&value, &index)
            }
            Ex::Slice(parts) => {
                let value = self.eval(&parts.0)?;
                let mut bounds = [None; 3];
                for (bound, ex) in bounds.iter_mut().zip(&parts.1) {
                    if let Some(ex) = ex {
                        let value = self.eval(ex)?;
                        *bound = match self.natural(&value)? {
                            Value::None => None,
                            value => match value.as_int() {
                                Some(value) => Some(value),
                                None => return raise("TypeError", "slice indices must be integers"),
                            },
                        };
                    }
                }
                self.slice(&value, bounds)
            }
            Ex::List(items) => Ok(Value::list(self.collect(items)?)),
            Ex::Tuple(items) => Ok(Value::tuple(self.collect(items)?)),
            Ex::Set(items) => {
                let mut set = Set::default();
                for item in self.collect(items)? {
                    set.insert(self.key(&item)?);
                }
                Ok(Value::set(set))
            }
            Ex::Dict(items) => {
                let mut dict = Dict::default();
                for (key, value) in items {
                    match key {
                        Some(key) => {
                            let key = self.eval(key)?;
                            let value = self.eval(value)?;
                            dict.insert(self.key(&key)?, value);
                        }
                        None => {
                            if let Value::Dict(other) = self.eval(value)? {
                                dict.extend(other.borrow().iter().map(|(k, v)| (k.clone(), v.clone())));
                            }
                        }
                    }
                }
                Ok(Value::dict(dict))
            }
            Ex::Format(pieces) => Ok(Value::str(self.pieces(pieces)?)),
            Ex::Comprehension(kind, element, loops) => {
                let mut out = Vec::new();
                self.comprehend(loops, element, &mut out)?;
                Ok(match kind {
                    Collection::List => Value::list(out.into_iter().map(|(item, _)| item).collect()),
                    Collection::Generator => Value::iter(out.into_iter().map(|(item, _)| item).collect()),
                    Collection::Set => {
                        let mut set = Set::default();
                        for (item, _) in out {
                            set.insert(self.key(&item)?);
                        }
                        Value::set(set)
                    }
                    Collection::Dict => {
                        let mut dict = Dict::default();
                        for (key, value) in out {
                            dict.insert(self.key(&key)?, value);
                        }
                        Value::dict(dict)
                    }
                })
            }
            Ex::Closure(function, cells, defaults) => {
                let captured = cells.iter().map(|slot| self.slot(*slot).clone()).collect();
                let defaults = defaults.iter().map(|ex| self.eval(ex)).collect::<Res<Vec<_>>>()?;
                Ok(Value::Function(Rc::new(Closure { function: *function, captured, defaults })))
            }
            Ex::Named(target, inner) => {
                let value = self.eval(inner)?;
                self.assign(target, value.clone())?;
                Ok(value)
            }
        }
    }

    /// Whether an expression counts as true.
    #[inline]
    pub fn test(&mut self, ex: &Ex) -> Res<bool> {
        match ex {
            Ex::Compare(cmp, pair) => self.compare_ex(*cmp, &pair.0, &pair.1),
            Ex::Not(inner) => Ok(!self.test(inner)?),
            Ex::And(pair) => Ok(self.test(&pair.0)? && self.test(&pair.1)?),
            Ex::Or(pair) => Ok(self.test(&pair.0)? || self.test(&pair.1)?),
            _ => {
                let value = self.eval(ex)?;
                self.truth(&value)
            }
        }
    }

    /// `a cmp b`, without making texts where slices of a tree do.
    pub fn compare_ex(&mut self, cmp: super::code::Cmp, a: &Ex, b: &Ex) -> Res<bool> {
        use super::code::Cmp;
        if let (Cmp::Eq | Cmp::Ne, Ex::Str(x), Ex::Str(y)) = (cmp, a, b) {
            if let (Some(x), Some(y)) = (self.plain_text(x), self.plain_text(y)) {
                return Ok((x == y) == (cmp == Cmp::Eq));
            }
            let (x, y) = (self.eval(x)?, self.eval(y)?);
            return Ok((self.text_of(&x)? == self.text_of(&y)?) == (cmp == Cmp::Eq));
        }
        if let (Cmp::Eq | Cmp::Ne, Ex::Str(x), Ex::Const(Value::Str(text))) = (cmp, a, b) {
            let x = self.eval(x)?;
            return Ok((*self.text_of(&x)? == **text) == (cmp == Cmp::Eq));
        }
        let a = self.eval(a)?;
        let b = self.eval(b)?;
        self.compare(cmp, &a, &b)
    }

    /// The bytes of a tree in a slot whose terminals are all text.
    #[inline]
    fn plain_text(&self, ex: &Ex) -> Option<&'t [u8]> {
        let Ex::Local(slot) = ex else { return None };
        let Value::Tree(at) = self.slot(*slot) else { return None };
        let tree = self.trees[at.tree as usize];
        match tree.node(at.at).kind() {
            crate::tree::Kind::Symbol(symbol) if !self.grammar.symbol(symbol).has_bytes => {
                Some(tree.text_of(at.at))
            }
            _ => None,
        }
    }

    fn collect(&mut self, items: &[(Ex, bool)]) -> Res<Vec<Value>> {
        let mut out = Vec::with_capacity(items.len());
        for (ex, starred) in items {
            let value = self.eval(ex)?;
            if *starred {
                out.extend(self.items(&value)?);
            } else {
                out.push(value);
            }
        }
        Ok(out)
    }

    fn arguments(&mut self, arguments: &Arguments) -> Res<Args> {
        let mut args = Args::default();
        for (ex, starred) in &arguments.args {
            let value = self.eval(ex)?;
            if *starred {
                args.pos.extend(self.items(&value)?);
            } else {
                args.pos.push(value);
            }
        }
        for (name, ex) in &arguments.named {
            let value = self.eval(ex)?;
            match (name, value) {
                (Some(name), value) => args.named.push((name.clone(), value)),
                (None, Value::Dict(dict)) => {
                    for (key, value) in dict.borrow().iter() {
                        args.named.push((self.text_of(&key.0)?.as_ref().into(), value.clone()));
                    }
                }
                _ => return raise("TypeError", "`**` needs a dictionary"),
            }
        }
        Ok(args)
    }

    fn comprehend(
        &mut self,
        loops: &[Loop],
        element: &(Ex, Option<Ex>),
        out: &mut Vec<(Value, Value)>,
    ) -> Res<()> {
        let Some((first, rest)) = loops.split_first() else {
            let item = self.eval(&element.0)?;
            let value = match &element.1 {
                Some(value) => self.eval(value)?,
                None => Value::None,
            };
            out.push((item, value));
            return Ok(());
        };
        let iterable = self.eval(&first.iter)?;
        self.each(&iterable, &mut |vm, item| {
            vm.assign(&first.target, item)?;
            for condition in &first.ifs {
                if !vm.test(condition)? {
                    return Ok(true);
                }
            }
            vm.comprehend(rest, element, out)?;
            Ok(true)
        })
    }

    /// Calls `f` with every item until it says false.
    pub fn each(&mut self, iterable: &Value, f: &mut dyn FnMut(&mut Self, Value) -> Res<bool>) -> Res<()> {
        match iterable {
            Value::Range(..) => {
                for number in iterable.range_items() {
                    self.step()?;
                    if !f(self, Value::Int(number))? {
                        break;
                    }
                }
                Ok(())
            }
            Value::List(list) => {
                let mut at = 0;
                loop {
                    let Some(item) = list.borrow().get(at).cloned() else { return Ok(()) };
                    at += 1;
                    self.step()?;
                    if !f(self, item)? {
                        return Ok(());
                    }
                }
            }
            Value::Iter(iter) => loop {
                let item = {
                    let mut iter = iter.borrow_mut();
                    let at = iter.next;
                    iter.next += 1;
                    iter.items.get(at).cloned()
                };
                let Some(item) = item else { return Ok(()) };
                self.step()?;
                if !f(self, item)? {
                    return Ok(());
                }
            },
            _ => {
                for item in self.items(iterable)? {
                    self.step()?;
                    if !f(self, item)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) -> Res<String> {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(ex, repr, format) => {
                    let mut value = self.eval(ex)?;
                    if *repr {
                        value = Value::str(self.repr_of(&value)?);
                    }
                    if format.is_empty() {
                        out.push_str(&self.text_of(&value)?);
                    } else {
                        let format = self.pieces(format)?;
                        out.push_str(&self.format_value(&value, &format)?);
                    }
                }
            }
        }
        Ok(out)
    }

    /// Calls whatever can be called.
    pub fn call(&mut self, callee: &Value, args: Args) -> Res {
        match callee {
            Value::Function(closure) => {
                self.call_function(closure.function, &closure.captured, args, &closure.defaults)
            }
            Value::Native(native) => (native.call)(self, args),
            Value::Bound(bound) => self.method(&bound.0, bound.1, args),
            Value::Object(_) => self.call_object(callee, &args),
            Value::Missing(reason) => raise(REFUSED, reason.to_string()),
            other => raise("TypeError", format!("'{}' cannot be called", other.type_name())),
        }
    }

    fn call_function(&mut self, index: u32, captured: &[Value], args: Args, defaults: &[Value]) -> Res {
        let program = self.program;
        let function = match &program.functions[index as usize] {
            Ok(function) => function,
            Err(reason) => return raise(REFUSED, reason.to_string()),
        };
        self.step()?;
        if self.depth >= DEPTH {
            return raise(
                "RecursionError",
                format!("`{}` calls itself more than {DEPTH} times", function.name),
            );
        }
        let (frame, old) = (self.state.stack.len(), self.base);
        self.state.stack.resize(frame + function.frame as usize, Value::None);
        let bound = self.bind(function, args, defaults, frame);
        let result = match bound {
            Ok(()) => {
                for (offset, cell) in captured.iter().enumerate() {
                    self.state.stack[frame + function.captured as usize + offset] = cell.clone();
                }
                for slot in function.cell_params.iter().chain(&function.cells) {
                    let slot = frame + *slot as usize;
                    let value = std::mem::take(&mut self.state.stack[slot]);
                    self.state.stack[slot] = Value::Cell(Rc::new(RefCell::new(value)));
                }
                self.base = frame;
                self.depth += 1;
                let result = self.block(&function.body);
                self.depth -= 1;
                self.base = old;
                result
            }
            Err(error) => Err(error),
        };
        self.state.stack.truncate(frame);
        match result? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::None),
        }
    }

    fn bind(&mut self, function: &Function, args: Args, defaults: &[Value], frame: usize) -> Res<()> {
        let count = function.params.len();
        let mut given = SmallVec::<[bool; 8]>::from_elem(false, count);
        let mut rest = Vec::new();
        for (index, value) in args.pos.into_iter().enumerate() {
            if index < count {
                self.state.stack[frame + index] = value;
                given[index] = true;
            } else if function.rest.is_some() {
                rest.push(value);
            } else {
                return raise("TypeError", format!("`{}` takes {count} arguments, got more", function.name));
            }
        }
        let mut named = Dict::default();
        for (name, value) in args.named {
            match function.params.iter().position(|param| *param == name) {
                Some(index) => {
                    self.state.stack[frame + index] = value;
                    given[index] = true;
                }
                None if function.named_rest.is_some() => {
                    named.insert(super::value::Key(Value::Str(name)), value);
                }
                None => {
                    return raise("TypeError", format!("`{}` has no parameter `{name}`", function.name));
                }
            }
        }
        let first_default = count - function.defaults.min(count);
        for index in 0..count {
            if !given[index] {
                match index.checked_sub(first_default).and_then(|at| defaults.get(at)) {
                    Some(value) => self.state.stack[frame + index] = value.clone(),
                    None => {
                        return raise(
                            "TypeError",
                            format!("`{}` misses its argument `{}`", function.name, function.params[index]),
                        );
                    }
                }
            }
        }
        if let Some(slot) = function.rest {
            self.state.stack[frame + slot as usize] = Value::tuple(rest);
        }
        if let Some(slot) = function.named_rest {
            self.state.stack[frame + slot as usize] = Value::dict(named);
        }
        Ok(())
    }

    /// Assigns to a variable, element or tuple of them.
    pub fn assign(&mut self, target: &Target, value: Value) -> Res<()> {
        match target {
            Target::Local(slot) => self.set_slot(*slot, value),
            Target::Global(slot) => self.state.globals[*slot as usize] = value,
            Target::Cell(slot) => {
                if let Value::Cell(cell) = self.slot(*slot) {
                    *cell.borrow_mut() = value;
                } else {
                    self.set_slot(*slot, Value::Cell(Rc::new(RefCell::new(value))));
                }
            }
            Target::Index(pair) => {
                let container = self.eval(&pair.0)?;
                let index = self.eval(&pair.1)?;
                self.set_index(&container, &index, value)?;
            }
            Target::Tuple(targets, star) => {
                let items = self.items(&value)?;
                let fits = match star {
                    None => items.len() == targets.len(),
                    Some(_) => items.len() + 1 >= targets.len(),
                };
                if !fits {
                    return raise(
                        "ValueError",
                        format!("cannot unpack {} values into {} variables", items.len(), targets.len()),
                    );
                }
                let extra = items.len() + 1 - targets.len();
                let mut items = items.into_iter();
                for (index, target) in targets.iter().enumerate() {
                    let value = if *star == Some(index) {
                        Value::list(items.by_ref().take(extra).collect())
                    } else {
                        items.next().unwrap_or_default()
                    };
                    self.assign(target, value)?;
                }
            }
        }
        Ok(())
    }

    /// Runs the statements of a module.
    pub fn run(&mut self, statements: &[St]) -> Res<()> {
        self.block(statements).map(|_| ())
    }

    fn block(&mut self, statements: &[St]) -> Res<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &St) -> Res<Flow> {
        match statement {
            St::Expr(ex) => {
                self.eval(ex)?;
            }
            St::Assign(targets, ex) => {
                let value = self.eval(ex)?;
                for target in targets {
                    self.assign(target, value.clone())?;
                }
            }
            St::Update(target, current, op, ex) => self.update(target, current, *op, ex)?,
            St::If(condition, then, otherwise) => {
                let branch = if self.test(condition)? { then } else { otherwise };
                return self.block(branch);
            }
            St::While(condition, body, otherwise) => loop {
                self.step()?;
                if !self.test(condition)? {
                    return self.block(otherwise);
                }
                match self.block(body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::Next | Flow::Continue => {}
                }
            },
            St::For(target, iterable, body, otherwise) => {
                let iterable = self.eval(iterable)?;
                let mut ended = Flow::Next;
                self.each(&iterable, &mut |vm, item| {
                    vm.assign(target, item)?;
                    match vm.block(body)? {
                        Flow::Next | Flow::Continue => Ok(true),
                        other => {
                            ended = other;
                            Ok(false)
                        }
                    }
                })?;
                match ended {
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::Break => {}
                    _ => return self.block(otherwise),
                }
            }
            St::Return(ex) => {
                let value = match ex {
                    Some(ex) => self.eval(ex)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            St::Break => return Ok(Flow::Break),
            St::Continue => return Ok(Flow::Continue),
            St::Raise(Some(ex)) => {
                let value = self.eval(ex)?;
                return self.throw(&value);
            }
            St::Raise(None) => {
                return match self.handled.take() {
                    Some(raised) => Err(raised),
                    None => raise("RuntimeError", "no active exception to raise again"),
                };
            }
            St::Assert(condition, message) => {
                if !self.test(condition)? {
                    let message = match message {
                        Some(ex) => {
                            let value = self.eval(ex)?;
                            self.text_of(&value)?.into_owned()
                        }
                        None => String::new(),
                    };
                    return raise("AssertionError", message);
                }
            }
            St::Try(body, handlers, otherwise, finally) => {
                return self.attempt(body, handlers, otherwise, finally);
            }
            St::Delete(container, index) => {
                let container = self.eval(container)?;
                let index = self.eval(index)?;
                self.delete(&container, &index)?;
            }
            St::Pass => {}
        }
        Ok(Flow::Next)
    }

    fn update(&mut self, target: &Target, current: &Ex, op: super::code::Op, ex: &Ex) -> Res<()> {
        use super::code::Op;
        // `text += more` on a variable nobody else holds appends in place.
        if let (Target::Local(slot), Op::Add) = (target, op) {
            let more = self.eval(ex)?;
            let place = self.base + *slot as usize;
            let held = std::mem::take(&mut self.state.stack[place]);
            let result = match (&held, &more) {
                (Value::List(list), _) if !matches!(more, Value::Tree(_)) => {
                    let items = self.items(&more);
                    items.map(|items| list.borrow_mut().extend(items)).map(|()| held.clone())
                }
                (Value::ByteArray(bytes), _) => {
                    let more = self.bytes_of(&more).map(std::borrow::Cow::into_owned);
                    more.map(|more| bytes.borrow_mut().extend_from_slice(&more)).map(|()| held.clone())
                }
                _ => self.binary(op, &held, &more),
            };
            self.state.stack[place] = match &result {
                Ok(value) => value.clone(),
                Err(_) => held,
            };
            return result.map(|_| ());
        }
        let held = self.eval(current)?;
        let more = self.eval(ex)?;
        let value = match (&held, op) {
            (Value::List(list), Op::Add) => {
                let items = self.items(&more)?;
                list.borrow_mut().extend(items);
                held
            }
            (Value::ByteArray(bytes), Op::Add) => {
                let more = self.bytes_of(&more)?.into_owned();
                bytes.borrow_mut().extend_from_slice(&more);
                held
            }
            _ => self.binary(op, &held, &more)?,
        };
        self.assign(target, value)
    }

    fn attempt(&mut self, body: &[St], handlers: &[Handler], otherwise: &[St], finally: &[St]) -> Res<Flow> {
        let (frame, base, depth) = (self.state.stack.len(), self.base, self.depth);
        let mut result = self.block(body);
        if let Err(raised) = &result {
            let raised = raised.clone();
            self.state.stack.truncate(frame);
            (self.base, self.depth) = (base, depth);
            let caught = handlers.iter().find(|handler| {
                &*raised.kind != REFUSED
                    && (handler.types.is_empty()
                        || handler.types.iter().any(|name| catches(name, &raised.kind)))
            });
            if let Some(handler) = caught {
                if let Some(target) = &handler.target {
                    let value = super::modules::Object::exception(&raised);
                    self.assign(target, value)?;
                }
                let before = self.handled.replace(raised);
                result = self.block(&handler.body);
                self.handled = before;
            }
        } else if matches!(result, Ok(Flow::Next)) {
            result = self.block(otherwise);
        }
        match self.block(finally)? {
            Flow::Next => result,
            other => Ok(other),
        }
    }

    /// `value[start:stop:step]`
    pub fn slice(&mut self, value: &Value, [start, stop, step]: [Option<i64>; 3]) -> Res {
        if step == Some(0) {
            return raise("ValueError", "slice step cannot be zero");
        }
        Ok(match value {
            Value::Str(text) if text.is_ascii() => {
                if step.unwrap_or(1) == 1 {
                    let mut indices = slice_indices(text.len(), start, stop, None);
                    let first = indices.next();
                    let count = indices.count();
                    match first {
                        Some(first) => Value::str(&text[first..=first + count]),
                        None => Value::str(""),
                    }
                } else {
                    let bytes = text.as_bytes();
                    let taken: String = slice_indices(bytes.len(), start, stop, step)
                        .map(|at| char::from(bytes[at]))
                        .collect();
                    Value::str(taken)
                }
            }
            Value::Str(text) => {
                let chars: Vec<char> = text.chars().collect();
                let taken: String =
                    slice_indices(chars.len(), start, stop, step).map(|at| chars[at]).collect();
                Value::str(taken)
            }
            Value::Bytes(_) | Value::ByteArray(_) => {
                let taken: Vec<u8> = match value.buffer() {
                    Some(bytes) => {
                        slice_indices(bytes.len(), start, stop, step).map(|at| bytes[at]).collect()
                    }
                    None => Vec::new(),
                };
                match value {
                    Value::Bytes(_) => Value::bytes(taken),
                    _ => Value::ByteArray(Rc::new(RefCell::new(taken))),
                }
            }
            Value::List(items) => {
                let items = items.borrow();
                Value::list(
                    slice_indices(items.len(), start, stop, step).map(|at| items[at].clone()).collect(),
                )
            }
            Value::Tuple(items) => Value::tuple(
                slice_indices(items.len(), start, stop, step).map(|at| items[at].clone()).collect::<Vec<_>>(),
            ),
            Value::Tree(_) | Value::Trees(_) => {
                let children = self.children(value)?;
                Value::Trees(
                    slice_indices(children.len(), start, stop, step).map(|at| children[at]).collect(),
                )
            }
            Value::Range(..) => {
                let items: Vec<i64> = value.range_items().collect();
                Value::list(
                    slice_indices(items.len(), start, stop, step).map(|at| Value::Int(items[at])).collect(),
                )
            }
            other => return raise("TypeError", format!("'{}' cannot be sliced", other.type_name())),
        })
    }
}

/// The number of characters.
pub fn char_count(text: &str) -> i64 {
    if text.is_ascii() { text.len() as i64 } else { text.chars().count() as i64 }
}
