//! Which kept inputs are seeds, and how many generations lie between a seed and the others.
use std::collections::HashMap;

use crate::{
    origin::Op,
    shared::{Entry, Journal, Place},
};

/// The kept inputs as the journal told them so far.
#[derive(Debug, Default)]
pub struct Lineage {
    place: Place,
    /// Of each kept input, by the number in its name; 1 for a seed and for what an earlier campaign kept.
    depths: HashMap<u32, u32>,
    seeds: u64,
    deepest: u32,
}

/// A kept input that was not known before.
#[derive(Debug)]
pub struct Newcomer {
    /// Its generation.
    pub depth: u32,
    /// What the journal says.
    pub entry: Entry,
}

impl Lineage {
    /// Takes in what was kept since the last time, calling `f` with each.
    pub fn update(&mut self, journal: &Journal, mut f: impl FnMut(&Newcomer)) {
        for entry in journal.entries_from(&mut self.place) {
            let is_seed = matches!(entry.note.origin.op, Op::Seed | Op::Earlier);
            let parent = self.depths.get(&entry.note.origin.parent).filter(|_| !is_seed);
            let depth = 1 + parent.copied().unwrap_or(u32::from(!is_seed));
            self.seeds += u64::from(is_seed);
            self.deepest = self.deepest.max(depth);
            self.depths.insert(entry.note.id, depth);
            f(&Newcomer { depth, entry });
        }
    }

    /// How many kept inputs were not found by this campaign.
    pub fn seeds(&self) -> u64 {
        self.seeds
    }

    /// The highest generation.
    pub fn deepest(&self) -> u64 {
        self.deepest.into()
    }
}
