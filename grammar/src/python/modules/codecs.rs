//! `binascii`, `base64` and the constants of `string`.
use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD, URL_SAFE};
use base64::{alphabet, engine::DecodePaddingMode};

use super::super::bytes::{hex, unhex};
use super::super::error::{Res, raise};
use super::super::native::{Args, Native, native};
use super::super::value::Value;
use super::super::vm::Vm;

/// Decoding as lenient as Python's: trailing bits do not matter.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

fn data(vm: &Vm<'_>, args: &Args) -> Res<Vec<u8>> {
    match args.need(0, "s")? {
        Value::Str(text) => Ok(text.as_bytes().to_vec()),
        other => Ok(vm.bytes_of(other)?.into_owned()),
    }
}

fn decode64(bytes: &[u8]) -> Res {
    let clean: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .collect();
    match LENIENT.decode(clean) {
        Ok(bytes) => Ok(Value::bytes(bytes)),
        Err(error) => raise("binascii.Error", error.to_string()),
    }
}

fn base32(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut out = String::new();
    for chunk in bytes.chunks(5) {
        let mut block = [0; 8];
        block[3..3 + chunk.len()].copy_from_slice(chunk);
        let number = u64::from_be_bytes(block);
        let used = (chunk.len() * 8).div_ceil(5);
        for at in 0..8 {
            let digit = number >> (35 - 5 * at) & 31;
            out.push(if at < used { char::from(DIGITS[digit as usize]) } else { '=' });
        }
    }
    out
}

pub(super) static BASE64: [Native; 10] = [
    native("b64encode", |vm, args| Ok(Value::bytes(STANDARD.encode(data(vm, &args)?)))),
    native("standard_b64encode", |vm, args| Ok(Value::bytes(STANDARD.encode(data(vm, &args)?)))),
    native("urlsafe_b64encode", |vm, args| Ok(Value::bytes(URL_SAFE.encode(data(vm, &args)?)))),
    native("b64decode", |vm, args| decode64(&data(vm, &args)?)),
    native("standard_b64decode", |vm, args| decode64(&data(vm, &args)?)),
    native("urlsafe_b64decode", |vm, args| {
        let plain: Vec<u8> = data(vm, &args)?
            .into_iter()
            .map(|byte| match byte {
                b'-' => b'+',
                b'_' => b'/',
                other => other,
            })
            .collect();
        decode64(&plain)
    }),
    native("b16encode", |vm, args| Ok(Value::bytes(hex(&data(vm, &args)?).to_uppercase()))),
    native("b16decode", |vm, args| unhex(&data(vm, &args)?).map(Value::bytes)),
    native("b32encode", |vm, args| Ok(Value::bytes(base32(&data(vm, &args)?)))),
    native("encodebytes", |vm, args| {
        let mut out = String::new();
        for line in data(vm, &args)?.chunks(57) {
            out.push_str(&STANDARD.encode(line));
            out.push('\n');
        }
        Ok(Value::bytes(out))
    }),
];

pub(super) static BINASCII: [Native; 8] = [
    native("crc32", |vm, args| super::hashes::crc32(vm, &args)),
    native("hexlify", |vm, args| Ok(Value::bytes(hex(&data(vm, &args)?)))),
    native("b2a_hex", |vm, args| Ok(Value::bytes(hex(&data(vm, &args)?)))),
    native("unhexlify", |vm, args| unhex(&data(vm, &args)?).map(Value::bytes)),
    native("a2b_hex", |vm, args| unhex(&data(vm, &args)?).map(Value::bytes)),
    native("a2b_base64", |vm, args| decode64(&data(vm, &args)?)),
    native("b2a_base64", |vm, args| Ok(Value::bytes(STANDARD.encode(data(vm, &args)?) + "\n"))),
    native("crc_hqx", |vm, args| {
        let mut crc = match args.pos.get(1) {
            Some(value) => vm.want_int(value)? as u16,
            None => 0,
        };
        for byte in data(vm, &args)? {
            crc ^= u16::from(byte) << 8;
            for _ in 0..8 {
                crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
            }
        }
        Ok(Value::Int(i64::from(crc)))
    }),
];

pub(super) fn string_constant(name: &str) -> Option<Value> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    let upper = LOWER.to_uppercase();
    Some(Value::str(match name {
        "ascii_lowercase" => LOWER.to_owned(),
        "ascii_uppercase" => upper,
        "ascii_letters" => format!("{LOWER}{upper}"),
        "digits" => "0123456789".into(),
        "hexdigits" => "0123456789abcdefABCDEF".into(),
        "octdigits" => "01234567".into(),
        "punctuation" => PUNCTUATION.into(),
        "whitespace" => " \t\n\r\x0b\x0c".into(),
        "printable" => format!("0123456789{LOWER}{upper}{PUNCTUATION} \t\n\r\x0b\x0c"),
        _ => return None,
    }))
}
