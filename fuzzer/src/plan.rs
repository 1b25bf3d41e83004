//! The plan: the command line resolved and checked against the world, so that nothing later can be a usage error.
mod learn;
mod libfuzzer;
mod rare;

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Result, bail, ensure};
use waypoint_domains::Event;
use waypoint_runtime::recording::Recording;

pub use learn::Learn;
pub use rare::Rare;

use crate::{
    changes::ChangeArgs,
    cli::args::Args,
    counted, dict,
    guidance::{self, Choice, Goal},
    instance::Instance,
    layout::Layout,
    report::finding::Kind,
    sanitizers,
    seeds::{self, Seed},
    shared::Control,
    structure::{Language, first},
    tool::{self, minimize::Minimize},
};

/// The longest input a user may ask for: lengths are 32 bits in the journal.
const LARGEST_MAX_LEN: u64 = 1 << 30;
/// What is tried at least, unless the user says less.
const SMALLEST_DEFAULT_MAX_LEN: u64 = 4096;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1);
const DEFAULT_RSS_LIMIT: u64 = 2 << 30;
const DEFAULT_STALENESS: f64 = 0.0;

/// What to do.
#[derive(Debug)]
pub enum Plan {
    /// Explain the domains.
    ListDomains,
    /// Run each of these files.
    Replay(ReplayPlan),
    /// Make an input smaller.
    Minimize(Minimize),
    /// Fuzz.
    Fuzz(Box<FuzzPlan>),
}

/// What a replay needs to know.
#[derive(Debug)]
pub struct ReplayPlan {
    /// The inputs.
    pub files: Vec<PathBuf>,
    /// How often each is run.
    pub repeat: u64,
    /// How long one run may take.
    pub timeout: Duration,
    /// How much memory a run may take, in bytes; 0 is any.
    pub rss_limit: u64,
    /// The largest allocation that is not refused, where allocations are recorded; 0 is any.
    pub malloc_limit: u64,
    /// Whether leaks are looked for, where they can be found.
    pub leaks: bool,
    /// Whether an allocation that the sanitizer refuses is out of memory, rather than a crash.
    pub allocations_are_limited: bool,
    /// Whether the exit code tells what kind of finding there was, as libFuzzer's does.
    pub kind_in_exit_code: bool,
    /// Whether to print libFuzzer's statistics at the end.
    pub final_stats: bool,
}

/// The kinds of findings that end a campaign.
#[derive(Debug, Clone, Copy)]
pub struct StopOn {
    /// Crashes and exits.
    pub crashes: bool,
    /// Hangs.
    pub hangs: bool,
    /// Runs that need too much memory.
    pub ooms: bool,
}

impl StopOn {
    /// All kinds or none.
    fn any(stop: bool) -> Self {
        Self { crashes: stop, hangs: stop, ooms: stop }
    }

    /// Whether a finding of this kind ends the campaign.
    pub fn includes(self, kind: Kind) -> bool {
        match kind {
            Kind::Crash(_) | Kind::Exit(_) | Kind::OverwritesInput | Kind::Leak => self.crashes,
            Kind::Hang => self.hangs,
            Kind::OutOfMemory | Kind::Refused => self.ooms,
            // Goals end it when all are met.
            Kind::Goal => false,
        }
    }
}

/// What a campaign needs to know.
#[derive(Debug)]
pub struct FuzzPlan {
    /// The seeds, smallest first.
    pub seeds: Vec<Seed>,
    /// One line a thing the user should know about the seeds.
    pub remarks: Vec<String>,
    /// Where everything goes.
    pub layout: Layout,
    /// The enabled domains, coverage first.
    pub domains: Vec<Choice>,
    /// When all of these are met it is over.
    pub goals: Vec<Goal>,
    /// The largest allocation that is not refused, where allocations are recorded.
    pub malloc_limit: Option<u64>,
    /// Whether comparisons are traced and answered.
    pub answers: bool,
    /// Whether rare branches are held on to.
    pub rare: Rare,
    /// How much may be spent on learning tokens, if they are to be learnt.
    pub learn: Option<Learn>,
    /// How much less often an entry is chosen that was chosen often in vain: sigma of definition 8, 0 for not at all.
    pub staleness: f64,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// After how many runs to stop.
    pub max_runs: Option<u64>,
    /// Whether all seeds are run, even if there are more of them than `max_runs`.
    pub all_seeds: bool,
    /// Where the random numbers start.
    pub seed: u64,
    /// The longest input to make.
    pub max_len: usize,
    /// How long one run may take.
    pub timeout: Duration,
    /// How much memory a worker may take, in bytes.
    pub rss_limit: u64,
    /// Whether leaks are looked for, where they can be found.
    pub leaks: bool,
    /// Whether an allocation that the sanitizer refuses is out of memory, rather than a crash.
    pub allocations_are_limited: bool,
    /// The dictionary.
    pub tokens: Vec<Vec<u8>>,
    /// The grammar by which inputs have structure.
    pub language: Option<&'static Language>,
    /// Which findings end the campaign.
    pub stop_on: StopOn,
    /// Whether the exit code tells the kind of finding, and an interruption, as libFuzzer's does.
    pub kind_in_exit_code: bool,
    /// Whether to print libFuzzer's statistics at the end.
    pub final_stats: bool,
    /// Who is told what happens.
    pub telling: Telling,
}

/// Who is told what happens, beside the person at the terminal.
#[derive(Debug, Default)]
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
        let domains = domains(&args.domain, &args.record, !args.no_coverage, &args.until, &args.changes)?;
        if args.list_domains {
            return Ok(Self::ListDomains);
        }
        if !args.files.is_empty() {
            if let Some(tool) =
                args.files.first().filter(|file| !file.exists()).and_then(|file| tool::nearest(file))
            {
                bail!("there is no file `{}`; the tool is called `{tool}`", args.files[0].display());
            }
            for file in &args.files {
                ensure!(
                    !file.is_dir(),
                    "{0} is a directory; to fuzz from it, write `-i {0} -o OUT`",
                    file.display()
                );
            }
            return Ok(Self::Replay(ReplayPlan {
                files: args.files,
                repeat: 1,
                timeout: args.timeout.unwrap_or(DEFAULT_TIMEOUT),
                rss_limit: args.rss_limit.unwrap_or(DEFAULT_RSS_LIMIT),
                malloc_limit: args.malloc_limit.or(args.rss_limit).unwrap_or(DEFAULT_RSS_LIMIT),
                leaks: !args.no_leaks && !sanitizers::leaks_are_switched_off(),
                allocations_are_limited: false,
                kind_in_exit_code: false,
                final_stats: false,
            }));
        }
        let Some(output) = &args.output else {
            ensure!(args.input.is_none(), "where should what is found go? write `-o OUT` as well");
            bail!("nothing to do: fuzz with `-i SEEDS -o OUT`, replay with `FILE...`, or see `--help`");
        };
        let mut tokens = args.dict.as_deref().map(dict::load).transpose()?.unwrap_or_default();
        let language = language(args.grammar.as_deref(), args.grammar_invalid, &mut tokens)?;
        let seed = args.seed.unwrap_or_else(clock_seed);
        let limit = args.max_len.unwrap_or(seeds::SIZE_CAP);
        ensure!(
            (1..=LARGEST_MAX_LEN).contains(&limit),
            "--max-len must be between 1 and {LARGEST_MAX_LEN}, not {limit}"
        );
        // The seeds first: a mistake there must not leave directories behind.
        let resume_only = args.input.as_deref() == Some(Path::new("-"));
        ensure!(
            !resume_only || output.join(&args.name).join("queue").is_dir(),
            "there is no campaign to resume in {}; start one with `-i SEEDS`, or name the -o of one",
            output.join(&args.name).display()
        );
        let given = args.input.as_deref().filter(|_| !resume_only);
        let given = given.map(|input| seeds::find(Some(input), limit)).transpose()?;
        let instance = Instance::open(output, &args.name)?;
        let starts_from_nothing = given.is_none()
            && args.seed_corpus.is_none()
            && args.dict.is_none()
            && language.is_none()
            && instance.earlier.is_empty();
        let mut found = starting_points(given, args.seed_corpus.as_deref(), resume_only, &instance, limit)?;
        if let Some(language) = language {
            first::prepare(language, &mut found, seed, limit);
        }
        let learn = Learn::new(&args, starts_from_nothing, &instance, &mut tokens, &mut found.remarks)?;
        let longest = found.seeds.iter().map(Seed::len).max().unwrap_or(0);
        let max_len = args.max_len.unwrap_or(longest.max(SMALLEST_DEFAULT_MAX_LEN));
        let doubts = guidance::goal::doubts(&args.until);
        let rare = Rare::new(args.rare, args.rare_shadow, args.no_rare);
        let remarks = found.remarks.into_iter().chain(doubts).chain(guidance::remark(&domains));
        let remarks = remarks.chain(rare.remark()).collect();
        Ok(Self::Fuzz(Box::new(FuzzPlan {
            seeds: found.seeds,
            remarks,
            layout: Layout::Afl(instance),
            domains,
            goals: args.until,
            malloc_limit: args.malloc_limit,
            answers: !args.no_trace && guidance::can_trace(),
            rare,
            learn,
            staleness: args.staleness.unwrap_or(DEFAULT_STALENESS),
            max_time: args.max_time,
            max_runs: args.runs,
            all_seeds: false,
            seed,
            max_len: max_len as usize,
            timeout: args.timeout.unwrap_or(DEFAULT_TIMEOUT),
            rss_limit: args.rss_limit.unwrap_or(DEFAULT_RSS_LIMIT),
            leaks: !args.no_leaks && !sanitizers::leaks_are_switched_off(),
            allocations_are_limited: false,
            tokens,
            language,
            stop_on: StopOn::any(args.stop_on_finding),
            kind_in_exit_code: false,
            final_stats: false,
            telling: Telling { json: args.json, sarif: args.sarif, quiet: args.quiet },
        })))
    }
}

/// The grammar that the user names, whose texts are tokens too.
fn language(
    written: Option<&Path>,
    invalid: Option<f64>,
    tokens: &mut Vec<Vec<u8>>,
) -> Result<Option<&'static Language>> {
    let Some(written) = written else { return Ok(None) };
    let language = Language::load(written, invalid.unwrap_or(0.0))?;
    let new = language.tokens().into_iter().filter(|token| !tokens.contains(token)).collect::<Vec<_>>();
    tokens.extend(new);
    Ok(Some(language))
}

/// The enabled domains, those of the goals among them.
fn domains(
    guiding: &[String],
    recorded: &[String],
    coverage: bool,
    goals: &[Goal],
    changes: &ChangeArgs,
) -> Result<Vec<Choice>> {
    let named = |name: &String| guiding.contains(name) || recorded.contains(name);
    let aimed_at = goals.iter().map(|goal| &goal.domain).filter(|name| !named(name));
    let guiding: Vec<String> = guiding.iter().chain(aimed_at).cloned().collect();
    let mut domains = guidance::choose_all(&guiding, recorded, coverage, changes)?;
    guidance::aim(&mut domains, goals)?;
    Ok(domains)
}

/// What an earlier campaign kept, then the seeds, or else those of the archive beside the binary.
fn starting_points(
    given: Option<seeds::Found>,
    archive: Option<&Path>,
    resume_only: bool,
    instance: &Instance,
    limit: u64,
) -> Result<seeds::Found> {
    if instance.earlier.is_empty() {
        ensure!(
            !resume_only,
            "there is no campaign to resume in {}; start one with `-i SEEDS`, or name the -o of one",
            instance.dir.display()
        );
        return match (given, archive) {
            (Some(given), _) => Ok(given),
            (None, Some(archive)) => Ok(seeds::find_in_archive(archive, limit)),
            (None, None) => seeds::find(None, limit),
        };
    }
    let mut found = seeds::kept(&instance.earlier);
    let n = found.seeds.len();
    let n = counted(n, "input");
    found.remarks.insert(0, format!("resuming the campaign in {}: {n}", instance.dir.display()));
    if let Some(given) = given {
        found.seeds.extend(given.seeds);
        found.remarks.extend(given.remarks);
    }
    found.stand_in_for_missing("no kept input can be read", limit);
    Ok(found)
}

impl FuzzPlan {
    /// The limits under which a replay goes as the campaign went, where they are not those of every replay.
    pub fn replay_flags(&self) -> String {
        if !matches!(self.layout, Layout::Afl(_)) {
            return String::new();
        }
        let mut flags = String::new();
        if self.timeout != DEFAULT_TIMEOUT {
            flags += &format!(
                " --timeout {}",
                humantime::format_duration(self.timeout).to_string().replace(' ', "")
            );
        }
        if self.rss_limit != DEFAULT_RSS_LIMIT {
            flags += &format!(" --rss-limit {}", self.rss_limit);
        }
        if let Some(limit) = self.malloc_limit.filter(|limit| *limit != DEFAULT_RSS_LIMIT) {
            flags += &format!(" --malloc-limit {limit}");
        }
        flags
    }

    /// What a worker's recorders have to do.
    pub fn recording(&self, control: &'static Control) -> Recording {
        let recording = guidance::recording(&self.domains, self.most_to_allocate(), control);
        Recording { alloc: self.records_allocations(), ..recording }
    }

    /// The limit on single allocations that is in force; 0 for none.
    pub fn malloc_limit_in_force(&self) -> u64 {
        if self.records_allocations() { self.most_to_allocate() } else { 0 }
    }

    fn records_allocations(&self) -> bool {
        self.malloc_limit.is_some() || guidance::need(&self.domains, Event::Alloc)
    }

    /// Asked for or not: what takes more memory than a worker may have is refused before it does harm.
    fn most_to_allocate(&self) -> u64 {
        self.malloc_limit.unwrap_or(self.rss_limit)
    }
}

/// A seed that differs from run to run.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32)
}
