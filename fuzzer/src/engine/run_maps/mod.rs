//! What one run wrote, and the domains that read it.
mod confirm;
mod feedback;
mod following;

use std::sync::Arc;

use waypoint_runtime::{
    abi::Traced,
    dsf, ijon, objects,
    recording::{Recorder, Value},
    sections, validity,
};

use super::effort;
use crate::{
    changes::Changes,
    coverage::{Counters, EVERY},
    guidance::{Choice, Claim, Guide, Touched},
    shared::{Control, Shared},
};

use following::Following;

pub use feedback::Waypoints;

/// The coverage domain's bit.
pub const COVERAGE: u32 = 1;

/// The run maps and the domains that read them. They stand for all observers, so that asking them costs no look-up by
/// name.
#[derive(Debug)]
pub struct RunMaps {
    /// One key a counter.
    pub counters: Counters,
    recorder: Recorder,
    /// The enabled domains, but for coverage.
    guides: Vec<Guide>,
    coverage_guides: bool,
    /// The harness asked that this input is never kept.
    pub rejected: bool,
    /// An assumption of the target failed in the last run: it counts for coverage only.
    pub invalid: bool,
    /// Live memory is followed in the next run.
    pub follow_blocks: bool,
    /// Comparisons are noted down instead of being judged.
    traces: bool,
    /// The domains in which the last run is a waypoint, a bit each.
    pub waypoint_in: u32,
    claims: Vec<Claim>,
    was_invalid: bool,
    /// What the runs of the remembered input left.
    left: Vec<Value>,
    known_objects: usize,
    known_customs: usize,
    changes: Option<Arc<Changes>>,
    following: Following,
    was_followed: bool,
    watches_peak: bool,
    /// The target has counters or features of other fuzzers' kinds, which must be reset.
    has_sections: bool,
    runs_since_peak: u64,
    /// Until the next run that is counted for the counters it hits, if hits are counted.
    runs_to_count: Option<u32>,
    trouble: Option<String>,
    control: &'static Control,
}

impl RunMaps {
    /// The run maps of the objects loaded so far, for these domains.
    pub fn new(counters: Counters, mut recorder: Recorder, chosen: &[Choice], shared: Shared) -> Self {
        recorder.reset();
        let guides =
            chosen.iter().enumerate().filter_map(|(n, choice)| Guide::new(n, choice, shared, &counters));
        let mut maps = Self {
            guides: guides.collect(),
            counters,
            recorder,
            coverage_guides: chosen.first().is_some_and(|coverage| coverage.guides),
            rejected: false,
            invalid: false,
            follow_blocks: false,
            traces: false,
            waypoint_in: 0,
            claims: Vec::new(),
            was_invalid: false,
            left: Vec::new(),
            known_objects: objects::count(),
            known_customs: 0,
            following: Following::new(false),
            was_followed: false,
            changes: chosen.iter().find_map(|choice| choice.changes.clone()),
            watches_peak: false,
            has_sections: !sections::extra_counters().is_empty() || !sections::extra_features().is_empty(),
            runs_since_peak: 0,
            runs_to_count: None,
            trouble: None,
            control: shared.control,
        };
        let watches_peak = maps.peaks().next().is_some();
        maps.watches_peak = watches_peak;
        if maps.changes.is_some() {
            maps.following = Following::new(true);
            maps.mark_changes();
        }
        maps.counters.reset_all();
        dsf::all().for_each(dsf::Custom::reset);
        maps.bind_customs();
        maps
    }

    /// What the run maps hold for the domains.
    pub fn touched(&self) -> Touched<'_> {
        Touched { counters: &self.counters, recorder: &self.recorder }
    }

    /// The enabled domains, but for coverage.
    pub fn guides(&self) -> &[Guide] {
        &self.guides
    }

    /// Counts from now on how many runs hit each counter.
    pub fn count_hits(&mut self) {
        self.runs_to_count = Some(EVERY);
    }

    /// The last run is that of an input that is kept, which always counts.
    pub fn count_kept(&self) {
        if self.runs_to_count.is_some() {
            self.counters.count_hits(1);
        }
    }

    /// One run in so many counts for all.
    #[inline]
    fn count_some(&mut self) {
        if let Some(left) = &mut self.runs_to_count {
            *left -= 1;
            if *left == 0 {
                *left = EVERY;
                self.counters.count_hits(EVERY);
            }
        }
    }

    /// Why the campaign cannot go on, if it cannot.
    pub fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    /// The names of domains that the target has not registered.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.guides.iter().filter(|guide| guide.is_unknown()).map(|guide| guide.name.as_str())
    }

    /// Takes in what the target loaded or registered since the last run.
    fn adopt(&mut self) {
        if objects::count() != self.known_objects {
            self.known_objects = objects::count();
            self.recorder.adopt();
            self.mark_changes();
            self.guides.iter_mut().for_each(|guide| guide.adopt(&self.counters));
        }
        if dsf::count() != self.known_customs {
            self.bind_customs();
        }
        if self.trouble.is_none() {
            self.trouble = dsf::complaint();
        }
    }

    fn mark_changes(&mut self) {
        if let Some(changes) = &self.changes {
            let counters = changes.counters();
            self.recorder.set_changed(|n| counters.get(n).cloned().unwrap_or_default());
        }
    }

    /// Follows the transitions of every run from now on.
    pub fn follow_always(&mut self) {
        self.following.always();
    }

    /// An input is made in the turn of the domain with this place.
    pub fn take_turn(&mut self, domain: usize) {
        self.following.take_turn(self.domain_of_changes() == Some(domain));
    }

    /// The place of the domain about what runs behind a change, if it is enabled.
    pub fn domain_of_changes(&self) -> Option<usize> {
        self.guides.iter().find(|guide| guide.is_of_changes()).map(|guide| guide.index)
    }

    /// Whether the last run reached a changed line.
    pub fn reached_change(&self) -> bool {
        self.recorder.reached_change()
    }

    /// Whether the last run was not followed behind a changed line, as it was not the turn for it; the next ones are.
    pub fn follow_missed(&mut self) -> bool {
        let has_missed = self.following.has_missed(self.recorder.reached_change());
        if has_missed {
            self.following.force();
        }
        has_missed
    }

    /// Whether the last run reached a changed line, but was not followed: then it has to be repeated, and the next one
    /// will be followed. To be asked once after every run.
    pub fn must_repeat(&mut self) -> bool {
        if !self.following.must_repeat(self.recorder.reached_change()) {
            return false;
        }
        // It finds out what must be reset before the next run.
        self.counters.is_new();
        self.charge();
        self.begin();
        true
    }

    /// Whether the last run did what none before it did, and not only another number of times.
    pub fn opens_up(&self) -> bool {
        self.waypoint_in & !COVERAGE != 0 || self.counters.opens_up()
    }

    /// All bytes that the last run has allocated.
    pub fn allocated(&self) -> u64 {
        let mut all = 0u64;
        self.recorder.for_each_alloc(|_, _, bytes| all = all.saturating_add(bytes));
        all
    }

    /// What the last run cost.
    pub fn effort(&self) -> u64 {
        effort::RUN + self.counters.path_length()
    }

    /// Adds the last run to what the campaign has cost.
    fn charge(&self) {
        // A followed edge is about twice as dear.
        let following = if self.was_followed { self.counters.path_length() } else { 0 };
        self.control.add_effort(self.effort() + following);
    }

    fn bind_customs(&mut self) {
        self.known_customs = dsf::count();
        for guide in self.guides.iter_mut().filter(|guide| guide.is_unknown()) {
            if let Some(domain) = dsf::all().find(|domain| domain.name == guide.name)
                && let Err(why) = self.counters.learn_ours(|| guide.bind(domain))
            {
                self.trouble.get_or_insert(why);
            }
        }
    }

    /// Makes ready for a run.
    pub fn begin(&mut self) {
        self.counters.reset();
        self.recorder.reset();
        dsf::all().for_each(dsf::Custom::reset);
        validity::reset();
        ijon::reset();
        if self.has_sections {
            sections::extra_counters().fill(0);
            sections::extra_features().fill(0);
        }
        self.was_followed = self.following.is_on();
        self.recorder.begin(self.follow_blocks, self.was_followed);
    }

    /// Whether the runs from now on are traced: they are no waypoints, whatever they do, but all their comparisons can be
    /// read by [`RunMaps::for_each_traced`].
    pub fn trace(&mut self, on: bool) {
        self.recorder.trace(on);
        self.traces = on;
    }

    /// Calls `f` with every comparison of the last run, which was traced: the number of its object and of its slot.
    pub fn for_each_traced(&self, f: impl FnMut(usize, usize, &Traced)) {
        self.recorder.for_each_traced(f);
    }

    /// The domains that the last run may move, but for coverage: none if it was invalid.
    pub fn movable(&self) -> &[Guide] {
        if self.invalid { &[] } else { &self.guides }
    }

    /// The run is over.
    pub fn end(&mut self) {
        self.recorder.end();
    }

    /// What the last run had for every key of every domain but coverage, in order.
    pub fn values(&self) -> Vec<Claim> {
        let mut values = Vec::new();
        for guide in self.movable() {
            guide.for_each(self.touched(), |key, value| {
                values.push(Claim { domain: guide.index, key, value });
            });
        }
        values.sort_unstable();
        values
    }

    /// Whether the last run, which was taken into the aggregates, has the best value of all keys of one of these domains,
    /// a bit each.
    pub fn is_at_best(&self, domains: u32) -> bool {
        let asked = self.movable().iter().filter(|guide| domains >> guide.index & 1 != 0);
        asked.into_iter().any(|guide| guide.is_at_best(self.touched()))
    }

    /// Whether the last run is as good as one with these values, in every domain but coverage.
    pub fn is_as_good_as(&self, values: &[Claim]) -> bool {
        let own = self.values();
        values.iter().all(|other| {
            let Some(guide) = self.guides.iter().find(|guide| guide.index == other.domain) else {
                return true;
            };
            let place =
                own.binary_search_by(|claim| (claim.domain, claim.key).cmp(&(other.domain, other.key)));
            guide.is_as_good(place.ok().map(|place| own[place].value), other.value)
        })
    }

    /// Takes the last run into the aggregates; it is the entry with this number.
    pub fn take(&self, number: u32) {
        self.counters.commit();
        for guide in self.movable() {
            guide.take(self.touched(), number, |_| false, |_| {});
            self.counters.silence();
        }
    }

    /// Asks every domain that guides. Asking changes nothing.
    pub fn ask(&mut self) {
        ijon::end_run();
        self.counters.silence();
        // Always asked, because the scan also finds out what must be reset before the next run.
        let covers = self.counters.is_new();
        self.adopt();
        self.waypoint_in = 0;
        self.invalid = validity::is_invalid();
        if self.rejected || self.traces {
            return;
        }
        if covers && self.coverage_guides {
            self.waypoint_in = COVERAGE;
        }
        let mut waypoint_in = 0;
        for guide in self.movable().iter().filter(|guide| guide.guides) {
            if guide.is_waypoint(self.touched()) {
                waypoint_in |= 1 << guide.index;
            }
            // The target's own reducer may just have run.
            self.counters.silence();
        }
        self.waypoint_in |= waypoint_in;
    }
}
