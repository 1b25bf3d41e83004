//! Python's `repr` of values.
use std::fmt::Write as _;

use super::Value;

impl Value {
    /// `repr` of a value without trees.
    pub fn repr(&self) -> String {
        let mut out = String::new();
        self.write_repr(&mut out);
        out
    }

    fn write_repr(&self, out: &mut String) {
        let join = |out: &mut String, items: &mut dyn Iterator<Item = &Self>| {
            for (index, item) in items.enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                item.write_repr(out);
            }
        };
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Self::Int(value) => _ = write!(out, "{value}"),
            Self::Big(value) => _ = write!(out, "{value}"),
            Self::Float(value) => out.push_str(&float_repr(*value)),
            Self::Str(text) => out.push_str(&str_repr(text)),
            Self::Bytes(bytes) => out.push_str(&bytes_repr(bytes)),
            Self::ByteArray(bytes) => _ = write!(out, "bytearray({})", bytes_repr(&bytes.borrow())),
            Self::List(items) => {
                out.push('[');
                join(out, &mut items.borrow().iter());
                out.push(']');
            }
            Self::Tuple(items) => {
                out.push('(');
                join(out, &mut items.iter());
                out.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            Self::Dict(dict) => {
                out.push('{');
                for (index, (key, value)) in dict.borrow().iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    key.0.write_repr(out);
                    out.push_str(": ");
                    value.write_repr(out);
                }
                out.push('}');
            }
            Self::Set(set) if set.borrow().is_empty() => out.push_str("set()"),
            Self::Set(set) => {
                out.push('{');
                join(out, &mut set.borrow().iter().map(|key| &key.0));
                out.push('}');
            }
            Self::Range(start, stop, 1) => _ = write!(out, "range({start}, {stop})"),
            Self::Range(start, stop, step) => _ = write!(out, "range({start}, {stop}, {step})"),
            other => _ = write!(out, "<{}>", other.type_name()),
        }
    }
}

/// `repr` of a float: the shortest digits that read back the same.
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value:?}")
}

/// `repr` of a text.
pub fn str_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || (0x7f..=0xa0).contains(&(c as u32)) || c == '\u{ad}' => {
                _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// `repr` of bytes.
pub fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    let mut out = String::from("b");
    out.push(char::from(quote));
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte if *byte == quote => {
                out.push('\\');
                out.push(char::from(quote));
            }
            0x20..=0x7e => out.push(char::from(*byte)),
            byte => _ = write!(out, "\\x{byte:02x}"),
        }
    }
    out.push(char::from(quote));
    out
}
