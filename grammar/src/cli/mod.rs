//! The subcommands of the language engine, one file each; their doc comments are the help.
mod check;
mod common;
mod convert;
mod generate;
mod mutate;
mod parse;
mod show;

pub use check::Check;
pub use convert::Convert;
pub use generate::Generate;
pub use mutate::Mutate;
pub use parse::Parse;
