//! Keys, values and holders as a person, or another program, reads them.
use std::ffi::CStr;

use serde::Serialize;
use waypoint_domains::{EQUAL, RunMap, Unit};
use waypoint_runtime::{
    abi::{COMPARISONS, FunctionRecord, SiteRecord},
    objects::{self, Object},
};

use super::choice::{Choice, Which};
use crate::shared::{NO_HOLDER, Table};

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

/// What the keys of this domain's table are, and where they stand. `a0` is that of a domain of the target's own.
pub fn describe(choice: &Choice, table: Table, a0: u64) -> Vec<KeyShown> {
    let a0 = choice.built_in().map_or(a0, |domain| domain.a0);
    let mut keys: Vec<KeyShown> = (0..table.len())
        .filter(|number| table.encoded(*number) != 0)
        .filter_map(|number| {
            let holder = *table.key(number).holder;
            let holder = (holder != NO_HOLDER).then(|| holder - 1);
            describe_one(choice, table, number, table.encoded(number) ^ a0, holder)
        })
        .collect();
    sort(&mut keys);
    keys
}

/// The most telling first: what is not met yet, the largest value first.
fn sort(keys: &mut [KeyShown]) {
    keys.sort_by(|a, b| (a.met, b.value, &a.place, a.key).cmp(&(b.met, a.value, &b.place, b.key)));
}

/// One key of a table, with a value.
fn describe_one(
    choice: &Choice,
    table: Table,
    number: usize,
    value: u64,
    holder: Option<u32>,
) -> Option<KeyShown> {
    let (identity, key) = table.owner(number)?;
    let Which::BuiltIn(domain) = choice.which else {
        return Some(KeyShown {
            key,
            place: format!("key {key}"),
            value,
            text: value.to_string(),
            met: false,
            holder,
        });
    };
    let known = known(domain.maps, identity, key);
    let text = match domain.unit {
        Unit::Number => value.to_string(),
        Unit::Bytes => bytes(value),
        Unit::Closeness => closeness(known.site, value),
    };
    Some(KeyShown { key, place: known.place, value, text, met: domain.goal == Some(value), holder })
}

fn known(maps: &[RunMap], identity: u64, key: usize) -> Known {
    let object = objects::all().find(|object| object.identity.id == identity);
    let plain = |place: &str| Known { place: place.to_owned(), site: None };
    let Some(object) = object else {
        return plain(match (maps.contains(&RunMap::PathLength), maps.contains(&RunMap::PeakMemory)) {
            (true, _) => "all edges of a run",
            (_, true) => "peak of live bytes",
            _ => "an object that is not loaded now",
        });
    };
    match maps[0] {
        RunMap::Comparisons => site(&object, key, |function| {
            let (first, sites) = function.cmps();
            (!sites.is_empty()).then(|| object.cmp_index(first)).flatten().map(|first| (first, sites))
        }),
        RunMap::Allocations => site(&object, key, |function| {
            let (first, sites) = function.allocs();
            (!sites.is_empty()).then(|| object.alloc_index(first)).flatten().map(|first| (first, sites))
        }),
        _ => Known { place: counter(&object, key), site: None },
    }
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
        let lines = function.lines().iter().filter(|line| line.counter == index);
        // The line that is the block's own comes before those of what was inlined, more often than not.
        return match lines.min_by_key(|line| (line.file().to_bytes().len(), line.line)) {
            Some(line) => format!("{}:{} {}", shortened(line.file()), line.line, name(function)),
            None => format!("{} block {index}", name(function)),
        };
    }
    format!("counter {key}")
}

fn name(function: &'static FunctionRecord) -> String {
    function.name().to_string_lossy().into_owned()
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
fn closeness(site: Option<&SiteRecord>, score: u64) -> String {
    if score == EQUAL {
        return "equal".to_owned();
    }
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let kind = site.and_then(|site| COMPARISONS.get(site.kind as usize)).copied().unwrap_or("text");
    match kind {
        "equality" | "case" => {
            let differ = 64 - score.min(64);
            format!("{differ} bit{} of {} differ", plural(differ), site.map_or(64, |site| site.width))
        }
        "order" | "float" => format!("{} bits apart", 64 - score.min(64)),
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
