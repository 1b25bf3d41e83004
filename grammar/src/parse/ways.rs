//! The further ways in which the items of a chart came about.
use rustc_hash::FxHashMap;

use super::chart::{Item, NONE};
use crate::rng::Rng;

/// Further ways in which items came about, for texts with several trees.
#[derive(Debug, Default)]
pub struct Ways {
    /// Whether they are kept.
    pub wanted: bool,
    /// By item, the first of its list.
    first: FxHashMap<u32, u32>,
    /// The item before, the item of the word in between, and the next of the list.
    all: Vec<(u32, u32, u32)>,
}

impl Ways {
    /// Whether every item came about in one way only.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Forgets everything, for another text.
    pub fn clear(&mut self, wanted: bool) {
        self.wanted = wanted;
        self.first.clear();
        self.all.clear();
    }

    /// Keeps a further way in which an item came about.
    pub fn keep(&mut self, item: u32, before: u32, word: u32) {
        let next = self.first.insert(item, self.all.len() as u32).unwrap_or(NONE);
        self.all.push((before, word, next));
    }

    /// The item `index` with one of the ways in which it came about.
    pub fn pick(&self, items: &[Item], index: u32, draw: Draw, rng: &mut Rng) -> Item {
        let mut item = items[index as usize];
        let mut next = self.first.get(&index).copied().unwrap_or(NONE);
        let split = |before: u32| items.get(before as usize).map_or(0, |item| item.at);
        let mut count = 1;
        while next != NONE {
            let (before, word, rest) = self.all[next as usize];
            count += 1;
            let better = match draw {
                Draw::Latest => split(before) > split(item.before),
                Draw::Earliest => split(before) < split(item.before),
                Draw::Any => rng.one_in(count),
            };
            if better {
                (item.before, item.word) = (before, word);
            }
            next = rest;
        }
        item
    }
}

/// Which of several ways is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// That with the shortest last part: lists have as many rounds as can be.
    Latest,
    /// That with the longest last part.
    Earliest,
    /// One by chance.
    Any,
}
