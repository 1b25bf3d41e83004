//! Python values as the specs use them.
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxBuildHasher;

use super::modules::Object;
use super::native::Native;
use crate::tree::Index;

mod repr;

pub use repr::{bytes_repr, float_repr, str_repr};

/// A node of one of the trees an evaluation sees; tree 0 is the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreeRef {
    /// Which tree.
    pub tree: u32,
    /// Which node of it.
    pub at: Index,
}

/// A dictionary in insertion order.
pub type Dict = IndexMap<Key, Value, FxBuildHasher>;
/// A set; iterates in insertion order so that one seed gives one output.
pub type Set = IndexSet<Key, FxBuildHasher>;

/// A Python value.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// `None`
    #[default]
    None,
    /// `bool`
    Bool(bool),
    /// `int` that fits a machine word.
    Int(i64),
    /// `int` that does not.
    Big(Rc<BigInt>),
    /// `float`
    Float(f64),
    /// `str`
    Str(Rc<str>),
    /// `bytes`
    Bytes(Rc<[u8]>),
    /// `bytearray`
    ByteArray(Rc<RefCell<Vec<u8>>>),
    /// A derivation tree.
    Tree(TreeRef),
    /// Some children of a tree, as `<a>[1:3]` gives them.
    Trees(Rc<[TreeRef]>),
    /// `list`
    List(Rc<RefCell<Vec<Value>>>),
    /// `tuple`
    Tuple(Rc<[Value]>),
    /// `dict`
    Dict(Rc<RefCell<Dict>>),
    /// `set` and `frozenset`
    Set(Rc<RefCell<Set>>),
    /// `range`
    Range(i64, i64, i64),
    /// An iterator over what is left of a list.
    Iter(Rc<RefCell<Iter>>),
    /// A `def` or `lambda` with what it captured.
    Function(Rc<Closure>),
    /// A builtin function or type.
    Native(&'static Native),
    /// A module.
    Module(&'static str),
    /// A shared variable of nested functions.
    Cell(Rc<RefCell<Value>>),
    /// A hash, a match, a date ...
    Object(Rc<Object>),
    /// A method taken from a value, to be called later.
    Bound(Rc<(Value, super::native::Method)>),
    /// Something this engine does not have; using it is refused with this reason.
    Missing(Rc<str>),
}

/// What is left of an iteration.
#[derive(Debug, Default)]
pub struct Iter {
    /// All items.
    pub items: Vec<Value>,
    /// The next one.
    pub next: usize,
}

/// A function with its captured variables and default arguments.
#[derive(Debug)]
pub struct Closure {
    /// Index into the program's functions.
    pub function: u32,
    /// The cells it captured.
    pub captured: Vec<Value>,
    /// Values of defaulted parameters.
    pub defaults: Vec<Value>,
}

/// A value that can be a key.
#[derive(Debug, Clone)]
pub struct Key(pub Value);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        plain_eq(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Value::None => 0u8.hash(state),
            Value::Bool(value) => i64::from(*value).hash(state),
            Value::Int(value) => value.hash(state),
            Value::Float(value) if value.fract() == 0.0 && value.abs() < 9e18 => (*value as i64).hash(state),
            Value::Float(value) => value.to_bits().hash(state),
            Value::Big(value) => value.hash(state),
            Value::Str(value) => value.hash(state),
            Value::Bytes(value) => value.hash(state),
            Value::Tuple(items) => {
                for item in items.iter() {
                    Self(item.clone()).hash(state);
                }
            }
            Value::Tree(value) => value.hash(state),
            _ => 1u8.hash(state),
        }
    }
}

/// Equality of values without trees (a tree equals itself only).
pub fn plain_eq(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Tree(a), Value::Tree(b)) => a == b,
        (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b) || list_eq(&a.borrow(), &b.borrow()),
        (Value::Tuple(a), Value::Tuple(b)) => list_eq(a, b),
        (Value::Range(..), Value::Range(..)) => a.range_items().eq(b.range_items()),
        (Value::Dict(a), Value::Dict(b)) => {
            let (a, b) = (a.borrow(), b.borrow());
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| plain_eq(value, other)))
        }
        (Value::Set(a), Value::Set(b)) => {
            let (a, b) = (a.borrow(), b.borrow());
            a.len() == b.len() && a.iter().all(|key| b.contains(key))
        }
        (Value::Native(a), Value::Native(b)) => std::ptr::eq(*a, *b),
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
        (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b) || a.same(b),
        _ => {
            if let (Some(a), Some(b)) = (a.buffer(), b.buffer()) {
                return *a == *b;
            }
            match (a.as_float(), b.as_float()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            }
        }
    }
}

fn list_eq(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain_eq(a, b))
}

impl Value {
    /// A text.
    pub fn str(text: impl AsRef<str>) -> Self {
        Self::Str(text.as_ref().into())
    }

    /// Bytes.
    pub fn bytes(bytes: impl AsRef<[u8]>) -> Self {
        Self::Bytes(bytes.as_ref().into())
    }

    /// A list.
    pub fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(RefCell::new(items)))
    }

    /// A tuple.
    pub fn tuple(items: impl Into<Rc<[Self]>>) -> Self {
        Self::Tuple(items.into())
    }

    /// A dictionary.
    pub fn dict(dict: Dict) -> Self {
        Self::Dict(Rc::new(RefCell::new(dict)))
    }

    /// A set.
    pub fn set(set: Set) -> Self {
        Self::Set(Rc::new(RefCell::new(set)))
    }

    /// An integer of any size.
    pub fn big(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self::Int(small),
            None => Self::Big(Rc::new(value)),
        }
    }

    /// An iterator over `items`.
    pub fn iter(items: Vec<Self>) -> Self {
        Self::Iter(Rc::new(RefCell::new(Iter { items, next: 0 })))
    }

    /// The numbers of a range.
    pub fn range_items(&self) -> impl Iterator<Item = i64> + use<> {
        let (start, stop, step) = match self {
            Self::Range(start, stop, step) => (*start, *stop, *step),
            _ => (0, 0, 1),
        };
        let mut at = start;
        std::iter::from_fn(move || {
            let inside = if step > 0 { at < stop } else { at > stop };
            inside.then(|| {
                let now = at;
                at = at.saturating_add(step);
                now
            })
        })
    }

    /// How many numbers a range has.
    pub fn range_len(start: i64, stop: i64, step: i64) -> i64 {
        let (low, high, step) = if step > 0 { (start, stop, step) } else { (stop, start, -step) };
        if low >= high { 0 } else { (high - low - 1) / step.max(1) + 1 }
    }

    /// The bytes of a `bytes` or `bytearray`.
    pub fn buffer(&self) -> Option<Buffer<'_>> {
        match self {
            Self::Bytes(bytes) => Some(Buffer::Plain(bytes)),
            Self::ByteArray(bytes) => Some(Buffer::Shared(bytes.borrow())),
            _ => None,
        }
    }

    /// A number as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Bool(value) => Some(f64::from(u8::from(*value))),
            Self::Int(value) => Some(*value as f64),
            Self::Big(value) => value.to_f64(),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// A `bool` or `int` as a machine word.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Bool(value) => Some(i64::from(*value)),
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A `bool` or `int` of any size.
    pub fn as_big(&self) -> Option<BigInt> {
        match self {
            Self::Bool(value) => Some(BigInt::from(u8::from(*value))),
            Self::Int(value) => Some(BigInt::from(*value)),
            Self::Big(value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Big(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Bytes(_) => "bytes",
            Self::ByteArray(_) => "bytearray",
            Self::Tree(_) | Self::Trees(_) => "DerivationTree",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
            Self::Range(..) => "range",
            Self::Iter(_) => "iterator",
            Self::Function(_) | Self::Bound(_) => "function",
            Self::Native(native) if native.is_type => "type",
            Self::Native(_) => "function",
            Self::Module(_) => "module",
            Self::Cell(_) => "cell",
            Self::Object(object) => object.type_name(),
            Self::Missing(_) => "missing",
        }
    }
}

/// Bytes that are borrowed from a `bytes` or a `bytearray`.
#[derive(Debug)]
pub enum Buffer<'a> {
    /// Of a `bytes`.
    Plain(&'a [u8]),
    /// Of a `bytearray`.
    Shared(std::cell::Ref<'a, Vec<u8>>),
}

impl std::ops::Deref for Buffer<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}
