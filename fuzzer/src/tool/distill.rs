//! `./target distill`: the few inputs of a corpus that reach all that the whole corpus reaches.
use std::{
    collections::HashSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use waypoint_domains::{Reducer, bucket};

use super::{
    cover::{Candidate, cover},
    limits::Limits,
    probe::Probe,
    workers::{Outcome, Workers},
};
use crate::{
    EXIT_CLEAN,
    changes::ChangeArgs,
    cli::units,
    coverage::is_unstable,
    files,
    guidance::{self, Choice, Claim},
    origin::{Op, Origin},
    say,
    seeds::{self, Seed},
    shared::{Entry, Note, Phase, Shared},
    worker::Target,
};

/// Copy the few inputs of a corpus that reach all that the whole corpus reaches
///
/// Inputs that crash or hang are named and left out. The originals are left alone.
#[derive(Debug, Parser)]
#[command(name = "distill")]
pub struct Distill {
    /// The corpus: directories of inputs, or single ones
    #[arg(value_name = "DIR", required = true)]
    corpus: Vec<PathBuf>,

    /// Where copies of the chosen inputs go: a new or empty directory
    #[arg(short, long, value_name = "DIR2")]
    output: PathBuf,

    /// Longer inputs are left out
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "1M")]
    max_len: u64,

    /// A run longer than this is a hang
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1s")]
    timeout: Duration,

    /// Domains whose best values the chosen inputs must have as well, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    domain: Vec<String>,

    #[command(flatten)]
    changes: ChangeArgs,

    /// A worker that needs more memory than this is replaced; an input that needs more is left out
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "2G")]
    rss_limit: u64,
}

/// Does what the user asked for.
pub fn run(args: &Distill, target: Target) -> Result<u8> {
    let domains = guidance::choose_all(&args.domain, &[], true, &args.changes)?;
    guidance::remark(&domains).iter().for_each(|remark| say(remark));
    let inputs = inputs(args)?;
    prepare(&args.output)?;
    let longest = inputs.iter().map(Seed::len).max().unwrap_or(0) as usize;
    let limits = Limits::of_corpus(args.timeout, args.rss_limit);
    let mut workers = Workers::new(target, longest, domains.len(), limits)?;
    // Writing over its input is the target's habit, not a reason to leave an input out.
    workers.shared.control.overwrite_is_known.store(1, Relaxed);
    let mut left_out = 0;
    loop {
        match workers.run(|target, shared| judge(target, shared, &inputs, longest, &domains, limits))? {
            Outcome::Done => break,
            Outcome::Recycle => {}
            Outcome::Interrupted => bail!("interrupted; nothing was written to {}", args.output.display()),
            Outcome::Died(finding) => {
                left_out += 1;
                let culprit = &inputs[workers.shared.control.origin().parent as usize];
                say(&format!("left out {}: {}", culprit.shown(), finding.headline()));
            }
        }
    }
    ensure!(left_out < inputs.len(), "every input goes wrong, so none is chosen; name other inputs");
    ensure!(
        workers.shared.control.seeds_rejected.load(Relaxed) < inputs.len() as u64,
        "the harness rejects every input by returning -1, so that none is chosen; name other inputs"
    );
    let (numbers, candidates) = candidates(&workers.shared, &inputs, &domains);
    ensure!(
        !candidates.is_empty(),
        "no input reached any instrumented code; compile the code under test with waypoint-cc or waypoint-c++"
    );
    let chosen: Vec<&Seed> = cover(&candidates).into_iter().map(|index| &inputs[numbers[index]]).collect();
    let reached: HashSet<u64> =
        candidates.iter().flat_map(|candidate| candidate.reached.iter().copied()).collect();
    copy(&chosen, &args.output)?;
    say(&format!(
        "chose {} of {} inputs, {} of {} bytes, for {} counts of edges and best values; {left_out} left out, copies in {}",
        chosen.len(),
        inputs.len(),
        chosen.iter().map(|seed| seed.len()).sum::<u64>(),
        inputs.iter().map(Seed::len).sum::<u64>(),
        reached.len(),
        args.output.display()
    ));
    Ok(EXIT_CLEAN)
}

/// The inputs, smallest first.
fn inputs(args: &Distill) -> Result<Vec<Seed>> {
    let mut inputs = Vec::new();
    for path in &args.corpus {
        let found = seeds::find(Some(path), args.max_len)?;
        let files: Vec<Seed> =
            found.seeds.into_iter().filter(|seed| matches!(seed, Seed::File(..))).collect();
        ensure!(!files.is_empty(), "there is no input in {}; name a directory that has some", path.display());
        found.remarks.iter().for_each(|remark| say(remark));
        inputs.extend(files);
    }
    inputs.sort_by_key(|seed| (seed.len(), seed.name()));
    Ok(inputs)
}

/// Makes the output directory, or finds it empty.
pub(super) fn prepare(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)
        .with_context(|| format!("cannot make the directory {}; choose another -o", dir.display()))?;
    let mut entries = fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    ensure!(entries.next().is_none(), "{} is not empty; choose another -o, or empty it", dir.display());
    Ok(())
}

/// In a worker: runs the inputs that no worker has started yet, and writes those that reach something which no smaller
/// one reaches to the journal, with what they reach.
fn judge(
    target: Target,
    shared: Shared,
    inputs: &[Seed],
    longest: usize,
    domains: &[Choice],
    limits: Limits,
) -> Result<Phase> {
    let control = shared.control;
    let mut probe = Probe::new(target, shared, longest, false, domains, limits);
    loop {
        let n = control.seeds_started.load(Relaxed);
        let Some(seed) = inputs.get(n) else {
            return match probe.maps.unknown().next() {
                Some(name) => {
                    bail!(guidance::no_such_domain(name))
                }
                None => Ok(Phase::Done),
            };
        };
        if control.recycle.load(Relaxed) != 0 {
            return Ok(Phase::Recycle);
        }
        // Marked as started first: should it kill us, the next worker goes on behind it.
        control.seeds_started.store(n + 1, Relaxed);
        let origin = Origin { parent: n as u32, op: Op::Seed, rep: 0 };
        control.set_origin(origin);
        let bytes = seed.read().with_context(|| format!("cannot read {}", seed.shown()))?;
        let is_waypoint = probe.run(&bytes)?;
        control.seeds_rejected.fetch_add(probe.maps.rejected.into(), Relaxed);
        if !is_waypoint || !probe.confirm(&bytes)? {
            continue;
        }
        let record = Record { reached: probe.maps.counters.reached(), values: probe.maps.values() }.encode();
        let note = Note { edges: probe.maps.counters.edges(), effort: 0, id: n as u32, origin, domains: 0 };
        let kept = shared.journal.push(&record, note);
        kept.context("the corpus is too large to be distilled at once; distil parts of it first")?;
        probe.maps.take(n as u32);
    }
}

/// What the workers wrote to the journal: numbers of inputs, and what each is worth.
fn candidates(shared: &Shared, inputs: &[Seed], domains: &[Choice]) -> (Vec<usize>, Vec<Candidate>) {
    let best = guidance::best_values(domains, shared);
    let candidate = |entry: Entry| {
        let number = entry.note.origin.parent as usize;
        let record = Record::decode(entry.input);
        // What turned out to be noise since then counts no more.
        let steady = record.reached.into_iter().filter(|reached| !is_unstable(shared.aggregates, *reached));
        let held = record.values.into_iter().filter_map(|value| worth(value, domains, shared, &best));
        let cost = inputs[number].len() + u64::from(entry.note.edges);
        (number, Candidate { cost, reached: steady.map(u64::from).chain(held).collect() })
    };
    shared.journal.entries().map(candidate).unzip()
}

/// What a value is worth keeping for: that it is the best of its key, or where buckets are collected, its bucket.
fn worth(claim: Claim, domains: &[Choice], shared: &Shared, best: &HashSet<Claim>) -> Option<u64> {
    let reducer = domains.get(claim.domain)?.built_in().map(|domain| domain.reducer);
    let Some(Reducer::BucketUnion) = reducer else {
        return best.contains(&claim).then(|| token(claim));
    };
    let steady = !shared.table(claim.domain)?.is_unstable(claim.key);
    let number = u64::from(bucket(claim.value).trailing_zeros()) + 1;
    (steady && claim.value != 0).then(|| token(claim) | number << 40)
}

/// A key of a domain as a number that is none of a counter.
fn token(claim: Claim) -> u64 {
    (claim.domain as u64) << 48 | claim.key as u64
}

/// What an input reached, as it stands in the journal.
struct Record {
    reached: Vec<u32>,
    values: Vec<Claim>,
}

impl Record {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = (self.reached.len() as u64).to_le_bytes().to_vec();
        bytes.extend(self.reached.iter().flat_map(|key| key.to_le_bytes()));
        for Claim { domain, key, value } in &self.values {
            [*domain as u64, *key as u64, *value].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        let (count, rest) = bytes.split_at(8);
        let (reached, values) = rest.split_at(word(count) as usize * 4);
        let reached =
            reached.chunks_exact(4).map(|key| key.try_into().map_or(0, u32::from_le_bytes)).collect();
        let claim = |words: &[u8]| {
            let [domain, key, value] = [0, 8, 16].map(|at| word(&words[at..at + 8]));
            Claim { domain: domain as usize, key: key as usize, value }
        };
        Self { reached, values: values.chunks_exact(24).map(claim).collect() }
    }
}

/// Copies the inputs under their names; of two with one name the second gets a number.
fn copy(chosen: &[&Seed], dir: &Path) -> Result<()> {
    let mut taken: HashSet<OsString> = HashSet::new();
    for seed in chosen {
        let Seed::File(path, _) = seed else { continue };
        let plain = path.file_name().unwrap_or_default();
        let mut name = plain.to_owned();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = plain.to_owned();
            name.push(format!("-{number}"));
        }
        let bytes = seed.read().with_context(|| format!("cannot read {}", path.display()))?;
        files::write_alone(&dir.join(name), &bytes)?;
    }
    Ok(())
}
