//! `hashlib` and `zlib`
use std::cell::RefCell;
use std::rc::Rc;

use sha1::Digest as _;

use super::super::bytes::hex;
use super::super::error::{Res, raise};
use super::super::methods::missing;
use super::super::native::{Args, Method as M, Native, native};
use super::super::value::Value;
use super::super::vm::Vm;
use super::{Object, zlib};

macro_rules! hash {
    ($name:literal) => {
        native($name, |vm, args| {
            let data = match args.pos.first() {
                Some(value) => vm.bytes_of(value)?.into_owned(),
                None => Vec::new(),
            };
            Ok(Value::Object(Rc::new(Object::Hash($name, RefCell::new(data)))))
        })
    };
}

pub(super) static HASHLIB: [Native; 7] = [
    hash!("md5"),
    hash!("sha1"),
    hash!("sha224"),
    hash!("sha256"),
    hash!("sha384"),
    hash!("sha512"),
    native("new", |vm, args| {
        let name = vm.text_of(args.need(0, "name")?)?.into_owned();
        let rest = Args::of(args.pos[1..].iter().cloned());
        match HASHLIB.iter().find(|native| native.name == name) {
            Some(native) => (native.call)(vm, rest),
            None => raise("ValueError", format!("unsupported hash type {name}")),
        }
    }),
];

fn digest(algorithm: &str, data: &[u8]) -> Vec<u8> {
    match algorithm {
        "md5" => md5::Md5::digest(data).to_vec(),
        "sha1" => sha1::Sha1::digest(data).to_vec(),
        "sha224" => sha2::Sha224::digest(data).to_vec(),
        "sha384" => sha2::Sha384::digest(data).to_vec(),
        "sha512" => sha2::Sha512::digest(data).to_vec(),
        _ => sha2::Sha256::digest(data).to_vec(),
    }
}

pub(super) fn method(
    vm: &mut Vm<'_>,
    algorithm: &'static str,
    data: &RefCell<Vec<u8>>,
    this: &Value,
    name: M,
    args: &Args,
) -> Res {
    match name {
        M::digest => Ok(Value::bytes(digest(algorithm, &data.borrow()))),
        M::hexdigest => Ok(Value::str(hex(&digest(algorithm, &data.borrow())))),
        M::update => {
            let more = vm.bytes_of(args.need(0, "data")?)?;
            data.borrow_mut().extend_from_slice(&more);
            Ok(Value::None)
        }
        M::copy => Ok(Value::Object(Rc::new(Object::Hash(algorithm, data.clone())))),
        _ => missing(this, name),
    }
}

pub(super) fn crc32(vm: &mut Vm<'_>, args: &Args) -> Res {
    let start = match args.pos.get(1) {
        Some(value) => vm.want_int(value)? as u32,
        None => 0,
    };
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(&vm.bytes_of(args.need(0, "data")?)?);
    Ok(Value::Int(i64::from(hasher.finalize())))
}

pub(super) static ZLIB: [Native; 4] = [
    native("crc32", |vm, args| crc32(vm, &args)),
    native("adler32", |vm, args| {
        let (mut a, mut b) = (1u32, 0u32);
        for byte in vm.bytes_of(args.need(0, "data")?)?.iter() {
            a = (a + u32::from(*byte)) % 65521;
            b = (b + a) % 65521;
        }
        Ok(Value::Int(i64::from(b << 16 | a)))
    }),
    native("compress", |vm, args| {
        let level = match args.get(1, "level") {
            Some(value) => vm.want_int(value)?,
            None => 6,
        };
        let level = u32::try_from(level).unwrap_or(6).min(9);
        match zlib::compress(&vm.bytes_of(args.need(0, "data")?)?, level) {
            Ok(bytes) => Ok(Value::bytes(bytes)),
            Err(error) => raise("zlib.error", error),
        }
    }),
    native("decompress", |vm, args| match zlib::decompress(&vm.bytes_of(args.need(0, "data")?)?) {
        Ok(bytes) => Ok(Value::bytes(bytes)),
        Err(error) => raise("zlib.error", error),
    }),
];
