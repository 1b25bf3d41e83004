//! Goes on where a mutant got higher: the bytes that made it so are given larger values before anything else is tried.
//!
//! Sizes and counts stand in few bytes of an input. Which ones they are shows in the mutant that changed one of them and was
//! kept for allocating more; what it can come to is then a matter of a few dozen runs, not of the luck that this entry is
//! chosen again among thousands, and this byte among all of its bytes.
use std::ops::Range;

use libafl::{Error, corpus::CorpusId, inputs::HasMutatorBytes};
use waypoint_domains::{Domain, Reducer, RunMap, Unit};
use waypoint_runtime::harness;

use super::{assembly::Input, energy, keep::Keeper, parts::Parts};
use crate::{
    guidance::Choice,
    origin::{Op, Origin},
    shared::Control,
};

/// Of a mutant that differs in more bytes than this, nobody knows which of them matter.
const MOST_CHANGED: usize = 16;
/// Numbers are wider than what was changed of them: so many bytes on either side may belong to them.
const BESIDE: usize = 3;
/// What a byte is made: the largest digit, the largest and smallest with a sign, what begins a long number where its first
/// bits tell how many bytes follow, and the largest of all. Upwards, since the largest may be more than is granted.
const VALUES: [u8; 8] = [b'9', 0x7f, 0x80, 0xc0, 0xe0, 0xf0, 0xfe, 0xff];
/// The bytes are gone through so many times at most, as long as that leads on.
const ROUNDS: usize = 3;

/// Pushes further what got higher.
#[derive(Debug)]
pub struct Climber {
    control: &'static Control,
    /// The domains whose values can be pushed, one bit each.
    domains: u32,
}

impl Climber {
    /// For these domains.
    pub fn new(control: &'static Control, chosen: &[Choice]) -> Self {
        // Orders of magnitude are for keeping ways apart.
        let is_size = |domain: &Domain| {
            domain.unit == Unit::Bytes
                && matches!(domain.reducer, Reducer::Max)
                && !domain.maps.contains(&RunMap::AllocatedAt)
        };
        let can_climb = |choice: &Choice| choice.built_in().is_none_or(is_size);
        let bit = |(n, choice): (usize, &Choice)| u32::from(choice.guides && can_climb(choice)) << n;
        let domains = chosen.iter().enumerate().map(bit).sum();
        // A harness with a mutator of its own knows what its bytes mean.
        let is_plain = harness::hooks().custom_mutator.is_none();
        Self { control, domains: if is_plain { domains } else { 0 } }
    }

    /// The newest entry was made from `parent`: pushes it on if it got higher by few bytes.
    pub fn climb(&self, parts: &mut Parts<'_>, keeper: &Keeper, parent: &[u8]) -> Result<(), Error> {
        if !self.has_risen(parts) {
            return Ok(());
        }
        let mut highest = CorpusId(parts.entries() - 1);
        let mut input = parts.input_of(highest)?;
        let Some(places) = places(parent, input.mutator_bytes()) else { return Ok(()) };
        for _ in 0..ROUNDS {
            let runs = places.len() * (VALUES.len() + 2);
            if !energy::may_spend(self.control, &[Op::Climb], runs as f64) {
                break;
            }
            let before = highest;
            for (at, value) in steps(input.mutator_bytes(), places.clone()) {
                // From where the last step led to.
                let mut next = input.mutator_bytes().to_vec();
                if std::mem::replace(&mut next[at], value) == value {
                    continue;
                }
                keeper.check_end(parts.state)?;
                let entries = parts.entries();
                let next = Input::from(next);
                let origin = Origin { parent: parts.number_of(highest), op: Op::Climb, rep: 1 };
                keeper.consider(parts, &next, origin)?;
                if parts.entries() > entries && self.has_risen(parts) {
                    (highest, input) = (CorpusId(entries), next);
                }
            }
            if highest == before {
                break;
            }
        }
        Ok(())
    }

    /// Whether the entry that was kept last is a waypoint in a domain whose values can be pushed.
    fn has_risen(&self, parts: &Parts<'_>) -> bool {
        self.domains & parts.executor.maps().waypoint_in != 0
    }
}

/// What is tried: each of these bytes with each value.
fn steps(input: &[u8], places: Range<usize>) -> Vec<(usize, u8)> {
    let steps = places.flat_map(|at| {
        let more = [input[at].wrapping_add(1), input[at].wrapping_mul(2)];
        more.into_iter().chain(VALUES).map(move |value| (at, value))
    });
    steps.collect()
}

/// The bytes in which a child differs from its parent and those beside them; nothing if they are too many.
fn places(parent: &[u8], child: &[u8]) -> Option<Range<usize>> {
    let start = parent.iter().zip(child).take_while(|(a, b)| a == b).count();
    let room = parent.len().min(child.len()) - start;
    let behind = parent.iter().rev().zip(child.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let end = child.len() - behind;
    let is_some = end > start && end - start <= MOST_CHANGED;
    is_some.then(|| start.saturating_sub(BESIDE)..(end + BESIDE).min(child.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_what_differs_and_a_little_more() {
        assert_eq!(places(b"0123456789", b"01234x6789"), Some(2..9));
        assert_eq!(places(b"0123456789", b"x123456789"), Some(0..4));
        assert_eq!(places(b"0123456789", b"01234xy56789"), Some(2..10), "put in");
        assert_eq!(places(b"aaaa", b"aaaaaa"), Some(1..6), "repeated");
        assert_eq!(places(b"0123456789", b"0123456789"), None);
        assert_eq!(places(b"0123456789", b"01236789"), None, "only left out");
        assert_eq!(places(&[0; 64], &[1; 64]), None, "too much");
        assert_eq!(places(b"", b"ab"), Some(0..2));
    }

    #[test]
    fn every_place_is_given_every_value() {
        let steps = steps(b"abc", 1..3);
        assert_eq!(steps.len(), 2 * (VALUES.len() + 2));
        assert!(steps.contains(&(1, 0xff)) && steps.contains(&(2, b'c' + 1)));
    }
}
