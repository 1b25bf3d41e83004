//! Answers given together: where a program looks at many fields and only then says that one of them was wrong, every
//! field can have been right once, and no single answer shows anything new.
use libafl::{Error, state::HasRand};
use libafl_bolts::{nonzero, rands::Rand};
use rustc_hash::FxHashSet;

use super::{
    AnswerStage,
    edit::Edit,
    log::{Log, Made, Sides},
    repair::Repair,
};
use crate::{engine::parts::Parts, origin::Origin};

/// So many answers, and so many other bytes, of an entry are looked at more closely.
const LOOKS: usize = 64;
/// So many inputs are made of those that did no harm; fewer where one alone led on, since what it leads to comes first.
const INPUTS: usize = 128;
const INPUTS_BESIDE: usize = 8;
/// An input has so many eighths of the answers, one time as the other: a program that looks at many fields may want most
/// of them others, or all but two as they are.
const EIGHTHS: [usize; 4] = [1, 2, 4, 7];
/// At most so many eighths of the other bytes.
const OTHER_EIGHTHS: usize = 2;
/// A change that loses more of the comparisons made before leads away.
const LOST: usize = 4;

/// A change that did no harm.
#[derive(Debug)]
struct Part {
    edit: Edit,
    /// It gives a comparison what it wants; else it is just other bytes.
    is_answer: bool,
}

/// Changes of an entry that alter the way of its run, and not for the worse.
#[derive(Debug)]
pub(super) struct Together<'a> {
    /// What the entry as it is compares.
    plain: &'a Log,
    /// Where the entry as it is makes comparisons.
    sites: FxHashSet<(usize, usize)>,
    parts: Vec<Part>,
    /// How many answers, and how many other bytes, may still be looked at.
    looks: [usize; 2],
}

impl<'a> Together<'a> {
    /// Nothing yet, for an entry that makes these comparisons.
    pub(super) fn new(plain: &'a Log) -> Self {
        Self { plain, sites: plain.sites(), parts: Vec::new(), looks: [LOOKS; 2] }
    }

    /// Whether it should be found out what a change did that was tried alone.
    pub(super) fn wants(&mut self, edit: &Edit, is_answer: bool) -> bool {
        // Others would move what stands behind them.
        let keeps_places = edit.len == edit.with.len();
        let looks = &mut self.looks[usize::from(is_answer)];
        let wants = keeps_places && *looks > 0 && self.parts.iter().all(|part| part.edit != *edit);
        *looks -= usize::from(wants);
        wants
    }

    /// Takes a change that gave another entry's comparison what it wants, and did no harm there.
    pub(super) fn trust(&mut self, edit: Edit) {
        let is_new = self.parts.iter().all(|part| part.edit != edit);
        if edit.len == edit.with.len() && is_new && self.parts.len() < LOOKS {
            self.parts.push(Part { edit, is_answer: true });
        }
    }

    /// Takes what a single byte should be: numbers that were this byte before it was changed, and are it after that, tell
    /// what they are compared with. So a byte is known that no colour leaves on its way.
    pub(super) fn learn(&mut self, old: u8, edit: &Edit, changed: &Log) {
        let [new] = edit.with[..] else { return };
        for (made, sides) in &self.plain.all {
            let Sides::Numbers { ordered, sides, .. } = sides else { continue };
            let Some(given) = sides.iter().position(|side| *side == u64::from(old)) else { continue };
            let wanted = sides[1 - given];
            if wanted > u64::from(u8::MAX) || self.parts.len() >= LOOKS {
                continue;
            }
            let Some(Sides::Numbers { sides: after, .. }) = changed.find(made) else { continue };
            if after[given] == u64::from(new) && after[1 - given] == wanted {
                let around = [wanted as u8, (wanted as u8).wrapping_add(1), (wanted as u8).wrapping_sub(1)];
                for value in &around[..if *ordered { 3 } else { 1 }] {
                    self.trust(Edit { at: edit.at, len: 1, with: vec![*value] });
                }
            }
        }
    }

    /// What a run with this change compared, which is the answer to some comparison or to none; whether it did no harm.
    pub(super) fn look(&mut self, edit: Edit, answered: Option<&Made>, log: &Log) -> bool {
        let sites = log.sites();
        let lost = self.sites.iter().filter(|site| !sites.contains(site)).count();
        let is_answered = || answered.is_none_or(|made| log.find(made).is_some_and(Sides::are_near));
        let is_harmless = lost <= LOST && is_answered();
        if is_harmless {
            self.parts.push(Part { edit, is_answer: answered.is_some() });
        }
        is_harmless
    }

    /// Whether there is more than one place to be changed.
    fn is_worthwhile(&self) -> bool {
        let [first, rest @ ..] = self.parts.as_slice() else { return false };
        rest.iter().any(|other| !overlap(&first.edit, &other.edit))
    }

    /// An input with some of the answers and of the other bytes, by chance; and how many.
    fn join(&mut self, plain: &[u8], rand: &mut impl Rand) -> (Vec<u8>, u16) {
        let mut joined = plain.to_vec();
        let mut taken: Vec<usize> = Vec::new();
        for n in (1..self.parts.len()).rev() {
            self.parts.swap(n, rand.below_or_zero(n + 1));
        }
        let eighths = EIGHTHS[rand.below_or_zero(EIGHTHS.len())];
        for (n, Part { edit, is_answer }) in self.parts.iter().enumerate() {
            let chance = if *is_answer { eighths } else { eighths.min(OTHER_EIGHTHS) };
            let is_free = taken.iter().all(|other| !overlap(&self.parts[*other].edit, edit));
            if is_free && rand.below(nonzero!(8)) < chance {
                joined[edit.at..edit.at + edit.len].copy_from_slice(&edit.with);
                taken.push(n);
            }
        }
        (joined, taken.len() as u16)
    }
}

fn overlap(one: &Edit, other: &Edit) -> bool {
    one.at < other.at + other.len && other.at < one.at + one.len
}

impl AnswerStage {
    /// Runs inputs with several changes of an entry at once. `has_led_on` says whether one alone led to something new.
    pub(super) fn give_together(
        &mut self,
        parts: &mut Parts<'_>,
        plain: &[u8],
        mut together: Together<'_>,
        repairs: &[Repair],
        has_led_on: bool,
        origin: Origin,
    ) -> Result<(), Error> {
        if !together.is_worthwhile() {
            return Ok(());
        }
        for _ in 0..if has_led_on { INPUTS_BESIDE } else { INPUTS } {
            if self.limit.ends(self.shared.control) {
                break;
            }
            let (joined, rep) = together.join(plain, parts.state.rand_mut());
            let origin = Origin { rep, ..origin };
            self.consider_mended(parts, &joined, repairs, None, origin)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use libafl_bolts::rands::StdRand;

    use super::*;

    fn together<'a>(plain: &'a Log, edits: &[(usize, &[u8])]) -> Together<'a> {
        let edit = |(at, with): &(usize, &[u8])| Edit { at: *at, len: with.len(), with: with.to_vec() };
        let parts = edits.iter().map(|given| Part { edit: edit(given), is_answer: true }).collect();
        Together { parts, looks: [0; 2], ..Together::new(plain) }
    }

    #[test]
    fn joins_at_most_one_change_a_place_and_all_combinations_in_time() {
        let plain = Log::default();
        let mut together = together(&plain, &[(0, b"A"), (0, b"B"), (1, b"CC"), (2, b"D"), (5, b"E")]);
        let mut rand = StdRand::with_seed(1);
        let mut seen = FxHashSet::default();
        for _ in 0..200 {
            let (joined, rep) = together.join(b"......", &mut rand);
            assert!(rep <= 3 && joined.len() == 6);
            seen.insert(String::from_utf8(joined).unwrap());
        }
        for wanted in ["ACC..E", "BCC..E", "A.D..E", "B.D..E"] {
            assert!(seen.contains(wanted), "{wanted} is not in {seen:?}");
        }
    }

    #[test]
    fn one_place_alone_is_nothing_to_join() {
        let plain = Log::default();
        assert!(!together(&plain, &[]).is_worthwhile());
        assert!(!together(&plain, &[(3, b"ab"), (4, b"c")]).is_worthwhile());
        assert!(together(&plain, &[(3, b"ab"), (5, b"c")]).is_worthwhile());
    }

    #[test]
    fn a_byte_shows_what_it_is_compared_with() {
        let log = |depth: u64, lacing: u64| {
            let made = |slot| Made { site: (0, slot), nth: 0 };
            let numbers = |ordered, sides| Sides::Numbers { width: 32, ordered, sides };
            Log::of(vec![
                (made(0), numbers(false, [depth, 8])),
                (made(1), numbers(true, [1, lacing])),
                (made(2), numbers(false, [0, 0x0400])),
            ])
        };
        let plain = log(0, 0);
        let mut together = Together::new(&plain);
        let edit = |at, with: u8| Edit { at, len: 1, with: vec![with] };
        together.learn(0, &edit(24, 0x75), &log(0x75, 0));
        together.learn(0, &edit(28, 0x16), &log(0, 0x16));
        let wanted = [edit(24, 8), edit(28, 1), edit(28, 2), edit(28, 0)];
        assert!(together.parts.iter().map(|part| &part.edit).eq(&wanted), "{:?}", together.parts);
    }
}
