//! The tools of a fuzzer binary: `./target TOOL ...`, a file each; their doc comments are their help.
mod aggregate;
mod cover;
mod distill;
mod limits;
pub mod minimize;
mod probe;
mod report;
mod show;
mod shrink;
mod tokens;
mod workers;

use std::{env, ffi::OsString, path::Path};

use anyhow::Result;
use clap::{Command, CommandFactory, Parser};

use crate::{cli::parse, sanitizers, worker::Target};

/// A tool.
struct Tool {
    command: fn() -> Command,
    run: fn(&[OsString], Target) -> Result<u8>,
}

const ALL: [Tool; 5] = [
    Tool {
        command: minimize::Minimize::command,
        run: |words, target| with(words, |args| minimize::run(&args, target)),
    },
    Tool {
        command: distill::Distill::command,
        run: |words, target| with(words, |args| distill::run(&args, target)),
    },
    Tool { command: show::Show::command, run: |words, target| with(words, |args| show::run(&args, target)) },
    Tool {
        command: report::Report::command,
        run: |words, target| with(words, |args| report::run(&args, target)),
    },
    Tool {
        command: tokens::TokensArgs::command,
        run: |words, target| with(words, |args| tokens::run(&args, target)),
    },
];

/// Runs the tool that the first argument names and says with which code to exit; nothing if it names none. A file of
/// that name can still be replayed, as `./NAME`.
pub fn run(target: Target) -> Option<Result<u8>> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let tool =
        ALL.iter().find(|tool| words.first().is_some_and(|first| (tool.command)().get_name() == first))?;
    Some((tool.run)(&words, target))
}

/// The tool whose name was meant by this word, if it was one.
pub fn nearest(word: &Path) -> Option<String> {
    let names: Vec<String> = ALL.iter().map(|tool| (tool.command)().get_name().to_owned()).collect();
    waypoint_domains::nearest(word.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
}

/// The tools, for `--help`.
pub fn help() -> String {
    let lines = ALL.iter().map(|tool| {
        let command = (tool.command)();
        format!("\n  {:<9} {}", command.get_name(), command.get_about().cloned().unwrap_or_default())
    });
    format!("Tools (`./target TOOL --help` says more):{}", lines.collect::<String>())
}

/// Calls `f` with what the user wrote behind the tool's name, the name included.
fn with<A: Parser>(words: &[OsString], f: impl FnOnce(A) -> Result<u8>) -> Result<u8> {
    let command = A::command();
    let name = format!("{} {}", parse::program(), command.get_name());
    let Some(args) = parse::parse::<A>(command.bin_name(name), words.iter().cloned())? else {
        return Ok(crate::EXIT_CLEAN);
    };
    sanitizers::set_options(false, None);
    f(args)
}
