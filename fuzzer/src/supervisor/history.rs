//! What a series of snapshots tells that a single one does not: when things last happened, and how fast it goes now.
use std::{collections::VecDeque, time::Duration};

use super::status::Snapshot;

/// How far back "now" reaches when speed is concerned.
const RECENT: Duration = Duration::from_secs(60);
/// Between two points from which the speed is told.
const SPACING: Duration = Duration::from_secs(1);

/// The campaign so far.
#[derive(Debug, Default)]
pub struct History {
    corpus: u64,
    crashes: u64,
    hangs: u64,
    cycles_at_find: u64,
    runs_at_crash: u64,
    last_crash: Option<Duration>,
    last_hang: Option<Duration>,
    /// Times and the runs there had been; the first is the youngest that is older than recent.
    points: VecDeque<(Duration, u64)>,
}

impl History {
    /// That of a campaign which starts with these numbers, and had so many runs when the last crash was saved.
    pub fn from(now: &Snapshot, runs_at_crash: u64) -> Self {
        let Snapshot { crashes, hangs, cycles, .. } = *now;
        Self { crashes, hangs, cycles_at_find: cycles, runs_at_crash, ..Self::default() }
    }

    /// Takes note of where the campaign stands.
    pub fn observe(&mut self, now: &Snapshot) {
        if now.corpus != self.corpus {
            self.corpus = now.corpus;
            self.cycles_at_find = now.cycles;
        }
        if now.crashes != self.crashes {
            self.crashes = now.crashes;
            self.last_crash = Some(now.elapsed);
            self.runs_at_crash = now.runs;
        }
        if now.hangs != self.hangs {
            self.hangs = now.hangs;
            self.last_hang = Some(now.elapsed);
        }
        if self.points.back().is_none_or(|(time, _)| now.elapsed >= *time + SPACING) {
            self.points.push_back((now.elapsed, now.runs));
        }
        while self.points.get(1).is_some_and(|(time, _)| *time + RECENT <= now.elapsed) {
            self.points.pop_front();
        }
    }

    /// Times the whole corpus was gone through since an input was kept.
    pub fn cycles_without_find(&self, now: &Snapshot) -> u64 {
        now.cycles.saturating_sub(self.cycles_at_find)
    }

    /// When the last crash was saved.
    pub fn last_crash(&self) -> Option<Duration> {
        self.last_crash
    }

    /// When the last hang was saved.
    pub fn last_hang(&self) -> Option<Duration> {
        self.last_hang
    }

    /// Runs since then, or since the start.
    pub fn runs_since_crash(&self, now: &Snapshot) -> u64 {
        now.runs.saturating_sub(self.runs_at_crash)
    }

    /// Runs per second of the last minute.
    pub fn recent_speed(&self, now: &Snapshot) -> f64 {
        match self.points.front() {
            Some((time, runs)) if now.elapsed > *time => {
                now.runs.saturating_sub(*runs) as f64 / (now.elapsed - *time).as_secs_f64()
            }
            _ => now.speed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64, runs: u64) -> Snapshot {
        Snapshot { elapsed: Duration::from_secs(seconds), runs, ..Snapshot::default() }
    }

    #[test]
    fn speed_is_that_of_the_last_minute() {
        let mut history = History::default();
        for second in 0..=100 {
            history.observe(&at(second, second * 10));
        }
        for second in 101..=161 {
            history.observe(&at(second, 1000 + (second - 100) * 50));
        }
        let now = at(161, 1000 + 61 * 50);
        assert!((history.recent_speed(&now) - 50.0).abs() < 1.0, "{}", history.recent_speed(&now));
        assert!(history.points.len() <= 63, "{} points", history.points.len());
    }

    #[test]
    fn remembers_when_things_happened() {
        let mut history = History::default();
        history.observe(&Snapshot { corpus: 3, cycles: 2, ..at(5, 100) });
        history.observe(&Snapshot { corpus: 3, cycles: 4, crashes: 1, ..at(9, 150) });
        let now = Snapshot { corpus: 3, cycles: 7, crashes: 1, ..at(20, 400) };
        history.observe(&now);
        assert_eq!(history.cycles_without_find(&now), 5);
        assert_eq!(history.last_crash(), Some(Duration::from_secs(9)));
        assert_eq!(history.last_hang(), None);
        assert_eq!(history.runs_since_crash(&now), 250);
    }
}
