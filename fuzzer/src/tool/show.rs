//! `./target show`: what runs of inputs do in every domain, by key and source line.
use std::{
    collections::BTreeSet,
    io::{ErrorKind, Write},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde_json::json;
use waypoint_domains::ALL_DOMAINS;
use waypoint_runtime::dsf;

use super::{
    probe::Probe,
    workers::{Outcome, Workers},
};
use crate::{
    EXIT_CLEAN,
    cli::units,
    guidance::{self, Choice},
    origin::{Op, Origin},
    say,
    seeds::{self, Seed},
    shared::{Note, Phase, Shared},
    supervisor,
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
    let inputs = inputs(&args.paths)?;
    let mut names = args.domain.clone();
    if names.is_empty() {
        let compiled = guidance::compiled_events();
        let possible = ALL_DOMAINS.iter().skip(1).filter(|domain| compiled.contains(domain.events));
        names.extend(possible.map(|domain| domain.name.to_owned()));
        names.extend(own_domains(args, &inputs, target)?);
    }
    let chosen = guidance::choose(&names, &[], true)?;
    guidance::required_events(&chosen)?;
    let (shared, _) = run_all(args, &inputs, target, &chosen)?;
    match print(args, &inputs, &chosen, &shared) {
        // Whoever reads has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot print"),
        _ => Ok(EXIT_CLEAN),
    }
}

/// The inputs, in the order of their names; those of a campaign's queue are in the order in which they were kept.
fn inputs(paths: &[PathBuf]) -> Result<Vec<Seed>> {
    let mut inputs = Vec::new();
    for path in paths {
        let queues: BTreeSet<PathBuf> = path
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path().join("queue"))
            .chain([path.join("queue")])
            .filter(|queue| queue.is_dir())
            .collect();
        let places = if queues.is_empty() { vec![path.clone()] } else { queues.into_iter().collect() };
        for place in places {
            let found = seeds::find(Some(&place), u64::from(u32::MAX))?;
            let before = inputs.len();
            inputs.extend(found.seeds.into_iter().filter(|seed| matches!(seed, Seed::File(..))));
            // Of an empty place they would speak of the inputs that a campaign starts from without seeds.
            if inputs.len() > before {
                found.remarks.iter().for_each(|remark| say(remark));
            }
        }
    }
    ensure!(
        !inputs.is_empty(),
        "there is no input in {}; name one, or a directory that has some",
        paths[0].display()
    );
    inputs.sort_by_key(Seed::name);
    Ok(inputs)
}

/// The names of the domains that the target registers while it runs the inputs.
fn own_domains(args: &Show, inputs: &[Seed], target: Target) -> Result<Vec<String>> {
    let coverage = guidance::choose(&[], &[], true)?;
    let (_, names) = run_all(args, inputs, target, &coverage)?;
    Ok(names.into_iter().collect())
}

/// Runs all inputs and takes each into the aggregates. Also says which domains the target registered.
fn run_all(
    args: &Show,
    inputs: &[Seed],
    target: Target,
    chosen: &[Choice],
) -> Result<(Shared, BTreeSet<String>)> {
    let longest = inputs.iter().map(Seed::len).max().unwrap_or(0) as usize;
    let mut workers = Workers::new(target, longest, chosen.len(), args.timeout, args.rss_limit)?;
    workers.shared.control.overwrite_is_known.store(1, Relaxed);
    loop {
        match workers.run(|target, shared| take_all(target, shared, inputs, longest, chosen))? {
            Outcome::Done => break,
            Outcome::Recycle => {}
            Outcome::Interrupted => bail!("interrupted"),
            Outcome::Died(finding) => {
                // Twice if the target's own domains had to be found out first; once is enough.
                if chosen.len() > 1 || !args.domain.is_empty() {
                    let culprit = &inputs[workers.shared.control.origin().parent as usize];
                    say(&format!("left out {}: {}", culprit.name(), finding.headline()));
                }
            }
        }
    }
    let name = |entry: crate::shared::Entry| String::from_utf8_lossy(entry.input).into_owned();
    let names = workers.shared.journal.entries().map(name).collect();
    Ok((workers.shared, names))
}

fn take_all(
    target: Target,
    shared: Shared,
    inputs: &[Seed],
    longest: usize,
    chosen: &[Choice],
) -> Result<Phase> {
    let control = shared.control;
    let mut probe = Probe::new(target, shared, longest, false, chosen);
    loop {
        let n = control.seeds_started.load(Relaxed);
        let origin = Origin { parent: n as u32, op: Op::Seed, rep: 0 };
        let Some(seed) = inputs.get(n) else {
            if let Some(name) = probe.maps.unknown().next() {
                bail!(guidance::no_such_domain(name));
            }
            for domain in dsf::all() {
                let note = Note { edges: 0, id: 0, origin, domains: 0 };
                shared.journal.push(domain.name.as_bytes(), note).context("too many domains")?;
            }
            return Ok(Phase::Done);
        };
        if control.recycle.load(Relaxed) != 0 {
            return Ok(Phase::Recycle);
        }
        // Marked as started first: should it kill us, the next worker goes on behind it.
        control.seeds_started.store(n + 1, Relaxed);
        control.set_origin(origin);
        let bytes = seed.read().with_context(|| format!("cannot read {}", seed.name()))?;
        probe.run(&bytes)?;
        probe.maps.take(n as u32);
    }
}

fn print(args: &Show, inputs: &[Seed], chosen: &[Choice], shared: &Shared) -> std::io::Result<()> {
    let holder = |number: u32| inputs.get(number as usize).map_or_else(String::new, Seed::name);
    let mut domains = Vec::new();
    let mut out = std::io::stdout().lock();
    for (n, choice) in chosen.iter().enumerate().skip(1) {
        let Some(table) = shared.table(n) else { continue };
        let keys = guidance::describe(choice, table, shared.control.domains[n].a0.load(Relaxed));
        if args.json {
            domains.push(guidance::domain_json(choice.name(), &keys, &holder));
            continue;
        }
        let shown = keys.len().min(args.top);
        let rest = if shown < keys.len() { format!(", the first {shown}") } else { String::new() };
        writeln!(out, "{}: {} keys{rest}", choice.name(), keys.len())?;
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
