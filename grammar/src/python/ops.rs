//! Operators on values: arithmetic, comparison, truth, with trees taking the other side's type.
use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

use super::code::Op;
use super::error::{REFUSED, Res, raise};
use super::value::{Key, Value};
use super::vm::Vm;

/// The greatest number of bits or elements that one operation may make.
const LIMIT: i64 = 1 << 26;

impl Vm<'_> {
    /// `a op b`
    pub fn binary(&mut self, op: Op, a: &Value, b: &Value) -> Res {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            let quick = match op {
                Op::Add => a.checked_add(*b),
                Op::Sub => a.checked_sub(*b),
                Op::Mul => a.checked_mul(*b),
                Op::And => Some(a & b),
                Op::Or => Some(a | b),
                Op::Xor => Some(a ^ b),
                Op::FloorDiv if *b > 0 => Some(a.div_euclid(*b)),
                Op::Mod if *b > 0 => Some(a.rem_euclid(*b)),
                Op::Shr if (0..64).contains(b) => Some(a >> b),
                _ => None,
            };
            if let Some(value) = quick {
                return Ok(Value::Int(value));
            }
        }
        if matches!(a, Value::Tree(_) | Value::Trees(_)) || matches!(b, Value::Tree(_) | Value::Trees(_)) {
            let (a, b) = self.coerce(a, b)?;
            return self.binary(op, &a, &b);
        }
        match (op, a, b) {
            (Op::Add, Value::Str(a), Value::Str(b)) => {
                let mut text = String::with_capacity(a.len() + b.len());
                text.push_str(a);
                text.push_str(b);
                Ok(Value::Str(text.into()))
            }
            (Op::Add, Value::List(a), Value::List(b)) => {
                let mut items = a.borrow().clone();
                items.extend(b.borrow().iter().cloned());
                Ok(Value::list(items))
            }
            (Op::Add, Value::Tuple(a), Value::Tuple(b)) => {
                Ok(Value::tuple(a.iter().chain(b.iter()).cloned().collect::<Vec<_>>()))
            }
            (Op::Add, Value::Bytes(_) | Value::ByteArray(_), Value::Bytes(_) | Value::ByteArray(_)) => {
                let joined = match (a.buffer(), b.buffer()) {
                    (Some(a), Some(b)) => [&*a, &*b].concat(),
                    _ => Vec::new(),
                };
                Ok(match a {
                    Value::ByteArray(_) => Value::ByteArray(Rc::new(joined.into())),
                    _ => Value::bytes(joined),
                })
            }
            (
                Op::Mul,
                Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) | Value::List(_) | Value::Tuple(_),
                _,
            ) if b.as_int().is_some() => repeat(a, b.as_int().unwrap_or(0)),
            (
                Op::Mul,
                _,
                Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) | Value::List(_) | Value::Tuple(_),
            ) if a.as_int().is_some() => repeat(b, a.as_int().unwrap_or(0)),
            (Op::Mod, Value::Str(format), _) => self.percent(format, b),
            (Op::Or, Value::Dict(a), Value::Dict(b)) => {
                let mut dict = a.borrow().clone();
                dict.extend(b.borrow().iter().map(|(key, value)| (key.clone(), value.clone())));
                Ok(Value::dict(dict))
            }
            (Op::Or | Op::And | Op::Sub | Op::Xor, Value::Set(a), Value::Set(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                Ok(Value::set(match op {
                    Op::Or => a.iter().chain(b.iter()).cloned().collect(),
                    Op::And => a.iter().filter(|key| b.contains(*key)).cloned().collect(),
                    Op::Sub => a.iter().filter(|key| !b.contains(*key)).cloned().collect(),
                    _ => a.symmetric_difference(&b).cloned().collect(),
                }))
            }
            _ => self.arithmetic(op, a, b),
        }
    }

    fn arithmetic(&mut self, op: Op, a: &Value, b: &Value) -> Res {
        if let (Value::Bool(a), Value::Bool(b)) = (a, b) {
            match op {
                Op::And => return Ok(Value::Bool(a & b)),
                Op::Or => return Ok(Value::Bool(a | b)),
                Op::Xor => return Ok(Value::Bool(a ^ b)),
                _ => {}
            }
        }
        if !matches!(a, Value::Float(_))
            && !matches!(b, Value::Float(_))
            && let (Some(a), Some(b)) = (a.as_big(), b.as_big())
        {
            return integers(op, &a, &b);
        }
        if let Value::Object(_) = a
            && let Some(result) = super::modules::object_operator(op, a, b)
        {
            return result;
        }
        let (Some(x), Some(y)) = (a.as_float(), b.as_float()) else {
            return raise(
                "TypeError",
                format!("unsupported operand types: {} and {}", a.type_name(), b.type_name()),
            );
        };
        Ok(Value::Float(match op {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            Op::Div | Op::FloorDiv | Op::Mod if y == 0.0 => {
                return raise("ZeroDivisionError", "float division by zero");
            }
            Op::Div => x / y,
            Op::FloorDiv => (x / y).floor(),
            Op::Mod => x - y * (x / y).floor(),
            Op::Pow => x.powf(y),
            _ => return raise("TypeError", "bitwise operators need integers"),
        }))
    }

    /// Two operands of which at least one is a tree, as plain values of one type.
    pub(super) fn coerce(&mut self, a: &Value, b: &Value) -> Res<(Value, Value)> {
        let is_tree = |value: &Value| matches!(value, Value::Tree(_) | Value::Trees(_));
        let b = if is_tree(b) && is_tree(a) { self.natural(b)? } else { b.clone() };
        if is_tree(a) {
            let a = self.as_type_of(a, &b)?;
            Ok((a, b))
        } else {
            let b = self.as_type_of(&b, a)?;
            Ok((a.clone(), b))
        }
    }

    /// `tree` converted to the type of `model`.
    fn as_type_of(&mut self, tree: &Value, model: &Value) -> Res {
        match model {
            Value::Str(_) => Ok(Value::str(self.text_of(tree)?)),
            Value::Bytes(_) | Value::ByteArray(_) => Ok(Value::bytes(self.bytes_of(tree)?)),
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_) => self.int_of(tree),
            _ => raise("TypeError", format!("cannot combine a tree with {}", model.type_name())),
        }
    }

    /// Whether a value counts as true.
    pub fn truth(&mut self, value: &Value) -> Res<bool> {
        Ok(match value {
            Value::None => false,
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Big(value) => !value.is_zero(),
            Value::Float(value) => *value != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::Bytes(bytes) => !bytes.is_empty(),
            Value::ByteArray(bytes) => !bytes.borrow().is_empty(),
            Value::List(items) => !items.borrow().is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Dict(dict) => !dict.borrow().is_empty(),
            Value::Set(set) => !set.borrow().is_empty(),
            Value::Range(start, stop, step) => Value::range_len(*start, *stop, *step) > 0,
            // A tree has a length, the number of its children.
            Value::Tree(tree) => self.trees[tree.tree as usize].children(tree.at).next().is_some(),
            Value::Trees(trees) => !trees.is_empty(),
            _ => true,
        })
    }

    /// A value as a key of a dictionary or set.
    pub fn key(&self, value: &Value) -> Res<Key> {
        match value {
            Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::ByteArray(_) => {
                raise("TypeError", format!("unhashable type: '{}'", value.type_name()))
            }
            _ => Ok(Key(value.clone())),
        }
    }
}

fn repeat(value: &Value, count: i64) -> Res {
    let count = count.max(0);
    let len = match value {
        Value::Str(text) => text.len(),
        Value::List(items) => items.borrow().len(),
        Value::Tuple(items) => items.len(),
        other => other.buffer().map_or(0, |bytes| bytes.len()),
    };
    if (len as i64).saturating_mul(count) > LIMIT {
        return raise(REFUSED, "a repetition makes more than 64 million elements");
    }
    let count = count as usize;
    Ok(match value {
        Value::Str(text) => Value::str(text.repeat(count)),
        Value::List(items) => {
            let items = items.borrow();
            Value::list(items.iter().cycle().take(items.len() * count).cloned().collect())
        }
        Value::Tuple(items) => {
            Value::tuple(items.iter().cycle().take(items.len() * count).cloned().collect::<Vec<_>>())
        }
        other => Value::bytes(other.buffer().map_or(Vec::new(), |bytes| bytes.repeat(count))),
    })
}

fn integers(op: Op, a: &BigInt, b: &BigInt) -> Res {
    let division = |what: &str| raise("ZeroDivisionError", what.to_owned());
    Ok(Value::big(match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Div => {
            if b.is_zero() {
                return division("division by zero");
            }
            return Ok(Value::Float(a.to_f64().unwrap_or(f64::NAN) / b.to_f64().unwrap_or(f64::NAN)));
        }
        Op::FloorDiv | Op::Mod => {
            if b.is_zero() {
                return division("integer division or modulo by zero");
            }
            let (mut quotient, mut rest) = (a / b, a % b);
            if !rest.is_zero() && (rest.is_negative() != b.is_negative()) {
                quotient -= 1;
                rest += b;
            }
            if op == Op::FloorDiv { quotient } else { rest }
        }
        Op::Pow => {
            if b.is_negative() {
                if a.is_zero() {
                    return division("0 cannot be raised to a negative power");
                }
                let (a, b) = (a.to_f64().unwrap_or(f64::NAN), b.to_f64().unwrap_or(f64::NAN));
                return Ok(Value::Float(a.powf(b)));
            }
            match b.to_u32() {
                Some(power) if (a.bits() as i64).saturating_mul(i64::from(power)) <= LIMIT => a.pow(power),
                _ => return raise(REFUSED, "a power has more than 64 million bits"),
            }
        }
        Op::Shl | Op::Shr => {
            if b.sign() == Sign::Minus {
                return raise("ValueError", "negative shift count");
            }
            match (op, b.to_i64()) {
                (Op::Shl, Some(by)) if by <= LIMIT => a << by,
                (Op::Shr, Some(by)) => a >> by,
                (Op::Shr, None) => BigInt::from(if a.is_negative() { -1 } else { 0 }),
                _ => return raise(REFUSED, "a shift makes more than 64 million bits"),
            }
        }
    }))
}
