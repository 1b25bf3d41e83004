//! `./target minimize`: makes an input smaller while it stays what it is.
//!
//! The search goes on in a worker until a candidate kills it; the supervisor, which reads every answer from the
//! journal, judges the death and lets the next worker go on from there.
use std::{
    ffi::OsString,
    fs,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

use super::{
    limits::Limits,
    probe::Probe,
    shrink::Shrink,
    workers::{Outcome, Workers},
};
use crate::{
    EXIT_CLEAN,
    changes::ChangeArgs,
    cli::units,
    files,
    guidance::{self, Choice},
    origin::{Op, Origin},
    report::signature::Signature,
    sanitizers, say,
    shared::{Note, Phase, Place, Shared},
    structure::{Language, shrink::TreeSearch},
    worker::Target,
};

/// Make an input smaller while it stays what it is
///
/// A finding stays of the same kind and in the same place; an input on which nothing goes wrong reaches the same code
/// as often, in orders of magnitude. The original is left alone.
#[derive(Debug, Parser)]
#[command(name = "minimize")]
pub struct Minimize {
    /// The input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where the smaller input goes, `-` for standard output [default: FILE.min]
    #[arg(short, long, value_name = "OUTFILE")]
    pub output: Option<PathBuf>,

    /// Stop after this many attempts
    #[arg(long, value_name = "N", default_value = "100000")]
    pub runs: u64,

    /// Stop after this time, e.g. 60s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub max_time: Option<Duration>,

    /// A run longer than this is a hang
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1s")]
    pub timeout: Duration,

    /// A run that needs more memory than this is out of memory
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "2G")]
    pub rss_limit: u64,

    /// A single allocation larger than this is refused, which is a finding [default: --rss-limit]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub malloc_limit: Option<u64>,

    /// Do not look for leaks, which are findings with AddressSanitizer
    #[arg(long)]
    pub no_leaks: bool,

    /// Domains in which an input on which nothing goes wrong must stay as good as it is, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub domain: Vec<String>,

    /// What changed in the source
    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Leave out parts of its tree first: a .fan file, or the name of a built-in grammar, as json
    #[arg(long, value_name = "GRAMMAR")]
    pub grammar: Option<PathBuf>,

    /// Refuse an input on which nothing goes wrong
    #[arg(long)]
    pub finding: bool,
}

/// What must stay.
#[derive(Debug, Clone)]
enum Nature {
    /// The finding of this signature.
    Finding(Signature),
    /// The counters reached, and their buckets.
    Harmless,
}

/// When to stop, at the latest, and what counts.
#[derive(Debug)]
struct Bounds {
    of_run: Limits,
    leaks: bool,
    domains: Vec<Choice>,
    language: Option<&'static Language>,
    runs: u64,
    end: Option<Instant>,
}

impl Bounds {
    fn of(args: &Minimize) -> Result<Self> {
        let leaks = !args.no_leaks && !sanitizers::leaks_are_switched_off();
        let domains = guidance::choose_all(&args.domain, &[], true, &args.changes)?;
        guidance::remark(&domains).iter().for_each(|remark| say(remark));
        let malloc_limit = args.malloc_limit.unwrap_or(args.rss_limit);
        let of_run = Limits::of_findings(args.timeout, args.rss_limit, malloc_limit);
        let language = args.grammar.as_deref().map(|written| Language::load(written, 0.0)).transpose()?;
        Ok(Self {
            of_run,
            leaks,
            domains,
            language,
            runs: args.runs,
            end: args.max_time.map(|time| Instant::now() + time),
        })
    }

    fn are_reached(&self, search: &Shrink) -> bool {
        search.calls() >= self.runs || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// The input itself runs, to find out what it is.
const REFERENCE: Origin = Origin { parent: 0, op: Op::Seed, rep: 0 };
/// An attempt runs.
const ATTEMPT: Origin = Origin { parent: 0, op: Op::Havoc, rep: 0 };
/// How often the input is run to tell its counters from noise.
const CONFIRMATIONS: usize = 4;

/// Does what the user asked for.
pub fn run(args: &Minimize, target: Target) -> Result<u8> {
    let file = args.file.display();
    let output = output(args)?;
    let input = fs::read(&args.file).with_context(|| files::cannot_read(&args.file))?;
    let limits = Bounds::of(args)?;
    let n = limits.domains.len();
    let mut workers = Workers::new(target, input.len(), n, limits.of_run)?;
    let (nature, name) =
        examine(&mut workers, &input, &limits).with_context(|| format!("cannot minimise {file}"))?;
    ensure!(
        !args.finding || matches!(nature, Nature::Finding(_)),
        "nothing goes wrong with {file}, so there is no finding to minimise"
    );
    if limits.language.is_some_and(|language| TreeSearch::new(language, &input).is_none()) {
        say(&format!("{file} does not fit the grammar, so only bytes are left out"));
    }
    let (search, interrupted) = search(&mut workers, &input, &nature, &limits)?;
    files::write_named(&output, search.best())?;
    let end = if interrupted {
        " (interrupted)"
    } else if search.candidate().is_some() {
        " (stopped by a limit)"
    } else {
        ""
    };
    say(&format!(
        "{file}: {name}; from {} to {} bytes in {} runs{end}, in {}",
        input.len(),
        search.best().len(),
        workers.shared.control.runs.load(Relaxed),
        output.display()
    ));
    Ok(EXIT_CLEAN)
}

/// Where the result goes. Only what the user names is ever overwritten.
fn output(args: &Minimize) -> Result<PathBuf> {
    if let Some(output) = &args.output {
        files::ensure_place(output)?;
        let same =
            matches!((output.canonicalize(), args.file.canonicalize()), (Ok(one), Ok(other)) if one == other);
        ensure!(!same, "{} is the input itself, which is left alone; give -o another name", output.display());
        return Ok(output.clone());
    }
    let mut name = OsString::from(&args.file);
    name.push(".min");
    let output = PathBuf::from(name);
    ensure!(
        output.symlink_metadata().is_err(),
        "{} exists; move it away, or say where to write with -o OUTFILE",
        output.display()
    );
    Ok(output)
}

/// What the input is, in a form to compare with and in words.
fn examine(workers: &mut Workers, input: &[u8], limits: &Bounds) -> Result<(Nature, String)> {
    let mut first: Option<Signature> = None;
    // A finding has to show twice, so that the search has something to go by.
    loop {
        let outcome = workers.run(|target, shared| {
            shared.control.set_origin(REFERENCE);
            let mut probe =
                Probe::new(target, shared, input.len(), limits.leaks, &limits.domains, limits.of_run);
            probe.run(input)?;
            for _ in 0..CONFIRMATIONS {
                probe.confirm(input)?;
            }
            Ok(Phase::Done)
        })?;
        match (outcome, &first) {
            (Outcome::Died(finding), None) => first = Some(finding.signature()),
            (Outcome::Died(finding), Some(signature)) if finding.signature().is_same(signature) => {
                return Ok((Nature::Finding(signature.clone()), finding.headline()));
            }
            (Outcome::Done | Outcome::Recycle, None) => return Ok((Nature::Harmless, "harmless".to_owned())),
            (Outcome::Interrupted, _) => bail!("interrupted"),
            _ => bail!("it did not end in the same way twice, so there is nothing to keep"),
        }
    }
}

/// Searches with one worker after the other; also says whether the user cut it short.
fn search(workers: &mut Workers, input: &[u8], nature: &Nature, limits: &Bounds) -> Result<(Shrink, bool)> {
    let mut search = Shrink::new(limits.language, input);
    let journal = workers.shared.journal;
    let mut place = Place::default();
    loop {
        let outcome =
            workers.run(|target, shared| attempt(target, shared, input, &mut search, nature, limits))?;
        journal.entries_from(&mut place).for_each(|entry| search.answer(entry.note.edges != 0));
        match outcome {
            Outcome::Done => return Ok((search, false)),
            Outcome::Interrupted => return Ok((search, true)),
            Outcome::Recycle => {}
            Outcome::Died(finding) => {
                if workers.shared.control.origin().op == REFERENCE.op {
                    bail!("the input works at times and at times ends in {}", finding.headline());
                }
                search.answer(
                    matches!(nature, Nature::Finding(signature) if finding.signature().is_same(signature)),
                );
            }
        }
    }
}

/// In a worker: tries what the search says, and writes every answer to the journal.
fn attempt(
    target: Target,
    shared: Shared,
    input: &[u8],
    search: &mut Shrink,
    nature: &Nature,
    limits: &Bounds,
) -> Result<Phase> {
    let control = shared.control;
    let mut probe = Probe::new(target, shared, input.len(), limits.leaks, &limits.domains, limits.of_run);
    let reference = match nature {
        Nature::Finding(_) => None,
        Nature::Harmless => {
            control.set_origin(REFERENCE);
            probe.run(input)?;
            probe.confirm(input)?;
            if let Some(name) = probe.maps.unknown().next() {
                bail!(guidance::no_such_domain(name));
            }
            Some((probe.maps.counters.reached(), probe.maps.values()))
        }
    };
    control.set_origin(ATTEMPT);
    while !limits.are_reached(search)
        && let Some(candidate) = search.candidate()
    {
        if control.recycle.load(Relaxed) != 0 {
            return Ok(Phase::Recycle);
        }
        probe.run(&candidate)?;
        // Still alive, so it is no longer the finding.
        let keeps = reference.as_ref().is_some_and(|(reached, values)| {
            probe.maps.counters.reached() == *reached && probe.maps.is_as_good_as(values)
        });
        let note = Note { edges: keeps.into(), effort: 0, id: 0, origin: ATTEMPT, domains: 0 };
        shared.journal.push(&[], note).context("too many attempts; give a smaller --runs")?;
        search.answer(keeps);
    }
    Ok(Phase::Done)
}
