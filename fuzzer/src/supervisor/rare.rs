//! What came of holding on to rare branches, for `fuzzer_stats` and for the end.
use std::sync::atomic::Ordering::Relaxed;

use crate::{plan::Rare, shared::Control};

/// The ways that are measured: their names, whether with the mask, whether at AFL's stacking.
const WAYS: [(&str, bool, bool); 4] = [
    ("masked", true, false),
    ("plain", false, false),
    ("masked_afl", true, true),
    ("plain_afl", false, true),
];

/// Where it stands.
#[derive(Debug, Clone, Default)]
pub struct RareStatus {
    masks: u64,
    dropped: u64,
    /// By way: mutants, and those that hit what was aimed at.
    aimed: Vec<(&'static str, u64, u64)>,
}

impl RareStatus {
    /// As it is now; nothing if it is off.
    pub fn new(rare: Rare, control: &Control) -> Option<Self> {
        let numbers = &control.rare;
        let ways = WAYS.iter().filter(|(_, masked, afl)| rare == Rare::Shadow || (*masked && !afl));
        rare.is_asked_for().then(|| Self {
            masks: numbers.masks.load(Relaxed),
            dropped: numbers.dropped.load(Relaxed),
            aimed: ways
                .map(|(name, masked, afl)| {
                    let (tried, hit) = numbers.of(*masked, *afl).both();
                    (*name, tried, hit)
                })
                .collect(),
        })
    }

    /// For `fuzzer_stats`.
    pub fn rows(&self) -> Vec<(String, String)> {
        let mut rows = vec![
            ("rare_masks".to_owned(), self.masks.to_string()),
            ("rare_dropped".to_owned(), self.dropped.to_string()),
        ];
        for (name, tried, hit) in &self.aimed {
            rows.push((format!("rare_{name}_execs"), tried.to_string()));
            rows.push((format!("rare_{name}_hits"), hit.to_string()));
        }
        rows
    }

    /// For the end.
    pub fn line(&self) -> String {
        let share = |name: &str| {
            let way = self.aimed.iter().find(|(way, ..)| *way == name);
            way.map(|(_, tried, hit)| 100.0 * *hit as f64 / (*tried).max(1) as f64)
        };
        let effect = |masked: &str, plain: &str| match (share(masked), share(plain)) {
            (Some(masked), Some(plain)) => {
                format!("{masked:.1}% of mutants hit it with the mask, {plain:.1}% without")
            }
            (Some(masked), None) => format!("{masked:.1}% of mutants hit it"),
            _ => String::new(),
        };
        let ours = effect("masked", "plain");
        let afl = match share("masked_afl") {
            Some(_) => format!("; at AFL's stacking {}", effect("masked_afl", "plain_afl")),
            None => String::new(),
        };
        format!("rare: {} masks, {} targets dropped; {ours}{afl}", self.masks, self.dropped)
    }
}
