//! What AFL's tools read about a campaign, kept up to date: `fuzzer_stats`, `plot_data` and their companions.
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{earlier::Earlier, history::History, plot::Plot, setup, stats::Stats, status::Snapshot};
use crate::plan::FuzzPlan;

const INTERVAL: Duration = Duration::from_secs(5);

/// Writes the files.
#[derive(Debug)]
pub struct Records {
    dir: PathBuf,
    stats: Stats,
    plot: Plot,
    history: History,
    earlier: Earlier,
    /// Nothing before there is an input: AFL's tools divide by the size of the corpus.
    last_write: Option<Instant>,
    has_readme: bool,
}

impl Records {
    /// For a campaign that starts now.
    pub fn start(plan: &FuzzPlan, dir: &Path, now: &Snapshot) -> Result<Self> {
        let change = plan.domains.iter().find_map(|choice| choice.changes.as_ref());
        setup::write(dir, change.map(|change| change.text()))?;
        let earlier = Earlier::read(dir);
        let now = &earlier.and(now);
        let records = Self {
            dir: dir.to_owned(),
            stats: Stats::new(plan, dir, earlier.clone()),
            plot: Plot::open(dir)?,
            history: History::from(now, earlier.runs_at_crash()),
            earlier,
            last_write: None,
            has_readme: false,
        };
        // A resumed campaign goes on from the last line.
        if records.plot.is_new() {
            records.plot.write(now, &records.history)?;
        }
        Ok(records)
    }

    /// To be called often; writes now and then.
    pub fn update(&mut self, now: &Snapshot) -> Result<()> {
        let now = &self.earlier.and(now);
        self.history.observe(now);
        if now.crashes > 0 && !self.has_readme {
            self.has_readme = true;
            setup::write_readme(&self.dir)?;
        }
        let is_time = self.last_write.map_or(now.corpus > 0, |last| last.elapsed() >= INTERVAL);
        if is_time { self.write(now) } else { Ok(()) }
    }

    /// The last words.
    pub fn finish(&mut self, now: &Snapshot) -> Result<()> {
        self.update(now)?;
        self.write(&self.earlier.and(now))
    }

    fn write(&mut self, now: &Snapshot) -> Result<()> {
        self.last_write = Some(Instant::now());
        self.stats.write(now, &self.history)?;
        self.plot.write(now, &self.history)
    }
}
