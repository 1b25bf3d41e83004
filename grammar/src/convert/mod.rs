//! Grammars of other tools as `.fan` text.
mod antlr;
mod dtd;

pub use antlr::antlr;
pub use dtd::dtd;
