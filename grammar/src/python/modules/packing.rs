//! `struct`
use num_bigint::BigInt;
use smallvec::SmallVec;

use super::super::error::{Res, raise};
use super::super::lists::to_bytes;
use super::super::native::{Native, native};
use super::super::value::Value;

pub(super) static FUNCTIONS: [Native; 3] = [
    native("pack", |vm, args| {
        let (little, fields) = read(&vm.text_of(args.need(0, "format")?)?)?;
        let (mut out, mut next) = (SmallVec::<[u8; 32]>::new(), 1);
        for (kind, count) in fields {
            if kind == b's' {
                let mut bytes = vm.bytes_of(args.need(next, "value")?)?.into_owned();
                bytes.resize(count, 0);
                out.extend(bytes);
                next += 1;
                continue;
            }
            for _ in 0..count {
                if kind == b'x' {
                    out.push(0);
                    continue;
                }
                let value = args.need(next, "value")?;
                next += 1;
                let (size, signed) = shape(kind);
                match kind {
                    b'c' => out.extend_from_slice(&vm.bytes_of(value)?),
                    b'?' => out.push(u8::from(vm.truth(value)?)),
                    b'f' | b'd' | b'e' => {
                        let number = vm.want_float(value)?;
                        let bytes = if kind == b'f' {
                            (number as f32).to_be_bytes().to_vec()
                        } else {
                            number.to_be_bytes().to_vec()
                        };
                        if little { out.extend(bytes.into_iter().rev()) } else { out.extend(bytes) }
                    }
                    _ => {
                        if let Some(number) = small(value, size, signed) {
                            let bytes = &mut number.to_le_bytes()[..size];
                            if !little {
                                bytes.reverse();
                            }
                            out.extend_from_slice(bytes);
                            continue;
                        }
                        let number = match value {
                            Value::Tree(_) => vm.int_of(value)?,
                            other => other.clone(),
                        };
                        let Some(number) = number.as_big() else {
                            return raise("struct.error", "required argument is not an integer");
                        };
                        match to_bytes(&number, size, little, signed) {
                            Ok(bytes) => out.extend(bytes),
                            Err(_) => return raise("struct.error", "argument out of range"),
                        }
                    }
                }
            }
        }
        if next < args.pos.len() {
            return raise("struct.error", "too many arguments for pack");
        }
        Ok(Value::bytes(out))
    }),
    native("unpack", |vm, args| {
        let format = vm.text_of(args.need(0, "format")?)?.into_owned();
        let bytes = vm.bytes_of(args.need(1, "buffer")?)?.into_owned();
        let (little, fields) = read(&format)?;
        if size(&fields) != bytes.len() {
            return raise("struct.error", format!("unpack requires a buffer of {} bytes", size(&fields)));
        }
        let (mut out, mut at) = (Vec::new(), 0);
        for (kind, count) in fields {
            if kind == b's' {
                out.push(Value::bytes(&bytes[at..at + count]));
                at += count;
                continue;
            }
            for _ in 0..count {
                let (size, signed) = shape(kind);
                let mut raw = bytes[at..at + size].to_vec();
                at += size;
                if !little {
                    raw.reverse();
                }
                out.push(match kind {
                    b'x' => continue,
                    b'c' => Value::bytes(&raw),
                    b'?' => Value::Bool(raw[0] != 0),
                    b'f' => Value::Float(f64::from(f32::from_le_bytes(raw.try_into().unwrap_or_default()))),
                    b'd' => Value::Float(f64::from_le_bytes(raw.try_into().unwrap_or_default())),
                    _ if signed => Value::big(BigInt::from_signed_bytes_le(&raw)),
                    _ => Value::big(BigInt::from_bytes_le(num_bigint::Sign::Plus, &raw)),
                });
            }
        }
        Ok(Value::tuple(out))
    }),
    native("calcsize", |vm, args| {
        let format = vm.text_of(args.need(0, "format")?)?.into_owned();
        Ok(Value::Int(size(&read(&format)?.1) as i64))
    }),
];

/// An integer that fits so many bytes.
fn small(value: &Value, size: usize, signed: bool) -> Option<i64> {
    let Value::Int(number) = value else { return None };
    // One bit less than there are, so that signs need no thought.
    let most = 1i64.checked_shl(8 * size as u32 - u32::from(signed))?;
    ((0..most).contains(number)).then_some(*number)
}

/// Size in bytes and whether it is signed.
fn shape(kind: u8) -> (usize, bool) {
    let size = match kind {
        b'h' | b'H' => 2,
        b'i' | b'I' | b'l' | b'L' | b'f' => 4,
        b'q' | b'Q' | b'd' | b'n' | b'N' => 8,
        _ => 1,
    };
    (size, kind.is_ascii_lowercase())
}

fn size(fields: &[(u8, usize)]) -> usize {
    fields.iter().map(|(kind, count)| shape(*kind).0 * count).sum()
}

/// Kinds and counts of fields; most formats have few.
type Fields = SmallVec<[(u8, usize); 4]>;

/// Whether little-endian, and the fields with their counts.
fn read(format: &str) -> Res<(bool, Fields)> {
    let mut bytes = format.bytes().peekable();
    let little = match bytes.peek() {
        Some(b'>' | b'!') => {
            bytes.next();
            false
        }
        Some(b'<' | b'=' | b'@') => {
            bytes.next();
            true
        }
        _ => true,
    };
    let mut fields = Fields::new();
    let mut count: Option<usize> = None;
    for byte in bytes {
        match byte {
            b'0'..=b'9' => count = Some((count.unwrap_or(0) * 10 + usize::from(byte - b'0')).min(1 << 20)),
            b' ' => {}
            b'x' | b'c' | b'b' | b'B' | b'?' | b'h' | b'H' | b'i' | b'I' | b'l' | b'L' | b'q' | b'Q'
            | b'f' | b'd' | b's' => fields.push((byte, count.take().unwrap_or(1))),
            _ => return raise("struct.error", format!("bad char in struct format: {}", char::from(byte))),
        }
    }
    Ok((little, fields))
}
