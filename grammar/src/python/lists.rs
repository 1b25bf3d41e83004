//! Methods of lists, dictionaries, sets and numbers.
use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::Signed;

use super::error::{Res, raise};
use super::methods::missing;
use super::native::{Args, Method as M};
use super::value::{Dict, Set, Value};
use super::vm::Vm;

impl Vm<'_> {
    /// Sorts as `sorted(items, key, reverse)` does.
    pub fn sort(&mut self, items: Vec<Value>, args: &Args) -> Res<Vec<Value>> {
        let key = args.named("key").filter(|key| !matches!(key, Value::None)).cloned();
        let reverse = match args.named("reverse") {
            Some(value) => self.truth(value)?,
            None => false,
        };
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let by = match &key {
                Some(key) => self.call(key, Args::one(item.clone()))?,
                None => item.clone(),
            };
            keyed.push((by, item));
        }
        let mut failed = None;
        keyed.sort_by(|(a, _), (b, _)| {
            let order = self.order(a, b).unwrap_or_else(|error| {
                failed.get_or_insert(error);
                None
            });
            let order = order.unwrap_or(Ordering::Equal);
            if reverse { order.reverse() } else { order }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(keyed.into_iter().map(|(_, item)| item).collect()),
        }
    }

    /// `list.name(args)`
    pub fn list_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let Value::List(list) = value else { return missing(value, name) };
        match name {
            M::append => list.borrow_mut().push(args.need(0, "item")?.clone()),
            M::extend => {
                let more = self.items(args.need(0, "items")?)?;
                list.borrow_mut().extend(more);
            }
            M::insert => {
                let at = self.want_int(args.need(0, "index")?)?;
                let mut list = list.borrow_mut();
                let len = list.len() as i64;
                let at = if at < 0 { (at + len).max(0) } else { at.min(len) };
                list.insert(at as usize, args.need(1, "item")?.clone());
            }
            M::pop => {
                let mut list = list.borrow_mut();
                let len = list.len() as i64;
                let at = match args.pos.first() {
                    Some(value) => self.want_int(value)?,
                    None => -1,
                };
                let at = if at < 0 { at + len } else { at };
                if !(0..len).contains(&at) {
                    return raise("IndexError", "pop index out of range");
                }
                return Ok(list.remove(at as usize));
            }
            M::remove | M::index => {
                let wanted = args.need(0, "value")?;
                let items = list.borrow().clone();
                for (at, item) in items.iter().enumerate() {
                    if self.equal(item, wanted)? {
                        if name == M::index {
                            return Ok(Value::Int(at as i64));
                        }
                        list.borrow_mut().remove(at);
                        return Ok(Value::None);
                    }
                }
                return raise("ValueError", "value is not in list");
            }
            M::count => {
                let wanted = args.need(0, "value")?;
                let items = list.borrow().clone();
                let mut count = 0;
                for item in &items {
                    count += i64::from(self.equal(item, wanted)?);
                }
                return Ok(Value::Int(count));
            }
            M::clear => list.borrow_mut().clear(),
            M::reverse => list.borrow_mut().reverse(),
            M::copy => return Ok(Value::list(list.borrow().clone())),
            M::sort => {
                let items = list.borrow().clone();
                let sorted = self.sort(items, args)?;
                *list.borrow_mut() = sorted;
            }
            _ => return missing(value, name),
        }
        Ok(Value::None)
    }

    /// `dict.name(args)`
    pub fn dict_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let Value::Dict(dict) = value else { return missing(value, name) };
        Ok(match name {
            M::get => {
                let wanted = args.need(0, "key")?;
                let key = self.key(&self.natural(wanted)?)?;
                match dict.borrow().get(&key) {
                    Some(value) => value.clone(),
                    None => args.get(1, "default").cloned().unwrap_or_default(),
                }
            }
            M::keys => Value::list(dict.borrow().keys().map(|key| key.0.clone()).collect()),
            M::values => Value::list(dict.borrow().values().cloned().collect()),
            M::items => Value::list(
                dict.borrow()
                    .iter()
                    .map(|(key, value)| Value::tuple(vec![key.0.clone(), value.clone()]))
                    .collect(),
            ),
            M::update => {
                if let Some(more) = args.pos.first() {
                    let more = self.make_dict(more)?;
                    dict.borrow_mut().extend(more);
                }
                for (name, value) in &args.named {
                    dict.borrow_mut().insert(super::value::Key(Value::Str(name.clone())), value.clone());
                }
                Value::None
            }
            M::setdefault => {
                let key = self.key(args.need(0, "key")?)?;
                let default = args.get(1, "default").cloned().unwrap_or_default();
                dict.borrow_mut().entry(key).or_insert(default).clone()
            }
            M::pop => {
                let key = self.key(args.need(0, "key")?)?;
                match dict.borrow_mut().shift_remove(&key) {
                    Some(value) => value,
                    None => match args.get(1, "default") {
                        Some(value) => value.clone(),
                        None => return raise("KeyError", key.0.repr()),
                    },
                }
            }
            M::clear => {
                dict.borrow_mut().clear();
                Value::None
            }
            M::copy => Value::dict(dict.borrow().clone()),
            _ => return missing(value, name),
        })
    }

    /// `dict(value)`
    pub fn make_dict(&mut self, value: &Value) -> Res<Dict> {
        if let Value::Dict(dict) = value {
            return Ok(dict.borrow().clone());
        }
        let mut dict = Dict::default();
        for pair in self.items(value)? {
            let pair = self.items(&pair)?;
            let [key, value] = &pair[..] else {
                return raise("ValueError", "a dictionary is made of pairs");
            };
            dict.insert(self.key(key)?, value.clone());
        }
        Ok(dict)
    }

    /// `set(value)`
    pub fn make_set(&mut self, value: &Value) -> Res<Set> {
        let mut set = Set::default();
        for item in self.items(value)? {
            let item = self.natural(&item)?;
            set.insert(self.key(&item)?);
        }
        Ok(set)
    }

    /// `set.name(args)`
    pub fn set_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let Value::Set(set) = value else { return missing(value, name) };
        match name {
            M::add => {
                let item = self.natural(args.need(0, "item")?)?;
                let key = self.key(&item)?;
                set.borrow_mut().insert(key);
                return Ok(Value::None);
            }
            M::discard | M::remove => {
                let key = self.key(args.need(0, "item")?)?;
                if !set.borrow_mut().shift_remove(&key) && name == M::remove {
                    return raise("KeyError", key.0.repr());
                }
                return Ok(Value::None);
            }
            M::clear => {
                set.borrow_mut().clear();
                return Ok(Value::None);
            }
            M::copy => return Ok(Value::set(set.borrow().clone())),
            M::pop => {
                return match set.borrow_mut().shift_remove_index(0) {
                    Some(key) => Ok(key.0),
                    None => raise("KeyError", "pop from an empty set"),
                };
            }
            _ => {}
        }
        let other = match args.pos.first() {
            Some(value) => self.make_set(value)?,
            None => Set::default(),
        };
        let set = set.borrow();
        Ok(match name {
            M::union => Value::set(set.iter().chain(other.iter()).cloned().collect()),
            M::intersection => Value::set(set.iter().filter(|key| other.contains(*key)).cloned().collect()),
            M::difference => Value::set(set.iter().filter(|key| !other.contains(*key)).cloned().collect()),
            M::symmetric_difference => Value::set(set.symmetric_difference(&other).cloned().collect()),
            M::issubset => Value::Bool(set.is_subset(&other)),
            M::issuperset => Value::Bool(set.is_superset(&other)),
            M::isdisjoint => Value::Bool(set.is_disjoint(&other)),
            M::update => {
                drop(set);
                if let Value::Set(set) = value {
                    set.borrow_mut().extend(other);
                }
                Value::None
            }
            _ => return missing(value, name),
        })
    }

    /// `number.name(args)`
    pub fn number_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let big = value.as_big();
        Ok(match (name, big) {
            (M::bit_length, Some(big)) => Value::Int(big.bits() as i64),
            (M::bit_count, Some(big)) => {
                Value::Int(big.abs().to_bytes_le().1.iter().map(|byte| i64::from(byte.count_ones())).sum())
            }
            (M::to_bytes, Some(big)) => {
                let len = match args.get(0, "length") {
                    Some(value) => self.want_int(value)?.clamp(0, 1 << 20) as usize,
                    None => 1,
                };
                let little =
                    matches!(args.get(1, "byteorder"), Some(Value::Str(order)) if &**order == "little");
                let signed = match args.named("signed") {
                    Some(value) => self.truth(value)?,
                    None => false,
                };
                Value::bytes(to_bytes(&big, len, little, signed)?)
            }
            (M::is_integer, _) => Value::Bool(value.as_float().is_some_and(|value| value.fract() == 0.0)),
            (M::conjugate | M::__int__, _) => value.clone(),
            (M::__str__, _) => Value::str(value.repr()),
            (M::hex, None) => return raise(super::error::REFUSED, "float.hex is not supported"),
            _ => return missing(value, name),
        })
    }
}

/// `value.to_bytes(len, order, signed)`
pub fn to_bytes(value: &BigInt, len: usize, little: bool, signed: bool) -> Res<Vec<u8>> {
    if value.is_negative() && !signed {
        return raise("OverflowError", "can't convert negative int to unsigned");
    }
    let mut bytes = if signed { value.to_signed_bytes_le() } else { value.to_bytes_le().1 };
    if !signed {
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
    }
    if bytes.len() > len && value != &BigInt::from(0) {
        return raise("OverflowError", "int too big to convert");
    }
    bytes.resize(len, if value.is_negative() { 0xff } else { 0 });
    if !little {
        bytes.reverse();
    }
    Ok(bytes)
}
