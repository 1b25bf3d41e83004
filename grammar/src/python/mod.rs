//! The Python of a spec: lowered at load, run over trees.
#![allow(
    bindings_with_variant_name,
    reason = "`Method` has Python's names, of which `name` and `value` are some"
)]
pub mod builtins;
pub mod bytes;
pub mod code;
pub mod collections;
mod comparing;
pub mod error;
#[cfg(feature = "python")]
pub mod foreign;
pub mod format;
pub mod lists;
pub mod lower;
pub mod methods;
pub mod modules;
pub mod names;
pub mod native;
pub mod ops;
mod template;
pub mod text;
pub mod trees;
pub mod value;
pub mod vm;
