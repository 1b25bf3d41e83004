//! Which items are there at the current position of the chart: a hash table that needs no clearing between positions.
use super::chart::{Item, Place};

/// A table of indices of items; those before `start` belong to earlier positions and count as free places.
#[derive(Debug, Default)]
pub struct Seen {
    /// The first item of the current position.
    pub start: u32,
    table: Vec<u32>,
}

const SMALL: usize = 256;

/// Never the index of an item of the current position.
const FREE: u32 = 0;

impl Seen {
    /// Forgets everything, for another text.
    pub fn clear(&mut self) {
        self.table.clear();
        self.table.resize(SMALL, FREE);
        self.start = 0;
    }

    /// Notes the item that is about to be pushed to `items`, unless it is there at this position: then, which it is.
    #[inline]
    pub fn insert(&mut self, items: &[Item], place: Place, from: u32) -> Option<u32> {
        if 2 * (items.len() - self.start as usize) >= self.table.len() {
            self.grow(items);
        }
        let mask = self.table.len() - 1;
        let mut at = hash(place, from) & mask;
        loop {
            // Indices are kept plus one, so that 0 is free at the very start too.
            let known = self.table[at];
            if known <= self.start {
                self.table[at] = items.len() as u32 + 1;
                return None;
            }
            let item = &items[known as usize - 1];
            if item.place == place && item.from == from {
                return Some(known - 1);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, items: &[Item]) {
        let size = 4 * self.table.len();
        self.table.clear();
        self.table.resize(size, FREE);
        for (index, item) in items.iter().enumerate().skip(self.start as usize) {
            let mut at = hash(item.place, item.from) & (size - 1);
            while self.table[at] != FREE {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = index as u32 + 1;
        }
    }
}

#[inline]
fn hash(place: Place, from: u32) -> usize {
    let (kind, key) = match place {
        Place::Slot(slot) => (0, u64::from(slot)),
        Place::Rounds { goal, count } => (1, u64::from(goal) << 32 | u64::from(count)),
        Place::Taken { goal, taken } => (2, (u64::from(goal) << 40) ^ taken),
        Place::Through(goal) => (3, u64::from(goal)),
    };
    let mixed = (key ^ u64::from(from) << 21 ^ kind << 61).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 29) as usize
}
