//! `./target show`: what runs of inputs do in every domain, by key and source line.
use std::{
    io::{ErrorKind, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde_json::json;

use super::{aggregate, limits::Limits};
use crate::{
    EXIT_CLEAN,
    changes::ChangeArgs,
    cli::{parse, units},
    guidance::{self, Choice},
    say,
    seeds::Seed,
    shared::Shared,
    supervisor::{self, setup},
    worker::Target,
};

/// Show what inputs do in the domains, by key and source line
///
/// Of one input: its values. Of several, of a directory, or of a campaign's OUT: the best value of every key, and the
/// input that has it. Inputs that crash or hang are named and left out.
#[derive(Debug, Parser)]
#[command(name = "show")]
pub struct Show {
    /// Inputs, directories of inputs, or the OUT of a campaign
    #[arg(value_name = "FILE|OUT", required = true)]
    paths: Vec<PathBuf>,

    /// The domains to show, comma-separated [default: all that the target has events for, and its own]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    domain: Vec<String>,

    #[command(flatten)]
    changes: ChangeArgs,

    /// How many keys of each domain to show
    #[arg(long, value_name = "N", default_value = "20")]
    top: usize,

    /// Print all keys as JSON: {"domains":[{"name":..,"keys":[{"key":..,"where":..,"value":..,"holder":..}]}]}
    #[arg(long)]
    json: bool,

    /// A run longer than this is a hang
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    timeout: Duration,

    /// A worker that needs more memory than this is replaced; an input that needs more is left out
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "4G")]
    rss_limit: u64,
}

/// Does what the user asked for.
pub fn run(args: &Show, target: Target) -> Result<u8> {
    let inputs = aggregate::inputs(&args.paths)?;
    let limits = Limits::of_corpus(args.timeout, args.rss_limit);
    let chosen = match args.domain.as_slice() {
        [] => aggregate::every_domain(&inputs, target, limits, &args.changes)?,
        names => guidance::choose_all(names, &[], true, &args.changes)?,
    };
    guidance::remark(&chosen).iter().for_each(|remark| say(remark));
    let left_out = |input: &Seed, why: &str| say(&format!("left out {}: {why}", input.name()));
    let found = aggregate::aggregate(&inputs, target, &chosen, limits, left_out)?;
    ensure!(
        !found.steps.is_empty(),
        "every input goes wrong, so there is nothing to show; replay one for its stack: {} {}",
        setup::word(&parse::called()),
        setup::word(&inputs[0].shown())
    );
    if found.invalid > 0 {
        say(&format!(
            "{} of {} inputs invalid: an assumption of the target fails, so coverage is all they count for",
            found.invalid,
            found.steps.len()
        ));
    }
    match print(args, &inputs, &chosen, &found.shared) {
        // Whoever reads has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot print"),
        _ => Ok(EXIT_CLEAN),
    }
}

fn print(args: &Show, inputs: &[Seed], chosen: &[Choice], shared: &Shared) -> std::io::Result<()> {
    let holder = |number: u32| inputs.get(number as usize).map_or_else(String::new, Seed::name);
    let mut domains = Vec::new();
    let mut out = std::io::stdout().lock();
    for (n, choice) in chosen.iter().enumerate().skip(1) {
        let Some(table) = shared.table(n) else { continue };
        let keys = guidance::describe(choice, table, &shared.control.domains[n]);
        if args.json {
            domains.push(guidance::domain_json(choice.name(), &keys, &holder));
            continue;
        }
        let shown = keys.len().min(args.top);
        let rest = if shown < keys.len() { format!(", the first {shown}") } else { String::new() };
        let s = if keys.len() == 1 { "" } else { "s" };
        writeln!(out, "{}: {} key{s}{rest}", choice.name(), keys.len())?;
        let only_one = |_| String::new();
        let holder: &dyn Fn(u32) -> String = if inputs.len() == 1 { &only_one } else { &holder };
        for row in supervisor::domains::rows(&keys[..shown], holder) {
            writeln!(out, "{row}")?;
        }
    }
    if args.json {
        writeln!(out, "{}", json!({ "domains": domains }))?;
    }
    Ok(())
}
