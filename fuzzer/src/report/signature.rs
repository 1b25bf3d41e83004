//! What makes two findings the same: a hash of the stack, and for hangs the path to the function that loops.
use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Paths of fewer functions are the same only if they are equal.
const SHORTEST_PREFIX: usize = 3;

/// Equal, or one the beginning of the other, for findings with the same cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    whole: u64,
    /// Of a path: the hashes of its beginnings, whose further course depends on the moment.
    beginnings: Vec<u64>,
}

impl Signature {
    /// That of something that is the same only if it is equal.
    pub fn of(what: impl Hash) -> Self {
        Self { whole: hash(what), beginnings: Vec::new() }
    }

    /// That of a path through the target, outermost function first.
    pub fn of_path<F: Hash>(kind: impl Hash, path: &[F]) -> Self {
        let beginnings = SHORTEST_PREFIX..path.len();
        Self {
            whole: hash((&kind, path)),
            beginnings: beginnings.map(|len| hash((&kind, &path[..len]))).collect(),
        }
    }

    /// Whether both are of the same cause.
    pub fn is_same(&self, other: &Self) -> bool {
        self.whole == other.whole
            || self.beginnings.contains(&other.whole)
            || other.beginnings.contains(&self.whole)
    }

    /// Takes it into the known ones; whether it is new.
    pub fn add_to(&self, known: &mut BTreeSet<u64>) -> bool {
        let is_known = known.contains(&self.whole)
            || known.contains(&as_beginning(self.whole))
            || self.beginnings.iter().any(|beginning| known.contains(beginning));
        if !is_known {
            known.insert(self.whole);
            known.extend(self.beginnings.iter().map(|beginning| as_beginning(*beginning)));
        }
        !is_known
    }
}

/// A path that is known as the beginning of others, not as a finding of its own.
fn as_beginning(hash: u64) -> u64 {
    !hash
}

fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(functions: &[&str]) -> Signature {
        Signature::of_path("hang", functions)
    }

    #[test]
    fn a_path_is_the_same_as_its_beginnings_unless_they_are_short() {
        let (long, short, tiny) = (path(&["a", "b", "c", "d"]), path(&["a", "b", "c"]), path(&["a", "b"]));
        let other = path(&["a", "b", "c", "e"]);
        assert!(long.is_same(&short) && short.is_same(&long) && short.is_same(&other));
        assert!(!long.is_same(&tiny) && !long.is_same(&other));
        let mut known = BTreeSet::new();
        assert!(long.add_to(&mut known) && !long.add_to(&mut known));
        assert!(!short.add_to(&mut known), "the beginning of a known one");
        assert!(other.add_to(&mut known) && tiny.add_to(&mut known));
        let mut known = BTreeSet::new();
        assert!(short.add_to(&mut known) && !long.add_to(&mut known) && !other.add_to(&mut known));
    }
}
