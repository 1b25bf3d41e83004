//! Reads `.fan` files: statements, rules, selectors; diagnostics point into them.
pub mod build;
pub mod rules;
pub mod selector;
pub mod settings;
pub mod source;
pub mod split;
