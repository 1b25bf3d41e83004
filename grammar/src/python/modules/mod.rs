//! The modules a spec may import, one file each, and the objects they make.
mod codecs;
mod dates;
mod fake;
mod hashes;
mod numbers;
mod packing;
mod patterns;
mod randoms;
mod zlib;

use std::cmp::Ordering;
use std::rc::Rc;

use super::code::Op;
use super::error::{REFUSED, Raised, Res, raise};
use super::methods::missing;
use super::native::{Args, Method as M, Native};
use super::value::Value;
use super::vm::Vm;

pub use dates::class_method as datetime_class;

/// What a module offers.
#[derive(Debug)]
pub struct Module {
    /// Its name.
    pub name: &'static str,
    /// Its functions and types.
    pub functions: &'static [Native],
    /// Its constants.
    pub constants: fn(&str) -> Option<Value>,
}

fn no_constants(_: &str) -> Option<Value> {
    None
}

/// All modules.
pub static MODULES: [Module; 16] = [
    Module { name: "random", functions: &randoms::FUNCTIONS, constants: no_constants },
    Module { name: "math", functions: &numbers::MATH, constants: numbers::constant },
    Module { name: "struct", functions: &packing::FUNCTIONS, constants: no_constants },
    Module { name: "zlib", functions: &hashes::ZLIB, constants: no_constants },
    Module { name: "binascii", functions: &codecs::BINASCII, constants: no_constants },
    Module { name: "hashlib", functions: &hashes::HASHLIB, constants: no_constants },
    Module { name: "base64", functions: &codecs::BASE64, constants: no_constants },
    Module { name: "time", functions: &dates::TIME, constants: no_constants },
    Module { name: "datetime", functions: &dates::DATETIME, constants: no_constants },
    Module { name: "dateutil", functions: &[], constants: no_constants },
    Module { name: "dateutil.parser", functions: &dates::PARSER, constants: no_constants },
    Module { name: "re", functions: &patterns::FUNCTIONS, constants: patterns::constant },
    Module { name: "string", functions: &[], constants: codecs::string_constant },
    Module { name: "faker", functions: &fake::FUNCTIONS, constants: no_constants },
    Module { name: "statistics", functions: &numbers::STATISTICS, constants: no_constants },
    Module { name: "functools", functions: &numbers::FUNCTOOLS, constants: no_constants },
];

/// Modules that a spec may import without using them, for type hints and the like.
pub const HARMLESS: [&str; 8] =
    ["typing", "sys", "os", "collections.abc", "__future__", "abc", "fandango", "fandango.language.symbols"];

/// The module called `name`.
pub fn module(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.name == name)
}

/// `module.name`
pub fn member(module: &Module, name: &str) -> Option<Value> {
    if let Some(native) = module.functions.iter().find(|native| native.name == name) {
        return Some(Value::Native(native));
    }
    if module.name == "datetime" && matches!(name, "datetime" | "date" | "time") {
        return None;
    }
    (module.constants)(name)
}

/// Things that only modules make.
#[derive(Debug, Clone)]
pub enum Object {
    /// A hash under way: algorithm and data so far.
    Hash(&'static str, std::cell::RefCell<Vec<u8>>),
    /// A compiled pattern.
    Pattern(Rc<patterns::Pattern>),
    /// A match.
    Match(patterns::Match),
    /// A date and time, a date, a time span ...
    Date(dates::Date),
    /// `Faker()`
    Faker,
    /// `random.Random()`
    Random,
    /// A caught exception: kind and message.
    Exception(Rc<str>, Rc<str>),
    /// The symbol of a tree.
    Symbol(Rc<str>),
}

impl Object {
    /// An exception as a value.
    pub fn exception(raised: &Raised) -> Value {
        Value::Object(Rc::new(Self::Exception(raised.kind.clone(), raised.message.as_str().into())))
    }

    /// A symbol as a value.
    pub fn symbol(name: &str) -> Value {
        Value::Object(Rc::new(Self::Symbol(name.into())))
    }

    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Hash(..) => "hash",
            Self::Pattern(_) => "Pattern",
            Self::Match(_) => "Match",
            Self::Date(date) => date.type_name(),
            Self::Faker => "Faker",
            Self::Random => "Random",
            Self::Exception(..) => "Exception",
            Self::Symbol(_) => "NonTerminal",
        }
    }

    /// `str(object)`
    pub fn text(&self) -> String {
        match self {
            Self::Exception(_, message) => message.to_string(),
            Self::Symbol(name) => name.to_string(),
            Self::Date(date) => date.text(),
            other => format!("<{}>", other.type_name()),
        }
    }

    /// Whether two objects are worth the same.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Symbol(a), Self::Symbol(b)) => a == b,
            (Self::Date(a), Self::Date(b)) => a == b,
            _ => false,
        }
    }

    /// How two objects are ordered.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Date(a), Self::Date(b)) => a.partial_cmp(b),
            _ => None,
        }
    }

    /// `object[index]`
    pub fn item(&self, index: &Value) -> Res {
        match self {
            Self::Match(found) => found.group(index),
            other => raise("TypeError", format!("'{}' cannot be indexed", other.type_name())),
        }
    }

    /// `format(object, spec)`
    pub fn format(&self, spec: &str) -> Res<String> {
        match self {
            Self::Date(date) => date.strftime(spec),
            other => Ok(other.text()),
        }
    }
}

/// `a op b` for objects that know the operator.
pub fn object_operator(op: Op, a: &Value, b: &Value) -> Option<Res> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => match (&**a, &**b) {
            (Object::Date(a), Object::Date(b)) => dates::operator(op, a, b),
            _ => None,
        },
        _ => None,
    }
}

impl Vm<'_> {
    /// `object.name(args)`
    pub fn object_method(&mut self, value: &Value, name: M, args: Args) -> Res {
        let Value::Object(object) = value else { return missing(value, name) };
        match &**object {
            Object::Hash(algorithm, data) => hashes::method(self, algorithm, data, value, name, &args),
            Object::Pattern(pattern) => patterns::pattern_method(self, pattern, name, &args),
            Object::Match(found) => patterns::match_method(self, found, name, &args),
            Object::Date(date) => dates::method(self, date, name, &args),
            Object::Faker => fake::method(self, name, &args),
            Object::Random => match MODULES[0].functions.iter().find(|native| native.name == name.name()) {
                Some(native) => (native.call)(self, args),
                None => missing(value, name),
            },
            Object::Symbol(symbol) => match name {
                M::name | M::value | M::__str__ | M::to_string => Ok(Value::Str(symbol.clone())),
                M::is_terminal => Ok(Value::Bool(!symbol.starts_with('<'))),
                M::is_non_terminal => Ok(Value::Bool(symbol.starts_with('<'))),
                _ => self.str_method(symbol, name, &args),
            },
            Object::Exception(..) => missing(value, name),
        }
    }

    /// `object.name`, if it is no method.
    pub fn object_attribute(&mut self, value: &Value, name: M) -> Res<Option<Value>> {
        let Value::Object(object) = value else { return Ok(None) };
        match (&**object, name) {
            (Object::Date(date), _) => Ok(date.field(name).map(Value::Int)),
            (Object::Exception(kind, _), M::name | M::__class__) => Ok(Some(Value::Str(kind.clone()))),
            (Object::Exception(_, message), M::args) => {
                Ok(Some(Value::tuple(vec![Value::Str(message.clone())])))
            }
            (Object::Pattern(pattern), M::pattern) => Ok(Some(Value::str(&pattern.text))),
            (Object::Match(found), M::string) => Ok(Some(found.subject.clone())),
            (Object::Symbol(symbol), M::is_terminal) => Ok(Some(Value::Bool(!symbol.starts_with('<')))),
            (Object::Symbol(symbol), M::is_non_terminal) => Ok(Some(Value::Bool(symbol.starts_with('<')))),
            _ => Ok(None),
        }
    }

    /// `object(args)`
    pub fn call_object(&mut self, value: &Value, args: &Args) -> Res {
        if let Value::Object(object) = value
            && let Object::Exception(kind, _) = &**object
        {
            let message = match args.pos.first() {
                Some(value) => self.text_of(value)?.into_owned(),
                None => String::new(),
            };
            return Ok(Object::exception(&Raised { kind: kind.clone(), message }));
        }
        match value {
            // Older specs call `tree.symbol()`.
            Value::Object(object) if matches!(**object, Object::Symbol(_)) => Ok(value.clone()),
            other => raise("TypeError", format!("'{}' cannot be called", other.type_name())),
        }
    }

    /// `raise value`
    pub fn throw<T>(&mut self, value: &Value) -> Res<T> {
        match value {
            Value::Object(object) => match &**object {
                Object::Exception(kind, message) => {
                    Err(Box::new(Raised { kind: kind.clone(), message: message.to_string() }))
                }
                _ => raise("TypeError", "exceptions must derive from BaseException"),
            },
            Value::Missing(reason) => raise(REFUSED, reason.to_string()),
            _ => raise("TypeError", "exceptions must derive from BaseException"),
        }
    }
}
