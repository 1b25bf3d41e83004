//! The language engine: `.fan` grammars with constraints, compiled and solved natively.
//!
//! A spec is read by `front`, which yields the grammar ([`ir`]) and a program of the spec's Python. Trees ([`tree`]) are
//! made by [`mod@generate`] and [`mod@parse`]. The crate knows neither LibAFL nor a target.
pub mod built_in;
pub mod cli;
pub mod convert;
pub mod coverage;
pub mod front;
pub mod generate;
pub mod ir;
pub mod mutate;
pub mod outside;
pub mod parse;
pub mod python;
pub mod reach;
pub mod regex;
pub mod rng;
pub mod select;
pub mod sizes;
pub mod solve;
pub mod spec;
#[doc(hidden)]
pub mod testing;
pub mod tree;
