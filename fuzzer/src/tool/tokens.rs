//! `./target tokens`: learns the tokens of the language that the target reads, and inputs made of them.
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Context, Error, Result, bail, ensure};
use clap::Parser;
use waypoint_runtime::objects;

use super::{
    distill::prepare,
    limits::Limits,
    probe::Probe,
    workers::{Outcome, Workers},
};
use crate::{
    EXIT_CLEAN,
    changes::ChangeArgs,
    cli::units,
    dict,
    engine::{
        answers::log::{Sides, Sites},
        tokens::{self, Counts, Halt, Prober, held},
    },
    files,
    guidance::{self, Choice},
    origin::{Op, Origin},
    say,
    seeds::{self, Seed},
    shared::{Note, Phase, Shared},
    worker::Target,
};

/// Only so many seeds, and only short ones, are gone on from.
const MOST_SEEDS: usize = 16;
const LONGEST_SEED: u64 = 128;
/// Longer inputs are never made.
const MAX_LEN: usize = 4096;
const DEFAULT_RUNS: u64 = 300_000;
/// Learning ends when it has learnt no token in as many runs as were made before, and so many more.
const GRACE: u64 = 50_000;
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Learn the tokens of the input's language, and inputs made of them, from nothing but runs
///
/// Writes DIR/tokens.dict, a dictionary for this and other fuzzers, and DIR/seeds, inputs that were read up to their end
/// and reach different code. Inputs that crash or hang are named and left out.
#[derive(Debug, Parser)]
#[command(name = "tokens")]
pub struct TokensArgs {
    /// Where the dictionary and the inputs go: a new or empty directory
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Inputs to go on from, the shortest of a directory or a single one [default: nothing]
    #[arg(short, long, value_name = "SEEDS")]
    input: Option<PathBuf>,

    /// Stop after this many runs, or when nothing is learnt any more [default: 300000]
    #[arg(long, value_name = "N", value_parser = units::count)]
    runs: Option<u64>,

    /// Stop after this time [default: 60s, or any with --runs]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    max_time: Option<Duration>,

    /// Seed of the order in which words are tried; with --runs the result can be repeated
    #[arg(long, value_name = "N", value_parser = units::number, default_value = "0")]
    seed: u64,

    /// A run longer than this is a hang
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1s")]
    timeout: Duration,

    /// A worker that needs more memory than this is replaced; an input that needs more is left out
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "2G")]
    rss_limit: u64,
}

impl TokensArgs {
    fn limits(&self) -> Limits {
        Limits::of_corpus(self.timeout, self.rss_limit)
    }
}

/// Does what the user asked for.
pub fn run(args: &TokensArgs, target: Target) -> Result<u8> {
    let domains = guidance::choose_all(&[], &[], true, &ChangeArgs::default())?;
    // Code that does nothing but end is not even instrumented.
    if objects::all().all(|object| object.functions().is_empty()) {
        ensure_some_run_ends_well(args, target, &domains)?;
    }
    guidance::ensure_traceable("learning tokens")?;
    let starts = starts(args)?;
    prepare(&args.output)?;
    let seeds = args.output.join("seeds");
    fs::create_dir(&seeds).with_context(|| format!("cannot make the directory {}", seeds.display()))?;
    let mut workers = Workers::new(target, MAX_LEN, domains.len(), args.limits())?;
    let learning = workers.shared.learning;
    let max_time = args.max_time.or(args.runs.is_none().then_some(DEFAULT_TIME));
    let end = max_time.map(|time| Instant::now() + time);
    let mut left_out = 0;
    while !learning.is_done() {
        match workers.run(|target, shared| learn(target, shared, args, &domains, &starts, end))? {
            Outcome::Done | Outcome::Recycle => {}
            Outcome::Interrupted => learning.finish(),
            Outcome::Died(finding) => {
                left_out += 1;
                say(&format!(
                    "left out {}: {}",
                    shown(tokens::without_end(&workers.shared.control.input())),
                    finding.headline()
                ));
            }
        }
    }
    if left_out > 0 && learning.runs() == left_out {
        ensure_some_run_ends_well(args, target, &domains).inspect_err(|_| {
            // So that the directory will do when the target is mended.
            let _ = fs::remove_dir(&seeds);
        })?;
    }
    let learnt = learning.tokens();
    dict::save(&args.output.join(dict::LEARNT), &learnt)?;
    let kept = save(&workers.shared, &seeds)?;
    say(&format!(
        "learnt {} tokens and {kept} inputs in {} runs; {left_out} left out, all in {}",
        learnt.len(),
        learning.runs(),
        args.output.display()
    ));
    Ok(EXIT_CLEAN)
}

/// Nothing can be learnt of a target that crashes, ends or hangs whatever it is given.
fn ensure_some_run_ends_well(args: &TokensArgs, target: Target, domains: &[Choice]) -> Result<()> {
    const PLAIN: [&[u8]; 3] = [b"", b"0", b"Waypoint"];
    let limits = args.limits();
    let mut workers = Workers::new(target, MAX_LEN, domains.len(), limits)?;
    workers.shared.control.overwrite_is_known.store(1, Relaxed);
    let mut last = None;
    for input in PLAIN {
        let outcome = workers.run(|target, shared| {
            Probe::new(target, shared, MAX_LEN, false, domains, limits).run(input)?;
            Ok(Phase::Done)
        })?;
        let Outcome::Died(finding) = outcome else { return Ok(()) };
        last = Some(finding.headline());
    }
    bail!(
        "every input is a finding, so nothing can be learnt; mend the target first: {}",
        last.unwrap_or_default()
    )
}

/// An input as it can be printed.
fn shown(input: &[u8]) -> String {
    format!("`{}`", input.escape_ascii())
}

/// The inputs to go on from.
fn starts(args: &TokensArgs) -> Result<Vec<Vec<u8>>> {
    let Some(input) = &args.input else { return Ok(Vec::new()) };
    let found = seeds::find(Some(input), LONGEST_SEED)?;
    let files = found.seeds.iter().filter(|seed| matches!(seed, Seed::File(..)) && seed.len() > 0);
    let read = |seed: &Seed| seed.read().with_context(|| format!("cannot read {}", seed.name()));
    let starts = files.take(MOST_SEEDS).map(read).collect::<Result<Vec<_>>>()?;
    ensure!(
        !starts.is_empty(),
        "{} has no input of 1 to {LONGEST_SEED} bytes to go on from; name shorter ones, or leave -i out",
        input.display()
    );
    Ok(starts)
}

/// Writes the kept inputs and says how many there are.
fn save(shared: &Shared, dir: &Path) -> Result<usize> {
    let mut written = HashSet::new();
    for entry in shared.journal.entries().filter(|entry| written.insert(entry.input)) {
        files::write_alone(&dir.join(format!("token-{:06}", entry.note.id)), entry.input)?;
    }
    Ok(written.len())
}

/// In a worker: learns, from the start if another one has died of an input, but without running that again.
fn learn(
    target: Target,
    shared: Shared,
    args: &TokensArgs,
    domains: &[Choice],
    starts: &[Vec<u8>],
    end: Option<Instant>,
) -> Result<Phase> {
    shared.learning.take_over(&shared.control.input());
    if shared.learning.is_done() {
        return Ok(Phase::Done);
    }
    let probe = Probe::new(target, shared, MAX_LEN, false, domains, args.limits());
    let max_runs = args.runs.unwrap_or(DEFAULT_RUNS);
    let known = shared.learning.tokens().len();
    let last = (known, shared.learning.runs());
    let mut prober = Learner { probe, shared, sites: Sites::default(), max_runs, end, known, last };
    match tokens::learn(&mut prober, tokens::letters(args.seed), starts.to_vec()) {
        Err(Halt::Failed(Stop::Recycle)) => return Ok(Phase::Recycle),
        Err(Halt::Failed(Stop::Trouble(error))) => return Err(error),
        Ok(()) | Err(Halt::Spent) => shared.learning.finish(),
    }
    Ok(Phase::Done)
}

/// Why a worker stops before all is learnt.
enum Stop {
    /// The supervisor wants another one.
    Recycle,
    Trouble(Error),
}

struct Learner {
    probe: Probe,
    shared: Shared,
    sites: Sites,
    max_runs: u64,
    end: Option<Instant>,
    /// So many tokens were learnt by a worker that died of an input, and have not been learnt again yet.
    known: usize,
    /// How many tokens were known, and how many runs had been made, when one was learnt last.
    last: (usize, u64),
}

impl Learner {
    /// Runs an input unless it is deadly; whether it was run, and is a waypoint.
    fn run(&mut self, input: &[u8]) -> Result<Option<bool>, Halt<Stop>> {
        let learning = self.shared.learning;
        if self.shared.control.recycle.load(Relaxed) != 0 {
            return Err(Halt::Failed(Stop::Recycle));
        }
        let runs = learning.runs();
        let is_in_vain = runs > self.last.1 * 2 + GRACE;
        if is_in_vain || runs >= self.max_runs || self.end.is_some_and(|end| Instant::now() >= end) {
            return Err(Halt::Spent);
        }
        if input.len() > MAX_LEN || !learning.begin_run(input) {
            return Ok(None);
        }
        self.shared.control.set_origin(Origin { parent: 0, op: Op::Token, rep: 1 });
        let run = self.probe.run(input);
        learning.end_run();
        run.map(Some).map_err(|error| Halt::Failed(Stop::Trouble(error)))
    }
}

impl Prober for Learner {
    type Error = Stop;

    fn read(&mut self, input: &[u8]) -> Result<Counts, Halt<Stop>> {
        let run = self.run(input)?;
        Ok(run.map(|_| self.probe.maps.counters.counts()).unwrap_or_default())
    }

    fn offer(&mut self, input: &[u8], complete: bool) -> Result<Counts, Halt<Stop>> {
        let Some(is_waypoint) = self.run(input)? else { return Ok(Counts::new()) };
        if is_waypoint && complete && !self.probe.maps.rejected {
            self.probe.maps.remember();
            self.run(input)?;
            self.probe.maps.confirm();
            if self.probe.maps.waypoint_in != 0 {
                let id = self.shared.journal.len() as u32;
                let origin = Origin { parent: 0, op: Op::Token, rep: 1 };
                self.probe.maps.take(id);
                let note = Note { edges: 0, effort: 0, id, origin, domains: 0 };
                let kept = self.shared.journal.push(input, note).context("too many inputs");
                kept.map_err(|error| Halt::Failed(Stop::Trouble(error)))?;
            }
        }
        Ok(self.probe.maps.counters.counts())
    }

    fn trace(&mut self, input: &[u8]) -> Result<Vec<((usize, usize), Sides)>, Halt<Stop>> {
        self.probe.maps.trace(true);
        let run = self.run(input);
        let log = self.sites.read(&self.probe.maps);
        self.probe.maps.trace(false);
        let comparisons = log.all.into_iter().map(|(made, sides)| (made.site, sides));
        run.map(|run| if run.is_some() { comparisons.collect() } else { Vec::new() })
    }

    fn texts(&mut self) -> Vec<Vec<u8>> {
        objects::texts().map(<[u8]>::to_vec).collect()
    }

    fn held(&mut self) -> Vec<Vec<u8>> {
        held::texts()
    }

    fn tell(&mut self, tokens: Vec<Vec<u8>>) {
        if tokens.len() > self.last.0 {
            self.last = (tokens.len(), self.shared.learning.runs());
        }
        if tokens.len() >= self.known {
            self.known = 0;
            self.shared.learning.set_tokens(&tokens);
        }
    }
}
