//! Where an input may be changed without losing what is aimed at: for every byte whether it may be overwritten or deleted,
//! and whether something may be inserted before it (definition 13).
use libafl_bolts::rands::Rand;

/// What may be done at a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Change {
    /// It may have another value.
    Overwrite = 1,
    /// It may go.
    Delete = 2,
    /// Something may come before it.
    Insert = 4,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Overwrite, Self::Delete, Self::Insert];
}

/// The mask of an input; it moves along with the input's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    /// Bits of [`Change`]: one place a byte, and one for the end, where something may only be inserted.
    places: Vec<u8>,
}

impl Mask {
    /// Of an input of this length, in which nothing may be changed.
    pub fn closed(len: usize) -> Self {
        Self { places: vec![0; len + 1] }
    }

    /// The same where everything may be changed.
    pub fn open(len: usize) -> Self {
        let mut mask = Self::closed(len);
        mask.places.fill(Change::ALL.iter().fold(0, |bits, change| bits | *change as u8));
        mask
    }

    /// Allows this at these bytes; the one behind the last stands for the end.
    pub fn allow(&mut self, change: Change, places: std::ops::Range<usize>) {
        self.places[places].iter_mut().for_each(|bits| *bits |= change as u8);
    }

    /// Whether this may be done to the `len` bytes from here on.
    pub fn allows(&self, change: Change, at: usize, len: usize) -> bool {
        let limit = self.limit(change);
        at + len <= limit && self.places[at..at + len].iter().all(|bits| bits & change as u8 != 0)
    }

    /// Whether anything may be done at all.
    pub fn allows_anything(&self) -> bool {
        Change::ALL.iter().any(|change| (0..self.limit(*change)).any(|at| self.allows(*change, at, 1)))
    }

    /// How many places there are for such a change.
    fn limit(&self, change: Change) -> usize {
        if change == Change::Insert { self.places.len() } else { self.places.len() - 1 }
    }

    /// A place where this may be done to `len` bytes, any such place as likely as any other.
    pub fn choose(&self, change: Change, len: usize, rand: &mut impl Rand) -> Option<usize> {
        const GUESSES: usize = 4;
        let n = (self.limit(change) + 1).checked_sub(len).filter(|n| *n > 0)?;
        let guess = (0..GUESSES).map(|_| rand.below_or_zero(n)).find(|at| self.allows(change, *at, len));
        guess.or_else(|| {
            let count = self.starts(change, len).count();
            (count > 0).then(|| self.starts(change, len).nth(rand.below_or_zero(count)))?
        })
    }

    /// Where a stretch of `len` bytes begins to all of which this may be done.
    fn starts(&self, change: Change, len: usize) -> impl Iterator<Item = usize> {
        let mut run = 0;
        (0..self.limit(change)).filter_map(move |at| {
            run = if self.places[at] & change as u8 != 0 { run + 1 } else { 0 };
            (run >= len).then(|| at + 1 - len)
        })
    }

    /// These bytes are gone.
    pub fn delete(&mut self, at: usize, len: usize) {
        self.places.drain(at..at + len);
    }

    /// There are `len` new bytes before this one: with them anything may be done, since they were not needed before.
    pub fn insert(&mut self, at: usize, len: usize) {
        let all = Change::ALL.iter().fold(0, |bits, change| bits | *change as u8);
        self.places.splice(at..at, std::iter::repeat_n(all, len));
    }
}

#[cfg(test)]
mod tests {
    use libafl_bolts::rands::StdRand;

    use super::*;

    #[test]
    fn chooses_all_places_that_are_allowed_and_no_other() {
        let mut mask = Mask::closed(40);
        assert!(!mask.allows_anything());
        mask.allow(Change::Overwrite, 10..13);
        mask.allow(Change::Overwrite, 30..31);
        mask.allow(Change::Insert, 40..41);
        let mut rand = StdRand::with_seed(1);
        let mut chosen = |change, len| {
            let mut places: Vec<_> = (0..200).map(|_| mask.choose(change, len, &mut rand)).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        assert_eq!(chosen(Change::Overwrite, 1), [Some(10), Some(11), Some(12), Some(30)]);
        assert_eq!(chosen(Change::Overwrite, 2), [Some(10), Some(11)]);
        assert_eq!(chosen(Change::Overwrite, 4), [None]);
        assert_eq!(chosen(Change::Insert, 1), [Some(40)]);
        assert_eq!(chosen(Change::Delete, 1), [None]);
        assert_eq!(chosen(Change::Overwrite, 41), [None]);
    }

    #[test]
    fn moves_along_with_the_bytes() {
        let mut mask = Mask::closed(6);
        mask.allow(Change::Delete, 2..4);
        mask.delete(2, 1);
        assert!(mask.allows(Change::Delete, 2, 1) && !mask.allows(Change::Delete, 2, 2));
        mask.insert(1, 3);
        assert!(mask.allows(Change::Delete, 1, 3) && !mask.allows(Change::Delete, 1, 4));
        assert!(mask.allows(Change::Delete, 5, 1) && !mask.allows(Change::Overwrite, 5, 1));
        assert_eq!(mask, mask.clone());
        assert!(Mask::open(0).allows(Change::Insert, 0, 1) && !Mask::open(0).allows(Change::Delete, 0, 1));
    }
}
