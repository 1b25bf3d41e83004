//! The supervisor: starts workers, saves what kills them, tells the user how it goes, and decides when it is over.
pub mod domains;
mod earlier;
mod events;
pub mod final_stats;
mod findings;
mod folders;
mod goals;
mod history;
mod lineage;
mod outside;
mod plot;
mod rare;
mod records;
mod sarif;
pub mod setup;
mod standing;
mod stats;
mod status;
pub mod watch;

use std::{
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};

use self::{
    events::Events,
    findings::{Findings, Saved},
    lineage::Lineage,
    records::Records,
    status::StatusLine,
    watch::{End, Watch},
};
use crate::{
    EXIT_CLEAN, EXIT_FINDING, EXIT_INTERRUPTED, engine,
    guidance::{self, Choice},
    layout::Layout,
    plan::FuzzPlan,
    queue::Queue,
    report::{
        finding::{Finding, Kind},
        symbols::Symbols,
    },
    shared::{Control, Phase, Shared},
    signals,
    worker::{self, Output, Target, leaks::LEAKS_CANNOT_BE_FOUND},
};

/// How many workers may die in a row without a single run between them before we stop trying.
const MAX_FRUITLESS_DEATHS: u32 = 20;

/// How long a run may still take when the campaign is over, be its own limit ever so high.
const PATIENCE: Duration = Duration::from_secs(4);

/// Runs a whole campaign.
pub fn fuzz(plan: &FuzzPlan, target: Target) -> Result<u8> {
    signals::hold()?;
    let start = Instant::now();
    let shared = Shared::new(plan.max_len, plan.domains.len())?;
    shared.control.next_id.store(plan.layout.next_id(), Relaxed);
    shared.control.goals_wanted.store(plan.goals.len() as u32, Relaxed);
    let queue = Queue::new(&plan.layout, &plan.seeds, &plan.domains, start);
    let mut campaign = Campaign {
        plan,
        shared,
        findings: Findings::new(&plan.layout, queue.clone()),
        queue,
        target,
        symbols: Symbols::default(),
        status: StatusLine::new(plan.telling.quiet),
        events: Events::new(plan.telling.json, plan),
        lineage: Lineage::default(),
        records: None,
        start,
        stopping: None,
        interrupted: false,
        fatal: None,
        slowest: Duration::ZERO,
        fruitless_deaths: 0,
        goals_told: vec![false; plan.goals.len()],
        alone: None,
        seed_again: None,
    };
    // Before anything is found, so that a file which cannot be written is noticed now.
    campaign.write_sarif()?;
    campaign.greet();
    if let Some(dir) = plan.layout.dir() {
        campaign.records = Some(Records::start(plan, dir, &campaign.snapshot())?);
    }
    let result = campaign.run().and_then(|()| campaign.tell_goals());
    campaign.status.finish();
    let snapshot = campaign.snapshot();
    campaign.records.as_mut().map_or(Ok(()), |records| records.finish(&snapshot))?;
    let result = result.map(|()| campaign.exit_code());
    // Who goes by the exit code hears of what was found, even if the campaign could not go on.
    let found = campaign.findings.exit_code().filter(|_| plan.telling.to_a_machine());
    let code = result.as_ref().copied().unwrap_or(found.unwrap_or(crate::EXIT_USAGE));
    campaign.events.end(&snapshot, campaign.findings.saved(), result.as_ref().err(), code);
    if result.as_ref().is_err_and(|error| guidance::is_no_such_domain(&error.to_string())) {
        plan.layout.discard();
    }
    match result {
        Err(error) if found.is_some() => crate::say(&format!("{error:#}")),
        Err(error) => return Err(error),
        Ok(_) => campaign.summarise(),
    }
    Ok(code)
}

struct Campaign<'a> {
    plan: &'a FuzzPlan,
    shared: Shared,
    queue: Queue,
    target: Target,
    findings: Findings,
    symbols: Symbols,
    status: StatusLine,
    events: Events,
    lineage: Lineage,
    /// AFL's files, where its habits are kept.
    records: Option<Records>,
    start: Instant,
    /// When and why the end began.
    stopping: Option<Instant>,
    /// Whether it was the user who ended it.
    interrupted: bool,
    /// The finding that ended it.
    fatal: Option<Kind>,
    slowest: Duration,
    fruitless_deaths: u32,
    /// Which goals have been told to be met.
    goals_told: Vec<bool>,
    /// The control page of workers that run one input and nothing else.
    alone: Option<&'static Control>,
    /// The seed that was given to a second worker, since the first was killed from outside.
    seed_again: Option<u32>,
}

impl Campaign<'_> {
    fn greet(&mut self) {
        for remark in &self.plan.remarks {
            self.status.say(remark);
        }
        let n = self.plan.seeds.len();
        let domains: Vec<&str> =
            self.plan.domains.iter().filter(|choice| choice.guides).map(Choice::name).collect();
        self.status.say(&format!(
            "fuzzing with {n} seed{} towards {}; random seed {}, {}",
            if n == 1 { "" } else { "s" },
            domains.join(", "),
            self.plan.seed,
            self.plan.layout.announcement()
        ));
        self.events.start(self.plan);
    }

    /// One worker after the other, until one says that all is done or we are told to stop.
    fn run(&mut self) -> Result<()> {
        loop {
            let runs_before = self.shared.control.runs.load(Relaxed);
            let end = self.run_one_worker()?;
            let phase = self.shared.control.phase();
            match phase {
                Phase::Done => return Ok(()),
                Phase::Failed => bail!("{}", self.shared.control.message()),
                Phase::Recycle => {}
                Phase::Start if runs_before == 0 => return self.died_at_start(&end),
                // Somebody else killed it between two runs: the kernel for memory, or a person.
                Phase::Start | Phase::Engine | Phase::LooksForLeaks
                    if end.kind() == Kind::Crash(libc::SIGKILL) => {}
                Phase::Refused => {
                    self.save(Kind::Refused)?;
                    self.shared.control.refused_size.store(0, Relaxed);
                }
                Phase::Overwrote => {
                    self.save(Kind::OverwritesInput)?;
                    self.shared.control.overwrite_is_known.store(1, Relaxed);
                }
                Phase::Leaked => self.save(Kind::Leak)?,
                Phase::LooksForLeaks if !end.killed_while_stopping => {
                    self.shared.control.leaks_cannot_be_found.store(1, Relaxed);
                    self.status.announce(&format!("{LEAKS_CANNOT_BE_FOUND}; going on without"));
                }
                Phase::LooksForLeaks => {}
                Phase::Start | Phase::Engine | Phase::Run if end.killed_while_stopping => {}
                Phase::Run if end.was_killed() => self.try_again()?,
                Phase::Start | Phase::Engine | Phase::Run if self.plan.allocations_are_limited => {
                    self.save(Finding::refused_or(end.kind(), self.shared.control))?;
                }
                Phase::Start | Phase::Engine | Phase::Run => self.save(end.kind())?,
            }
            let fruitful = self.shared.control.runs.load(Relaxed) > runs_before + 1;
            self.fruitless_deaths =
                if fruitful || phase == Phase::Recycle { 0 } else { self.fruitless_deaths + 1 };
            let seeds_left = self.shared.control.seeds_started.load(Relaxed) < self.plan.seeds.len();
            if self.fruitless_deaths >= MAX_FRUITLESS_DEATHS && !seeds_left {
                bail!(
                    "{MAX_FRUITLESS_DEATHS} workers in a row died in their first run; what was saved is told above"
                );
            }
            // Here too, since workers may die faster than the watch looks at the clock.
            self.report_progress()?;
            let goals_are_met = self.shared.control.goals_are_met();
            if self.stopping.is_some() || self.fatal.is_some() || self.is_time_up() || goals_are_met {
                return Ok(());
            }
        }
    }

    fn run_one_worker(&mut self) -> Result<End> {
        self.shared.control.recycle.store(0, Relaxed);
        let (plan, shared, queue, target) = (self.plan, self.shared, self.queue.clone(), self.target);
        let pid = worker::spawn(shared.control, Output::Discarded, target, || {
            let phase = engine::assembly::fuzz(plan, shared, queue, target.test_one_input)?;
            shared.control.set_phase(phase);
            Ok(())
        })?;
        let mut watch = Watch::new(pid, shared.control, plan.timeout, plan.rss_limit);
        loop {
            let end = watch.step()?;
            self.slowest = self.slowest.max(watch.slowest());
            // Before anything else: who asks to end may ask at the very moment in which a worker dies.
            self.interrupted |= watch.was_interrupted();
            if self.interrupted || self.is_time_up() {
                self.stopping.get_or_insert_with(Instant::now);
                shared.control.stop.store(1, Relaxed);
            }
            if let Some(end) = end {
                return Ok(end);
            }
            // A run that does not end must not keep us from ending.
            if self
                .stopping
                .is_some_and(|since| since.elapsed() > plan.timeout.min(PATIENCE) + Duration::from_secs(1))
            {
                watch.kill();
            }
            self.report_progress()?;
        }
    }

    fn report_progress(&mut self) -> Result<()> {
        self.tell_goals()?;
        let snapshot = self.snapshot();
        self.status.update(&snapshot);
        self.events.status(&snapshot);
        self.records.as_mut().map_or(Ok(()), |records| records.update(&snapshot))
    }

    fn is_time_up(&self) -> bool {
        self.plan.max_time.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// The target could not even be initialised, so there is nothing to fuzz.
    fn died_at_start(&mut self, end: &End) -> Result<()> {
        let finding = Finding::of(self.shared.control, end.kind(), &mut self.symbols);
        bail!(
            "the target ended before its first run, in LLVMFuzzerInitialize or a constructor: {}\n{}",
            finding.headline(),
            finding.stack_lines()
        );
    }

    fn save(&mut self, kind: Kind) -> Result<()> {
        self.shared.control.deaths.fetch_add(1, Relaxed);
        self.shared.deadly.add(&self.shared.control.input());
        let is_merge = matches!(self.plan.layout, Layout::Merge { .. });
        if !is_merge && self.findings.is_repetition(kind, self.shared.control) {
            return Ok(());
        }
        let finding = Finding::of(self.shared.control, kind, &mut self.symbols);
        if is_merge {
            let name = self.queue.seed_name(self.shared.control.origin().parent);
            self.status.say(&format!("skipped {name}: {}", finding.headline()));
            return Ok(());
        }
        let Some(saved) = self.findings.save(finding, self.shared.control)? else { return Ok(()) };
        Self::announce(self.plan, &mut self.status, &self.events, saved);
        if self.plan.stop_on.includes(saved.finding.kind) {
            self.fatal.get_or_insert(saved.finding.kind);
        }
        self.write_sarif()
    }

    fn announce(plan: &FuzzPlan, status: &mut StatusLine, events: &Events, saved: &Saved) {
        let place = plan.layout.saved(&saved.path);
        status.announce(&format!("found: {}\n       {place}", saved.finding.headline()));
        events.finding(saved);
    }

    fn write_sarif(&self) -> Result<()> {
        self.plan.telling.sarif.as_deref().map_or(Ok(()), |path| sarif::write(path, self.findings.saved()))
    }

    fn exit_code(&self) -> u8 {
        if let Some(code) = self.findings.exit_code().filter(|_| self.plan.telling.to_a_machine()) {
            return code;
        }
        match (self.plan.kind_in_exit_code, self.fatal) {
            (true, Some(kind)) => kind.exit_code(),
            (false, Some(_)) => EXIT_FINDING,
            (true, None) if self.interrupted => EXIT_INTERRUPTED,
            _ => EXIT_CLEAN,
        }
    }
}
