//! What a user can write on the command line of a fuzzer binary; the comments are the help.
use std::{path::PathBuf, time::Duration};

use clap::{Command, CommandFactory, Parser};

use super::{parse, units};
use crate::changes::ChangeArgs;
use crate::guidance::{Goal, goal};

/// What the campaigns of a directory are named unless they are given a name.
pub const DEFAULT_NAME: &str = "default";

/// What makes no difference to files that are replayed, and is refused beside them.
const OF_CAMPAIGNS: [&str; 22] = [
    "input",
    "output",
    "domain",
    "record",
    "until",
    "no_coverage",
    "max_time",
    "runs",
    "seed",
    "max_len",
    "staleness",
    "no_trace",
    "rare",
    "no_rare",
    "rare_shadow",
    "learn_tokens",
    "no_learn_tokens",
    "grammar",
    "stop_on_finding",
    "json",
    "sarif",
    "seed_corpus",
];

/// A Waypoint fuzzer: finds inputs on which the linked code misbehaves.
///
///   Fuzz:    ./target -i SEEDS -o OUT
///   Replay:  ./target FILE...
///
/// libFuzzer's command line is understood as well: ./target CORPUS_DIR -max_total_time=60; see -help=1.
///
/// Exit codes: 0 clean end, 77 a finding (when replayed, with --stop-on-finding, or when all goals of --until are met),
/// 1 usage or set-up error.
/// With --json or --sarif a finding always counts: 77 a crash, an exit, a leak or a goal, 71 out of memory, 70 a hang.
#[derive(Debug, Parser)]
#[command(version, verbatim_doc_comment)]
pub struct Args {
    /// Directory of seed inputs, or a single file; without it fuzzing starts from a few tiny inputs; `-` resumes OUT
    #[arg(short, long, value_name = "SEEDS")]
    pub input: Option<PathBuf>,

    /// Directory for everything found: OUT/NAME/{queue,crashes,hangs} and fuzzer_stats
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Domains that guide the search beside coverage, comma-separated: ours (see --list-domains) or the target's own
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub domain: Vec<String>,

    /// Domains that are recorded and shown but do not guide
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub record: Vec<String>,

    /// Stop, with exit code 77, when every goal is met: DOMAIN>=VALUE, DOMAIN<=VALUE, or DOMAIN@PLACE>=VALUE for one
    /// function, line or number; the domain guides the search (may be repeated)
    #[arg(long, value_name = "GOAL", value_parser = goal::goal)]
    pub until: Vec<Goal>,

    /// What changed in the source
    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Let coverage not guide the search
    #[arg(long)]
    pub no_coverage: bool,

    /// Explain the domains and exit
    #[arg(long)]
    pub list_domains: bool,

    /// Stop after this time, e.g. 60s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub max_time: Option<Duration>,

    /// Stop after this many runs
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub runs: Option<u64>,

    /// Seed of the random numbers; with --runs the campaign can be repeated
    #[arg(long, value_name = "N", value_parser = units::number)]
    pub seed: Option<u64>,

    /// Longest input to try [default: the longest seed of up to 1M, at least 4K]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_len: Option<u64>,

    /// A run longer than this is a hang [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,

    /// A worker that needs more memory than this is replaced; a single run that does is a finding [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub rss_limit: Option<u64>,

    /// A single allocation larger than this is refused and a finding [default: --rss-limit with the domain mem, else none]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub malloc_limit: Option<u64>,

    /// Choose an input less often the more often it was chosen in vain, 0 (not at all) to 1 [default: 0]
    #[arg(long, value_name = "SIGMA", value_parser = units::share)]
    pub staleness: Option<f64>,

    /// Do not trace comparisons in order to answer them
    #[arg(long)]
    pub no_trace: bool,

    /// Hold on to rare branches: inputs that hit one are also mutated only where it stays hit [default: in seeds that are texts, once each]
    #[arg(long)]
    pub rare: bool,

    /// Do not hold on to rare branches, not even those of the seeds
    #[arg(long, conflicts_with_all = ["rare", "rare_shadow"])]
    pub no_rare: bool,

    /// As --rare, and measure it: how many mutants hit the branch with and without that care, at our and at AFL's stacking
    #[arg(long)]
    pub rare_shadow: bool,

    /// First learn the tokens of the input's language [default: if there are neither seeds nor a dictionary]
    #[arg(long, conflicts_with = "no_learn_tokens")]
    pub learn_tokens: bool,

    /// Do not learn tokens
    #[arg(long)]
    pub no_learn_tokens: bool,

    /// Do not look for leaks, which are findings with AddressSanitizer
    #[arg(long)]
    pub no_leaks: bool,

    /// Dictionary of tokens, in the format of AFL and libFuzzer
    #[arg(long, value_name = "FILE")]
    pub dict: Option<PathBuf>,

    /// Mutate the trees of inputs by a grammar: a .fan file, or the name of one that is built in, as json
    #[arg(long, value_name = "GRAMMAR")]
    pub grammar: Option<PathBuf>,

    /// The share of mutated trees that violate the grammar's constraints on purpose, e.g. 5% [default: 0%]
    #[arg(long, value_name = "SHARE", value_parser = units::percent, requires = "grammar")]
    pub grammar_invalid: Option<f64>,

    /// Name of this instance: the directory below OUT
    #[arg(long, value_name = "NAME", default_value = DEFAULT_NAME)]
    pub name: String,

    /// Stop at the first finding, with exit code 77
    #[arg(long)]
    pub stop_on_finding: bool,

    /// Print a JSON object a line on standard output for every event; a finding fails the run
    #[arg(long)]
    pub json: bool,

    /// Write findings to this file as SARIF 2.1.0; a finding fails the run
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Say nothing but findings and errors
    #[arg(long)]
    pub quiet: bool,

    /// An archive of seeds, found beside the binary
    #[arg(skip)]
    pub seed_corpus: Option<PathBuf>,

    /// Inputs to replay, each once
    #[arg(value_name = "FILE", conflicts_with_all = OF_CAMPAIGNS)]
    pub files: Vec<PathBuf>,
}

/// The command line under this program's name.
pub fn command() -> Command {
    let name = parse::program();
    let usage = format!("{name} -i SEEDS -o OUT [OPTIONS]\n       {name} FILE...\n       {name} TOOL ...");
    let command = Args::command();
    let about =
        command.get_long_about().map(|text| parse::with_program(&text.to_string())).unwrap_or_default();
    command.long_about(about).override_usage(usage).after_help(parse::with_program(&crate::tool::help()))
}
