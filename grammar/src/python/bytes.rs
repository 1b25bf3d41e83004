//! Methods of `bytes` and `bytearray`, and encodings.
use super::comparing::find_bytes;
use super::error::{Res, raise};
use super::methods::missing;
use super::native::{Args, Method as M};
use super::trees::latin1;
use super::value::Value;
use super::vm::Vm;

/// The encoding's name without case and punctuation.
fn plain(encoding: &str) -> String {
    encoding.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// `text.encode(encoding)`
pub fn encode(text: &str, encoding: &str) -> Res {
    let narrow = |limit: u32| -> Res {
        let mut out = Vec::with_capacity(text.len());
        for c in text.chars() {
            if c as u32 >= limit {
                return raise("UnicodeEncodeError", format!("{encoding} cannot encode character {c:?}"));
            }
            out.push(c as u32 as u8);
        }
        Ok(Value::bytes(out))
    };
    match plain(encoding).as_str() {
        "utf8" => Ok(Value::bytes(text)),
        "ascii" | "usascii" => narrow(0x80),
        "latin1" | "iso88591" | "l1" | "cp1252" => narrow(0x100),
        "utf16le" => Ok(Value::bytes(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())),
        "utf16be" => Ok(Value::bytes(text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>())),
        "utf16" => {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            Ok(Value::bytes(units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()))
        }
        _ => raise("LookupError", format!("unknown encoding: {encoding}")),
    }
}

/// `bytes.decode(encoding, errors)`
pub fn decode(bytes: &[u8], encoding: &str, errors: &str) -> Res {
    match plain(encoding).as_str() {
        "utf8" => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Value::str(text)),
            Err(_) if errors == "replace" => Ok(Value::str(String::from_utf8_lossy(bytes))),
            Err(_) if errors == "ignore" => {
                Ok(Value::str(String::from_utf8_lossy(bytes).replace('\u{fffd}', "")))
            }
            Err(error) => {
                raise("UnicodeDecodeError", format!("invalid utf-8 at byte {}", error.valid_up_to()))
            }
        },
        "ascii" | "usascii" => match bytes.iter().position(|byte| *byte >= 0x80) {
            None => Ok(Value::str(latin1(bytes))),
            Some(_) if errors == "ignore" => Ok(Value::str(
                bytes.iter().filter(|byte| **byte < 0x80).map(|byte| char::from(*byte)).collect::<String>(),
            )),
            Some(at) => raise("UnicodeDecodeError", format!("byte {at} is not ascii")),
        },
        "latin1" | "iso88591" | "l1" | "cp1252" => Ok(Value::str(latin1(bytes))),
        "utf16le" | "utf16be" | "utf16" => {
            let little = plain(encoding) != "utf16be";
            let units = bytes.chunks_exact(2).map(|pair| {
                if little {
                    u16::from_le_bytes([pair[0], pair[1]])
                } else {
                    u16::from_be_bytes([pair[0], pair[1]])
                }
            });
            let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
            Ok(Value::str(text.trim_start_matches('\u{feff}')))
        }
        _ => raise("LookupError", format!("unknown encoding: {encoding}")),
    }
}

/// Hexadecimal digits to bytes.
pub fn unhex(digits: &[u8]) -> Res<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return raise("binascii.Error", "odd number of hexadecimal digits");
    }
    digits
        .chunks(2)
        .map(|pair| match (char::from(pair[0]).to_digit(16), char::from(pair[1]).to_digit(16)) {
            (Some(high), Some(low)) => Ok((high * 16 + low) as u8),
            _ => raise("ValueError", "non-hexadecimal number found"),
        })
        .collect()
}

/// Bytes to hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        _ = write!(out, "{byte:02x}");
        out
    })
}

impl Vm<'_> {
    /// `bytes.name(args)`
    pub fn bytes_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let bytes = self.bytes_of(value)?.into_owned();
        let part = |vm: &Self, index: usize| -> Res<Vec<u8>> {
            match args.need(index, "sub")? {
                Value::Int(byte) => Ok(vec![*byte as u8]),
                other => Ok(vm.bytes_of(other)?.into_owned()),
            }
        };
        let window = |vm: &Self| -> Res<(usize, usize)> {
            let len = bytes.len() as i64;
            let bound = |value: Option<&Value>, default: i64| -> Res<i64> {
                match value {
                    None | Some(Value::None) => Ok(default),
                    Some(value) => {
                        let value = vm.want_int(value)?;
                        Ok(if value < 0 { (value + len).max(0) } else { value.min(len) })
                    }
                }
            };
            Ok((bound(args.pos.get(1), 0)? as usize, bound(args.pos.get(2), len)? as usize))
        };
        Ok(match name {
            M::decode => {
                let encoding = match args.get(0, "encoding") {
                    Some(value) => self.want_text(value)?,
                    None => "utf-8".into(),
                };
                let errors = match args.get(1, "errors") {
                    Some(value) => self.want_text(value)?,
                    None => "strict".into(),
                };
                decode(&bytes, &encoding, &errors)?
            }
            M::hex => Value::str(hex(&bytes)),
            M::startswith => Value::Bool(bytes.starts_with(&part(self, 0)?)),
            M::endswith => Value::Bool(bytes.ends_with(&part(self, 0)?)),
            M::find | M::index => {
                let (start, end) = window(self)?;
                match find_bytes(&bytes, &part(self, 0)?, start, end) {
                    Some(at) => Value::Int(at as i64),
                    None if name == M::find => Value::Int(-1),
                    None => return raise("ValueError", "subsection not found"),
                }
            }
            M::rfind | M::rindex => {
                let part = part(self, 0)?;
                match bytes.windows(part.len().max(1)).rposition(|window| window == part) {
                    Some(at) => Value::Int(at as i64),
                    None if name == M::rfind => Value::Int(-1),
                    None => return raise("ValueError", "subsection not found"),
                }
            }
            M::count => {
                let part = part(self, 0)?;
                let (mut at, mut count) = (0, 0);
                while let Some(found) = find_bytes(&bytes, &part, at, bytes.len()) {
                    count += 1;
                    at = found + part.len().max(1);
                }
                Value::Int(count)
            }
            M::replace => {
                let (from, to) = (part(self, 0)?, part(self, 1)?);
                let (mut out, mut at) = (Vec::new(), 0);
                while let Some(found) =
                    (!from.is_empty()).then(|| find_bytes(&bytes, &from, at, bytes.len())).flatten()
                {
                    out.extend_from_slice(&bytes[at..found]);
                    out.extend_from_slice(&to);
                    at = found + from.len();
                }
                out.extend_from_slice(&bytes[at..]);
                Value::bytes(out)
            }
            M::join => {
                let items = self.items(args.need(0, "iterable")?)?;
                let mut out = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.extend_from_slice(&bytes);
                    }
                    out.extend_from_slice(&self.bytes_of(item)?);
                }
                Value::bytes(out)
            }
            M::ljust | M::rjust | M::zfill | M::center => {
                let width = self.want_int(args.need(0, "width")?)?.clamp(0, 1 << 26) as usize;
                let fill = match args.pos.get(1) {
                    Some(value) => self.bytes_of(value)?.first().copied().unwrap_or(b' '),
                    None if name == M::zfill => b'0',
                    None => b' ',
                };
                let missing = width.saturating_sub(bytes.len());
                let left = match name {
                    M::ljust => 0,
                    M::center => missing / 2,
                    _ => missing,
                };
                let mut out = vec![fill; left];
                out.extend_from_slice(&bytes);
                out.resize(out.len() + missing - left, fill);
                Value::bytes(out)
            }
            M::strip | M::lstrip | M::rstrip => {
                let chars = match args.pos.first() {
                    Some(Value::None) | None => b" \t\n\r\x0b\x0c".to_vec(),
                    Some(value) => self.bytes_of(value)?.into_owned(),
                };
                let keep = |byte: &u8| !chars.contains(byte);
                let start =
                    if name == M::rstrip { 0 } else { bytes.iter().position(keep).unwrap_or(bytes.len()) };
                let end = if name == M::lstrip {
                    bytes.len()
                } else {
                    bytes.iter().rposition(keep).map_or(start, |at| at + 1)
                };
                Value::bytes(&bytes[start..end.max(start)])
            }
            M::upper => Value::bytes(bytes.to_ascii_uppercase()),
            M::lower => Value::bytes(bytes.to_ascii_lowercase()),
            M::isdigit => Value::Bool(!bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)),
            M::isalpha => Value::Bool(!bytes.is_empty() && bytes.iter().all(u8::is_ascii_alphabetic)),
            M::isalnum => Value::Bool(!bytes.is_empty() && bytes.iter().all(u8::is_ascii_alphanumeric)),
            M::isspace => Value::Bool(!bytes.is_empty() && bytes.iter().all(u8::is_ascii_whitespace)),
            M::isascii => Value::Bool(bytes.is_ascii()),
            M::split
            | M::rsplit
            | M::partition
            | M::rpartition
            | M::splitlines
            | M::removeprefix
            | M::removesuffix
            | M::title
            | M::capitalize
            | M::swapcase => {
                // Through Latin-1, where a byte is a character.
                let text = latin1(&bytes).into();
                let args = Args::of(args.pos.iter().map(|value| match value.buffer() {
                    Some(bytes) => Value::str(latin1(&bytes)),
                    None => value.clone(),
                }));
                let result = self.str_method(&text, name, &args)?;
                let narrow = |value: &Value| match value {
                    Value::Str(text) => {
                        Value::bytes(text.chars().map(|c| c as u32 as u8).collect::<Vec<u8>>())
                    }
                    other => other.clone(),
                };
                match &result {
                    Value::List(items) => Value::list(items.borrow().iter().map(narrow).collect()),
                    Value::Tuple(items) => Value::tuple(items.iter().map(narrow).collect::<Vec<_>>()),
                    other => narrow(other),
                }
            }
            _ => return missing(value, name),
        })
    }

    /// `bytearray.name(args)`
    pub fn bytearray_method(&mut self, value: &Value, name: M, args: &Args) -> Res {
        let Value::ByteArray(bytes) = value else { return missing(value, name) };
        match name {
            M::append => bytes.borrow_mut().push(super::collections::byte(args.need(0, "item")?)?),
            M::extend => {
                let more = self.make_bytes(args.need(0, "items")?)?;
                let more = self.bytes_of(&more)?;
                bytes.borrow_mut().extend_from_slice(&more);
            }
            M::clear => bytes.borrow_mut().clear(),
            M::reverse => bytes.borrow_mut().reverse(),
            M::pop => {
                return match bytes.borrow_mut().pop() {
                    Some(byte) => Ok(Value::Int(i64::from(byte))),
                    None => raise("IndexError", "pop from empty bytearray"),
                };
            }
            M::insert => {
                let (at, item) = (self.want_int(args.need(0, "index")?)?, args.need(1, "item")?);
                let mut bytes = bytes.borrow_mut();
                let at = (at.max(0) as usize).min(bytes.len());
                bytes.insert(at, super::collections::byte(item)?);
            }
            _ => return self.bytes_method(value, name, args),
        }
        Ok(Value::None)
    }
}
