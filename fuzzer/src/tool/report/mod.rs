//! `./target report`: a campaign as one self-contained page of HTML.
mod findings;
mod heat;
mod page;
mod timeline;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};
use clap::Parser;
use serde::Serialize;
use waypoint_domains::Unit;

use super::{aggregate, limits::Limits};
use crate::{
    EXIT_CLEAN,
    changes::ChangeArgs,
    cli::units,
    counted, files,
    guidance::{self, Choice, KeyShown},
    say,
    seeds::Seed,
    shared::Shared,
    supervisor::setup::PATCH,
    worker::Target,
};

/// Write a page that shows a campaign: growth, holders, findings, and the source with its heat
///
/// The corpus and the findings of OUT are run again, in every domain that the target has events for. The page is one
/// file of HTML that loads nothing else.
#[derive(Debug, Parser)]
#[command(name = "report")]
pub struct Report {
    /// The OUT of a campaign
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Where to write the page; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,

    #[command(flatten)]
    changes: ChangeArgs,

    /// A run of a kept input that is longer than this is a hang; findings have the campaign's limits
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    timeout: Duration,

    /// A kept input that needs more memory than this is left out
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "4G")]
    rss_limit: u64,
}

/// So many keys of a domain are listed: more than anybody reads, and few enough for a browser.
const KEYS_LISTED: usize = 300;
/// So many bytes of an input are shown.
const PREVIEW: usize = 64;

/// All that the page shows.
#[derive(Debug, Serialize)]
struct Campaign {
    title: String,
    statistics: Vec<BTreeMap<String, String>>,
    timeline: Vec<timeline::Point>,
    domains: Vec<DomainShown>,
    findings: Vec<findings::Found>,
    /// What a reader should know, and inputs that were left out.
    remarks: Vec<String>,
    inputs: Vec<InputShown>,
    files: Vec<heat::FileHeat>,
}

#[derive(Debug, Serialize)]
struct DomainShown {
    name: String,
    help: &'static str,
    unit: &'static str,
    /// Whether its best value means something, rather than which values there were.
    climbs: bool,
    total: usize,
    met: usize,
    keys: Vec<KeyRow>,
}

#[derive(Debug, Serialize)]
struct KeyRow {
    text: String,
    place: String,
    met: bool,
    /// A place in the campaign's inputs.
    holder: Option<u32>,
}

#[derive(Debug, Serialize)]
struct InputShown {
    name: String,
    len: u64,
    start: String,
}

/// Does what the user asked for.
pub fn run(args: &Report, target: Target) -> Result<u8> {
    let queues = aggregate::queues(&args.out);
    ensure!(
        !queues.is_empty(),
        "{} holds no campaign; name the OUT that was given with -o, in which there is `default/queue`",
        args.out.display()
    );
    files::ensure_place(&args.output)?;
    let limits = Limits::of_corpus(args.timeout, args.rss_limit);
    let instances: Vec<&Path> = queues.iter().filter_map(|queue| queue.parent()).collect();
    let statistics: Vec<_> = instances.iter().map(|dir| statistics(&dir.join("fuzzer_stats"))).collect();
    let inputs = aggregate::inputs_if_any(std::slice::from_ref(&args.out))?;
    let findings = findings::of(&instances)?;
    ensure!(
        !inputs.is_empty() || !findings.is_empty(),
        "{} holds a campaign that kept and found nothing; run it for longer",
        args.out.display()
    );
    say(&format!(
        "running {} and {} again",
        counted(inputs.len(), "input"),
        counted(findings.len(), "finding")
    ));
    let changes = changes(args, &instances);
    let chosen = aggregate::every_domain(&inputs, target, limits, &changes)?;
    let mut remarks = doubts(&statistics);
    let found = aggregate::aggregate(&inputs, target, &chosen, limits, |input, why| {
        remarks.push(format!("An input of the corpus was left out: {}: {why}", input.name()));
    })?;
    let findings = findings::run_again(findings, target)?;
    let mut files = heat::of(&chosen, &found.shared);
    heat::mark(&mut files, &findings);
    remarks.extend(heat::newer_than_program(&files));
    remarks.iter().for_each(|remark| say(remark));
    let campaign = Campaign {
        title: title(),
        statistics,
        timeline: timeline::of(&inputs, &found.steps),
        domains: domains(&chosen, &found.shared),
        findings,
        remarks,
        inputs: inputs.iter().map(InputShown::of).collect(),
        files,
    };
    files::write_named(&args.output, page::html(&campaign)?.as_bytes())?;
    say(&format!(
        "{}: {}, {}, {}",
        args.output.display(),
        counted(campaign.inputs.len(), "input"),
        counted(campaign.findings.len(), "finding"),
        counted(campaign.files.len(), "source file")
    ));
    Ok(EXIT_CLEAN)
}

fn title() -> String {
    let program = std::env::args_os().next().unwrap_or_default();
    let name = PathBuf::from(program);
    name.file_name().map_or_else(|| "target".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What the campaign knew to have changed, unless the user says something else.
fn changes(args: &Report, instances: &[&Path]) -> ChangeArgs {
    let patch = instances.iter().map(|dir| dir.join(PATCH)).find(|patch| patch.is_file());
    match patch.filter(|_| !args.changes.are_given()) {
        Some(patch) => ChangeArgs::of(patch),
        None => args.changes.clone(),
    }
}

/// Whether the campaign is this target's.
fn doubts(statistics: &[BTreeMap<String, String>]) -> Vec<String> {
    let others = statistics.iter().filter_map(|one| one.get("afl_banner")).filter(|name| **name != title());
    let doubt = |name| {
        format!(
            "The campaign was started with {name}, and this page was made by {}: figures are right only if both are the same code.",
            title()
        )
    };
    others.map(doubt).take(1).collect()
}

/// `fuzzer_stats` as it is; empty where there is none.
fn statistics(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect()
}

fn domains(chosen: &[Choice], shared: &Shared) -> Vec<DomainShown> {
    let of = |(n, choice): (usize, &Choice)| {
        let table = shared.table(n)?;
        let keys = guidance::describe(choice, table, &shared.control.domains[n]);
        Some(DomainShown {
            name: choice.name().to_owned(),
            help: choice.built_in().map_or("registered by the target", |domain| domain.help),
            unit: match choice.built_in().map(|domain| domain.unit) {
                Some(Unit::Bytes) => "bytes",
                Some(Unit::Closeness) => "closeness",
                Some(Unit::Number) | None => "number",
            },
            climbs: choice.built_in().is_none_or(|domain| domain.reducer.keeps_a_value()),
            total: keys.len(),
            met: keys.iter().filter(|key| key.met).count(),
            keys: keys.into_iter().take(KEYS_LISTED).map(KeyRow::of).collect(),
        })
    };
    chosen.iter().enumerate().skip(1).filter_map(of).collect()
}

impl KeyRow {
    fn of(key: KeyShown) -> Self {
        Self { text: key.text, place: key.place, met: key.met, holder: key.holder }
    }
}

impl InputShown {
    fn of(seed: &Seed) -> Self {
        let bytes = seed.read().unwrap_or_default();
        Self { name: seed.name(), len: seed.len(), start: preview(&bytes) }
    }
}

/// The first bytes, as a string of C is written.
fn preview(bytes: &[u8]) -> String {
    let shown = bytes[..bytes.len().min(PREVIEW)].escape_ascii().to_string();
    if bytes.len() > PREVIEW { format!("{shown}…") } else { shown }
}

/// Reads a file of the user's; nothing if it is not there or no text.
fn read_text(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_escaped_and_what_is_long_is_cut() {
        assert_eq!(preview(b"a\"\0\n\xff"), "a\\\"\\x00\\n\\xff");
        assert_eq!(preview(&[b'x'; 65]), format!("{}…", "x".repeat(64)));
    }
}
