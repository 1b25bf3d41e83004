//! What the corpus did line by line: executions, allocations, comparisons.
use std::{
    collections::{BTreeMap, HashMap},
    ffi::CStr,
    path::Path,
    sync::atomic::Ordering::Relaxed,
};

use serde::Serialize;
use waypoint_domains::{Reducer, RunMap};
use waypoint_runtime::{
    abi::SiteRecord,
    objects::{self, Object},
};

use super::findings::Found;
use crate::{
    guidance::{self, Choice},
    shared::{NO_HOLDER, Shared},
};

/// One source file.
#[derive(Debug, Serialize, Default)]
pub struct FileHeat {
    path: String,
    /// Nothing if it cannot be read.
    text: Option<String>,
    lines: BTreeMap<u32, LineHeat>,
}

/// One line that has code.
#[derive(Debug, Serialize, Default)]
struct LineHeat {
    /// The most executions in one run; 0 if no input reaches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// The most bytes that one run allocated there.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    /// Comparisons that came out equal at least once, and all that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    equal: Option<(u32, u32)>,
    /// How near those came that never did, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<String>,
    #[serde(skip)]
    scores: Vec<(u64, String)>,
    /// The input that holds the line's largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<u32>,
}

/// So many comparisons of a line are told in words.
const NEAR_TOLD: usize = 4;

/// A domain's aggregates by the identity of their object and the place in it.
type Values = HashMap<(u64, usize), (u64, Option<u32>)>;

/// The files of the instrumented objects, those of the system's headers last.
pub fn of(chosen: &[Choice], shared: &Shared) -> Vec<FileHeat> {
    let counts = values(RunMap::Counters, chosen, shared);
    let bytes = values(RunMap::Allocations, chosen, shared);
    let scores = values(RunMap::Comparisons, chosen, shared);
    let mut files = Files::default();
    for object in objects::all() {
        files.add_counts(&object, &counts);
        files.add_allocations(&object, &bytes);
        files.add_comparisons(&object, &scores);
    }
    files.finish()
}

/// The aggregates of the first domain that reads this run map and keeps its values as they are.
fn values(map: RunMap, chosen: &[Choice], shared: &Shared) -> Values {
    let reads = |choice: &Choice| {
        choice
            .built_in()
            .is_some_and(|domain| domain.maps.first() == Some(&map) && matches!(domain.reducer, Reducer::Max))
    };
    let Some((n, choice)) = chosen.iter().enumerate().skip(1).find(|(_, choice)| reads(choice)) else {
        return Values::new();
    };
    let Some(table) = shared.table(n) else { return Values::new() };
    let a0 = choice.built_in().map_or(shared.control.domains[n].a0.load(Relaxed), |domain| domain.a0);
    let moved = (0..table.len()).filter(|key| table.encoded(*key) != 0);
    let entry = |key: usize| {
        let holder = *table.key(key).holder;
        let holder = (holder != NO_HOLDER).then(|| holder - 1);
        Some((table.owner(key)?, (table.encoded(key) ^ a0, holder)))
    };
    moved.filter_map(entry).collect()
}

/// The lines on the stacks of findings were reached, though no kept input may have.
pub fn mark(files: &mut [FileHeat], findings: &[Found]) {
    for (path, line) in findings.iter().flat_map(|found| &found.places) {
        let file = files.iter_mut().find(|file| file.path == *path);
        if let Some(heat) = file.and_then(|file| file.lines.get_mut(line)) {
            heat.count = Some(heat.count.unwrap_or(0).max(1));
        }
    }
}

/// Whether sources were changed since the program was built, so that lines may be off.
pub fn newer_than_program(files: &[FileHeat]) -> Option<String> {
    let changed = |path: &Path| path.metadata().and_then(|about| about.modified()).ok();
    let built = std::env::current_exe().ok().and_then(|program| changed(&program))?;
    let is_newer = |file: &&FileHeat| changed(Path::new(&file.path)).is_some_and(|time| time > built);
    let newer: Vec<&str> = files.iter().filter(is_newer).map(|file| file.path.as_str()).collect();
    let first = newer.first()?;
    Some(format!(
        "{} of the source files, such as {first}, changed after the target was built, so lines may be off.",
        newer.len()
    ))
}

#[derive(Default)]
struct Files {
    /// By path; the texts of paths lie in the objects, many times each.
    by_path: BTreeMap<&'static CStr, BTreeMap<u32, LineHeat>>,
}

impl Files {
    fn line(&mut self, file: &'static CStr, line: u32) -> &mut LineHeat {
        self.by_path.entry(file).or_default().entry(line).or_default()
    }

    fn add_counts(&mut self, object: &Object, counts: &Values) {
        for function in object.functions() {
            let first = object.first_counter(function);
            for line in function.lines() {
                let key = (object.identity.id, first + line.counter as usize);
                let (count, holder) = counts.get(&key).copied().unwrap_or((0, None));
                let heat = self.line(line.file(), line.line);
                if heat.count.is_none_or(|known| known < count) {
                    heat.count = Some(count);
                    heat.holder = holder;
                }
            }
        }
    }

    fn add_allocations(&mut self, object: &Object, bytes: &Values) {
        let mut most: HashMap<(&'static CStr, u32), u64> = HashMap::new();
        for function in object.functions() {
            let (first, sites) = function.allocs();
            let Some(first) = object.alloc_index(first) else { continue };
            for (n, site) in sites.iter().enumerate() {
                let Some((value, _)) = bytes.get(&(object.identity.id, first + n)) else { continue };
                let Some(file) = site.file() else { continue };
                let known = most.entry((file, site.line)).or_default();
                *known = (*known).max(*value);
            }
        }
        for ((file, line), value) in most {
            self.line(file, line).bytes = Some(guidance::bytes(value));
        }
    }

    fn add_comparisons(&mut self, object: &Object, scores: &Values) {
        for function in object.functions() {
            let (first, sites) = function.cmps();
            let Some(first) = object.cmp_index(first) else { continue };
            for (n, site) in sites.iter().enumerate() {
                let Some((score, _)) = scores.get(&(object.identity.id, first + n)) else { continue };
                self.add_comparison(site, *score);
            }
        }
    }

    fn add_comparison(&mut self, site: &'static SiteRecord, score: u64) {
        let Some(file) = site.file() else { return };
        let heat = self.line(file, site.line);
        let (equal, all) = heat.equal.get_or_insert((0, 0));
        *all += 1;
        if score == waypoint_domains::EQUAL {
            *equal += 1;
        } else {
            heat.scores.push((score, guidance::closeness(Some(site), score)));
        }
    }

    fn finish(self) -> Vec<FileHeat> {
        let file = |(path, mut lines): (&CStr, BTreeMap<u32, LineHeat>)| {
            for heat in lines.values_mut() {
                heat.scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
                heat.near = heat.scores.drain(..).take(NEAR_TOLD).map(|(_, text)| text).collect();
            }
            let path = path.to_string_lossy().into_owned();
            let text = super::read_text(Path::new(&path));
            FileHeat { path, text, lines }
        };
        let mut files: Vec<FileHeat> = self.by_path.into_iter().map(file).collect();
        files.sort_by_key(|file| file.path.starts_with("/usr/"));
        files
    }
}
