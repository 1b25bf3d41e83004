//! Comparisons of values: equality, order, membership; a tree compares as the type of the other side.
use std::cmp::Ordering;
use std::rc::Rc;

use super::code::Cmp;
use super::error::{Res, raise};
use super::value::{Value, plain_eq};
use super::vm::Vm;

impl Vm<'_> {
    /// `a cmp b`
    pub fn compare(&mut self, cmp: Cmp, a: &Value, b: &Value) -> Res<bool> {
        Ok(match cmp {
            Cmp::Eq => self.equal(a, b)?,
            Cmp::Ne => !self.equal(a, b)?,
            Cmp::In => self.contains(b, a)?,
            Cmp::NotIn => !self.contains(b, a)?,
            Cmp::Is | Cmp::IsNot => {
                let same = match (a, b) {
                    (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
                    (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
                    (Value::Bool(_), Value::Int(_)) | (Value::Int(_), Value::Bool(_)) => false,
                    _ => plain_eq(a, b),
                };
                same == (cmp == Cmp::Is)
            }
            Cmp::Lt => self.order(a, b)? == Some(Ordering::Less),
            Cmp::Gt => self.order(a, b)? == Some(Ordering::Greater),
            Cmp::Le => matches!(self.order(a, b)?, Some(Ordering::Less | Ordering::Equal)),
            Cmp::Ge => matches!(self.order(a, b)?, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// `a == b`: trees by structure, a tree and a value by the value.
    pub fn equal(&mut self, a: &Value, b: &Value) -> Res<bool> {
        match (a, b) {
            (Value::Tree(x), Value::Tree(y)) => {
                Ok(x == y || self.trees[x.tree as usize].same(x.at, self.trees[y.tree as usize], y.at))
            }
            (Value::Tree(_) | Value::Trees(_), other) | (other, Value::Tree(_) | Value::Trees(_)) => {
                let tree = if matches!(a, Value::Tree(_) | Value::Trees(_)) { a } else { b };
                match other {
                    Value::Str(text) => Ok(*self.text_of(tree)? == **text),
                    Value::Bytes(_) | Value::ByteArray(_) => {
                        let bytes = self.bytes_of(tree)?;
                        Ok(other.buffer().is_some_and(|other| *other == *bytes))
                    }
                    Value::Bool(_) | Value::Int(_) | Value::Big(_) => {
                        let number = self.int_of(tree)?;
                        Ok(plain_eq(&number, other))
                    }
                    Value::Trees(_) | Value::Tree(_) => Ok(*self.bytes_of(a)? == *self.bytes_of(b)?),
                    _ => raise("TypeError", format!("cannot compare a tree with {}", other.type_name())),
                }
            }
            (Value::List(x), Value::List(y)) => {
                let (x, y) = (x.borrow().clone(), y.borrow().clone());
                self.equal_lists(&x, &y)
            }
            (Value::Tuple(x), Value::Tuple(y)) => self.equal_lists(x, y),
            _ => Ok(plain_eq(a, b)),
        }
    }

    fn equal_lists(&mut self, a: &[Value], b: &[Value]) -> Res<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            if !self.equal(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How `a` and `b` are ordered; none for NaN and unordered sets.
    pub fn order(&mut self, a: &Value, b: &Value) -> Res<Option<Ordering>> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Ok(Some(a.cmp(b))),
            (Value::Str(a), Value::Str(b)) => Ok(Some(a.cmp(b))),
            (Value::Tree(_) | Value::Trees(_), _) | (_, Value::Tree(_) | Value::Trees(_)) => {
                let (a, b) = self.coerce(a, b)?;
                self.order(&a, &b)
            }
            (Value::List(x), Value::List(y)) => {
                let (x, y) = (x.borrow().clone(), y.borrow().clone());
                self.order_lists(&x, &y)
            }
            (Value::Tuple(x), Value::Tuple(y)) => self.order_lists(x, y),
            (Value::Set(x), Value::Set(y)) => {
                let (x, y) = (x.borrow(), y.borrow());
                let (less, more) = (x.iter().all(|key| y.contains(key)), y.iter().all(|key| x.contains(key)));
                Ok(match (less, more) {
                    (true, true) => Some(Ordering::Equal),
                    (true, false) => Some(Ordering::Less),
                    (false, true) => Some(Ordering::Greater),
                    _ => None,
                })
            }
            (Value::Object(x), Value::Object(y)) if x.order(y).is_some() => Ok(x.order(y)),
            _ => {
                if let (Some(a), Some(b)) = (a.buffer(), b.buffer()) {
                    return Ok(Some(a.cmp(&b)));
                }
                if let (Some(a), Some(b)) = (a.as_big(), b.as_big()) {
                    return Ok(Some(a.cmp(&b)));
                }
                match (a.as_float(), b.as_float()) {
                    (Some(a), Some(b)) => Ok(a.partial_cmp(&b)),
                    _ => {
                        raise("TypeError", format!("{} and {} are not ordered", a.type_name(), b.type_name()))
                    }
                }
            }
        }
    }

    fn order_lists(&mut self, a: &[Value], b: &[Value]) -> Res<Option<Ordering>> {
        for (a, b) in a.iter().zip(b) {
            if !self.equal(a, b)? {
                return self.order(a, b);
            }
        }
        Ok(Some(a.len().cmp(&b.len())))
    }

    /// `item in collection`
    pub fn contains(&mut self, collection: &Value, item: &Value) -> Res<bool> {
        match collection {
            Value::Str(text) => Ok(text.contains(&*self.text_of(item)?)),
            Value::Bytes(_) | Value::ByteArray(_) => {
                if let Some(byte) = item.as_int() {
                    return Ok(collection
                        .buffer()
                        .is_some_and(|all| all.iter().any(|b| i64::from(*b) == byte)));
                }
                let part = self.bytes_of(item)?;
                Ok(collection.buffer().is_some_and(|all| find_bytes(&all, &part, 0, all.len()).is_some()))
            }
            Value::Dict(dict) => Ok(dict.borrow().contains_key(&self.key(item)?)),
            Value::Set(set) => Ok(set.borrow().contains(&self.key(item)?)),
            Value::Range(start, stop, step) => Ok(item.as_int().is_some_and(|value| {
                let inside = if *step > 0 {
                    (*start..*stop).contains(&value)
                } else {
                    value <= *start && value > *stop
                };
                inside && (value - start) % step == 0
            })),
            Value::Tree(_) | Value::Trees(_) => match item {
                Value::Tree(_) => {
                    for child in self.items(collection)? {
                        if self.equal(&child, item)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                Value::Bytes(_) | Value::ByteArray(_) => {
                    let bytes = Value::bytes(self.bytes_of(collection)?);
                    self.contains(&bytes, item)
                }
                _ => {
                    let text = Value::str(self.text_of(collection)?);
                    self.contains(&text, item)
                }
            },
            _ => {
                for other in self.items(collection)? {
                    if self.equal(&other, item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// The position of `part` in `all[start..end]`.
pub fn find_bytes(all: &[u8], part: &[u8], start: usize, end: usize) -> Option<usize> {
    if start > end || end > all.len() {
        return None;
    }
    if part.is_empty() {
        return Some(start);
    }
    all[start..end].windows(part.len()).position(|window| window == part).map(|at| at + start)
}
