//! libFuzzer's flags resolved into a plan.
use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use nix::unistd::{AccessFlags, access};
use waypoint_domains::{Event, EventSet};
use waypoint_runtime::harness;

use super::{
    FuzzPlan, LARGEST_MAX_LEN, Plan, Rare, ReplayPlan, SMALLEST_DEFAULT_MAX_LEN, StopOn, Telling, clock_seed,
};
use crate::{
    changes::ChangeArgs,
    cli::libfuzzer::{Written, flags::Flags},
    dict, files,
    guidance::{self, Choice},
    layout::{Artifacts, Layout, content_name},
    sanitizers,
    seeds::{self, Found, Longer, Seed},
    structure::first,
    tool::minimize::Minimize,
};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1200);
const DEFAULT_RSS_LIMIT: u64 = 2048 << 20;

impl Plan {
    /// Resolves what the user wrote in libFuzzer's way.
    pub fn of_libfuzzer(written: &Written) -> Result<Self> {
        let flags = &written.flags;
        if flags.minimize_crash == Some(true) {
            return Ok(Self::Minimize(minimize(written)?));
        }
        if written.replays() && flags.merge != Some(true) {
            return Ok(Self::Replay(replay(written)));
        }
        Ok(Self::Fuzz(Box::new(fuzz(written)?)))
    }
}

fn minimize(written: &Written) -> Result<Minimize> {
    let flags = &written.flags;
    let [file] = written.inputs.as_slice() else { bail!("-minimize_crash=1 takes one FILE") };
    let input = fs::read(file).with_context(|| files::cannot_read(file))?;
    let output = flags.exact_artifact_path.clone().map_or_else(
        || {
            let mut path = flags.artifact_prefix.clone().unwrap_or_default();
            path.push(format!("minimized-from-{}", content_name(&input)));
            PathBuf::from(path)
        },
        PathBuf::from,
    );
    Ok(Minimize {
        file: file.clone(),
        output: Some(output),
        runs: flags.max_runs().unwrap_or(u64::MAX),
        max_time: flags.max_time(),
        timeout: flags.run_time().unwrap_or(DEFAULT_TIMEOUT),
        rss_limit: flags.rss_limit().unwrap_or(DEFAULT_RSS_LIMIT),
        malloc_limit: Some(flags.malloc_limit().map_or(0, |mb| mb << 20)),
        no_leaks: !wants_leaks(flags),
        finding: true,
        domain: Vec::new(),
        changes: ChangeArgs::default(),
        grammar: flags.grammar.clone(),
    })
}

fn replay(written: &Written) -> ReplayPlan {
    let flags = &written.flags;
    ReplayPlan {
        files: written.inputs.clone(),
        repeat: flags.max_runs().unwrap_or(1).max(1),
        timeout: flags.run_time().unwrap_or(DEFAULT_TIMEOUT),
        rss_limit: flags.rss_limit().unwrap_or(DEFAULT_RSS_LIMIT),
        malloc_limit: flags.malloc_limit().map_or(0, |mb| mb << 20),
        leaks: wants_leaks(flags),
        allocations_are_limited: flags.malloc_limit().is_some(),
        kind_in_exit_code: true,
        final_stats: flags.print_final_stats == Some(true),
    }
}

fn fuzz(written: &Written) -> Result<FuzzPlan> {
    let flags = &written.flags;
    let dirs = written.inputs.iter().map(|dir| corpus_dir(dir)).collect::<Result<Vec<_>>>()?;
    let limit = flags.longest_input().unwrap_or(seeds::SIZE_CAP);
    ensure!(limit <= LARGEST_MAX_LEN, "-max_len must be at most {LARGEST_MAX_LEN}, not {limit}");
    let mut tokens = flags.dict.as_deref().map(dict::load).transpose()?.unwrap_or_default();
    let language = super::language(flags.grammar.as_deref(), flags.grammar_invalid, &mut tokens)?;
    let seed = flags.random_seed().unwrap_or_else(clock_seed);
    let is_merge = flags.merge == Some(true);
    let (layout, mut found) = if is_merge { merge(&dirs, limit)? } else { search(written, &dirs, limit)? };
    if let Some(language) = language.filter(|_| !is_merge) {
        first::prepare(language, &mut found, seed, limit);
    }
    let mut remarks = found.remarks;
    remarks.extend(without_effect(flags));
    remarks.extend(guidance::goal::doubts(&flags.until));
    let longest = found.seeds.iter().map(Seed::len).max().unwrap_or(0);
    Ok(FuzzPlan {
        telling: Telling::default(),
        seeds: found.seeds,
        remarks,
        layout,
        domains: domains(flags)?,
        goals: if is_merge { Vec::new() } else { flags.until.clone() },
        malloc_limit: flags.malloc_limit().map(|mb| mb << 20),
        answers: guidance::can_trace(),
        rare: Rare::Off,
        learn: None,
        staleness: 0.0,
        max_time: flags.max_time(),
        max_runs: if is_merge { Some(0) } else { flags.max_runs() },
        all_seeds: true,
        seed,
        max_len: flags.longest_input().unwrap_or(longest.max(SMALLEST_DEFAULT_MAX_LEN)) as usize,
        timeout: flags.run_time().unwrap_or(DEFAULT_TIMEOUT),
        rss_limit: flags.rss_limit().unwrap_or(DEFAULT_RSS_LIMIT),
        leaks: wants_leaks(flags) && !is_merge,
        allocations_are_limited: flags.malloc_limit().is_some(),
        tokens,
        language,
        stop_on: stop_on(flags),
        kind_in_exit_code: true,
        final_stats: flags.print_final_stats == Some(true),
    })
}

/// Coverage, and comparisons if the user asks for libFuzzer's own way of coming closer to them.
fn domains(flags: &Flags) -> Result<Vec<Choice>> {
    let value_profile = (flags.use_value_profile == Some(true)).then(|| "cmp".to_owned());
    let domains = super::domains(value_profile.as_slice(), &[], true, &flags.until, &ChangeArgs::default())?;
    guidance::required_events(&domains)?;
    Ok(domains)
}

/// The first directory's inputs, then what may add to them.
fn merge(dirs: &[PathBuf], limit: u64) -> Result<(Layout, Found)> {
    let [into, others @ ..] = dirs else { bail!("-merge=1 needs the directory to merge into, and others") };
    ensure!(!others.is_empty(), "-merge=1 needs other directories behind {}", into.display());
    must_be_writable(into, "the corpus directory")?;
    let mut all = seeds::below(&dirs[..1], limit, Longer::Cut)?;
    let own_seeds = all.seeds.len();
    let others = seeds::below(others, limit, Longer::Cut)?;
    all.seeds.extend(others.seeds);
    all.remarks.extend(others.remarks);
    Ok((Layout::Merge { into: into.clone(), own_seeds }, all))
}

/// The inputs of all directories; new ones go to the first.
fn search(written: &Written, dirs: &[PathBuf], limit: u64) -> Result<(Layout, Found)> {
    let corpus = dirs.first().cloned();
    if let Some(corpus) = &corpus {
        must_be_writable(corpus, "the corpus directory")?;
    }
    let mut found = seeds::below(dirs, limit, Longer::Cut)?;
    if let Some(archive) = &written.seed_corpus {
        found.add_archive(archive, limit, Longer::Cut);
    }
    found.stand_in_for_missing("no seeds", limit);
    Ok((Layout::LibFuzzer { corpus, artifacts: artifacts(&written.flags)? }, found))
}

/// A corpus directory, absolute, since the target may change the working directory.
fn corpus_dir(path: &Path) -> Result<PathBuf> {
    let dir = path
        .canonicalize()
        .with_context(|| format!("cannot find the corpus directory {}; make it first", path.display()))?;
    ensure!(
        dir.is_dir(),
        "{} is no directory; name directories to fuzz, or nothing but files to replay",
        path.display()
    );
    Ok(dir)
}

fn must_be_writable(dir: &Path, what: &str) -> Result<()> {
    access(dir, AccessFlags::W_OK | AccessFlags::X_OK)
        .with_context(|| format!("cannot write to {what} {}; name one that you may write to", dir.display()))
}

/// Where findings go; a place that cannot take them is better refused before there are any.
fn artifacts(flags: &Flags) -> Result<Artifacts> {
    let (artifacts, dir) = match (&flags.exact_artifact_path, &flags.artifact_prefix) {
        (Some(path), _) => (Artifacts::Exact(path.clone()), path.parent().map(Path::to_owned)),
        (None, prefix) => {
            let prefix = prefix.clone().unwrap_or_else(|| "./".into());
            let bytes = prefix.as_bytes();
            let end = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
            let dir = PathBuf::from(std::ffi::OsStr::from_bytes(&bytes[..end]));
            (Artifacts::Prefix(prefix), Some(dir))
        }
    };
    let dir = dir.filter(|dir| !dir.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("."));
    ensure!(dir.is_dir(), "there is no directory {} for findings; make it first", dir.display());
    must_be_writable(&dir, "the directory of findings")?;
    Ok(artifacts)
}

/// As in libFuzzer, `-fork` makes timeouts and memory exhaustion no reason to stop unless told otherwise.
fn stop_on(flags: &Flags) -> StopOn {
    let forks = flags.fork.unwrap_or(0) > 0;
    StopOn {
        crashes: !flags.ignore_crashes.unwrap_or(false),
        hangs: !flags.ignore_timeouts.unwrap_or(forks),
        ooms: !flags.ignore_ooms.unwrap_or(forks),
    }
}

fn wants_leaks(flags: &Flags) -> bool {
    flags.detect_leaks.unwrap_or(true) && !sanitizers::leaks_are_switched_off()
}

/// What was asked for in vain.
fn without_effect(flags: &Flags) -> Vec<String> {
    let mut remarks = Vec::new();
    let sees_allocations = guidance::compiled_events().contains(EventSet::of(Event::Alloc));
    if flags.malloc_limit().is_some() && !harness::hooks().has_asan() && !sees_allocations {
        remarks.push(
            "-malloc_limit_mb has no effect without the event `alloc` and without -fsanitize=address; rebuild with one of them, or use -rss_limit_mb"
                .to_owned(),
        );
    }
    if flags.merge == Some(true) && !flags.until.is_empty() {
        remarks.push("-until has no effect with -merge=1, which ends when all inputs have run".to_owned());
    }
    if flags.grammar_invalid.is_some() && flags.grammar.is_none() {
        remarks.push("-grammar_invalid has no effect without -grammar; name the grammar as well".to_owned());
    }
    if let Some(workers) = flags.fork.filter(|workers| *workers > 1) {
        remarks.push(format!("-fork={workers}: one worker is used; it is replaced whenever it dies"));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::finding::Kind;

    #[test]
    fn only_ignored_kinds_are_no_reason_to_stop() {
        let stops = |flags: Flags| {
            let on = stop_on(&flags);
            [Kind::Crash(6), Kind::Exit(1), Kind::Hang, Kind::OutOfMemory].map(|kind| on.includes(kind))
        };
        assert_eq!(stops(Flags::default()), [true; 4]);
        assert_eq!(stops(Flags { fork: Some(1), ..Flags::default() }), [true, true, false, false]);
        let ignore = Flags { ignore_crashes: Some(true), ..Flags::default() };
        assert_eq!(stops(ignore), [false, false, true, true]);
        let strict = Flags { fork: Some(2), ignore_ooms: Some(false), ..Flags::default() };
        assert_eq!(stops(strict), [true, true, false, true]);
    }
}
