//! Keys, values and holders as a person, or another program, reads them.
use std::{collections::BTreeSet, ffi::CStr, sync::atomic::Ordering::Relaxed};

use serde::Serialize;
use waypoint_domains::{Domain, EQUAL, RunMap, Unit, feature_of};
use waypoint_runtime::{
    abi::{ANYWHERE, COMPARISONS, FunctionRecord, LineRecord, OUTS, SiteRecord},
    objects::{self, Object},
};

use super::{
    choice::{Choice, Which},
    goal,
};
use crate::{
    report::names,
    shared::{DomainNumbers, NO_HOLDER, Table},
};

/// A key that some kept input moved.
#[derive(Debug, Clone)]
pub struct KeyShown {
    /// Its number, within its object.
    pub key: usize,
    /// Where it is in the source, or what it is.
    pub place: String,
    /// Its aggregate, or a run's value.
    pub value: u64,
    /// The same for a person.
    pub text: String,
    /// Whether its goal is met.
    pub met: bool,
    /// Its holder's place in the journal.
    pub holder: Option<u32>,
}

/// A holder, as a file name.
pub type Holder<'a> = &'a dyn Fn(u32) -> String;

/// What is known of a key apart from its value.
struct Known {
    place: String,
    site: Option<&'static SiteRecord>,
}

/// What the keys of this domain's table are, and where they stand.
pub fn describe(choice: &Choice, table: Table, numbers: &DomainNumbers) -> Vec<KeyShown> {
    let a0 = choice.built_in().map_or_else(|| numbers.a0.load(Relaxed), |domain| domain.a0);
    let mut keys: Vec<KeyShown> = (0..table.len())
        .filter(|number| table.encoded(*number) != 0)
        .filter_map(|number| {
            let holder = *table.key(number).holder;
            let holder = (holder != NO_HOLDER).then(|| holder - 1);
            describe_one(choice, table, number, table.encoded(number) ^ a0, holder)
        })
        .collect();
    // The most telling first: what is not met yet, the best value first.
    let descends = numbers.descends.load(Relaxed) != 0;
    let rank = |value: u64| if descends { value } else { !value };
    keys.sort_by(|a, b| {
        (a.met, rank(a.value), &a.place, a.key).cmp(&(b.met, rank(b.value), &b.place, b.key))
    });
    keys
}

/// One key of a table, with a value.
pub fn describe_one(
    choice: &Choice,
    table: Table,
    number: usize,
    value: u64,
    holder: Option<u32>,
) -> Option<KeyShown> {
    let (identity, key) = table.owner(number)?;
    let Which::BuiltIn(domain) = choice.which else {
        let place = format!("key {key}");
        let met = goal::is_there(&choice.goals, value, || Some(place.clone()));
        return Some(KeyShown { key, place, value, text: value.to_string(), met, holder });
    };
    let known = known(domain.maps, identity, key);
    let text = match domain.unit {
        Unit::Number => value.to_string(),
        Unit::Bytes => bytes(value),
        Unit::Closeness => closeness(known.site, value),
    };
    let there = || goal::is_there(&choice.goals, value, || Some(known.place.clone()));
    let met = domain.goal == Some(value) || there();
    Some(KeyShown { key, place: known.place, value, text, met, holder })
}

fn known(maps: &[RunMap], identity: u64, key: usize) -> Known {
    let object = objects::all().find(|object| object.identity.id == identity);
    let plain = |place: &str| Known { place: place.to_owned(), site: None };
    match maps {
        [RunMap::ExtraCounters] => return plain(&format!("extra counter {key}")),
        [RunMap::ExtraFeatures] => {
            let (domain, number) = feature_of(key);
            return plain(&format!("feature {number} of domain {domain}"));
        }
        _ => {}
    }
    let Some(object) = object else {
        let of_all = |map: &RunMap| match map {
            RunMap::PathLength => Some("all edges of a run".to_owned()),
            RunMap::PeakMemory => Some("peak of live bytes".to_owned()),
            RunMap::DeepestStack => Some("deepest of all".to_owned()),
            RunMap::Output if key + 1 == OUTS => Some(format!("descriptors from {key} on")),
            RunMap::Output => Some(format!("descriptor {key}")),
            _ => None,
        };
        let place = maps.iter().find_map(of_all);
        return plain(place.as_deref().unwrap_or("an object that is not loaded now"));
    };
    match maps[0] {
        RunMap::Comparisons => site(&object, key, |function| {
            let (first, sites) = function.cmps();
            (!sites.is_empty()).then(|| object.cmp_index(first)).flatten().map(|first| (first, sites))
        }),
        RunMap::Allocations | RunMap::LeftMemory => site(&object, key, |function| {
            let (first, sites) = function.allocs();
            (!sites.is_empty()).then(|| object.alloc_index(first)).flatten().map(|first| (first, sites))
        }),
        RunMap::StackDepths => {
            let function =
                object.functions().iter().find(|function| object.stack_index(function) == Some(key));
            let place = function.map(|function| counter(&object, object.first_counter(function)));
            Known { place: place.unwrap_or_else(|| format!("function {key}")), site: None }
        }
        RunMap::Transitions => plain(&transition(&object, key)),
        _ => plain(&counter(&object, key)),
    }
}

/// Where the keys of a domain can be, as far as they are in the source.
pub fn places(domain: &Domain) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let mut add = |function: &'static FunctionRecord, file: Option<&CStr>, line: u32| {
        let name = name(function);
        places.insert(file.map_or_else(|| name.clone(), |file| format!("{}:{line} {name}", shortened(file))));
    };
    for function in objects::all().flat_map(|object| object.functions()) {
        let sites = match domain.maps.first() {
            Some(RunMap::Comparisons) => function.cmps().1,
            Some(RunMap::Allocations | RunMap::LeftMemory) => function.allocs().1,
            _ => {
                function.lines().iter().for_each(|line| add(function, Some(line.file()), line.line));
                continue;
            }
        };
        sites.iter().for_each(|site| add(function, site.file(), site.line));
    }
    places
}

type Sites = (usize, &'static [SiteRecord]);

fn site(object: &Object, key: usize, sites_of: impl Fn(&'static FunctionRecord) -> Option<Sites>) -> Known {
    for function in object.functions() {
        let Some((first, sites)) = sites_of(function) else { continue };
        if let Some(site) = key.checked_sub(first).and_then(|index| sites.get(index)) {
            let place = match site.file() {
                Some(file) => format!("{}:{} {}", shortened(file), site.line, name(function)),
                None => name(function),
            };
            return Known { place, site: Some(site) };
        }
    }
    Known { place: "code without instrumentation, through a pointer".to_owned(), site: None }
}

fn counter(object: &Object, key: usize) -> String {
    for function in object.functions() {
        let first = object.first_counter(function);
        if !(first..first + function.n_counters as usize).contains(&key) {
            continue;
        }
        let index = (key - first) as u32;
        return match line_of(function, index) {
            Some(line) => format!("{}:{} {}", shortened(line.file()), line.line, name(function)),
            None => format!("{} block {index}", name(function)),
        };
    }
    format!("counter {key}")
}

/// Where a transition leads, and where it comes from.
fn transition(object: &Object, key: usize) -> String {
    for function in object.functions() {
        let (slots, n, arrivals) = function.steps();
        let Some(first) = (n > 0).then(|| object.step_index(slots)).flatten() else { continue };
        let Some(slot) = key.checked_sub(first).filter(|slot| *slot < n) else { continue };
        // The last one that begins at or before it, and has slots at all.
        let to = arrivals.partition_point(|arrivals| arrivals.first as usize <= slot).saturating_sub(1);
        let base = object.first_counter(function);
        let from = arrivals[to].lowest as usize + (slot - arrivals[to].first as usize);
        let before = match (arrivals[to].lowest, from) {
            (ANYWHERE, _) | (_, 0) => String::new(),
            (_, from) => match line_of(function, (from - 1) as u32) {
                Some(line) => format!("from line {} to ", line.line),
                None => format!("from block {} to ", from - 1),
            },
        };
        return format!("{before}{}", counter(object, base + to));
    }
    format!("transition {key}")
}

/// The line that tells most about a counter: one that few others stand for as well, as they do where a block before a
/// branch has no counter of its own; then one of the function's own file, whose path is the shorter one mostly.
fn line_of(function: &'static FunctionRecord, index: u32) -> Option<&'static LineRecord> {
    let all = function.lines();
    let same = |line: &'static LineRecord| {
        all.iter().filter(|other| other.line == line.line && std::ptr::eq(other.file(), line.file())).count()
    };
    let lines = all.iter().filter(|line| line.counter == index);
    lines.min_by_key(|line| (same(line), line.file().to_bytes().len(), line.line))
}

/// What a function is called in the source, without the types that C++ adds.
pub fn name(function: &'static FunctionRecord) -> String {
    names::short(&names::demangle(&function.name().to_string_lossy()))
}

/// The last two parts of a path: enough to know the file by.
fn shortened(path: &CStr) -> String {
    let path = path.to_string_lossy();
    let mut parts: Vec<&str> = path.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

/// A size, exact below 10 KiB.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if value < 10 << 10 {
        return format!("{value} bytes");
    }
    let power = (value.ilog2() / 10).min(UNITS.len() as u32);
    format!("{:.1} {}", value as f64 / (1u64 << (10 * power)) as f64, UNITS[power as usize - 1])
}

/// How close a comparison came, in the terms of its kind.
pub fn closeness(site: Option<&SiteRecord>, score: u64) -> String {
    if score == EQUAL {
        return "equal".to_owned();
    }
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let kind = site.and_then(|site| COMPARISONS.get(site.kind as usize)).copied().unwrap_or("text");
    match kind {
        "equality" | "case" => {
            let differ = 64 - score.min(64);
            let verb = if differ == 1 { "differs" } else { "differ" };
            format!("{differ} bit{} of {} {verb}", plural(differ), site.map_or(64, |site| site.width))
        }
        "order" | "float" => {
            let apart = 64 - score.min(64);
            format!("{apart} bit{} apart", plural(apart))
        }
        _ => {
            let (whole, bits) = ((score - 1) / 8, (score - 1) % 8);
            format!("{whole} byte{} and {bits} bit{} equal", plural(whole), plural(bits))
        }
    }
}

#[derive(Serialize)]
struct KeyJson<'a> {
    key: usize,
    #[serde(rename = "where")]
    place: &'a str,
    value: u64,
    holder: Option<String>,
}

#[derive(Serialize)]
struct DomainJson<'a> {
    name: &'a str,
    keys: Vec<KeyJson<'a>>,
}

/// A domain's keys for another program.
pub fn domain_json(name: &str, keys: &[KeyShown], holder: Holder<'_>) -> serde_json::Value {
    let keys = keys
        .iter()
        .map(|key| KeyJson {
            key: key.key,
            place: &key.place,
            value: key.value,
            holder: key.holder.map(holder),
        })
        .collect();
    serde_json::to_value(DomainJson { name, keys }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_words() {
        assert_eq!((bytes(10_239), bytes(65_534)), ("10239 bytes".to_owned(), "64.0 KiB".to_owned()));
        assert_eq!(bytes(3 << 30), "3.0 GiB");
        assert_eq!(closeness(None, EQUAL), "equal");
        assert_eq!(closeness(None, 1 + 8 * 4 + 1), "4 bytes and 1 bit equal");
    }
}
