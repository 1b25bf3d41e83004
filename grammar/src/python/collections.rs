//! Iterating, indexing and measuring values.
use std::rc::Rc;

use super::error::{Res, raise};
use super::trees::float_to_int;
use super::value::{TreeRef, Value};
use super::vm::{Vm, char_count};

impl Vm<'_> {
    /// The visible children of a tree.
    pub fn children(&self, value: &Value) -> Res<Vec<TreeRef>> {
        match value {
            Value::Tree(at) => Ok(self.trees[at.tree as usize]
                .children(at.at)
                .map(|child| TreeRef { tree: at.tree, at: child })
                .collect()),
            Value::Trees(trees) => Ok(trees.to_vec()),
            other => raise("AttributeError", format!("'{}' has no children", other.type_name())),
        }
    }

    /// All items of what can be iterated.
    pub fn items(&mut self, value: &Value) -> Res<Vec<Value>> {
        Ok(match value {
            Value::List(items) => items.borrow().clone(),
            Value::Tuple(items) => items.to_vec(),
            Value::Str(text) => {
                let mut buffer = [0; 4];
                text.chars().map(|c| Value::str(&*c.encode_utf8(&mut buffer))).collect()
            }
            Value::Bytes(_) | Value::ByteArray(_) => match value.buffer() {
                Some(bytes) => bytes.iter().map(|byte| Value::Int(i64::from(*byte))).collect(),
                None => Vec::new(),
            },
            Value::Dict(dict) => dict.borrow().keys().map(|key| key.0.clone()).collect(),
            Value::Set(set) => set.borrow().iter().map(|key| key.0.clone()).collect(),
            Value::Range(start, stop, step) => {
                if Value::range_len(*start, *stop, *step) > 50_000_000 {
                    return raise(
                        super::error::REFUSED,
                        "a range of more than 50 million numbers is made a list",
                    );
                }
                value.range_items().map(Value::Int).collect()
            }
            Value::Iter(iter) => {
                let mut iter = iter.borrow_mut();
                let at = iter.next.min(iter.items.len());
                iter.next = iter.items.len();
                iter.items[at..].to_vec()
            }
            Value::Tree(_) | Value::Trees(_) => self.children(value)?.into_iter().map(Value::Tree).collect(),
            other => return raise("TypeError", format!("'{}' cannot be iterated", other.type_name())),
        })
    }

    /// `len(value)`
    pub fn len(&mut self, value: &Value) -> Res<i64> {
        Ok(match value {
            Value::Str(text) => char_count(text),
            Value::Bytes(bytes) => bytes.len() as i64,
            Value::ByteArray(bytes) => bytes.borrow().len() as i64,
            Value::List(items) => items.borrow().len() as i64,
            Value::Tuple(items) => items.len() as i64,
            Value::Dict(dict) => dict.borrow().len() as i64,
            Value::Set(set) => set.borrow().len() as i64,
            Value::Range(start, stop, step) => Value::range_len(*start, *stop, *step),
            Value::Tree(at) => self.trees[at.tree as usize].children(at.at).count() as i64,
            Value::Trees(trees) => trees.len() as i64,
            other => return raise("TypeError", format!("'{}' has no len()", other.type_name())),
        })
    }

    fn position(&self, index: &Value, len: usize) -> Res<usize> {
        let index = match index {
            Value::Tree(_) => self.int_of(index)?,
            other => other.clone(),
        };
        let Some(position) = index.as_int() else {
            return raise("TypeError", "indices must be integers");
        };
        let position = if position < 0 { position + len as i64 } else { position };
        match usize::try_from(position) {
            Ok(position) if position < len => Ok(position),
            _ => raise("IndexError", "index out of range"),
        }
    }

    /// `value[index]`
    pub fn index(&mut self, value: &Value, index: &Value) -> Res {
        match value {
            Value::Str(text) => {
                if text.is_ascii() {
                    let at = self.position(index, text.len())?;
                    return Ok(Value::str(&text[at..=at]));
                }
                let at = self.position(index, text.chars().count())?;
                let c = text.chars().nth(at).unwrap_or_default();
                Ok(Value::str(c.to_string()))
            }
            Value::Bytes(bytes) => Ok(Value::Int(i64::from(bytes[self.position(index, bytes.len())?]))),
            Value::ByteArray(bytes) => {
                let bytes = bytes.borrow();
                Ok(Value::Int(i64::from(bytes[self.position(index, bytes.len())?])))
            }
            Value::List(items) => {
                let items = items.borrow();
                Ok(items[self.position(index, items.len())?].clone())
            }
            Value::Tuple(items) => Ok(items[self.position(index, items.len())?].clone()),
            Value::Dict(dict) => {
                let key = match index {
                    Value::Tree(_) => self.key(&self.natural(index)?)?,
                    other => self.key(other)?,
                };
                match dict.borrow().get(&key) {
                    Some(value) => Ok(value.clone()),
                    None => raise("KeyError", key.0.repr()),
                }
            }
            Value::Range(start, stop, step) => {
                let len = Value::range_len(*start, *stop, *step) as usize;
                let at = self.position(index, len)? as i64;
                Ok(Value::Int(start + at * step))
            }
            Value::Tree(_) | Value::Trees(_) => {
                let children = self.children(value)?;
                Ok(Value::Tree(children[self.position(index, children.len())?]))
            }
            Value::Object(object) => object.item(index),
            other => raise("TypeError", format!("'{}' cannot be indexed", other.type_name())),
        }
    }

    /// `value[index] = item`
    pub fn set_index(&mut self, value: &Value, index: &Value, item: Value) -> Res<()> {
        match value {
            Value::List(items) => {
                let at = self.position(index, items.borrow().len())?;
                items.borrow_mut()[at] = item;
            }
            Value::Dict(dict) => {
                let key = self.key(index)?;
                dict.borrow_mut().insert(key, item);
            }
            Value::ByteArray(bytes) => {
                let at = self.position(index, bytes.borrow().len())?;
                bytes.borrow_mut()[at] = byte(&item)?;
            }
            other => {
                return raise("TypeError", format!("'{}' does not take item assignment", other.type_name()));
            }
        }
        Ok(())
    }

    /// `del value[index]`
    pub fn delete(&mut self, value: &Value, index: &Value) -> Res<()> {
        match value {
            Value::List(items) => {
                let at = self.position(index, items.borrow().len())?;
                items.borrow_mut().remove(at);
            }
            Value::Dict(dict) => {
                let key = self.key(index)?;
                if dict.borrow_mut().shift_remove(&key).is_none() {
                    return raise("KeyError", key.0.repr());
                }
            }
            other => {
                return raise("TypeError", format!("'{}' does not take item deletion", other.type_name()));
            }
        }
        Ok(())
    }

    /// `-value`
    pub fn negate(&mut self, value: &Value) -> Res {
        match self.natural(value)? {
            Value::Float(value) => Ok(Value::Float(-value)),
            other => match other.as_big() {
                Some(big) => Ok(Value::big(-big)),
                None => raise("TypeError", format!("'{}' has no negative", other.type_name())),
            },
        }
    }

    /// `bytes(value)`
    pub fn make_bytes(&mut self, value: &Value) -> Res {
        match value {
            Value::Bytes(_) => Ok(value.clone()),
            Value::ByteArray(_) | Value::Tree(_) | Value::Trees(_) => Ok(Value::bytes(self.bytes_of(value)?)),
            Value::Bool(_) | Value::Int(_) => match usize::try_from(value.as_int().unwrap_or(0)) {
                Ok(count) if count <= 1 << 26 => Ok(Value::bytes(vec![0; count])),
                _ => raise("ValueError", "negative or too great a count"),
            },
            Value::Str(_) => raise("TypeError", "string argument without an encoding"),
            _ => {
                let items = self.items(value)?;
                let bytes = items.iter().map(byte).collect::<Res<Vec<u8>>>()?;
                Ok(Value::bytes(bytes))
            }
        }
    }

    /// A value as a machine integer.
    pub fn want_int(&self, value: &Value) -> Res<i64> {
        let value = match value {
            Value::Tree(_) | Value::Trees(_) => &self.int_of(value)?,
            other => other,
        };
        match value.as_int() {
            Some(value) => Ok(value),
            None => raise("TypeError", format!("an integer is needed, not '{}'", value.type_name())),
        }
    }

    /// A value as a float.
    pub fn want_float(&self, value: &Value) -> Res<f64> {
        let value = match value {
            Value::Tree(_) | Value::Trees(_) => &self.int_of(value)?,
            other => other,
        };
        match value.as_float() {
            Some(value) => Ok(value),
            None => raise("TypeError", format!("a number is needed, not '{}'", value.type_name())),
        }
    }

    /// A value as text, where only text will do.
    pub fn want_text(&self, value: &Value) -> Res<Rc<str>> {
        match value {
            Value::Str(text) => Ok(text.clone()),
            Value::Tree(_) | Value::Trees(_) => Ok(self.text_of(value)?.as_ref().into()),
            other => raise("TypeError", format!("a text is needed, not '{}'", other.type_name())),
        }
    }

    /// `round(value, digits)`
    pub fn round(&mut self, value: &Value, digits: Option<i64>) -> Res {
        match (self.natural(value)?, digits) {
            (Value::Float(value), None) => float_to_int(half_even(value)),
            (Value::Float(value), Some(digits)) => {
                let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0));
                Ok(Value::Float(text.parse().unwrap_or(value)))
            }
            (other, _) => Ok(other),
        }
    }
}

/// Rounds to the nearest whole number, ties to the even one.
pub fn half_even(value: f64) -> f64 {
    value.round_ties_even()
}

/// A value as a byte.
pub fn byte(value: &Value) -> Res<u8> {
    match value.as_int().map(u8::try_from) {
        Some(Ok(byte)) => Ok(byte),
        Some(Err(_)) => raise("ValueError", "bytes must be in range(0, 256)"),
        None => raise("TypeError", format!("'{}' is no byte", value.type_name())),
    }
}
