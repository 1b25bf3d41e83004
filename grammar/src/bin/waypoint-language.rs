//! The commands of the language engine without the rest of `waypoint`, to build it quickly.
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use waypoint_grammar::cli;

/// Waypoint's language engine
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(cli::Generate),
    Parse(cli::Parse),
    Mutate(cli::Mutate),
    Check(cli::Check),
    Convert(cli::Convert),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Generate(command) => command.run(),
        Command::Parse(command) => command.run(),
        Command::Mutate(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Convert(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("waypoint: {error:#}");
            ExitCode::FAILURE
        }
    }
}
