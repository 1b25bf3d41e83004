//! Reads a command line with clap, and tells mistakes as we tell all others: in one sentence with a remedy.
use std::{
    error::Error as _,
    ffi::OsString,
    num::{ParseFloatError, ParseIntError},
    path::Path,
};

use anyhow::{Result, anyhow};
use clap::{
    Command, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

/// The name by which the user called this program, without directories.
pub fn program() -> String {
    let first = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&first).file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.is_empty() { "target".to_owned() } else { name }
}

/// This program as the user called it, so that it can be called again.
pub fn called() -> String {
    std::env::args_os().next().map_or_else(|| "./target".into(), |word| word.to_string_lossy().into_owned())
}

/// A text in which `./target` stands for this program.
pub fn with_program(text: &str) -> String {
    text.replace("./target", &format!("./{}", program()))
}

/// What the user wrote; nothing if it was a question, which has been answered.
pub fn parse<A: Parser>(command: Command, words: impl IntoIterator<Item = OsString>) -> Result<Option<A>> {
    let parsed = command.try_get_matches_from(words).and_then(|matches| A::from_arg_matches(&matches));
    match parsed {
        Ok(args) => Ok(Some(args)),
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            Ok(None)
        }
        Err(error) => Err(anyhow!(sentence(&error))),
    }
}

/// A mistake in one sentence.
pub fn sentence(error: &clap::Error) -> String {
    let argument = context(error, ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::UnknownArgument if argument.strip_prefix('-').is_some_and(starts_with_digit) => {
            format!("`{argument}` is no option, and no value may be below 0 (--help lists both)")
        }
        ErrorKind::UnknownArgument => {
            let near = context(error, ContextKind::SuggestedArg);
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean `{near}`?") };
            format!("there is no option `{argument}`{hint} (--help lists them)")
        }
        ErrorKind::ValueValidation if error.source().is_some() => {
            let option = argument.split(' ').next().unwrap_or_default();
            let value = context(error, ContextKind::InvalidValue);
            match error.source() {
                Some(reason) if reason.is::<ParseIntError>() => {
                    format!("{option}: `{value}` is not a whole number, or too large; write one like 10")
                }
                Some(reason) if reason.is::<ParseFloatError>() => {
                    format!("{option}: `{value}` is not a number; write one like 0.5")
                }
                reason => format!("{option}: {}", reason.map(ToString::to_string).unwrap_or_default()),
            }
        }
        ErrorKind::InvalidValue if context(error, ContextKind::InvalidValue).is_empty() => {
            format!(
                "there is no value behind `{}`; write `{argument}`",
                argument.split(' ').next().unwrap_or_default()
            )
        }
        ErrorKind::MissingRequiredArgument => {
            format!("{argument} is missing; --help shows how it is written")
        }
        ErrorKind::ArgumentConflict => {
            let other = context(error, ContextKind::PriorArg);
            let other = if other == argument { "a second one".to_owned() } else { format!("`{other}`") };
            format!("`{argument}` does not go with {other}; leave one of them out")
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            format!("{first}; --help shows what can be written")
        }
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

/// What clap says about an error, without its brackets.
fn context(error: &clap::Error, kind: ContextKind) -> String {
    let text = match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(" and "),
        _ => String::new(),
    };
    text.replace(['<', '>', '[', ']'], "")
}
