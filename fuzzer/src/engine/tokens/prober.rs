//! What learning needs of a target: runs, their counters and their comparisons.
use super::{super::answers::log::Sides, votes::Site};

/// The counters of a run that are not zero, by their number, in order.
pub type Counts = Vec<(u32, u32)>;

/// Why learning ends early.
#[derive(Debug)]
pub enum Halt<E> {
    /// It has had its share of runs.
    Spent,
    /// Something else.
    Failed(E),
}

/// Runs the target. What kills it is not run twice, and reads as if it did nothing.
pub trait Prober {
    /// What may go wrong.
    type Error;

    /// Runs an input for its counters only.
    fn read(&mut self, input: &[u8]) -> Result<Counts, Halt<Self::Error>>;

    /// Runs an input that may be worth keeping; `complete` if it was read up to its end.
    fn offer(&mut self, input: &[u8], complete: bool) -> Result<Counts, Halt<Self::Error>>;

    /// Runs an input for its comparisons, in the order in which they were made.
    fn trace(&mut self, input: &[u8]) -> Result<Vec<(Site, Sides)>, Halt<Self::Error>>;

    /// The short texts among the program's constants.
    fn texts(&mut self) -> Vec<Vec<u8>>;

    /// The texts that the program holds in memory after a run, if they may be looked at: which of them are left there depends
    /// on where its memory lies, so that nothing that is to be repeated may ask for them.
    fn held(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// These are the tokens so far.
    fn tell(&mut self, tokens: Vec<Vec<u8>>);
}

/// The counters in which two runs differ, and whether the second has more.
pub fn differences(first: &Counts, second: &Counts) -> Vec<(u32, bool)> {
    let (mut a, mut b) = (first.iter().copied().peekable(), second.iter().copied().peekable());
    let mut found = Vec::new();
    while let Some(key) = a.peek().into_iter().chain(b.peek()).map(|(key, _)| *key).min() {
        let count = |side: &mut std::iter::Peekable<_>| {
            side.next_if(|(own, _): &(u32, u32)| *own == key).map_or(0, |(_, count)| count)
        };
        let counts = [count(&mut a), count(&mut b)];
        if counts[0] != counts[1] {
            found.push((key, counts[1] > counts[0]));
        }
    }
    found
}

/// A target for tests, which compares nothing that could be traced: what it reaches with an input.
#[cfg(test)]
pub struct Fake<F>(pub F);

#[cfg(test)]
impl<F: FnMut(&[u8]) -> Counts> Prober for Fake<F> {
    type Error = ();

    fn read(&mut self, input: &[u8]) -> Result<Counts, Halt<()>> {
        Ok((self.0)(input))
    }

    fn offer(&mut self, input: &[u8], _: bool) -> Result<Counts, Halt<()>> {
        self.read(input)
    }

    fn trace(&mut self, _: &[u8]) -> Result<Vec<(Site, Sides)>, Halt<()>> {
        Ok(Vec::new())
    }

    fn texts(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn tell(&mut self, _: Vec<Vec<u8>>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_which_counters_differ_and_how() {
        let (first, second) = (vec![(1, 5), (2, 1), (9, 3)], vec![(2, 2), (4, 1), (9, 3), (12, 1)]);
        assert_eq!(differences(&first, &second), [(1, false), (2, true), (4, true), (12, true)]);
        assert_eq!(differences(&second, &first), [(1, true), (2, false), (4, false), (12, false)]);
        assert_eq!(differences(&first, &first), []);
    }
}
