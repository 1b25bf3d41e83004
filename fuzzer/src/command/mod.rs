//! The subcommands of `waypoint`, a file each.
mod counters;
mod records;
mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand, error::ErrorKind};
use waypoint_grammar::cli;

use crate::cli::parse;

/// Waypoint's tools for what needs no running target; to fuzz, run the binary that `waypoint-cc -fsanitize=fuzzer` made
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Counters(counters::Counters),
    Report(report::Report),
    Generate(cli::Generate),
    Parse(cli::Parse),
    Mutate(cli::Mutate),
    Check(cli::Check),
    Convert(cli::Convert),
}

impl Command {
    fn run(&self) -> Result<()> {
        match self {
            Self::Counters(command) => command.run(),
            Self::Report(command) => command.run(),
            Self::Generate(command) => command.run(),
            Self::Parse(command) => command.run(),
            Self::Mutate(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Convert(command) => command.run(),
        }
    }
}

/// Runs the subcommand that the command line names.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let asked =
                !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
            if asked {
                let _ = error.print();
            } else {
                eprintln!("waypoint: {}", parse::sentence(&error));
            }
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("waypoint: {error:#}");
            ExitCode::FAILURE
        }
    }
}
