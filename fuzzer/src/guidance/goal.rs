//! Goals (`--until`): how far a domain has to come. A key that is there is retired: it takes no more energy.
use anyhow::{Result, bail};
use waypoint_domains::{ALL_DOMAINS, Reducer};

use super::{
    choice::{Choice, Which},
    show,
};
use crate::cli::units;

/// So many can be asked for.
pub const MAX_GOALS: usize = 16;

/// How the keys that belong to the whole program can be named.
const OF_ALL: [&str; 3] = ["peak", "deepest", "all"];

/// `DOMAIN>=VALUE` or `DOMAIN<=VALUE`, of any key, or with `@PLACE` behind the domain of those there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// As the user wrote it.
    pub text: String,
    /// The domain.
    pub domain: String,
    place: Option<String>,
    bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast(u64),
    AtMost(u64),
}

/// Reads a goal.
pub fn goal(text: &str) -> Result<Goal, String> {
    const FORM: &str = "write a goal like mem>=1G, mem@parse>=64K or distance<=3";
    let (key, value, bound): (&str, &str, fn(u64) -> Bound) =
        match (text.split_once(">="), text.split_once("<=")) {
            (Some((key, value)), _) => (key, value, Bound::AtLeast),
            (_, Some((key, value))) => (key, value, Bound::AtMost),
            _ => return Err(format!("`{text}` has no `>=` and no `<=`; {FORM}")),
        };
    let (domain, place) = match key.split_once('@') {
        Some((domain, place)) => (domain.trim(), Some(place.trim().to_owned())),
        None => (key.trim(), None),
    };
    if domain.is_empty() {
        return Err(format!("`{text}` names no domain; {FORM}"));
    }
    if place.as_deref() == Some("") {
        return Err(format!("`{text}` names no place behind `@`, such as a function; {FORM}"));
    }
    if value.trim().is_empty() {
        return Err(format!("`{text}` has no value; {FORM}"));
    }
    let bound = bound(units::size(value.trim())?);
    Ok(Goal { text: text.to_owned(), domain: domain.to_owned(), place, bound })
}

impl Goal {
    /// Whether a value is far enough.
    pub fn is_reached_by(&self, value: u64) -> bool {
        match self.bound {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
        }
    }

    /// Whether a key that is described so counts: by its function, its line, or its number.
    pub fn is_at(&self, described: &str) -> bool {
        let Some(place) = &self.place else { return true };
        // Keys are described by the end of a path; a user may write more or less of it.
        let ends_in =
            |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
        let is_path = |word: &str| word.contains('/') && ends_in(place, word);
        described == place
            || described.split(' ').any(|word| ends_in(word, place) || is_path(word) || is_name(word, place))
    }

    /// Whether only the keys at some place count.
    pub fn has_place(&self) -> bool {
        self.place.is_some()
    }

    /// Whether an aggregate can get there; if not, why.
    pub fn suits(&self, reducer: Reducer) -> Result<(), String> {
        let (from, to, other) = match self.bound {
            Bound::AtLeast(least) => (least, least.saturating_add(1), "<="),
            Bound::AtMost(most) => (most.saturating_add(1), most, ">="),
        };
        if from != to && reducer.apply(from, to) == from {
            return Err(format!(
                "the goal `{}` cannot be reached, since the domain `{}` looks the other way; write `{other}`",
                self.text, self.domain
            ));
        }
        Ok(())
    }
}

/// Whether a function that is called `name` is meant by `place`: the name itself, or its end within a namespace.
fn is_name(name: &str, place: &str) -> bool {
    name.strip_suffix(place).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
}

/// Goals at a place that nothing instrumented has, as far as is loaded by now; one sentence for each.
pub fn doubts(goals: &[Goal]) -> Vec<String> {
    let doubt = |goal: &Goal| {
        let place = goal.place.as_deref()?;
        let domain = ALL_DOMAINS.iter().find(|domain| domain.name == goal.domain)?;
        // A key of the whole program, or the number of one, as of a descriptor.
        let is_other = OF_ALL.iter().any(|known| place.starts_with(known)) || place.parse::<u64>().is_ok();
        let is_known = is_other || show::places(domain).iter().any(|known| goal.is_at(known));
        (!is_known).then(|| {
            format!(
                "the domain `{}` has no key at `{place}` in what is loaded now, so the goal `{}` may never be met",
                goal.domain, goal.text
            )
        })
    };
    goals.iter().filter_map(doubt).collect()
}

/// Gives every domain its goals.
pub fn aim(chosen: &mut [Choice], goals: &[Goal]) -> Result<()> {
    if goals.len() > MAX_GOALS {
        bail!("{} goals are too many; {MAX_GOALS} is the most", goals.len());
    }
    for (number, goal) in goals.iter().enumerate() {
        let Some(choice) = chosen.iter_mut().find(|choice| choice.name() == goal.domain) else { continue };
        if let Which::BuiltIn(domain) = choice.which {
            if !domain.reducer.keeps_a_value() {
                bail!(
                    "the domain `{}` has no goals, since it collects values instead of looking for the most; name another one in `{}`",
                    domain.name,
                    goal.text
                );
            }
            goal.suits(domain.reducer).map_err(anyhow::Error::msg)?;
        }
        choice.goals.push((number, goal.clone()));
    }
    Ok(())
}

/// Whether a key with this value has come as far as all goals that concern it ask for.
pub fn is_there(goals: &[(usize, Goal)], value: u64, describe: impl FnOnce() -> Option<String>) -> bool {
    if !goals.iter().any(|(_, goal)| goal.is_reached_by(value)) {
        return false;
    }
    let described = if goals.iter().any(|(_, goal)| goal.has_place()) { describe() } else { None };
    let described = described.unwrap_or_default();
    let mut concern = goals.iter().filter(|(_, goal)| goal.is_at(&described)).peekable();
    concern.peek().is_some() && concern.all(|(_, goal)| goal.is_reached_by(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_and_mistakes_told() {
        let mem = goal("mem>=64K").unwrap();
        assert!(mem.is_reached_by(65536) && !mem.is_reached_by(65535) && mem.is_at("anywhere"));
        let near = goal("distance<=3").unwrap();
        assert!(near.is_reached_by(3) && !near.is_reached_by(4));
        let here = goal("mem@two_goals.c:14>=1").unwrap();
        assert!(here.is_at("puzzles/two_goals.c:14 test") && !here.is_at("puzzles/two_goals.c:141 test"));
        assert!(goal("mem@/home/me/puzzles/two_goals.c:14>=1").unwrap().is_at("puzzles/two_goals.c:14 test"));
        assert!(goal("mem@peak of live bytes>=1").unwrap().is_at("peak of live bytes"));
        assert!(goal("mem@test>=1").unwrap().is_at("puzzles/two_goals.c:14 test"));
        assert!(!goal("mem@est>=1").unwrap().is_at("puzzles/two_goals.c:14 test"));
        for (wrong, why) in [
            ("mem", "`mem` has no `>=`"),
            ("mem=5", "`mem=5` has no `>=`"),
            (">=5", "names no domain"),
            ("mem@>=5", "names no place"),
            ("mem>=", "has no value"),
            ("mem>=1X", "`1X` is not a size"),
        ] {
            let message = goal(wrong).unwrap_err();
            assert!(message.contains(why), "{message}");
        }
    }

    #[test]
    fn a_direction_that_leads_nowhere_is_told() {
        let up = goal("x>=5").unwrap();
        let down = goal("x<=5").unwrap();
        assert!(up.suits(Reducer::Max).is_ok() && down.suits(Reducer::Min).is_ok());
        assert!(up.suits(Reducer::Min).unwrap_err().contains("write `<=`"));
        assert!(down.suits(Reducer::Max).unwrap_err().contains("write `>=`"));
        assert!(goal("x>=0").unwrap().suits(Reducer::Min).unwrap_err().contains("write `<=`"));
    }

    #[test]
    fn a_key_is_retired_when_it_has_met_all_goals_that_concern_it() {
        let goals: Vec<_> =
            ["m>=5", "m@f>=9"].map(|text| goal(text).unwrap()).into_iter().enumerate().collect();
        let there = |value, place: &str| is_there(&goals, value, || Some(place.to_owned()));
        assert!(there(5, "a.c:1 g") && !there(5, "a.c:2 f") && there(9, "a.c:2 f") && !there(4, "a.c:1 g"));
        assert!(!is_there(&goals[1..], 9, || Some("a.c:1 g".to_owned())));
    }
}
