//! Goes on where a mutant got higher: the bytes that made it so are given larger values, and what was put in is repeated,
//! before anything else is tried.
//!
//! Sizes and counts stand in few bytes of an input. Which ones they are shows in the mutant that changed one of them and was
//! kept for allocating more; what it can come to is then a matter of a few dozen runs, not of the luck that this entry is
//! chosen again among thousands, and this byte among all of its bytes.
use std::{cell::RefCell, ops::Range, rc::Rc, time::Duration};

use libafl::{Error, corpus::CorpusId, inputs::HasMutatorBytes, state::HasMaxSize};
use waypoint_domains::{Domain, Reducer, RunMap, Unit};
use waypoint_runtime::harness;

use super::{
    answers::{Edit, Mender, Repair},
    assembly::Input,
    effort::Patience,
    energy,
    keep::Keeper,
    parts::Parts,
};
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
/// What asks for memory is a record of the input, and begins and ends so many bytes beside them at most.
const RECORD: usize = 8;
/// It is looked for no longer than this: where runs are so slow, they fill the memory.
const LONGEST: Duration = Duration::from_millis(50);

/// Pushes further what got higher.
#[derive(Debug, Clone)]
pub struct Climber {
    control: &'static Control,
    keeper: Keeper,
    mender: Rc<RefCell<Mender>>,
    /// The domains whose values are sizes, or may be, one bit each: their bytes are pushed.
    sizes: u32,
    /// Those whose values can grow at all: what was put in is repeated.
    growing: u32,
    /// Whether one of them is about memory.
    asks_for_memory: bool,
}

/// The highest so far.
struct Top {
    entry: CorpusId,
    input: Input,
    /// Whether no entry is higher.
    of_all: bool,
}

/// What the climb began from.
struct Foot {
    input: Input,
    /// The fields of it that follow the rest, such as checksums: they are mended in every step.
    repairs: Vec<Repair>,
    patience: Patience,
}

impl Climber {
    /// For these domains.
    pub fn new(
        control: &'static Control,
        chosen: &[Choice],
        keeper: Keeper,
        mender: Rc<RefCell<Mender>>,
    ) -> Self {
        // A harness with a mutator of its own knows what its bytes mean.
        let is_plain = harness::hooks().custom_mutator.is_none();
        let grows = |domain: &Domain| matches!(domain.reducer, Reducer::Max);
        // Orders of magnitude are for keeping ways apart.
        let is_size = |domain: &Domain| {
            grows(domain) && domain.unit == Unit::Bytes && !domain.maps.contains(&RunMap::AllocatedAt)
        };
        let bits = |fits: &dyn Fn(&Domain) -> bool| -> u32 {
            let fits = |choice: &Choice| is_plain && choice.guides && choice.built_in().is_none_or(fits);
            chosen.iter().enumerate().map(|(n, choice)| u32::from(fits(choice)) << n).sum()
        };
        let asks_for_memory = is_plain
            && chosen.iter().any(|choice| {
                choice.guides
                    && choice.built_in().is_some_and(|domain| domain.maps.contains(&RunMap::Allocations))
            });
        Self { control, keeper, mender, sizes: bits(&is_size), growing: bits(&grows), asks_for_memory }
    }

    /// Whether a domain guides that is about memory.
    pub fn asks_for_memory(&self) -> bool {
        self.asks_for_memory
    }

    /// The newest entry was made from `parent`: pushes it on if it got higher by few bytes.
    pub fn climb(&self, parts: &mut Parts<'_>, parent: CorpusId) -> Result<(), Error> {
        if !has_risen(parts, self.growing) {
            return Ok(());
        }
        let is_size = has_risen(parts, self.sizes);
        let entry = CorpusId(parts.entries() - 1);
        let mut top = Top { entry, input: parts.input_of(entry)?, of_all: self.is_at_best(parts) };
        let repairs = self.mender.borrow().known(parent.0);
        let patience = self.keeper.patience(Duration::MAX);
        let foot = Foot { input: parts.input_of(parent)?, repairs, patience };
        let (from, to) = (foot.input.mutator_bytes(), top.input.mutator_bytes());
        let changed = changed_but_for(from, to, &foot.repairs);
        if from.len() + changed.len() == to.len() {
            self.repeat(parts, &foot, &mut top, changed.clone())?;
        }
        if !(1..=MOST_CHANGED).contains(&changed.len()) {
            return Ok(());
        }
        // What is longest shows in the same way what its length follows; what allocates most may be slow, and is doubled.
        if is_size || (top.of_all && !self.asks_for_memory) {
            let domains = if is_size { self.sizes } else { self.growing };
            self.push(parts, &foot, &mut top, changed.clone(), domains)?;
        }
        if self.asks_for_memory && top.of_all {
            self.double(parts, &foot, &mut top, changed)?;
        }
        Ok(())
    }

    /// Whether the last run has as much as any had.
    fn is_at_best(&self, parts: &Parts<'_>) -> bool {
        parts.executor.maps().is_at_best(self.growing)
    }

    /// Puts in a second time what the changed bytes may be a part of: where one record of the input asks for as much as
    /// there is, two may ask for it twice.
    fn double(
        &self,
        parts: &mut Parts<'_>,
        foot: &Foot,
        top: &mut Top,
        changed: Range<usize>,
    ) -> Result<(), Error> {
        let len = top.input.mutator_bytes().len();
        let starts = changed.start.saturating_sub(RECORD)..=changed.start;
        let ends = changed.end..=(changed.end + RECORD).min(len);
        if self.left() <= (starts.clone().count() * ends.clone().count()) as f64 {
            return Ok(());
        }
        let patience = self.keeper.patience(LONGEST);
        for block in starts.flat_map(|start| ends.clone().map(move |end| start..end)) {
            if patience.is_over() {
                break;
            }
            let input = top.input.mutator_bytes();
            if input.len() + block.len() > parts.state.max_size() {
                continue;
            }
            let next = [&input[..block.end], &input[block.clone()], &input[block.end..]].concat();
            if self.step(parts, foot, top, next, self.sizes)? {
                return self.repeat(parts, foot, top, block);
            }
        }
        Ok(())
    }

    /// Repeats what was put in, twice as often each time, as long as that leads on.
    fn repeat(
        &self,
        parts: &mut Parts<'_>,
        foot: &Foot,
        top: &mut Top,
        block: Range<usize>,
    ) -> Result<(), Error> {
        for times in (0..usize::BITS).map(|doubled| 1 << doubled) {
            let input = top.input.mutator_bytes();
            let room = parts.state.max_size().saturating_sub(input.len()) / block.len().max(1);
            let times = room.min(times);
            if block.is_empty() || times == 0 || self.left() <= 1.0 || foot.patience.is_over() {
                break;
            }
            let more = input[block.clone()].repeat(times);
            let next = [&input[..block.end], &more, &input[block.end..]].concat();
            if !self.step(parts, foot, top, next, self.growing)? {
                break;
            }
        }
        Ok(())
    }

    /// Makes the changed bytes larger, and those beside them.
    fn push(
        &self,
        parts: &mut Parts<'_>,
        foot: &Foot,
        top: &mut Top,
        changed: Range<usize>,
        domains: u32,
    ) -> Result<(), Error> {
        let end = (changed.end + BESIDE).min(top.input.mutator_bytes().len());
        let places = changed.start.saturating_sub(BESIDE)..end;
        for _ in 0..ROUNDS {
            let steps = steps(top.input.mutator_bytes(), places.clone());
            if self.left() <= steps.len() as f64 {
                break;
            }
            let before = top.entry;
            for (at, value) in steps {
                if foot.patience.is_over() {
                    return Ok(());
                }
                let mut next = top.input.mutator_bytes().to_vec();
                if std::mem::replace(&mut next[at], value) != value {
                    self.step(parts, foot, top, next, domains)?;
                }
            }
            if top.entry == before {
                break;
            }
        }
        Ok(())
    }

    /// How many runs may still be spent on climbing.
    fn left(&self) -> f64 {
        energy::left(self.control, &[Op::Climb])
    }

    /// Runs what may be higher, with what follows the rest of it mended; if it is, in one of these domains, it is the top
    /// from now on.
    fn step(
        &self,
        parts: &mut Parts<'_>,
        foot: &Foot,
        top: &mut Top,
        next: Vec<u8>,
        domains: u32,
    ) -> Result<bool, Error> {
        self.keeper.check_end(parts.state)?;
        let origin = Origin { parent: parts.number_of(top.entry), op: Op::Climb, rep: 1 };
        let edit = Edit::between(foot.input.mutator_bytes(), &next);
        let mended = self.mender.borrow_mut().mended(parts, &next, &foot.repairs, Some(&edit), origin)?;
        let entries = parts.entries();
        let next = Input::from(mended.unwrap_or(next));
        self.keeper.consider(parts, &next, origin)?;
        let is_higher = parts.entries() > entries && has_risen(parts, domains);
        if is_higher {
            *top = Top { entry: CorpusId(entries), input: next, of_all: self.is_at_best(parts) };
        }
        Ok(is_higher)
    }
}

/// Whether the entry that was kept last is a waypoint in one of these domains.
fn has_risen(parts: &Parts<'_>, domains: u32) -> bool {
    domains & parts.executor.maps().waypoint_in != 0
}

/// What is tried: each of these bytes with each value.
fn steps(input: &[u8], places: Range<usize>) -> Vec<(usize, u8)> {
    let steps = places.flat_map(|at| {
        let more = [input[at].wrapping_add(1), input[at].wrapping_mul(2)];
        more.into_iter().chain(VALUES).map(move |value| (at, value))
    });
    steps.collect()
}

/// The bytes of a child in which it differs from its parent, besides fields that were mended.
fn changed_but_for(parent: &[u8], child: &[u8], repairs: &[Repair]) -> Range<usize> {
    if parent.len() != child.len() {
        return Edit::between(parent, child).put_in();
    }
    let is_mended = |at: usize| repairs.iter().any(|repair| repair.field().contains(&at));
    let mut differs = (0..child.len()).filter(|at| parent[*at] != child[*at] && !is_mended(*at));
    let Some(start) = differs.next() else { return child.len()..child.len() };
    start..differs.next_back().unwrap_or(start) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_bytes_are_told_from_what_was_put_in() {
        let changed = |parent, child| changed_but_for(parent, child, &[]);
        assert_eq!(changed(b"0123456789", b"01234x6789"), 5..6);
        assert_eq!(changed(b"0123456789", b"0x2345678x"), 1..10);
        assert_eq!(changed(b"0123456789", b"01234xy56789"), 5..7, "put in");
        assert_eq!(changed(b"aaaa", b"aaaaaa"), 4..6, "repeated");
        assert!(changed(b"0123456789", b"0123456789").is_empty());
        assert!(changed(b"0123456789", b"01236789").is_empty(), "only left out");
        assert_eq!(changed(b"", b"ab"), 0..2);
    }

    #[test]
    fn a_mended_field_is_no_change() {
        let field = Repair::at(6, b"6789");
        assert_eq!(changed_but_for(b"0123456789", b"0x2345abcd", &[field]), 1..2);
    }

    #[test]
    fn every_place_is_given_every_value() {
        let steps = steps(b"abc", 1..3);
        assert_eq!(steps.len(), 2 * (VALUES.len() + 2));
        assert!(steps.contains(&(1, 0xff)) && steps.contains(&(2, b'c' + 1)));
    }
}
