//! Whether the transitions of a run are followed, which makes it about twice as dear.
//!
//! They are in the turns of the domain that is guided by them. In other turns a run is followed only when it is kept for
//! something else, so that what it does behind a change is not lost.

/// So many runs are followed after one that reached a changed line: most inputs are made from the same one.
const RUNS_FOLLOWED: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// There is nothing to follow.
    Never,
    /// In every run.
    Always,
    /// In so many more runs, unless a changed line is reached before. Runs that reach one unexpectedly are repeated.
    For(u32),
}

/// Which runs are followed.
#[derive(Debug)]
pub struct Following {
    when: When,
    /// It is the turn of the domain that looks at transitions.
    in_turn: bool,
    /// The next runs are followed whosever turn it is.
    forced: bool,
}

impl Following {
    /// Follows runs that reach a change, if there is one.
    pub fn new(is_changed: bool) -> Self {
        Self { when: if is_changed { When::For(0) } else { When::Never }, in_turn: true, forced: false }
    }

    /// Follows every run from now on, if there is anything to follow.
    pub fn always(&mut self) {
        if self.when != When::Never {
            self.when = When::Always;
        }
    }

    /// Whether it is the turn of the domain that looks at transitions.
    pub fn take_turn(&mut self, in_turn: bool) {
        (self.in_turn, self.forced) = (in_turn, false);
    }

    /// Follows the runs until the next turn is taken.
    pub fn force(&mut self) {
        self.forced = true;
    }

    /// Whether the next run is followed.
    pub fn is_on(&self) -> bool {
        match self.when {
            When::Never => false,
            When::Always => true,
            When::For(left) => self.forced || (self.in_turn && left > 0),
        }
    }

    /// Whether the last run, which reached a changed line or not, should have been followed: then it has to be repeated,
    /// and the next one will be followed. To be asked once after every run.
    pub fn must_repeat(&mut self, reached: bool) -> bool {
        let When::For(left) = self.when else { return false };
        let was_on = self.is_on();
        self.when = When::For(if reached { RUNS_FOLLOWED } else { left.saturating_sub(1) });
        reached && !was_on && self.in_turn
    }

    /// Whether the last run, which reached a changed line or not, was not followed because it was not the turn for it.
    pub fn has_missed(&self, reached: bool) -> bool {
        reached && matches!(self.when, When::For(_)) && !self.in_turn && !self.forced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_its_turn_runs_are_followed_once_one_has_reached_a_change() {
        let mut following = Following::new(true);
        following.take_turn(true);
        assert!(!following.is_on() && !following.must_repeat(false));
        assert!(following.must_repeat(true), "it was not followed");
        for _ in 0..RUNS_FOLLOWED {
            assert!(following.is_on());
            assert!(!following.must_repeat(false));
        }
        assert!(!following.is_on(), "the last ones did not reach it");
    }

    #[test]
    fn in_other_turns_only_what_is_kept_is_followed() {
        let mut following = Following::new(true);
        following.take_turn(false);
        assert!(!following.must_repeat(true) && !following.is_on());
        assert!(following.has_missed(true) && !following.has_missed(false));
        following.force();
        assert!(following.is_on() && !following.has_missed(true));
        following.take_turn(false);
        assert!(!following.is_on());
    }

    #[test]
    fn without_a_change_nothing_is() {
        let mut following = Following::new(false);
        following.always();
        following.force();
        assert!(!following.is_on() && !following.must_repeat(true) && !following.has_missed(true));
    }
}
