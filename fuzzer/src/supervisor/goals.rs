//! What the supervisor does about the goals of `--until`: saves what met them, and says which are met.
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Result;

use super::Campaign;
use crate::{
    guidance,
    report::finding::{Finding, Kind},
    shared::GoalNumbers,
};

impl Campaign<'_> {
    /// Saves the inputs that met goals since the last time. When all are met, that is what ends the campaign.
    pub(super) fn tell_goals(&mut self) -> Result<()> {
        let (plan, shared) = (self.plan, self.shared);
        for (n, goal) in plan.goals.iter().enumerate() {
            let Some((key, value, entry)) = shared.control.goals[n].how() else { continue };
            if std::mem::replace(&mut self.goals_told[n], true) {
                continue;
            }
            let domain = plan.domains.iter().position(|choice| choice.name() == goal.domain);
            let Some((table, choice)) = domain.and_then(|n| Some((shared.table(n)?, &plan.domains[n])))
            else {
                continue;
            };
            let shown = guidance::describe_one(choice, table, key, value, None);
            let (text, place) = shown.map_or((value.to_string(), String::new()), |key| (key.text, key.place));
            let finding = Finding::of_goal(&goal.text, &text, &place);
            let Some(entry) = shared.journal.entries().nth(entry) else { continue };
            let runs = shared.control.runs.load(Relaxed);
            let saved = self.findings.save_input(finding, entry.input, entry.note.origin, runs)?;
            if let Some(saved) = saved {
                Self::announce(plan, &mut self.status, &self.events, saved);
                self.write_sarif()?;
            }
        }
        if shared.control.goals_are_met() {
            self.fatal.get_or_insert(Kind::Goal);
        }
        Ok(())
    }

    /// For the end: the goals that are not among the findings of this campaign.
    pub(super) fn goal_lines(&self) -> Vec<String> {
        let is_saved = |text: &str| {
            let mut goals = self.findings.saved().iter().filter_map(|saved| saved.finding.goal());
            goals.any(|goal| goal == text)
        };
        let goals = self.plan.goals.iter().zip(&self.shared.control.goals);
        let line = |(goal, numbers): (&guidance::Goal, &GoalNumbers)| match numbers.is_met() {
            false => Some(format!("goal {} not met", goal.text)),
            true if is_saved(&goal.text) => None,
            true => Some(format!("goal {} met, as it was before", goal.text)),
        };
        goals.filter_map(line).collect()
    }
}
