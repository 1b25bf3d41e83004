//! Repairs of lengths and numbers: a derivation of the right length, a number on the right side of its bound.
use super::failing::Failing;
use super::formula::Comparison;
use super::plan::place;
use super::repair::{Change, TRIES};
use super::solver::Solver;
use crate::python::code::{Cmp, Ex};
use crate::python::value::{TreeRef, Value};
use crate::python::vm::Vm;
use crate::tree::Kind;

impl<'s> Solver<'s> {
    /// For `len(str(<x>)) < number` and its like: a derivation of the field whose length is on the right side.
    pub(super) fn set_length(&mut self, comparison: &'s Comparison, failure: &Failing<'s>) -> Option<Change> {
        let spec = self.spec;
        let (left, right) = (measured(&comparison.left), measured(&comparison.right));
        // Of two lengths, either may follow the other.
        let take_left = left.is_some() && (right.is_none() || self.rng.below(2) == 0);
        let (slot, other, cmp) = if take_left {
            (left?, &comparison.right, comparison.cmp)
        } else {
            (right?, &comparison.left, flip(comparison.cmp))
        };
        let at = failure.bound.iter().find(|(known, _)| *known == slot).map(|(_, at)| *at)?;
        let Kind::Symbol(symbol) = self.tree.node(at).kind() else { return None };
        let wanted = self.number(other, failure)?;
        let before = self.tree.text_of(at).len() as i64;
        let room = (self.tree.node(at).len as i64 + 2 * wanted.clamp(0, 10_000)) as u32;
        let eager = std::mem::replace(&mut self.generator.eager, if wanted >= before { 256 } else { 0 });
        let mut change = None;
        for _ in 0..TRIES {
            let donor = self.donors.len();
            let size = 2 + self.rng.below(room.max(2));
            let made = self.generator.symbol(
                &spec.grammar,
                symbol,
                size,
                &mut self.rng,
                &mut self.program,
                &mut self.donors,
            );
            if made.is_err() {
                break;
            }
            let text = self.donors.text_of(donor);
            let len = if spec.grammar.symbol(symbol).has_bytes {
                text.len() as i64
            } else {
                text.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as i64
            };
            let fits = match cmp {
                Cmp::Lt => len < wanted,
                Cmp::Le => len <= wanted,
                Cmp::Gt => len > wanted,
                Cmp::Ge => len >= wanted,
                Cmp::Eq => len == wanted,
                _ => len != wanted,
            };
            if fits {
                change = Some(Change { at, donor, is_met: false });
                break;
            }
            self.donors.truncate(donor);
        }
        self.generator.eager = eager;
        change
    }

    /// The whole number that a side of a failing comparison is worth.
    pub(super) fn number(&mut self, side: &'s Ex, failure: &Failing<'s>) -> Option<i64> {
        let spec = self.spec;
        let mut vm =
            Vm::new(&spec.grammar, &spec.program, &[&self.tree], &mut self.program.state, &mut self.rng);
        vm.reserve(spec.constraints.iter().map(|constraint| constraint.frame).max().unwrap_or(0));
        for (slot, at) in &failure.bound {
            vm.set_slot(*slot, Value::Tree(TreeRef { tree: 0, at: *at }));
        }
        let value = vm.eval(side).and_then(|value| vm.int_of(&value)).ok().and_then(|value| value.as_int());
        drop(vm);
        self.program.state.stack.clear();
        value
    }

    /// For `int(<x>) < number` and its like: a number on the right side of the bound, parsed into the field.
    pub(super) fn set_number(&mut self, comparison: &'s Comparison, failure: &Failing<'s>) -> bool {
        let spec = self.spec;
        let (slot, other, cmp) = match (place(&comparison.left), place(&comparison.right)) {
            (Some(slot), None) => (slot, &comparison.right, comparison.cmp),
            (None, Some(slot)) => (slot, &comparison.left, flip(comparison.cmp)),
            _ => return false,
        };
        let Some((_, at)) = failure.bound.iter().find(|(known, _)| *known == slot) else { return false };
        let Kind::Symbol(symbol) = self.tree.node(*at).kind() else { return false };
        let Some(bound) = self.number(other, failure) else { return false };
        let room = match self.rng.below(3) {
            0 => 2,
            1 => 100,
            _ => bound.unsigned_abs().max(10),
        };
        let step = self.rng.below64(room) as i64;
        let value = match cmp {
            Cmp::Lt => bound.saturating_sub(1 + step),
            Cmp::Le => bound.saturating_sub(step),
            Cmp::Gt => bound.saturating_add(1 + step),
            Cmp::Ge => bound.saturating_add(step),
            _ => bound.saturating_add(if self.rng.below(2) == 0 { 1 + step } else { -1 - step }),
        };
        self.text.clear();
        let as_bits = spec.grammar.symbol(symbol).has_bits;
        if as_bits {
            let width = spec.grammar.least(spec.grammar.symbol(symbol).rule).bits.min(63);
            if value < 0 || value >> width != 0 {
                return false;
            }
            self.text.extend((0..width).rev().map(|bit| (value >> bit & 1) as u8));
        } else {
            self.text.extend_from_slice(value.to_string().as_bytes());
        }
        self.donors.clear();
        match self.parse_donor(symbol, as_bits) {
            Some(donor) => {
                self.spare.clone_from(&self.tree);
                self.spare.replace(*at, &self.donors, donor);
                true
            }
            None => false,
        }
    }
}

/// The slot whose text or bytes are measured by `len(str(<x>))` or `len(bytes(<x>))`.
fn measured(ex: &Ex) -> Option<u32> {
    match ex {
        Ex::Len(inner) => match &**inner {
            Ex::Str(place) | Ex::Bytes(place) => match &**place {
                Ex::Local(slot) => Some(*slot),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn flip(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Gt,
        Cmp::Gt => Cmp::Lt,
        Cmp::Le => Cmp::Ge,
        Cmp::Ge => Cmp::Le,
        other => other,
    }
}
