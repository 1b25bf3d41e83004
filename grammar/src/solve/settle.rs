//! Changes a tree until the constraints that are in doubt hold, and those that this may have broken.
use smallvec::SmallVec;

use super::failing::{Atom, Collector, Failing};
use super::formula::Formula;
use super::plan::Class;
use super::solver::Solver;
use super::touch;
use crate::ir::{Bound, Node};
use crate::python::vm::Vm;
use crate::rng::Rng;
use crate::select::{Base, occurrences};
use crate::tree::{Index, Kind};

/// Passes over the constraints before a tree is given up.
const ROUNDS: u32 = 24;
/// How often one constraint is computed before a tree is given up.
const MOST_COMPUTED: u8 = 4;
/// Failing atoms that are repaired at once.
pub(super) const AT_ONCE: usize = 128;

impl<'s> Solver<'s> {
    /// Changes the tree until the doubtful constraints hold. What a repair may have broken is doubtful after it: if
    /// `sharp`, what sees it, otherwise everything.
    pub(super) fn settle(&mut self, doubtful: touch::Set, sharp: bool) -> bool {
        self.doubtful = doubtful;
        self.computed.clear();
        self.computed.resize(self.spec.constraints.len(), 0);
        for _ in 0..ROUNDS {
            self.repairs[3] += 1;
            let mut changed = false;
            let mut left = std::mem::take(&mut self.doubtful);
            for position in 0..self.plan.order.len() {
                let index = self.plan.order[position];
                if left & self.within == 0 {
                    break;
                }
                if left & self.within & touch::bit(index) == 0 {
                    continue;
                }
                left &= !touch::own_bit(index);
                if sharp {
                    self.doubtful &= !touch::own_bit(index);
                }
                let failing = self.failing(index);
                if failing.is_empty() {
                    self.memory = failing;
                    continue;
                }
                // What is computed again and again contradicts itself, as over several matches of one field.
                self.computed[index] += u8::from(self.plan.known[index].class != Class::Searched);
                let repaired = self.computed[index] <= MOST_COMPUTED && self.repair(index, &failing);
                self.memory = failing;
                if !repaired {
                    self.give_up(index);
                    return false;
                }
                changed = true;
                if !sharp {
                    self.doubtful = touch::ALL;
                    self.changed_anywhere();
                }
                // Those that are still to come in this round see it at once.
                left |= self.doubtful;
            }
            if self.computed_bounds && self.settle_bounds() {
                changed = true;
                self.doubtful = touch::ALL;
                self.changed_anywhere();
            }
            if !changed {
                return true;
            }
        }
        let index = (0..self.spec.constraints.len()).find(|index| !self.holds(*index));
        if let Some(index) = index {
            self.give_up(index);
        }
        false
    }

    /// The part at `at` gives way to that of the donors at `donor`, which some constraints see; those that are `met` by this
    /// do not look at it again.
    pub(super) fn put(&mut self, at: Index, donor: Index, met: touch::Set) {
        let (old, new) = (self.tree.node(at).len, self.donors.node(donor).len);
        if old != new {
            self.above.retain(|above| *above <= at || *above >= at + old);
            for above in self.above.iter_mut().filter(|above| **above > at) {
                *above = *above - old + new;
            }
        }
        self.doubtful |= self.touching.by_part(&self.tree, at, &self.donors, donor, met, &mut self.above);
        for range in self.changed.iter_mut().filter(|range| range.end > at && range.end != Index::MAX) {
            // What holds it grows, what comes after it moves.
            range.start =
                if range.start > at { (range.start + new).saturating_sub(old).max(at) } else { range.start };
            range.end = (range.end + new).saturating_sub(old).max(at + new);
        }
        self.changed.push(at..at + new);
        self.tree.replace(at, &self.donors, donor);
    }

    /// Nobody knows where the tree was changed.
    pub(super) fn changed_anywhere(&mut self) {
        self.changed.clear();
        self.changed.push(0..Index::MAX);
    }

    #[cold]
    fn give_up(&mut self, index: usize) {
        let entry = self.given_up[index].0;
        self.given_up[index].0 = entry + 1;
        if entry.is_power_of_two() || entry == 0 {
            let near = self.distance(index);
            self.given_up[index].1 = self.given_up[index].1.min(near);
        }
    }

    fn failing(&mut self, index: usize) -> Vec<Failing<'s>> {
        self.count_work();
        let spec = self.spec;
        let constraint = &spec.constraints[index];
        let memory = std::mem::take(&mut self.memory);
        let only = self.touching.is_local(index) && self.find_there(&constraint.formula);
        let mut chance = Rng::new(self.rng.next());
        let mut vm =
            Vm::new(&spec.grammar, &spec.program, &[&self.tree], &mut self.program.state, &mut self.rng);
        vm.reserve(constraint.frame);
        let mut collector = Collector::new(AT_ONCE, &mut chance, memory);
        collector.only = only.then_some(&self.there[..]);
        let fine = collector.collect(&mut vm, &constraint.formula);
        let mut found = collector.found;
        drop(vm);
        self.program.state.stack.clear();
        if fine {
            found.clear();
        } else if found.is_empty() {
            found.push(Failing { atom: Atom::Nothing, bound: SmallVec::new(), value: None });
        }
        found
    }

    /// Finds the nodes that a constraint is about where the tree was changed; false if that may be anywhere.
    fn find_there(&mut self, formula: &Formula) -> bool {
        let Formula::Forall(_, selector, _) = formula else { return false };
        let Base::All(symbol) = selector.base else { return false };
        if self.changed.iter().any(|range| range.end == Index::MAX) {
            return false;
        }
        let Self { spec, tree, above, changed, there, .. } = self;
        there.clear();
        there.extend(above.iter().copied().filter(|at| tree.node(*at).is_symbol(symbol)));
        for range in changed.iter() {
            occurrences(&spec.grammar, tree, range.start, range.end, symbol, &mut |at| there.push(at));
        }
        there.sort_unstable();
        there.dedup();
        true
    }

    /// Gives computed repetitions the counts they have by now; whether any changed.
    fn settle_bounds(&mut self) -> bool {
        let mut changed = false;
        let mut at: Index = 0;
        while at < self.tree.len() {
            if self.is_wrong_count(at) {
                let size = self.tree.node(at).len + 8;
                if !self.regrow(at, size) {
                    return true;
                }
                std::mem::swap(&mut self.tree, &mut self.spare);
                changed = true;
            }
            at += 1;
        }
        changed
    }

    /// Whether some computed repetition has another count than it should.
    pub(super) fn has_wrong_count(&mut self) -> bool {
        (0..self.tree.len()).any(|at| self.is_wrong_count(at))
    }

    /// Whether a computed repetition stands at `at`, with another count than it should have.
    fn is_wrong_count(&mut self, at: Index) -> bool {
        let Kind::Control(node) = self.tree.node(at).kind() else { return false };
        let Node::Repeat { min, max, .. } = self.spec.grammar.node(node) else { return false };
        if !matches!(min, Bound::Expr(_)) && !matches!(max, Bound::Expr(_)) {
            return false;
        }
        let mut bound = |bound: &Bound, open: u32| match bound {
            Bound::Const(count) => Ok(*count),
            Bound::Open => Ok(open),
            Bound::Expr(expr) => self.program.bound_at(*expr, &self.tree, at, &mut self.rng),
        };
        let count = self.tree.node(at).alt;
        matches!((bound(min, 0), bound(max, u32::MAX)), (Ok(low), Ok(high)) if !(low..=high).contains(&count))
    }
}
