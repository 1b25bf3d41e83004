//! Expressions to values.
use std::borrow::Cow;

use super::*;
use crate::python::code::Cmp;

impl<'t> Vm<'t> {
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
                let which = self.tree_of(selector);
                let tree =
                    |vm: &Self, index| Value::Tree(TreeRef { tree: which, at: vm.found(&found, index) });
                let value = match selector.mode {
                    Mode::Count => Ok(Value::Int(i64::from(found.len()))),
                    Mode::List => Ok(Value::list((0..found.len()).map(|index| tree(self, index)).collect())),
                    // While a tree is being built, the nearest match before is meant; of a generator's source, the first.
                    Mode::Each => match found.len() {
                        0 => raise("LookupError", "a selector matches nothing here"),
                        _ if matches!(selector.base, Base::Slot(_)) => Ok(tree(self, 0)),
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
                if let Ex::Dict(items) = &pair.0
                    && let Some(value) = self.look_up(items, &pair.1)?
                {
                    return Ok(value);
                }
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
            #[cfg(feature = "python")]
            Ex::Foreign(id, arguments) => {
                let args = arguments.iter().map(|argument| self.eval(argument)).collect::<Res<Vec<_>>>()?;
                self.program.foreign.call(self, *id, &args)
            }
        }
    }

    /// What a table of constants has for the value of `index`, without making a dictionary of it; none if it has nothing,
    /// or is no such table, or if evaluating twice could show.
    fn look_up(&mut self, items: &[(Option<Ex>, Ex)], index: &Ex) -> Res<Option<Value>> {
        let is_const = |(key, value): &(Option<Ex>, Ex)| {
            matches!((key, value), (Some(Ex::Const(Value::Int(_))), Ex::Const(_)))
        };
        let is_plain = match index {
            Ex::Local(_) => true,
            Ex::Index(pair) => matches!((&pair.0, &pair.1), (Ex::Local(_), Ex::Const(_))),
            _ => false,
        };
        if !is_plain || !items.iter().all(is_const) {
            return Ok(None);
        }
        let Value::Int(wanted) = self.eval(index)? else { return Ok(None) };
        // Of equal keys the last one counts.
        let found = items.iter().rev().find_map(|item| match item {
            (Some(Ex::Const(Value::Int(key))), Ex::Const(value)) if *key == wanted => Some(value.clone()),
            _ => None,
        });
        Ok(found)
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
    pub fn compare_ex(&mut self, cmp: Cmp, a: &Ex, b: &Ex) -> Res<bool> {
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

    /// What `bytes(..)` of a tree in a slot gives, if that is what `ex` is.
    #[inline]
    pub fn field_bytes(&self, ex: &Ex) -> Option<Cow<'t, [u8]>> {
        let Ex::Bytes(inner) = ex else { return None };
        let Ex::Local(slot) = &**inner else { return None };
        let Value::Tree(at) = self.slot(*slot) else { return None };
        self.tree_bytes(*at).ok()
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
}
