//! One enabled domain: asks whether a run is a waypoint, and takes it into the aggregates once it is kept.
use std::{ops::ControlFlow, sync::atomic::Ordering::Relaxed};

use waypoint_domains::{Reducer, RunMap, Unit};
use waypoint_runtime::dsf;

use super::{
    choice::{Choice, Which},
    goal,
    keys::{Keys, Touched},
    show,
};
use crate::{
    coverage::Counters,
    shared::{Control, DomainNumbers, NO_HOLDER, Shared, Table, UNSTABLE},
};

/// A key that a run would move, and the value it has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// The domain's place among the enabled ones.
    pub domain: usize,
    /// The key.
    pub key: usize,
    /// The value.
    pub value: u64,
}

/// Whose a key was and whose it is, when it changes hands. A key whose goal is met needs nobody's care.
#[derive(Debug, Clone, Copy)]
pub struct Holding {
    /// The entry that held it and cared for it.
    pub lost_by: Option<u32>,
    /// Whether the new holder has to care for it.
    pub taken: bool,
}

/// A domain that guides, or is recorded.
#[derive(Debug)]
pub struct Guide {
    /// Its name.
    pub name: String,
    /// Its place among the enabled ones: its table, and its bit.
    pub index: usize,
    /// Whether it guides.
    pub guides: bool,
    /// How its values are shown.
    pub unit: Unit,
    /// Its first aggregate.
    pub a0: u64,
    /// The aggregate beyond which there is nothing to find.
    pub goal: Option<u64>,
    choice: Choice,
    maps: &'static [RunMap],
    reducer: Reducer,
    table: Table,
    keys: Keys,
    control: &'static Control,
}

impl Guide {
    /// The enabled domain with this place; `None` for coverage, which has its own way.
    pub fn new(index: usize, choice: &Choice, shared: Shared, counters: &Counters) -> Option<Self> {
        let table = shared.table(index)?;
        let mut guide = Self {
            name: choice.name().to_owned(),
            index,
            guides: choice.guides,
            unit: Unit::Number,
            a0: 0,
            goal: None,
            choice: choice.clone(),
            maps: &[],
            reducer: Reducer::Max,
            table,
            keys: Keys::Unknown,
            control: shared.control,
        };
        if let Which::BuiltIn(domain) = choice.which {
            (guide.unit, guide.a0, guide.goal) = (domain.unit, domain.a0, domain.goal);
            (guide.maps, guide.reducer) = (domain.maps, domain.reducer);
            guide.adopt(counters);
        }
        Some(guide)
    }

    /// Takes in the keys of objects that were loaded since.
    pub fn adopt(&mut self, counters: &Counters) {
        if !self.maps.is_empty() {
            self.keys = Keys::of(self.maps, self.table, counters);
        }
    }

    /// Whether the target has not registered it yet.
    pub fn is_unknown(&self) -> bool {
        matches!(self.keys, Keys::Unknown)
    }

    /// Takes in the target's own domain of this name, if its reducer keeps the laws.
    pub fn bind(&mut self, domain: &'static dsf::Custom) -> Result<(), String> {
        self.reducer = Reducer::Custom(domain.reduce);
        self.a0 = domain.a0;
        self.reducer.try_laws(self.a0).map_err(|why| {
            format!(
                "the domain `{}` cannot guide with its reducer: {why}; mend the reducer, or use dsf_max",
                self.name
            )
        })?;
        self.choice.goals.iter().try_for_each(|(_, goal)| goal.suits(self.reducer))?;
        self.numbers().a0.store(self.a0, Relaxed);
        if self.descends() {
            self.numbers().descends.store(1, Relaxed);
            if self.numbers().found.load(Relaxed) == 0 {
                self.numbers().best.store(self.a0, Relaxed);
            }
        }
        self.keys = Keys::custom(domain, self.table);
        Ok(())
    }

    /// Whether less is better.
    fn descends(&self) -> bool {
        [(1, 2), (2, 1)].iter().all(|(a, v)| self.reducer.apply(*a, *v) == 1)
    }

    fn numbers(&self) -> &'static DomainNumbers {
        &self.control.domains[self.index]
    }

    fn aggregate(&self, key: usize) -> u64 {
        self.table.encoded(key) ^ self.a0
    }

    /// Whether this value would move this key.
    #[inline]
    fn moves(&self, key: usize, value: u64) -> bool {
        let aggregate = self.aggregate(key);
        self.reducer.apply(aggregate, value) != aggregate
            && !self.table.is_unstable(key)
            && !self.is_met(key, aggregate)
    }

    /// Whether there is nothing left to look for in this key.
    fn is_met(&self, key: usize, aggregate: u64) -> bool {
        let place = || Some(show::describe_one(&self.choice, self.table, key, aggregate, None)?.place);
        self.goal == Some(aggregate)
            || (aggregate != self.a0 && goal::is_there(&self.choice.goals, aggregate, place))
    }

    /// Notes the goals down that this key has reached.
    fn note_goals(&self, key: usize, aggregate: u64, entry: u32) {
        for (n, goal) in self.choice.goals.iter().filter(|(_, goal)| goal.is_reached_by(aggregate)) {
            let shown = || show::describe_one(&self.choice, self.table, key, aggregate, None);
            let reached = &self.control.goals[*n];
            if !reached.is_met() && shown().is_some_and(|key| goal.is_at(&key.place)) {
                reached.meet(key, aggregate, entry);
                self.control.goals_met.fetch_add(1, Relaxed);
            }
        }
    }

    /// Whether the last run has a value as large as the largest of all keys.
    pub fn is_at_best(&self, touched: Touched<'_>) -> bool {
        let best = self.numbers().best.load(Relaxed);
        let as_good = |value| match value >= best {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.keys.visit(touched, |_, value| as_good(value)).is_break()
    }

    /// Whether the last run is a waypoint. Asking changes nothing.
    pub fn is_waypoint(&self, touched: Touched<'_>) -> bool {
        // Thousands of counters may have been touched; hardly ever does one exceed all that was.
        let nothing_is_new = match self.reducer {
            Reducer::Max if self.a0 == 0 => self.keys.are_all_below(touched, self.table),
            Reducer::BucketUnion if self.a0 == 0 => self.keys.are_all_in_buckets(touched, self.table),
            _ => false,
        };
        if nothing_is_new {
            return false;
        }
        self.keys
            .visit(touched, |key, value| match self.moves(key, value) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
            .is_break()
    }

    /// Adds what the last run would move.
    pub fn claims(&self, touched: Touched<'_>, claims: &mut Vec<Claim>) {
        let _: ControlFlow<()> = self.keys.visit(touched, |key, value| {
            if self.moves(key, value) {
                claims.push(Claim { domain: self.index, key, value });
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether the largest value of a key is what counts.
    pub fn is_of_maxima(&self) -> bool {
        matches!(self.reducer, Reducer::Max)
    }

    /// The key moved in one run and not in the next.
    pub fn mark_unstable(&self, key: usize) {
        let unstable = self.table.key(key).unstable;
        *unstable = match self.reducer {
            // A most that is not reached again is no most, but may differ little, and the next one be real.
            Reducer::Max => unstable.saturating_add(1),
            _ => UNSTABLE,
        };
    }

    /// The key for the peak of live memory, and the highest so far.
    pub fn peak(&self) -> Option<(usize, u64)> {
        self.keys.peak().map(|key| (key, self.aggregate(key)))
    }

    /// Whether it is guided by what changed in the source.
    pub fn is_of_changes(&self) -> bool {
        self.choice.changes.is_some()
    }

    /// Whether its keys are of what is left after a run.
    pub fn is_of_leaks(&self) -> bool {
        self.keys.are_of_leaks()
    }

    /// Takes the last run into the aggregates. The newest entry, with this number, takes what it moved, and what it
    /// reaches more cheaply than its holder; `changes_hands` hears of each.
    pub fn take(
        &self,
        touched: Touched<'_>,
        newest: u32,
        is_dearer: impl Fn(u32) -> bool,
        mut changes_hands: impl FnMut(Holding),
    ) {
        let numbers = self.numbers();
        let _: ControlFlow<()> = self.keys.visit(touched, |number, value| {
            let key = self.table.key(number);
            if self.table.is_unstable(number) {
                return ControlFlow::Continue(());
            }
            let before = *key.encoded ^ self.a0;
            let after = self.reducer.apply(before, value);
            let holder = (*key.holder != NO_HOLDER).then(|| *key.holder - 1);
            let reaches = || self.reducer.apply(self.a0, value) == before && before != self.a0;
            if after != before || (reaches() && holder.is_some_and(&is_dearer)) {
                let (was_met, is_met) = (self.is_met(number, before), self.is_met(number, after));
                changes_hands(Holding { lost_by: holder.filter(|_| !was_met), taken: !is_met });
                *key.holder = newest + 1;
                *key.encoded = after ^ self.a0;
                numbers.found.fetch_add(u64::from(before == self.a0 && after != before), Relaxed);
                numbers.met.fetch_add(u64::from(is_met && !was_met), Relaxed);
                if after != before {
                    self.note_goals(number, after, newest);
                }
                if self.goal != Some(after) {
                    match numbers.descends.load(Relaxed) {
                        0 => numbers.best.fetch_max(after, Relaxed),
                        _ => numbers.best.fetch_min(after, Relaxed),
                    };
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Every entry that has to care for a key, once for each.
    pub fn carers(&self) -> impl Iterator<Item = u32> {
        (0..self.table.len()).filter_map(|number| {
            let key = self.table.key(number);
            let cares = *key.holder != NO_HOLDER && !self.is_met(number, *key.encoded ^ self.a0);
            cares.then(|| *key.holder - 1)
        })
    }

    /// What the last run had for each of its keys.
    pub fn for_each(&self, touched: Touched<'_>, mut f: impl FnMut(usize, u64)) {
        let _: ControlFlow<()> = self.keys.visit(touched, |key, value| {
            f(key, value);
            ControlFlow::Continue(())
        });
    }

    /// What the last run had for a key.
    pub fn value_of(&self, touched: Touched<'_>, key: usize) -> Option<u64> {
        let found = self.keys.visit(touched, |other, value| match other == key {
            true => ControlFlow::Break(value),
            false => ControlFlow::Continue(()),
        });
        match found {
            ControlFlow::Break(value) => Some(value),
            ControlFlow::Continue(()) => None,
        }
    }

    /// Calls `f` with the keys that this entry cares for, among those that the last run touched, and their values.
    pub fn for_each_held_by(&self, touched: Touched<'_>, entry: u32, mut f: impl FnMut(usize, u64)) {
        self.for_each(touched, |number, value| {
            let key = self.table.key(number);
            if *key.holder == entry + 1 && !self.is_met(number, *key.encoded ^ self.a0) {
                f(number, value);
            }
        });
    }

    /// Whether a run with this value has all that one with the other value has: the other would be no waypoint after it.
    pub fn is_as_good(&self, value: Option<u64>, other: u64) -> bool {
        let aggregate = value.map_or(self.a0, |value| self.reducer.apply(self.a0, value));
        self.reducer.apply(aggregate, other) == aggregate
    }
}
