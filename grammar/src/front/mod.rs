//! Reads `.fan` files: statements, rules, selectors; diagnostics point into them.
pub mod build;
mod facts;
pub mod rules;
pub mod selector;
pub mod settings;
pub mod source;
pub mod split;
