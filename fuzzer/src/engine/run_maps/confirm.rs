//! Whether what a run moved shows again in a second run of the same input, and in a third for the peak of memory.
use super::{COVERAGE, RunMaps};
use crate::guidance::{Claim, Guide};

/// At least this many runs lie between two that are repeated only because their peak of memory might be new.
const RUNS_BETWEEN_PEAKS: u64 = 16;

impl RunMaps {
    /// Whether a domain looks at what runs leave.
    pub fn watch_leaks(&self) -> bool {
        self.guides.iter().any(Guide::is_of_leaks)
    }

    /// Remembers what the last run left.
    pub fn remember_left(&mut self) {
        self.left = self.recorder.left().to_vec();
    }

    /// What the remembered run of the same input did not leave, this one does not leave either.
    pub fn confirm_left(&mut self) {
        self.recorder.leave_no_more_than(&self.left);
        self.remember_left();
    }

    /// The domains that look at the peak of live memory, its key and the highest so far in each.
    pub(super) fn peaks(&self) -> impl Iterator<Item = (&Guide, usize, u64)> {
        self.guides.iter().filter_map(|guide| guide.peak().map(|(key, best)| (guide, key, best)))
    }

    /// Whether live memory may have peaked higher than ever, which nobody has looked at: what was allocated in all is
    /// more than the highest peak. Programs that free a lot would say so in every run, so not every run may.
    pub fn may_have_peaked(&mut self) -> bool {
        self.runs_since_peak += 1;
        if !self.watches_peak || self.rejected || self.invalid || self.runs_since_peak < RUNS_BETWEEN_PEAKS {
            return false;
        }
        let guiding = self.peaks().filter(|(guide, ..)| guide.guides);
        let Some(best) = guiding.map(|(.., best)| best).min() else { return false };
        let allocated = self.allocated();
        // What realloc adds is counted by what the old block had room for, which is a little more than was asked for.
        if allocated.saturating_add(allocated / 8) <= best {
            return false;
        }
        self.runs_since_peak = 0;
        true
    }

    /// Whether the next run of the same input has to follow live memory.
    pub fn has_peak(&self) -> bool {
        self.watches_peak
    }

    /// Remembers the last run, to be compared with a second run of the same input.
    pub fn remember(&mut self) {
        self.was_invalid = self.invalid;
        self.counters.remember();
        self.remember_left();
        self.claims = self.all_claims();
    }

    fn all_claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        self.movable().iter().for_each(|guide| guide.claims(self.touched(), &mut claims));
        self.counters.silence();
        claims.sort_unstable();
        claims
    }

    /// After a second run of the same input: what differs from the remembered first run is noise and counts no more.
    /// The peak of memory is only known from the second run on; whether it moves, and has to be confirmed by a third.
    pub fn confirm(&mut self) -> bool {
        self.counters.mark_unstable();
        let (mut first, mut second) = (std::mem::take(&mut self.claims), self.all_claims());
        // What is valid by chance is invalid, and the keys that one of the runs could not move are no noise.
        let valid_by_chance = self.invalid != self.was_invalid;
        if valid_by_chance {
            (first, second) = (Vec::new(), Vec::new());
        }
        let peaks: Vec<(usize, usize)> = self.peaks().map(|(guide, key, _)| (guide.index, key)).collect();
        let is_peak = |claim: &Claim| peaks.contains(&(claim.domain, claim.key));
        let of_leaks: Vec<usize> =
            self.guides.iter().filter(|guide| guide.is_of_leaks()).map(|guide| guide.index).collect();
        let maxima: Vec<usize> =
            self.guides.iter().filter(|guide| guide.is_of_maxima()).map(|guide| guide.index).collect();
        let only_in = |these: &[Claim], others: &[Claim]| -> Vec<Claim> {
            // A site that leaks less in the second run is no noise: it may have filled a cache in the first.
            let may_differ = |claim: &Claim| is_peak(claim) || of_leaks.contains(&claim.domain);
            // A most that is exceeded in both runs is exceeded, if not by as much.
            let is_exceeded = |claim: &Claim| {
                let same = |other: &Claim| (other.domain, other.key) == (claim.domain, claim.key);
                maxima.contains(&claim.domain) && others.iter().any(same)
            };
            let new = |claim: &&Claim| {
                !may_differ(claim) && others.binary_search(claim).is_err() && !is_exceeded(claim)
            };
            these.iter().filter(new).copied().collect()
        };
        for noise in only_in(&first, &second).into_iter().chain(only_in(&second, &first)) {
            self.mark_unstable(noise);
        }
        self.claims = second.into_iter().filter(is_peak).collect();
        let has_claim = !self.claims.is_empty();
        self.confirm_left();
        self.ask();
        if valid_by_chance {
            self.invalid = true;
            self.waypoint_in &= COVERAGE;
        }
        has_claim
    }

    /// After a third run: whether the peak of memory is what it was in the second.
    pub fn confirm_peak(&mut self) {
        self.confirm_left();
        for claim in std::mem::take(&mut self.claims) {
            if !self.all_claims().contains(&claim) {
                self.mark_unstable(claim);
            }
        }
        self.ask();
    }

    fn mark_unstable(&self, claim: Claim) {
        if let Some(guide) = self.guides.iter().find(|guide| guide.index == claim.domain) {
            guide.mark_unstable(claim.key);
        }
    }
}
