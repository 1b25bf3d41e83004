//! A change of an input that may answer a comparison.
use std::ops::Range;

/// Bytes that take the place of others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// Where.
    pub at: usize,
    /// How many go.
    pub len: usize,
    /// What comes.
    pub with: Vec<u8>,
}

impl Edit {
    /// Writes over what is there, and beyond the end if need be.
    pub fn overwrite(at: usize, with: &[u8], input: &[u8]) -> Self {
        Self { at, len: with.len().min(input.len().saturating_sub(at)), with: with.to_vec() }
    }

    /// What makes one input of another, in one piece.
    pub fn between(from: &[u8], to: &[u8]) -> Self {
        let at = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let room = from.len().min(to.len()) - at;
        let behind = from.iter().rev().zip(to.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        Self { at, len: from.len() - behind - at, with: to[at..to.len() - behind].to_vec() }
    }

    /// Where what comes stands in the changed input.
    pub fn put_in(&self) -> Range<usize> {
        self.at..self.at + self.with.len()
    }

    /// The same, with so many more bytes at the end of the input: a number may say how much has to follow it.
    pub fn apply_longer(&self, input: &[u8], more: usize, max_len: usize) -> Option<Vec<u8>> {
        let mut changed = self.apply(input, max_len)?;
        changed.resize(changed.len() + more, b'0');
        (changed.len() <= max_len).then_some(changed)
    }

    /// The changed input; nothing if it would be longer than allowed or is the same.
    pub fn apply(&self, input: &[u8], max_len: usize) -> Option<Vec<u8>> {
        let end = self.at.checked_add(self.len)?;
        let (before, after) = (input.get(..self.at)?, input.get(end..)?);
        let changed = [before, &self.with, after].concat();
        (changed.len() <= max_len && changed != input).then_some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_one_input_of_another_does() {
        for (from, to) in [("abcd", "abXd"), ("aaaa", "aaaaaa"), ("abcd", "ad"), ("", "ab"), ("ab", "")] {
            let edit = Edit::between(from.as_bytes(), to.as_bytes());
            assert_eq!(edit.apply(from.as_bytes(), 9).unwrap(), to.as_bytes());
            assert_eq!(to.as_bytes()[edit.put_in()], edit.with);
        }
    }

    #[test]
    fn edits_keep_to_the_limit_and_change_something() {
        let edit = Edit::overwrite(2, b"XYZ", b"abcd");
        assert_eq!(edit.apply(b"abcd", 5).unwrap(), b"abXYZ");
        assert_eq!(edit.apply(b"abcd", 4), None);
        assert_eq!(Edit::overwrite(1, b"b", b"abc").apply(b"abc", 9), None);
        assert_eq!(Edit { at: 9, len: 0, with: vec![1] }.apply(b"abc", 9), None);
    }
}
