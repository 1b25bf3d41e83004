//! How often mutants are made that constraints see, and that have to be evaluated and repaired: by what they find.

/// They take about so many times as long as others, and are made so much less often as long as they find no more.
const ODDS: f64 = 64.0;
/// If they find more, at most so many times as often.
const MOST: f64 = 16.0;
/// So many finds more or fewer are chance.
const CHANCE: f64 = 2.0;

/// What mutants of both kinds have found.
#[derive(Debug, Default)]
pub struct Dear {
    /// Runs and finds of mutants that no constraint saw, and of the others.
    counts: [(u64, u64); 2],
    /// Whether the last one was of the others; none if it is not to be compared with either.
    last: Option<bool>,
}

impl Dear {
    /// A mutant was made, which constraints saw or did not see.
    pub fn made(&mut self, seen: bool) {
        self.last = Some(seen);
        self.counts[usize::from(seen)].0 += 1;
    }

    /// A mutant was made that is not to be compared with others.
    pub fn made_other(&mut self) {
        self.last = None;
    }

    /// The last one was kept.
    pub fn found(&mut self) {
        if let Some(seen) = self.last {
            self.counts[usize::from(seen)].1 += 1;
        }
    }

    /// One in so many mutants is changed where constraints may see it.
    pub fn odds(&self) -> u32 {
        let [(free_runs, free_found), (runs, found)] = self.counts;
        let expected = free_found as f64 * runs as f64 / (free_runs as f64).max(1.0);
        let better = (found as f64 + CHANCE) / (expected + CHANCE);
        (ODDS / better.clamp(1.0, MOST)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_more_is_made_more_often_and_nothing_never() {
        let mut dear = Dear::default();
        assert_eq!(dear.odds(), 64);
        for run in 0..3200 {
            dear.made(run % 32 == 0);
            if run % 320 == 0 {
                dear.found();
            }
        }
        assert!(dear.odds() < 16, "{}", dear.odds());
        for _ in 0..1000 {
            dear.made(false);
            dear.found();
        }
        assert_eq!(dear.odds(), 64);
    }
}
