//! The plan: the command line resolved and checked against the world, so that nothing later can be a usage error.
use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Result, bail, ensure};
use waypoint_domains::{ALL_DOMAINS, Domain};

use crate::{
    cli::args::Args,
    dict,
    instance::Instance,
    seeds::{self, Seed},
};

/// The longest input a user may ask for: lengths are 32 bits in the journal.
const LARGEST_MAX_LEN: u64 = 1 << 30;
/// What is tried at least, unless the user says less.
const SMALLEST_DEFAULT_MAX_LEN: u64 = 4096;

/// What to do.
#[derive(Debug)]
pub enum Plan {
    /// Explain the domains.
    ListDomains,
    /// Run each of these files once.
    Replay(ReplayPlan),
    /// Fuzz.
    Fuzz(Box<FuzzPlan>),
}

/// What a replay needs to know.
#[derive(Debug)]
pub struct ReplayPlan {
    /// The inputs.
    pub files: Vec<PathBuf>,
    /// How long one run may take.
    pub timeout: Duration,
}

/// What a campaign needs to know.
#[derive(Debug)]
pub struct FuzzPlan {
    /// The seeds, smallest first.
    pub seeds: Vec<Seed>,
    /// One line a thing the user should know about the seeds.
    pub remarks: Vec<String>,
    /// `OUT/NAME`.
    pub instance: Instance,
    /// The domains that guide, `cov` first.
    pub domains: Vec<&'static Domain>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// After how many runs to stop.
    pub max_runs: Option<u64>,
    /// Where the random numbers start.
    pub seed: u64,
    /// The longest input to make.
    pub max_len: usize,
    /// How long one run may take.
    pub timeout: Duration,
    /// How much memory a worker may take, in bytes.
    pub rss_limit: u64,
    /// The dictionary.
    pub tokens: Vec<Vec<u8>>,
    /// Whether the first finding ends the campaign.
    pub stop_on_finding: bool,
    /// Who is told what happens.
    pub telling: Telling,
}

/// Who is told what happens, beside the person at the terminal.
#[derive(Debug)]
pub struct Telling {
    /// Events as JSON on standard output.
    pub json: bool,
    /// Findings as SARIF in this file.
    pub sarif: Option<PathBuf>,
    /// The person hears of findings and errors only.
    pub quiet: bool,
}

impl Telling {
    /// A machine listens, which goes by the exit code.
    pub fn to_a_machine(&self) -> bool {
        self.json || self.sarif.is_some()
    }
}

impl Plan {
    /// Resolves what the user wrote.
    pub fn new(args: Args) -> Result<Self> {
        let domains = domains(&args.domain)?;
        if args.list_domains {
            return Ok(Self::ListDomains);
        }
        if !args.files.is_empty() {
            for file in &args.files {
                ensure!(
                    !file.is_dir(),
                    "{0} is a directory; to fuzz from it, write `-i {0} -o OUT`",
                    file.display()
                );
            }
            return Ok(Self::Replay(ReplayPlan { files: args.files, timeout: args.timeout }));
        }
        let Some(output) = &args.output else {
            bail!("nothing to do: fuzz with `-i SEEDS -o OUT`, replay with `FILE...`, or see `--help`");
        };
        let tokens = args.dict.as_deref().map(dict::load).transpose()?.unwrap_or_default();
        let limit = args.max_len.unwrap_or(seeds::SIZE_CAP);
        ensure!(
            (1..=LARGEST_MAX_LEN).contains(&limit),
            "--max-len must be between 1 and {LARGEST_MAX_LEN}, not {limit}"
        );
        let instance = Instance::open(output, &args.name)?;
        let found = starting_points(args.input.as_deref(), &instance, limit)?;
        let longest = found.seeds.iter().map(Seed::len).max().unwrap_or(0);
        let max_len = args.max_len.unwrap_or(longest.max(SMALLEST_DEFAULT_MAX_LEN));
        Ok(Self::Fuzz(Box::new(FuzzPlan {
            seeds: found.seeds,
            remarks: found.remarks,
            instance,
            domains,
            max_time: args.max_time,
            max_runs: args.runs,
            seed: args.seed.unwrap_or_else(clock_seed),
            max_len: max_len as usize,
            timeout: args.timeout,
            rss_limit: args.rss_limit,
            tokens,
            stop_on_finding: args.stop_on_finding,
            telling: Telling { json: args.json, sarif: args.sarif, quiet: args.quiet },
        })))
    }
}

/// What an earlier campaign kept, then the seeds. `-i -` means that there must be an earlier campaign.
fn starting_points(input: Option<&Path>, instance: &Instance, limit: u64) -> Result<seeds::Found> {
    let resume_only = input == Some(Path::new("-"));
    if instance.earlier.is_empty() {
        ensure!(!resume_only, "there is no campaign to resume in {}", instance.dir.display());
        return seeds::find(input, limit);
    }
    let n = instance.earlier.len();
    let mut found = seeds::Found {
        seeds: instance.earlier.iter().cloned().map(Seed::Earlier).collect(),
        remarks: vec![format!("resuming the campaign in {}: {n} inputs", instance.dir.display())],
    };
    if let Some(input) = input.filter(|_| !resume_only) {
        let given = seeds::find(Some(input), limit)?;
        found.seeds.extend(given.seeds);
        found.remarks.extend(given.remarks);
    }
    Ok(found)
}

/// The domains of these names, coverage first.
fn domains(names: &[String]) -> Result<Vec<&'static Domain>> {
    let mut domains = vec![ALL_DOMAINS[0]];
    for name in names.iter().filter(|name| !name.is_empty()) {
        let Some(domain) = waypoint_domains::find(name) else {
            let known = ALL_DOMAINS.iter().map(|domain| domain.name);
            let near = waypoint_domains::nearest(name, known.clone());
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            bail!("there is no domain `{name}`{hint} (known: {})", known.collect::<Vec<_>>().join(", "));
        };
        if !domains.iter().any(|known| std::ptr::eq(*known, domain)) {
            domains.push(domain);
        }
    }
    Ok(domains)
}

/// A seed that differs from run to run.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32)
}
