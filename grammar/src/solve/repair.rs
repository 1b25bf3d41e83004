//! Repairs: equations are computed and parsed in, other failures are climbed out of.
use super::failing::{Atom, Failing};
use super::formula::Comparison;
use super::host::text_for;
use super::plan::{Class, place, target};
use super::settle::AT_ONCE;
use super::solver::{Solver, distance_in};
use super::touch;
use crate::parse::Limits;
use crate::python::code::{Cmp, Ex};
use crate::python::value::{TreeRef, Value};
use crate::python::vm::Vm;
use crate::tree::{Index, Kind};

/// Changes that one failing atom is worth.
pub(super) const TRIES: u32 = 12;

/// What a tree node is to become: the subtree of the donors there.
pub(super) struct Change {
    pub(super) at: Index,
    pub(super) donor: Index,
    /// With it, what failed there holds for sure.
    pub(super) is_met: bool,
}

impl<'s> Solver<'s> {
    /// Changes the tree towards satisfying a constraint that fails at `failing`; false if nothing helped.
    pub(super) fn repair(&mut self, index: usize, failing: &[Failing<'s>]) -> bool {
        // Of all repairs only computed fields are known part by part.
        let (doubtful, changed) = (self.doubtful, std::mem::take(&mut self.changed));
        self.doubtful = touch::ALL;
        self.changed_anywhere();
        self.donors.clear();
        let mut changes: Vec<Change> = Vec::new();
        // Now and then what fails goes away instead; always, where nothing can be computed.
        let searched = self.plan.known[index].class == Class::Searched;
        let wants = if searched { self.rng.below(8) } else { 1 };
        for failure in failing.iter().filter(|_| wants != 0) {
            if let Atom::Compare(comparison) = failure.atom
                && let Some(change) =
                    self.equate(comparison, failure).or_else(|| self.set_length(comparison, failure))
            {
                changes.push(change);
            }
        }
        if changes.is_empty() {
            let pick = self.rng.below(failing.len() as u32) as usize;
            if let (Atom::Compare(comparison), true) = (failing[pick].atom, wants != 0)
                && self.set_count(comparison, &failing[pick])
            {
                return true;
            }
            let compares =
                matches!(failing[pick].atom, Atom::Compare(comparison) if comparison.cmp != Cmp::Ne);
            if compares && wants != 0 && self.climb(index, &failing[pick]) {
                return true;
            }
            return self.avoid(failing) || self.climb(index, &failing[pick]);
        }
        self.repairs[0] += 1;
        // From the back, so that positions before stay what they are.
        changes.sort_by_key(|change| std::cmp::Reverse(change.at));
        let text = |change: &Change| self.donors.text_of(change.donor);
        let agree =
            changes.windows(2).all(|pair| pair[0].at != pair[1].at || text(&pair[0]) == text(&pair[1]));
        if !agree && self.unify(failing) {
            return true;
        }
        let count = changes.len();
        changes.dedup_by_key(|change| change.at);
        (self.doubtful, self.changed) = (doubtful, changed);
        let is_met = agree && count == failing.len() && count < AT_ONCE && changes.iter().all(|c| c.is_met);
        let met = if is_met { touch::own_bit(index) } else { 0 };
        for change in &changes {
            let own = match self.tree.node(change.at).kind() {
                Kind::Symbol(symbol) if self.touching.names_once(index, symbol) => met,
                _ => 0,
            };
            self.put(change.at, change.donor, own);
        }
        true
    }

    /// Adds to the donors what makes an equation hold.
    fn equate(&mut self, comparison: &'s Comparison, failure: &Failing<'s>) -> Option<Change> {
        let wanted = target(comparison)?;
        if let Some(change) = self.assign(comparison, failure, wanted) {
            return Some(change);
        }
        // The other side, if it can be set too.
        let other =
            [place(&comparison.left)?, place(&comparison.right)?].into_iter().find(|slot| *slot != wanted)?;
        self.assign(comparison, failure, other)
    }

    fn assign(&mut self, comparison: &'s Comparison, failure: &Failing<'s>, slot: u32) -> Option<Change> {
        let spec = self.spec;
        let at = failure.bound.iter().find(|(known, _)| *known == slot).map(|(_, at)| *at)?;
        let Kind::Symbol(symbol) = self.tree.node(at).kind() else { return None };
        let value_side =
            if place(&comparison.left) == Some(slot) { &comparison.right } else { &comparison.left };
        if let Ex::Local(source) = value_side
            && let Some((_, from)) = failure.bound.iter().find(|(known, _)| known == source)
            && self.tree.node(*from).kind() == Kind::Symbol(symbol)
        {
            let donor = self.donors.len();
            self.donors.append(&self.tree, *from);
            return Some(Change { at, donor, is_met: false });
        }
        if let (Ex::Str(_), Ex::Str(inner)) = (&comparison.left, &comparison.right)
            && let (Some(a), Some(b)) = (place(&comparison.left), place(&comparison.right))
            && matches!(**inner, Ex::Local(_))
        {
            // Texts of one symbol: the tree itself is copied, without parsing.
            let source = if slot == a { b } else { a };
            let from = failure.bound.iter().find(|(known, _)| *known == source).map(|(_, at)| *at)?;
            if self.tree.node(from).kind() == Kind::Symbol(symbol) {
                let donor = self.donors.len();
                self.donors.append(&self.tree, from);
                return Some(Change { at, donor, is_met: false });
            }
        }
        self.text.clear();
        if let (Some(Value::Bytes(bytes)), true) = (&failure.value, target(comparison) == Some(slot)) {
            // It was computed when it was compared.
            self.text.extend_from_slice(bytes);
            let field =
                if place(&comparison.left) == Some(slot) { &comparison.left } else { &comparison.right };
            let is_met = matches!(field, Ex::Bytes(_)) && !spec.grammar.symbol(symbol).has_bits;
            let donor = self.reword(at).or_else(|| self.parse_donor(symbol, false));
            return donor.map(|donor| Change { at, donor, is_met });
        }
        let mut vm =
            Vm::new(&spec.grammar, &spec.program, &[&self.tree], &mut self.program.state, &mut self.rng);
        // Slots of this atom may lie beyond those that are bound.
        vm.reserve(spec.constraints.iter().map(|constraint| constraint.frame).max().unwrap_or(0));
        for (slot, at) in &failure.bound {
            vm.set_slot(*slot, Value::Tree(TreeRef { tree: 0, at: *at }));
        }
        let value = match &failure.value {
            Some(value) if target(comparison) == Some(slot) => Ok(value.clone()),
            _ => vm.eval(value_side),
        };
        let as_bits = value.and_then(|value| text_for(&mut vm, symbol, &value, &mut self.text));
        drop(vm);
        self.program.state.stack.clear();
        let as_bits = as_bits.ok()?;
        let field = if place(&comparison.left) == Some(slot) { &comparison.left } else { &comparison.right };
        let donor = self.parse_donor(symbol, as_bits).or_else(|| {
            // A number in a field of fixed width, if it fits.
            let is_padded = matches!(field, Ex::Int(_)) && !as_bits && self.pad_number(symbol, at);
            is_padded.then(|| self.parse_donor(symbol, false)).flatten()
        });
        donor.map(|donor| Change { at, donor, is_met: false })
    }

    /// Puts zeros before the decimal number at hand until it is as long as the least word of `symbol`, or else as what stands
    /// at `at`; false if it is no shorter than these.
    fn pad_number(&mut self, symbol: crate::ir::SymbolId, at: Index) -> bool {
        let grammar = &self.spec.grammar;
        let sign = usize::from(self.text.first() == Some(&b'-'));
        if self.text.len() == sign || !self.text[sign..].iter().all(u8::is_ascii_digit) {
            return false;
        }
        let least = grammar.least(grammar.symbol(symbol).rule).bits as usize / 8;
        let widths = [least, self.tree.text_range(at).len()];
        let Some(width) = widths.into_iter().find(|width| *width > self.text.len()) else { return false };
        let zeros = width - self.text.len();
        self.text.splice(sign..sign, std::iter::repeat_n(b'0', zeros));
        true
    }

    /// Parses the text at hand into a donor of `symbol`.
    pub(super) fn parse_donor(&mut self, symbol: crate::ir::SymbolId, as_bits: bool) -> Option<Index> {
        let donor = self.donors.len();
        let limits = Limits { steps: 2_000_000, prefix: false };
        let parsed = self.parser.parse(
            &self.spec.grammar,
            symbol,
            &self.text,
            as_bits,
            limits,
            &mut self.rng,
            &mut self.program,
            &mut self.donors,
        );
        parsed.ok().map(|_| donor)
    }

    /// Tries changes at the nodes of a failing atom and keeps the first that brings the constraint nearer.
    fn climb(&mut self, index: usize, failure: &Failing<'s>) -> bool {
        // Where climbing seldom helps, a new tree is cheaper.
        let (tried, helped) = self.climbs[index];
        if tried > 32 && helped * 8 < tried && self.rng.below(16) != 0 {
            return false;
        }
        self.climbs[index].0 += 1;
        self.repairs[2] += 1;
        let before = self.distance(index);
        for _ in 0..TRIES {
            self.count_work();
            if !self.vary(failure) {
                continue;
            }
            self.count_work();
            let after = distance_in(self.spec, &mut self.program, &mut self.rng, &self.spare, index);
            if after < before {
                std::mem::swap(&mut self.tree, &mut self.spare);
                self.climbs[index].1 += 1;
                return true;
            }
        }
        false
    }

    /// Makes the spare tree one with a change near a failing atom.
    fn vary(&mut self, failure: &Failing<'s>) -> bool {
        if let Atom::Compare(comparison) = failure.atom
            && self.rng.below(2) == 0
            && self.set_number(comparison, failure)
        {
            return true;
        }
        let pick = self.rng.below(failure.bound.len().max(1) as u32) as usize;
        let mut at = failure.bound.get(pick).map_or(0, |(_, at)| *at);
        // Sometimes below, where a part of a number or text can change alone; sometimes above, where it can go.
        match self.rng.below(6) {
            0 | 1 => at += self.rng.below(self.tree.node(at).len),
            2 => at = self.tree.parent(at).unwrap_or(0),
            3 => {
                for _ in 0..=self.rng.below(4) {
                    at = self.tree.parent(at).unwrap_or(0);
                }
            }
            _ => {}
        }
        let len = self.tree.node(at).len;
        let size = match self.rng.below(4) {
            0 => len / 2,
            1 => len * 2 + 4,
            2 => len + self.rng.below(self.size / 2 + 1),
            _ => len,
        };
        self.regrow(at, size)
    }
}
