//! Where a formula fails: the atoms, with the nodes they were about.
use smallvec::SmallVec;

use super::check::{bind, combinations, compare, compare_keeping, each, holds, test};
use super::formula::{Comparison, Formula, Test};
use super::plan::computed_side;
use crate::python::value::Value;
use crate::python::vm::Vm;
use crate::rng::Rng;
use crate::tree::Index;

/// What failed.
#[derive(Debug, Clone, Copy)]
pub enum Atom<'f> {
    /// A comparison.
    Compare(&'f Comparison),
    /// A test.
    Test(&'f Test),
    /// An `exists` without anything to choose from.
    Nothing,
}

/// A failing atom and the nodes bound to slots when it failed.
#[derive(Debug, Clone)]
pub struct Failing<'f> {
    /// What failed.
    pub atom: Atom<'f>,
    /// Slots and the nodes bound to them.
    pub bound: SmallVec<[(u32, Index); 6]>,
    /// What the field that it computes should have been, if it was computed.
    pub value: Option<Value>,
}

/// Collects failing atoms.
pub struct Collector<'f, 'r> {
    /// What was found.
    pub found: Vec<Failing<'f>>,
    /// At most so many.
    pub limit: usize,
    rng: &'r mut Rng,
    /// Which of the choices of an `exists` is taken, the same everywhere in one pass.
    pick: u64,
    outer: SmallVec<[(u32, Index); 6]>,
    /// What the outermost quantifier is about, if not everything that its selector finds.
    pub only: Option<&'r [Index]>,
}

impl<'f, 'r> Collector<'f, 'r> {
    /// Collects at most `limit` atoms; `rng` chooses where one of several repairs will do.
    pub fn new(limit: usize, rng: &'r mut Rng, memory: Vec<Failing<'f>>) -> Self {
        let mut found = memory;
        found.clear();
        let pick = rng.next() >> 32;
        Self { found, limit, rng, pick, outer: SmallVec::new(), only: None }
    }

    /// Whether `formula` holds; if not, adds atoms whose repair would make it hold.
    pub fn collect(&mut self, vm: &mut Vm<'_>, formula: &'f Formula) -> bool {
        if self.found.len() >= self.limit {
            return holds(vm, formula);
        }
        match formula {
            Formula::And(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.collect(vm, part);
                }
                all
            }
            Formula::Or(parts) => {
                if parts.iter().any(|part| holds(vm, part)) {
                    return true;
                }
                let pick = self.rng.below(parts.len() as u32) as usize;
                self.collect(vm, &parts[pick])
            }
            Formula::Forall(slot, selector, body) => {
                let mut all = true;
                let mut each = |collector: &mut Self, vm: &mut Vm<'_>, at: Index| {
                    bind(vm, *slot, at);
                    collector.outer.push((*slot, at));
                    all &= collector.collect(vm, body);
                    collector.outer.pop();
                };
                if let (Some(only), true) = (self.only, self.outer.is_empty()) {
                    only.iter().for_each(|at| each(self, vm, *at));
                    return all;
                }
                let found = vm.find(selector);
                for index in 0..found.len() {
                    let at = vm.found(&found, index);
                    each(self, vm, at);
                }
                vm.release(&found);
                all
            }
            Formula::Exists(slot, selector, body) => {
                if !each(vm, *slot, selector, &mut |vm| !holds(vm, body)) {
                    return true;
                }
                let found = vm.find(selector);
                if found.is_empty() {
                    self.found.push(Failing { atom: Atom::Nothing, bound: self.outer.clone(), value: None });
                    return false;
                }
                let pick = ((self.pick * u64::from(found.len())) >> 32) as u32;
                let at = vm.found(&found, pick);
                vm.release(&found);
                bind(vm, *slot, at);
                self.outer.push((*slot, at));
                self.collect(vm, body);
                self.outer.pop();
                false
            }
            Formula::Compare(comparison) => self.atoms(vm, Atom::Compare(comparison)),
            Formula::Test(test) => self.atoms(vm, Atom::Test(test)),
        }
    }

    fn atoms(&mut self, vm: &mut Vm<'_>, atom: Atom<'f>) -> bool {
        let selectors = match atom {
            Atom::Compare(comparison) => &comparison.selectors[..],
            Atom::Test(test) => &test.selectors[..],
            Atom::Nothing => &[],
        };
        let mut all = true;
        let computes = match atom {
            Atom::Compare(comparison) => computed_side(comparison),
            _ => None,
        };
        let mut value = None;
        let (found, outer, limit) = (&mut self.found, &self.outer, self.limit);
        combinations(vm, selectors, &mut |vm| {
            let fine = match atom {
                Atom::Compare(comparison) => match computes {
                    Some(side) => compare_keeping(vm, comparison, side, &mut value).unwrap_or(true),
                    None => compare(vm, comparison).unwrap_or(true),
                },
                Atom::Test(inner) => test(vm, inner),
                Atom::Nothing => true,
            };
            if !fine {
                all = false;
                let mut bound = outer.clone();
                for (slot, _) in selectors {
                    if let Value::Tree(at) = vm.slot(*slot) {
                        bound.push((*slot, at.at));
                    }
                }
                found.push(Failing { atom, bound, value: value.take() });
            }
            found.len() < limit
        });
        all
    }
}
