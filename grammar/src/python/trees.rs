//! What a derivation tree is worth as text, bytes or a number.
use std::borrow::Cow;

use num_bigint::BigInt;

use super::error::{Res, raise};
use super::value::{TreeRef, Value};
use super::vm::Vm;
use crate::ir::{Grammar, Node};
use crate::tree::{Index, Kind, Tree};

/// What the terminals of a subtree are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// No text at all.
    Empty,
    /// Text only.
    Text,
    /// Bytes, or bytes, bits and text mixed.
    Bytes,
    /// Bits only.
    Bits,
}

/// What the terminals of the subtree at `at` are.
pub fn nature(grammar: &Grammar, tree: &Tree, at: Index) -> Nature {
    if let Kind::Symbol(symbol) = tree.node(at).kind()
        && !grammar.symbol(symbol).has_bytes
    {
        return Nature::Text;
    }
    let (mut text, mut bytes, mut bits) = (false, false, false);
    for index in at..tree.end(at) {
        if let Kind::Terminal(node) = tree.node(index).kind() {
            match grammar.node(node) {
                Node::Literal(literal) => {
                    bytes |= literal.is_bytes;
                    text |= !literal.is_bytes;
                }
                Node::Regex(regex) => {
                    let is_bytes = grammar.regexes[*regex as usize].is_bytes;
                    bytes |= is_bytes;
                    text |= !is_bytes;
                }
                Node::Bit(_) => bits = true,
                _ => {}
            }
        }
    }
    match (text, bytes, bits) {
        (false, false, false) => Nature::Empty,
        (true, false, false) => Nature::Text,
        (false, false, true) => Nature::Bits,
        _ => Nature::Bytes,
    }
}

/// The bytes of the subtree at `at`, bits packed; none if some bits do not fill a byte.
pub fn bytes<'t>(grammar: &Grammar, tree: &'t Tree, at: Index) -> Option<Cow<'t, [u8]>> {
    if !grammar.has_bits {
        return Some(Cow::Borrowed(tree.text_of(at)));
    }
    let mut out = Vec::with_capacity(tree.text_of(at).len());
    let (mut byte, mut filled, mut any) = (0u8, 0, false);
    for index in at..tree.end(at) {
        if let Kind::Terminal(node) = tree.node(index).kind() {
            let text = tree.text_of(index);
            if let Node::Bit(_) = grammar.node(node) {
                any = true;
                for bit in text {
                    byte = byte << 1 | bit & 1;
                    filled += 1;
                    if filled == 8 {
                        out.push(byte);
                        (byte, filled) = (0, 0);
                    }
                }
            } else if !text.is_empty() {
                if filled != 0 {
                    return None;
                }
                out.extend_from_slice(text);
            }
        }
    }
    if !any {
        return Some(Cow::Borrowed(tree.text_of(at)));
    }
    (filled == 0).then_some(Cow::Owned(out))
}

/// Bytes read as Latin-1.
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

impl<'t> Vm<'t> {
    /// The text of a tree.
    pub fn tree_text(&self, at: TreeRef) -> Res<Cow<'t, str>> {
        let tree = self.trees[at.tree as usize];
        if nature(self.grammar, tree, at.at) == Nature::Text
            && let Ok(text) = std::str::from_utf8(tree.text_of(at.at))
        {
            return Ok(Cow::Borrowed(text));
        }
        match bytes(self.grammar, tree, at.at) {
            Some(bytes) => Ok(Cow::Owned(latin1(&bytes))),
            None => raise("FandangoConversionError", "bits do not fill bytes"),
        }
    }

    /// The bytes of a tree.
    pub fn tree_bytes(&self, at: TreeRef) -> Res<Cow<'t, [u8]>> {
        match bytes(self.grammar, self.trees[at.tree as usize], at.at) {
            Some(bytes) => Ok(bytes),
            None => raise("FandangoConversionError", "bits do not fill bytes"),
        }
    }

    /// The number a tree is worth.
    pub fn tree_int(&self, at: TreeRef) -> Res {
        let tree = self.trees[at.tree as usize];
        if nature(self.grammar, tree, at.at) == Nature::Bits {
            let bits = tree.text_of(at.at);
            if bits.len() < 64 {
                return Ok(Value::Int(bits.iter().fold(0, |sum, bit| sum << 1 | i64::from(bit & 1))));
            }
            let sum = bits.iter().fold(BigInt::from(0), |sum: BigInt, bit| (sum << 1u32) + (bit & 1));
            return Ok(Value::big(sum));
        }
        parse_int(&self.tree_text(at)?, 10)
    }

    /// What a tree is worth when nothing says which type is wanted.
    pub fn natural(&self, value: &Value) -> Res {
        match value {
            Value::Tree(at) => match nature(self.grammar, self.trees[at.tree as usize], at.at) {
                Nature::Text => Ok(Value::str(self.tree_text(*at)?)),
                Nature::Bytes => Ok(Value::bytes(self.tree_bytes(*at)?)),
                Nature::Bits => self.tree_int(*at),
                Nature::Empty => Ok(Value::str("")),
            },
            Value::Trees(trees) => {
                let text = trees
                    .iter()
                    .all(|at| nature(self.grammar, self.trees[at.tree as usize], at.at) == Nature::Text);
                if text {
                    Ok(Value::str(self.text_of(value)?))
                } else {
                    Ok(Value::bytes(self.bytes_of(value)?))
                }
            }
            other => Ok(other.clone()),
        }
    }

    /// `str(value)`
    pub fn text_of<'a>(&self, value: &'a Value) -> Res<Cow<'a, str>>
    where
        't: 'a,
    {
        Ok(match value {
            Value::Str(text) => Cow::Borrowed(text),
            Value::Tree(at) => self.tree_text(*at)?,
            Value::Trees(trees) => {
                let mut text = String::new();
                for at in trees.iter() {
                    text.push_str(&self.tree_text(*at)?);
                }
                Cow::Owned(text)
            }
            Value::Object(object) => Cow::Owned(object.text()),
            Value::List(items) => Cow::Owned(self.repr_items(&items.borrow(), "[", "]")?),
            Value::Tuple(items) if items.len() != 1 => Cow::Owned(self.repr_items(items, "(", ")")?),
            other => Cow::Owned(other.repr()),
        })
    }

    fn repr_items(&self, items: &[Value], open: &str, close: &str) -> Res<String> {
        let mut out = String::from(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            out.push_str(&self.repr_of(item)?);
        }
        out.push_str(close);
        Ok(out)
    }

    /// `repr(value)`
    pub fn repr_of(&self, value: &Value) -> Res<String> {
        match value {
            Value::Tree(_) | Value::Trees(_) => Ok(self.natural(value)?.repr()),
            Value::List(items) => self.repr_items(&items.borrow(), "[", "]"),
            other => Ok(other.repr()),
        }
    }

    /// `bytes(value)` for what has bytes.
    pub fn bytes_of<'a>(&self, value: &'a Value) -> Res<Cow<'a, [u8]>>
    where
        't: 'a,
    {
        Ok(match value {
            Value::Bytes(bytes) => Cow::Borrowed(bytes),
            Value::ByteArray(bytes) => Cow::Owned(bytes.borrow().clone()),
            Value::Tree(at) => self.tree_bytes(*at)?,
            Value::Trees(trees) => {
                let mut out = Vec::new();
                for at in trees.iter() {
                    out.extend_from_slice(&self.tree_bytes(*at)?);
                }
                Cow::Owned(out)
            }
            other => {
                return raise(
                    "TypeError",
                    format!("a bytes-like object is required, not '{}'", other.type_name()),
                );
            }
        })
    }

    /// `int(value)`
    pub fn int_of(&self, value: &Value) -> Res {
        match value {
            Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
            Value::Int(_) | Value::Big(_) => Ok(value.clone()),
            Value::Float(value) => float_to_int(value.trunc()),
            Value::Str(text) => parse_int(text, 10),
            Value::Bytes(_) | Value::ByteArray(_) => {
                let text = value.buffer().map(|bytes| latin1(&bytes)).unwrap_or_default();
                parse_int(&text, 10)
            }
            Value::Tree(at) => self.tree_int(*at),
            Value::Trees(trees) => {
                let bits = trees
                    .iter()
                    .all(|at| nature(self.grammar, self.trees[at.tree as usize], at.at) == Nature::Bits);
                if bits {
                    let mut sum = 0i64;
                    for at in trees.iter() {
                        for bit in self.trees[at.tree as usize].text_of(at.at) {
                            sum = sum << 1 | i64::from(bit & 1);
                        }
                    }
                    return Ok(Value::Int(sum));
                }
                parse_int(&self.text_of(value)?, 10)
            }
            other => raise("TypeError", format!("int() cannot take '{}'", other.type_name())),
        }
    }
}

/// A whole float as an integer.
pub fn float_to_int(value: f64) -> Res {
    if value.abs() < 9e18 {
        return Ok(Value::Int(value as i64));
    }
    match num_traits::FromPrimitive::from_f64(value) {
        Some(big) => Ok(Value::big(big)),
        None if value.is_nan() => raise("ValueError", "cannot convert float NaN to integer"),
        None => raise("OverflowError", "cannot convert float infinity to integer"),
    }
}

/// `int(text, base)`
pub fn parse_int(text: &str, base: u32) -> Res {
    let bytes = text.as_bytes();
    // The common case: a few decimal digits.
    if base == 10 && !bytes.is_empty() && bytes.len() < 18 && bytes.iter().all(u8::is_ascii_digit) {
        return Ok(Value::Int(bytes.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))));
    }
    let error = || {
        raise(
            "ValueError",
            format!("invalid literal for int() with base {base}: {}", super::value::str_repr(text)),
        )
    };
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = match (base, lower.get(..2)) {
        (0 | 16, Some("0x")) => (16, &digits[2..]),
        (0 | 8, Some("0o")) => (8, &digits[2..]),
        (0 | 2, Some("0b")) => (2, &digits[2..]),
        (0, _) => (10, digits),
        _ => (base, digits),
    };
    if !(2..=36).contains(&base) {
        return raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
    }
    if digits.starts_with('_')
        || digits.ends_with('_')
        || digits.contains("__")
        || digits.starts_with(['+', '-'])
    {
        return error();
    }
    let clean: String = digits
        .chars()
        .filter(|c| *c != '_')
        .map(|c| if c.is_ascii() { c } else { unicode_digit(c).unwrap_or(c) })
        .collect();
    match BigInt::parse_bytes(clean.as_bytes(), base) {
        Some(value) => Ok(Value::big(if negative { -value } else { value })),
        None => error(),
    }
}

/// Decimal digits of other scripts, which `int` reads too.
fn unicode_digit(c: char) -> Option<char> {
    if !c.is_numeric() {
        return None;
    }
    // Blocks of ten digits start at these code points.
    const ZEROS: [u32; 22] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0,
        0xf20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x19d0, 0xff10, 0x1d7ce,
    ];
    let code = c as u32;
    ZEROS
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&code))
        .and_then(|zero| char::from_digit(code - zero, 10))
}
