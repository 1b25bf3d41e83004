//! The one list of libFuzzer's flags that we know: name, help, and what each means.
use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    time::Duration,
};

use crate::{
    cli::units,
    guidance::{Goal, goal},
};

/// The flags as written; what is not written is for the plan to choose.
#[derive(Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the list below says what each is")]
pub struct Flags {
    pub runs: Option<i64>,
    pub max_total_time: Option<u64>,
    pub timeout: Option<u64>,
    pub rss_limit_mb: Option<u64>,
    pub malloc_limit_mb: Option<u64>,
    /// `-use_value_profile`
    pub use_value_profile: Option<bool>,
    pub until: Vec<Goal>,
    pub detect_leaks: Option<bool>,
    pub dict: Option<PathBuf>,
    pub grammar: Option<PathBuf>,
    pub grammar_invalid: Option<f64>,
    pub seed: Option<u64>,
    pub max_len: Option<u64>,
    pub artifact_prefix: Option<OsString>,
    pub exact_artifact_path: Option<PathBuf>,
    pub print_final_stats: Option<bool>,
    pub ignore_crashes: Option<bool>,
    pub ignore_ooms: Option<bool>,
    pub ignore_timeouts: Option<bool>,
    pub merge: Option<bool>,
    pub minimize_crash: Option<bool>,
    pub fork: Option<u64>,
    pub help: Option<bool>,
}

/// Long enough to be no limit.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Flags {
    /// After how many runs to stop.
    pub fn max_runs(&self) -> Option<u64> {
        self.runs.and_then(|runs| runs.try_into().ok())
    }

    /// When to stop.
    pub fn max_time(&self) -> Option<Duration> {
        self.max_total_time.filter(|seconds| *seconds > 0).map(Duration::from_secs)
    }

    /// How long one run may take.
    pub fn run_time(&self) -> Option<Duration> {
        self.timeout.map(|seconds| match seconds {
            0 => FOREVER,
            seconds => Duration::from_secs(seconds).min(FOREVER),
        })
    }

    /// How much memory a worker may take, in bytes.
    pub fn rss_limit(&self) -> Option<u64> {
        self.rss_limit_mb.map(|mb| mb.saturating_mul(1 << 20))
    }

    /// How large a single allocation may be, in megabytes.
    pub fn malloc_limit(&self) -> Option<u64> {
        self.malloc_limit_mb.filter(|mb| *mb > 0)
    }

    /// Where the random numbers start.
    pub fn random_seed(&self) -> Option<u64> {
        self.seed.filter(|seed| *seed != 0)
    }

    /// The longest input to try.
    pub fn longest_input(&self) -> Option<u64> {
        self.max_len.filter(|len| *len > 0)
    }
}

/// One flag.
#[derive(Debug)]
pub struct Flag {
    /// Between the dash and the equals sign.
    pub name: &'static str,
    /// What stands for the value in the help.
    pub value: &'static str,
    /// One line for `-help=1`.
    pub help: &'static str,
    /// Takes a value, or says what it should have been.
    pub take: fn(&mut Flags, &OsStr) -> Result<(), &'static str>,
}

/// Every flag, in the order of the help.
pub static FLAGS: &[Flag] = &[
    Flag {
        name: "runs",
        value: "N",
        help: "stop after this many runs; 0 runs the seeds only, -1 has no limit; repeats a replayed file",
        take: |flags, value| store(&mut flags.runs, parse(value)),
    },
    Flag {
        name: "max_total_time",
        value: "SECONDS",
        help: "stop after this time; 0 has no limit",
        take: |flags, value| store(&mut flags.max_total_time, parse(value)),
    },
    Flag {
        name: "timeout",
        value: "SECONDS",
        help: "a longer run is a finding, timeout-SHA1; 0 has no limit; default 1200",
        take: |flags, value| store(&mut flags.timeout, parse(value)),
    },
    Flag {
        name: "rss_limit_mb",
        value: "N",
        help: "a run that needs more memory is a finding, oom-SHA1; 0 has no limit; default 2048",
        take: |flags, value| store(&mut flags.rss_limit_mb, parse(value)),
    },
    Flag {
        name: "malloc_limit_mb",
        value: "N",
        help: "a single allocation of more is a finding, oom-SHA1; 0 has no limit",
        take: |flags, value| store(&mut flags.malloc_limit_mb, parse(value)),
    },
    Flag {
        name: "use_value_profile",
        value: "0|1",
        help: "guide by comparisons as well: the domain cmp",
        take: |flags, value| store(&mut flags.use_value_profile, switch(value)),
    },
    Flag {
        name: "until",
        value: "GOAL",
        help: "stop when this, and every other one given, is met, goal-SHA1: DOMAIN>=VALUE, DOMAIN<=VALUE; not libFuzzer's",
        take: |flags, value| {
            let goal = value.to_str().and_then(|text| goal::goal(text).ok());
            flags.until.push(goal.ok_or("a goal such as mem>=1G, mem@parse>=64K or distance<=3")?);
            Ok(())
        },
    },
    Flag {
        name: "detect_leaks",
        value: "0|1",
        help: "with AddressSanitizer, a run that leaks memory is a finding, leak-SHA1; default 1",
        take: |flags, value| store(&mut flags.detect_leaks, switch(value)),
    },
    Flag {
        name: "dict",
        value: "FILE",
        help: "dictionary of tokens; default the file target.dict beside the binary",
        take: |flags, value| store(&mut flags.dict, path(value)),
    },
    Flag {
        name: "grammar",
        value: "GRAMMAR",
        help: "mutate the trees of inputs by this .fan file, or built-in grammar as json; not libFuzzer's",
        take: |flags, value| store(&mut flags.grammar, path(value)),
    },
    Flag {
        name: "grammar_invalid",
        value: "SHARE",
        help: "the share of mutated trees that violate constraints on purpose, e.g. 5%; default 0%; not libFuzzer's",
        take: |flags, value| {
            let share = value.to_str().and_then(|text| units::percent(text).ok());
            store(&mut flags.grammar_invalid, share.ok_or("a share from 0% to 100%"))
        },
    },
    Flag {
        name: "seed",
        value: "N",
        help: "seed of the random numbers; 0 takes another one each time",
        take: |flags, value| store(&mut flags.seed, parse(value)),
    },
    Flag {
        name: "max_len",
        value: "N",
        help: "longest input to try, longer seeds are cut; 0 takes the longest seed, at least 4096",
        take: |flags, value| store(&mut flags.max_len, parse(value)),
    },
    Flag {
        name: "artifact_prefix",
        value: "PREFIX",
        help: "put before the names of findings, crash-SHA1 and so on; default ./",
        take: |flags, value| store(&mut flags.artifact_prefix, Ok(value.to_owned())),
    },
    Flag {
        name: "exact_artifact_path",
        value: "FILE",
        help: "write the finding to just this file",
        take: |flags, value| store(&mut flags.exact_artifact_path, path(value)),
    },
    Flag {
        name: "print_final_stats",
        value: "0|1",
        help: "print statistics at the end, a line `stat::name: value` each",
        take: |flags, value| store(&mut flags.print_final_stats, switch(value)),
    },
    Flag {
        name: "ignore_crashes",
        value: "0|1",
        help: "save crashes, one a cause, and go on",
        take: |flags, value| store(&mut flags.ignore_crashes, switch(value)),
    },
    Flag {
        name: "ignore_ooms",
        value: "0|1",
        help: "the same for inputs that need too much memory; default 1 with -fork",
        take: |flags, value| store(&mut flags.ignore_ooms, switch(value)),
    },
    Flag {
        name: "ignore_timeouts",
        value: "0|1",
        help: "the same for inputs that take too long; default 1 with -fork",
        take: |flags, value| store(&mut flags.ignore_timeouts, switch(value)),
    },
    Flag {
        name: "merge",
        value: "0|1",
        help: "add to the first directory what is new in the others, and end",
        take: |flags, value| store(&mut flags.merge, switch(value)),
    },
    Flag {
        name: "minimize_crash",
        value: "0|1",
        help: "make FILE smaller while it crashes in the same way",
        take: |flags, value| store(&mut flags.minimize_crash, switch(value)),
    },
    Flag {
        name: "fork",
        value: "N",
        help: "go on after timeouts and memory exhaustion; one worker is used whatever N is",
        take: |flags, value| store(&mut flags.fork, parse(value)),
    },
    Flag {
        name: "help",
        value: "1",
        help: "print this",
        take: |flags, value| store(&mut flags.help, switch(value)),
    },
];

fn store<T>(place: &mut Option<T>, value: Result<T, &'static str>) -> Result<(), &'static str> {
    *place = Some(value?);
    Ok(())
}

fn parse<T: std::str::FromStr>(value: &OsStr) -> Result<T, &'static str> {
    value.to_str().and_then(|text| text.parse().ok()).ok_or("a whole number")
}

fn switch(value: &OsStr) -> Result<bool, &'static str> {
    parse::<u64>(value).map(|number| number != 0).map_err(|_| "0 or 1")
}

fn path(value: &OsStr) -> Result<PathBuf, &'static str> {
    if value.is_empty() { Err("the path of a file") } else { Ok(value.into()) }
}
