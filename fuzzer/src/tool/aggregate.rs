//! Runs inputs one after the other and takes each into the aggregates, for the tools that tell what a corpus reaches.
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
};

use anyhow::{Context, Result, bail, ensure};
use waypoint_domains::ALL_DOMAINS;
use waypoint_runtime::dsf;

use super::{
    limits::Limits,
    probe::Probe,
    workers::{Outcome, Workers},
};
use crate::{
    changes::{self, ChangeArgs},
    guidance::{self, Choice},
    origin::{Op, Origin},
    say,
    seeds::{self, Seed},
    shared::{Note, Phase, Shared},
    worker::Target,
};

/// Where the aggregates stood when an input had been taken in.
#[derive(Debug, Clone)]
pub struct Step {
    /// The input's place among all.
    pub input: usize,
    /// How many counters had been reached.
    pub edges: u64,
    /// For each domain but coverage its best value and the number of its keys.
    pub domains: Vec<(u64, u64)>,
}

/// What the inputs reach together.
#[derive(Debug)]
pub struct Aggregated {
    /// The aggregates; holders are places among the inputs.
    pub shared: Shared,
    /// How they grew.
    pub steps: Vec<Step>,
    /// How many of the inputs are invalid, so that they count for coverage only.
    pub invalid: usize,
    /// The domains that the target registered.
    own: BTreeSet<String>,
}

/// The queues of a campaign's OUT, or of one instance in it; none if the directory is something else.
pub fn queues(path: &Path) -> BTreeSet<PathBuf> {
    let instances = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let queues = instances.chain([path.to_owned()]).map(|instance| instance.join("queue"));
    queues.filter(|queue| queue.is_dir()).collect()
}

/// The inputs at these paths, in the order of their names; those of a campaign's queue are in the order in which they
/// were kept.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Seed>> {
    let inputs = inputs_if_any(paths)?;
    ensure!(
        !inputs.is_empty(),
        "there is no input in {}; name one, or a directory that has some",
        paths[0].display()
    );
    Ok(inputs)
}

/// The same, where there may be none.
pub fn inputs_if_any(paths: &[PathBuf]) -> Result<Vec<Seed>> {
    let mut inputs = Vec::new();
    for path in paths {
        let queues = queues(path);
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
    inputs.sort_by_key(Seed::name);
    Ok(inputs)
}

/// Every domain that the target has events for, and those that it registers while it runs the inputs.
pub fn every_domain(
    inputs: &[Seed],
    target: Target,
    limits: Limits,
    changed: &ChangeArgs,
) -> Result<Vec<Choice>> {
    let possible = ALL_DOMAINS.iter().skip(1).filter(|domain| guidance::is_possible(domain));
    let possible = possible.filter(|domain| changed.are_given() || !changes::is_needed_by(domain));
    let mut names: Vec<String> = possible.map(|domain| domain.name.to_owned()).collect();
    let coverage = guidance::choose(&[], &[], true)?;
    names.extend(aggregate(inputs, target, &coverage, limits, |_, _| {})?.own);
    guidance::choose_all(&names, &[], true, changed)
}

/// Runs all inputs and takes each into the aggregates. `left_out` hears of those that cannot be, and why.
pub fn aggregate(
    inputs: &[Seed],
    target: Target,
    chosen: &[Choice],
    limits: Limits,
    mut left_out: impl FnMut(&Seed, &str),
) -> Result<Aggregated> {
    let longest = inputs.iter().map(Seed::len).max().unwrap_or(0) as usize;
    let mut workers = Workers::new(target, longest, chosen.len(), limits)?;
    workers.shared.control.overwrite_is_known.store(1, Relaxed);
    loop {
        match workers.run(|target, shared| take_all(target, shared, inputs, longest, chosen, limits))? {
            Outcome::Done => break,
            Outcome::Recycle => {}
            Outcome::Interrupted => bail!("interrupted"),
            Outcome::Died(finding) => {
                let culprit = &inputs[workers.shared.control.origin().parent as usize];
                left_out(culprit, &finding.headline());
            }
        }
    }
    let (mut steps, mut own, mut invalid) = (Vec::new(), BTreeSet::new(), 0);
    for entry in workers.shared.journal.entries() {
        if entry.note.id == NAME {
            own.insert(String::from_utf8_lossy(entry.input).into_owned());
        } else {
            steps.push(Step::unpack(entry.note.id as usize, entry.input));
            invalid += usize::from(entry.note.edges != 0);
        }
    }
    Ok(Aggregated { shared: workers.shared, steps, invalid, own })
}

/// Marks an entry of the journal that is the name of a domain.
const NAME: u32 = u32::MAX;

impl Step {
    fn pack(probe: &Probe, shared: Shared, n_domains: usize) -> Vec<u8> {
        let numbers = shared.control.domains[..n_domains].iter().skip(1);
        let domains = numbers.flat_map(|domain| [domain.best.load(Relaxed), domain.found.load(Relaxed)]);
        let edges = probe.maps.counters.found().0 as u64;
        [edges].into_iter().chain(domains).flat_map(u64::to_le_bytes).collect()
    }

    fn unpack(input: usize, bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (edges, domains) = words.split_first().map_or((0, &[][..]), |(edges, rest)| (*edges, rest));
        let (pairs, _) = domains.as_chunks::<2>();
        Self { input, edges, domains: pairs.iter().map(|[best, keys]| (*best, *keys)).collect() }
    }
}

fn take_all(
    target: Target,
    shared: Shared,
    inputs: &[Seed],
    longest: usize,
    chosen: &[Choice],
    limits: Limits,
) -> Result<Phase> {
    let control = shared.control;
    let mut probe = Probe::new(target, shared, longest, false, chosen, limits);
    let note = |id, origin, invalid: bool| Note { edges: invalid.into(), effort: 0, id, origin, domains: 0 };
    let mut has_run = false;
    loop {
        let n = control.seeds_started.load(Relaxed);
        let origin = Origin { parent: n as u32, op: Op::Seed, rep: 0 };
        let Some(seed) = inputs.get(n) else {
            // A worker whose inputs all went wrong knows of no domains.
            if let Some(name) = probe.maps.unknown().next().filter(|_| has_run) {
                bail!(guidance::no_such_domain(name));
            }
            for domain in dsf::all() {
                shared
                    .journal
                    .push(domain.name.as_bytes(), note(NAME, origin, false))
                    .context("too many domains")?;
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
        has_run = true;
        let step = Step::pack(&probe, shared, chosen.len());
        shared
            .journal
            .push(&step, note(n as u32, origin, probe.maps.invalid))
            .context("too many inputs for one report")?;
    }
}
