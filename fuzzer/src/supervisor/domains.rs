//! What the supervisor tells of the domains: where each stands, and at the end the keys that came furthest.
use std::sync::atomic::Ordering::Relaxed;

use waypoint_domains::Unit;

use super::status::DomainStatus;
use crate::{
    guidance::{self, Choice, KeyShown},
    shared::{Control, Shared},
};

/// So many keys of each domain are shown at the end.
const SHOWN: usize = 10;

/// Where each domain beside coverage stands.
pub fn snapshot(chosen: &[Choice], control: &Control) -> Vec<DomainStatus> {
    let of = |(n, choice): (usize, &Choice)| {
        let numbers = &control.domains[n];
        let best = numbers.best.load(Relaxed);
        let is_size = choice.built_in().is_some_and(|domain| domain.unit == Unit::Bytes);
        DomainStatus {
            name: choice.name().to_owned(),
            waypoints: numbers.waypoints.load(Relaxed),
            best,
            best_text: match choice.built_in() {
                Some(domain) if !domain.reducer.keeps_a_value() => String::new(),
                _ if is_size => guidance::bytes(best),
                _ => best.to_string(),
            },
            keys: numbers.found.load(Relaxed),
            met: numbers.met.load(Relaxed),
        }
    };
    chosen.iter().enumerate().skip(1).map(of).collect()
}

/// For each domain beside coverage, the keys that came furthest, with their places and holders.
pub fn tables(chosen: &[Choice], shared: &Shared, name_of: impl Fn(u32) -> String) -> Vec<String> {
    let ids: Vec<u32> = shared.journal.entries().map(|entry| entry.note.id).collect();
    let holder = |number: u32| ids.get(number as usize).map_or_else(|| "?".to_owned(), |id| name_of(*id));
    let mut lines = Vec::new();
    for (n, choice) in chosen.iter().enumerate().skip(1) {
        let Some(table) = shared.table(n) else { continue };
        let keys = guidance::describe(choice, table, &shared.control.domains[n]);
        if keys.is_empty() {
            lines.push(format!("{}: nothing was recorded", choice.name()));
            continue;
        }
        lines.push(title(choice, &keys));
        lines.extend(rows(&keys[..keys.len().min(SHOWN)], &holder));
    }
    lines
}

fn title(choice: &Choice, keys: &[KeyShown]) -> String {
    let met = keys.iter().filter(|key| key.met).count();
    let met = if met > 0 { format!(", {met} met") } else { String::new() };
    let rest = if keys.len() > SHOWN { format!("; the first {SHOWN}:") } else { ":".to_owned() };
    let s = if keys.len() == 1 { "" } else { "s" };
    format!("{}: {} key{s}{met}{rest}", choice.name(), keys.len())
}

/// One line a key.
pub fn rows(keys: &[KeyShown], holder: &dyn Fn(u32) -> String) -> Vec<String> {
    let width = |text: fn(&KeyShown) -> &str| keys.iter().map(|key| text(key).len()).max().unwrap_or(0);
    let (values, places) = (width(|key| &key.text), width(|key| &key.place));
    let row = |key: &KeyShown| {
        let holder = key.holder.map(holder).unwrap_or_default();
        format!("  {:>values$}  {:<places$}  {holder}", key.text, key.place).trim_end().to_owned()
    };
    keys.iter().map(row).collect()
}
