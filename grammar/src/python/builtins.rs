//! Python's builtin functions and types.
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Signed;

use super::code::Op;
use super::error::{EXCEPTIONS, REFUSED, Res, raise};
use super::modules::Object;
use super::native::{Args, Method, Native, native, native_type};
use super::trees::parse_int;
use super::value::{Dict, Key, Value};

mod longer;

use longer::{abs, extreme, isinstance, order, quantify, radix, set, to_bytes};

/// All of them.
pub static BUILTINS: [Native; 61] = [
    native("abs", |vm, args| abs(vm, &args)),
    native("all", |vm, args| quantify(vm, &args, false)),
    native("any", |vm, args| quantify(vm, &args, true)),
    native("ascii", |vm, args| Ok(Value::str(vm.repr_of(args.need(0, "object")?)?))),
    native("bin", |vm, args| radix(vm, &args, "0b", 2)),
    native_type("bool", |vm, args| match args.pos.first() {
        Some(value) => vm.truth(value).map(Value::Bool),
        None => Ok(Value::Bool(false)),
    }),
    native_type("bytearray", |vm, args| match to_bytes(vm, &args)? {
        Value::Bytes(bytes) => Ok(Value::ByteArray(Rc::new(RefCell::new(bytes.to_vec())))),
        other => Ok(other),
    }),
    native_type("bytes", |vm, args| to_bytes(vm, &args)),
    native("callable", |_, args| {
        Ok(Value::Bool(matches!(
            args.need(0, "object")?,
            Value::Function(_) | Value::Native(_) | Value::Bound(_)
        )))
    }),
    native("chr", |vm, args| {
        let code = vm.want_int(args.need(0, "i")?)?;
        match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(c) => Ok(Value::str(c.to_string())),
            None => raise("ValueError", "chr() arg not in range(0x110000)"),
        }
    }),
    native_type("dict", |vm, args| {
        let mut dict = match args.pos.first() {
            Some(value) => vm.make_dict(value)?,
            None => Dict::default(),
        };
        for (name, value) in args.named {
            dict.insert(Key(Value::Str(name)), value);
        }
        Ok(Value::dict(dict))
    }),
    native("divmod", |vm, args| {
        let (a, b) = (args.need(0, "a")?, args.need(1, "b")?);
        let quotient = vm.binary(Op::FloorDiv, a, b)?;
        let rest = vm.binary(Op::Mod, a, b)?;
        Ok(Value::tuple(vec![quotient, rest]))
    }),
    native("enumerate", |vm, args| {
        let start = match args.get(1, "start") {
            Some(value) => vm.want_int(value)?,
            None => 0,
        };
        let items = vm.items(args.need(0, "iterable")?)?;
        let pairs = items.into_iter().enumerate();
        Ok(Value::iter(
            pairs.map(|(at, item)| Value::tuple(vec![Value::Int(start + at as i64), item])).collect(),
        ))
    }),
    native("eval", |vm, args| {
        let text = vm.want_text(args.need(0, "source")?)?;
        super::lower::evaluate(vm, &text)
    }),
    native("filter", |vm, args| {
        let (test, items) = (args.need(0, "function")?.clone(), vm.items(args.need(1, "iterable")?)?);
        let mut out = Vec::new();
        for item in items {
            let keep = match &test {
                Value::None => item.clone(),
                test => vm.call(test, Args::one(item.clone()))?,
            };
            if vm.truth(&keep)? {
                out.push(item);
            }
        }
        Ok(Value::iter(out))
    }),
    native_type("float", |vm, args| match args.pos.first() {
        None => Ok(Value::Float(0.0)),
        Some(value @ (Value::Str(_) | Value::Tree(_) | Value::Trees(_))) => {
            let text = vm.text_of(value)?;
            let clean = text.trim().replace('_', "");
            match clean.parse() {
                Ok(number) if !clean.is_empty() => Ok(Value::Float(number)),
                _ => raise("ValueError", format!("could not convert string to float: {text:?}")),
            }
        }
        Some(value) => vm.want_float(value).map(Value::Float),
    }),
    native("format", |vm, args| {
        let spec = match args.get(1, "format_spec") {
            Some(value) => vm.want_text(value)?,
            None => "".into(),
        };
        vm.format_value(args.need(0, "value")?, &spec).map(Value::str)
    }),
    native_type("frozenset", |vm, args| set(vm, &args)),
    native("getattr", |vm, args| {
        let name = vm.want_text(args.need(1, "name")?)?;
        match (Method::named(&name), args.pos.get(2)) {
            (Some(name), _) => vm.attribute(args.need(0, "object")?, name),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => raise("AttributeError", name.to_string()),
        }
    }),
    native("hasattr", |vm, args| {
        let name = vm.want_text(args.need(1, "name")?)?;
        Ok(Value::Bool(Method::named(&name).is_some()))
    }),
    native("hash", |vm, args| {
        use std::hash::BuildHasher as _;
        let key = vm.key(args.need(0, "object")?)?;
        Ok(Value::Int((rustc_hash::FxBuildHasher.hash_one(&key) >> 2) as i64))
    }),
    native("hex", |vm, args| radix(vm, &args, "0x", 16)),
    native("id", |_, _| Ok(Value::Int(1))),
    native_type("int", |vm, args| match (args.get(0, "x"), args.get(1, "base")) {
        (None, _) => Ok(Value::Int(0)),
        (Some(value), None) => vm.int_of(value),
        (Some(value), Some(base)) => {
            let base = vm.want_int(base)?;
            let text = match value.buffer() {
                Some(bytes) => super::trees::latin1(&bytes),
                None => vm.want_text(value)?.to_string(),
            };
            parse_int(&text, u32::try_from(base).unwrap_or(1))
        }
    }),
    native("isinstance", |vm, args| isinstance(vm, &args)),
    native("iter", |vm, args| match args.need(0, "object")? {
        iter @ Value::Iter(_) => Ok(iter.clone()),
        other => Ok(Value::iter(vm.items(other)?)),
    }),
    native("len", |vm, args| vm.len(args.need(0, "obj")?).map(Value::Int)),
    native_type("list", |vm, args| match args.pos.first() {
        Some(value) => vm.items(value).map(Value::list),
        None => Ok(Value::list(Vec::new())),
    }),
    native("map", |vm, args| {
        let function = args.need(0, "function")?.clone();
        let mut columns = Vec::new();
        for iterable in &args.pos[1..] {
            columns.push(vm.items(iterable)?);
        }
        let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
        let mut out = Vec::with_capacity(rows);
        for row in 0..rows {
            vm.step()?;
            out.push(vm.call(&function, Args::of(columns.iter().map(|column| column[row].clone())))?);
        }
        Ok(Value::iter(out))
    }),
    native("max", |vm, args| extreme(vm, &args, Ordering::Greater)),
    native("min", |vm, args| extreme(vm, &args, Ordering::Less)),
    native("next", |vm, args| {
        let iter = match args.need(0, "iterator")? {
            Value::Iter(iter) => iter.clone(),
            other => return raise("TypeError", format!("'{}' is no iterator", other.type_name())),
        };
        let mut iter = iter.borrow_mut();
        let at = iter.next;
        iter.next += 1;
        vm.step()?;
        match (iter.items.get(at), args.pos.get(1)) {
            (Some(item), _) => Ok(item.clone()),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => raise("StopIteration", ""),
        }
    }),
    native("oct", |vm, args| radix(vm, &args, "0o", 8)),
    native("ord", |vm, args| {
        let value = args.need(0, "c")?;
        if let Some(bytes) = value.buffer()
            && bytes.len() == 1
        {
            return Ok(Value::Int(i64::from(bytes[0])));
        }
        let text = vm.text_of(value)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Value::Int(c as i64)),
            _ => raise("TypeError", "ord() expected a character"),
        }
    }),
    native("pow", |vm, args| {
        let (base, power) = (args.need(0, "base")?, args.need(1, "exp")?);
        match args.get(2, "mod") {
            None | Some(Value::None) => vm.binary(Op::Pow, base, power),
            Some(modulus) => match (base.as_big(), power.as_big(), modulus.as_big()) {
                (Some(base), Some(power), Some(modulus))
                    if !power.is_negative() && modulus != BigInt::from(0) =>
                {
                    Ok(Value::big(base.modpow(&power, &modulus)))
                }
                _ => raise("ValueError", "pow() with these arguments is not defined"),
            },
        }
    }),
    native("print", |vm, args| {
        let mut line = String::new();
        for (index, value) in args.pos.iter().enumerate() {
            if index > 0 {
                line.push(' ');
            }
            line.push_str(&vm.text_of(value)?);
        }
        vm.state.printed.push_str(&line);
        vm.state.printed.push('\n');
        Ok(Value::None)
    }),
    native_type("range", |vm, args| {
        let numbers = args.pos.iter().map(|value| vm.want_int(value)).collect::<Res<Vec<_>>>()?;
        match numbers[..] {
            [stop] => Ok(Value::Range(0, stop, 1)),
            [start, stop] => Ok(Value::Range(start, stop, 1)),
            [_, _, 0] => raise("ValueError", "range() arg 3 must not be zero"),
            [start, stop, step] => Ok(Value::Range(start, stop, step)),
            _ => raise("TypeError", "range expected 1 to 3 arguments"),
        }
    }),
    native("repr", |vm, args| vm.repr_of(args.need(0, "object")?).map(Value::str)),
    native("reversed", |vm, args| {
        let mut items = vm.items(args.need(0, "sequence")?)?;
        items.reverse();
        Ok(Value::iter(items))
    }),
    native("round", |vm, args| {
        let digits = match args.get(1, "ndigits") {
            None | Some(Value::None) => None,
            Some(value) => Some(vm.want_int(value)?),
        };
        vm.round(args.need(0, "number")?, digits)
    }),
    native_type("set", |vm, args| set(vm, &args)),
    native("sorted", |vm, args| {
        let items = vm.items(args.need(0, "iterable")?)?;
        vm.sort(items, &args).map(Value::list)
    }),
    native_type("str", |vm, args| match (args.pos.first(), args.get(1, "encoding")) {
        (None, _) => Ok(Value::str("")),
        (Some(value), Some(encoding)) if value.buffer().is_some() => {
            let encoding = vm.want_text(encoding)?;
            let bytes = vm.bytes_of(value)?.into_owned();
            super::bytes::decode(&bytes, &encoding, "strict")
        }
        (Some(value), _) => Ok(Value::str(vm.text_of(value)?)),
    }),
    native("sum", |vm, args| {
        let mut sum = args.get(1, "start").cloned().unwrap_or(Value::Int(0));
        let iterable = args.need(0, "iterable")?.clone();
        vm.each(&iterable, &mut |vm, item| {
            let now = std::mem::take(&mut sum);
            sum = vm.binary(Op::Add, &now, &item)?;
            Ok(true)
        })?;
        Ok(sum)
    }),
    native_type("tuple", |vm, args| match args.pos.first() {
        Some(value) => Ok(Value::tuple(vm.items(value)?)),
        None => Ok(Value::tuple(Vec::new())),
    }),
    native_type("type", |_, args| {
        let name = args.need(0, "object")?.type_name();
        match lookup(name) {
            Some(native) => Ok(Value::Native(native)),
            None => Ok(Value::str(name)),
        }
    }),
    native("zip", |vm, args| {
        let columns = args.pos.iter().map(|value| vm.items(value)).collect::<Res<Vec<_>>>()?;
        let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
        let row =
            |at: usize| Value::tuple(columns.iter().map(|column| column[at].clone()).collect::<Vec<_>>());
        Ok(Value::iter((0..rows).map(row).collect()))
    }),
    native("is_before", |vm, args| order(vm, &args, 1, 2)),
    native("is_after", |vm, args| order(vm, &args, 2, 1)),
    native("get_index_within", |vm, args| {
        let (Value::Tree(tree), Value::Tree(scope)) = (args.need(0, "tree")?, args.need(1, "scope")?) else {
            return Ok(Value::Int(-1));
        };
        let names = vm.items(args.need(2, "symbols")?)?;
        let mut symbols = Vec::new();
        for name in &names {
            symbols.extend(vm.grammar.find(&vm.text_of(name)?));
        }
        let (all, wanted) = (vm.trees[scope.tree as usize], vm.trees[tree.tree as usize]);
        let mut index = 0;
        for at in scope.at..all.end(scope.at) {
            let node = all.node(at);
            if node.is_control() {
                continue;
            }
            if all.same(at, wanted, tree.at) {
                return Ok(Value::Int(index));
            }
            index += i64::from(symbols.iter().any(|symbol| node.is_symbol(*symbol)));
        }
        Ok(Value::Int(-1))
    }),
    native_type("NonTerminal", |vm, args| {
        let name = vm.text_of(args.need(0, "symbol")?)?;
        Ok(Object::symbol(&name))
    }),
    native_type("DerivationTree", |_, _| raise(REFUSED, "specs cannot build trees; return a text")),
    native_type("object", |_, _| Ok(Value::None)),
    native("vars", |_, _| raise(REFUSED, "`vars` is not supported")),
    native("open", |_, _| raise(REFUSED, "`open` is not supported: a spec reads no files")),
    native("input", |_, _| raise(REFUSED, "`input` is not supported")),
    native("exec", |_, _| raise(REFUSED, "`exec` is not supported")),
    native("globals", |_, _| raise(REFUSED, "`globals` is not supported")),
    native_type("slice", |_, _| raise(REFUSED, "`slice` objects are not supported")),
    native_type("complex", |_, _| raise(REFUSED, "complex numbers are not supported")),
    native_type("memoryview", |vm, args| to_bytes(vm, &args)),
];

/// The builtin called `name`.
pub fn lookup(name: &str) -> Option<&'static Native> {
    BUILTINS.iter().find(|native| native.name == name)
}

/// The exception type called `name`.
pub fn exception(name: &str) -> Option<&'static str> {
    EXCEPTIONS.into_iter().find(|known| *known == name)
}
