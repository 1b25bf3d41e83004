//! Telling a person what happened: which function, which line, which kind of death.
pub mod finding;
pub mod leak;
pub mod names;
pub mod signature;
pub mod symbols;
