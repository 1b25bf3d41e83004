//! The one LibAFL assembly, with concrete types.
use std::{cell::RefCell, rc::Rc, sync::atomic::Ordering::Relaxed};

use anyhow::{Context, Result, anyhow, bail};
use libafl::{
    Error, HasMetadata, StdFuzzer,
    corpus::{Corpus, InMemoryCorpus, Testcase},
    events::NopEventManager,
    fuzzer::{Fuzzer as _, HasScheduler, NopInputFilter},
    inputs::{BytesInput, BytesInputConverter},
    mutators::Tokens,
    state::{HasCorpus, HasExecutions, HasMaxSize, StdState},
};
use libafl_bolts::{rands::StdRand, tuples::tuple_list};
use waypoint_runtime::{harness::TestOneInput, recording::Recorder};

use super::{
    answers::{AnswerStage, Mender},
    climb::Climber,
    custom,
    executor::InProcess,
    holders::HolderScheduler,
    keep::Keeper,
    learning,
    parts::Parts,
    run_maps::{RunMaps, Waypoints},
    stage::MutateStage,
    techniques,
};
use crate::{
    coverage::Counters,
    dict, guidance,
    origin::{Op, Origin},
    plan::FuzzPlan,
    queue::Queue,
    seeds::Seed,
    shared::{Phase, Shared},
    worker::{
        buffer::Buffer,
        leaks::{Leaks, Report},
    },
};

/// The input is the target's plain bytes.
pub type Input = BytesInput;
/// Random numbers, corpus, tokens, limits.
pub type State = StdState<InMemoryCorpus<Input>, Input, StdRand, InMemoryCorpus<Input>>;
/// Statistics travel through the control page, findings through the supervisor: there are no events to manage.
pub type Manager = NopEventManager;
/// Findings never come back as solutions, so there is no objective.
pub type Fuzzer = StdFuzzer<HolderScheduler, Waypoints, BytesInputConverter, NopInputFilter, ()>;

/// The engine, put together.
struct Engine<'a> {
    plan: &'a FuzzPlan,
    shared: Shared,
    keeper: Keeper,
    fuzzer: Fuzzer,
    executor: InProcess,
    state: State,
    manager: Manager,
}

/// Fuzzes until the campaign ends, or until this worker is asked to make room.
pub fn fuzz(plan: &FuzzPlan, shared: Shared, queue: Queue, harness: TestOneInput) -> Result<Phase> {
    let mut engine = Engine::new(plan, shared, queue, harness)?;
    engine.restore()?;
    shared.control.set_phase(Phase::Engine);
    engine.run_seeds()?;
    engine.learn_tokens()?;
    engine.run_stages()?;
    engine.keeper.publish(&mut engine.fuzzer, &engine.executor);
    let control = shared.control;
    let over = engine.has_run_enough() || control.stop.load(Relaxed) != 0 || control.goals_are_met();
    Ok(if over { Phase::Done } else { Phase::Recycle })
}

impl<'a> Engine<'a> {
    fn new(plan: &'a FuzzPlan, shared: Shared, queue: Queue, harness: TestOneInput) -> Result<Self> {
        let control = shared.control;
        let runs = control.runs.load(Relaxed);
        // A worker that takes over must not repeat what its predecessor did.
        let rand = StdRand::with_seed(plan.seed.wrapping_add(runs));
        let corpus = InMemoryCorpus::new;
        let mut state = State::new(rand, corpus(), corpus(), &mut Waypoints, &mut ()).map_err(explain)?;
        state.set_max_size(plan.max_len);
        *state.executions_mut() = runs;
        if !plan.tokens.is_empty() {
            state.add_metadata(Tokens::from(plan.tokens.clone()));
        }
        let recorder = Recorder::new(plan.recording(control));
        let mut maps = RunMaps::new(Counters::new(shared.aggregates), recorder, &plan.domains, shared);
        if plan.rare.is_on() {
            maps.count_hits();
        }
        custom::provide_built_in_mutation();
        Ok(Self {
            plan,
            shared,
            keeper: Keeper::new(shared, queue, plan.max_runs),
            fuzzer: Fuzzer::new(HolderScheduler::new(control, &plan.domains, plan.staleness), Waypoints, ()),
            executor: InProcess::new(
                harness,
                control,
                Buffer::new(plan.max_len),
                maps,
                Leaks::new(control, plan.leaks, Report::Once),
            ),
            state,
            manager: Manager::new(),
        })
    }

    fn parts(&mut self) -> (&Keeper, Parts<'_>) {
        let Self { keeper, fuzzer, executor, state, manager, .. } = self;
        (keeper, Parts { fuzzer, executor, state, manager })
    }

    /// Takes over what the workers before this one kept.
    fn restore(&mut self) -> Result<()> {
        let scheduler = self.fuzzer.scheduler_mut();
        for entry in self.shared.journal.entries() {
            let testcase = Testcase::new(Input::from(entry.input.to_vec()));
            self.state.corpus_mut().add(testcase).map_err(explain)?;
            scheduler.add(entry.input.len(), entry.note);
        }
        scheduler.restore(self.executor.maps());
        self.keeper.publish(&mut self.fuzzer, &self.executor);
        Ok(())
    }

    fn has_run_enough(&self) -> bool {
        let seeds_left = self.shared.control.seeds_started.load(Relaxed) < self.plan.seeds.len();
        let may_end = !(self.plan.all_seeds && seeds_left);
        may_end && self.plan.max_runs.is_some_and(|max| *self.state.executions() >= max)
    }

    fn is_over(&self) -> bool {
        self.keeper.asked_to_end() || self.has_run_enough()
    }

    /// Runs the seeds that no worker has started yet.
    fn run_seeds(&mut self) -> Result<()> {
        let control = self.shared.control;
        let (mut has_run, mut all_rejected) = (false, true);
        while !self.is_over() {
            let n = control.seeds_started.load(Relaxed);
            let Some(seed) = self.plan.seeds.get(n) else { break };
            // First of all: should it kill us, the next worker goes on behind it.
            control.seeds_started.store(n + 1, Relaxed);
            let bytes = seed.read().with_context(|| format!("cannot read the seed {}", seed.name()))?;
            let op = if matches!(seed, Seed::Earlier(_)) { Op::Earlier } else { Op::Seed };
            let origin = Origin { parent: n as u32, op, rep: 0 };
            let (keeper, mut parts) = self.parts();
            keeper.consider(&mut parts, &Input::from(bytes), origin).map_err(explain)?;
            has_run = true;
            all_rejected &= self.executor.maps().rejected;
        }
        if has_run {
            self.judge_names()?;
        }
        if self.state.corpus().count() > 0 || self.is_over() {
            return Ok(());
        }
        if control.deaths.load(Relaxed) > 0 {
            bail!("every seed is a finding; mend the target first, or give it other seeds");
        }
        if has_run && all_rejected {
            bail!(
                "the harness rejects every seed by returning -1, so that none is kept; give it other seeds"
            );
        }
        if !self.plan.domains[0].guides && self.executor.maps().counters.edges() > 0 {
            // Without coverage a seed need not be a waypoint in anything.
            return self.keep_a_seed();
        }
        bail!(
            "no seed reached any instrumented code; compile the code under test with waypoint-cc or waypoint-c++"
        )
    }

    /// Learns tokens, if the plan says so and no worker before has done it; else takes over what they learnt.
    fn learn_tokens(&mut self) -> Result<()> {
        let Some(plan) = self.plan.learn.as_ref().filter(|_| !self.is_over()) else { return Ok(()) };
        let (shared, seed) = (self.shared, self.plan.seed);
        let was_done = shared.learning.is_done();
        let (keeper, mut parts) = self.parts();
        match learning::learn(&mut parts, keeper, shared, plan, seed) {
            Err(Error::ShuttingDown) => return Ok(()),
            learnt => learnt.map_err(explain)?,
        }
        let tokens = shared.learning.tokens();
        if let Some(dir) = self.plan.layout.dir().filter(|_| !was_done && !tokens.is_empty()) {
            dict::save(&dir.join(dict::LEARNT), &tokens)?;
        }
        Ok(())
    }

    fn keep_a_seed(&mut self) -> Result<()> {
        for (n, seed) in self.plan.seeds.iter().enumerate() {
            let bytes = seed.read().with_context(|| format!("cannot read the seed {}", seed.name()))?;
            let origin = Origin { parent: n as u32, op: Op::Seed, rep: 0 };
            let (keeper, mut parts) = self.parts();
            if keeper.keep_anyway(&mut parts, &Input::from(bytes), origin).map_err(explain)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether the target has registered every domain that was asked for and is none of ours. It may do so at first
    /// use, so this is asked once, when the seeds have been run.
    fn judge_names(&self) -> Result<()> {
        if self.shared.control.names_are_judged.swap(1, Relaxed) != 0 {
            return Ok(());
        }
        let Some(name) = self.executor.maps().unknown().next() else { return Ok(()) };
        bail!(guidance::no_such_domain(name));
    }

    /// Fuzzes one entry of the corpus after the other.
    fn run_stages(&mut self) -> Result<()> {
        if self.is_over() {
            return Ok(());
        }
        let (shared, keeper) = (self.shared, self.keeper.clone());
        let mender = Rc::new(RefCell::new(Mender::new(shared, keeper.clone())));
        let climber = Climber::new(shared.control, &self.plan.domains, keeper.clone(), Rc::clone(&mender));
        let techniques = techniques::all(self.plan, shared)?;
        let answer = AnswerStage::new(self.plan.answers, shared, keeper.clone(), mender, climber.clone());
        let mutate = MutateStage::new(techniques, climber, shared, keeper);
        let mut stages = tuple_list!(answer, mutate);
        loop {
            let Self { fuzzer, executor, state, manager, .. } = self;
            match fuzzer.fuzz_one(&mut stages, executor, state, manager) {
                // Only now if the last seed was the end of the worker that ran it.
                Ok(_) => self.judge_names()?,
                Err(Error::ShuttingDown) => return Ok(()),
                Err(error) => return Err(explain(error)),
            }
        }
    }
}

/// LibAFL's errors carry a backtrace in their text; only the message is a user's business.
fn explain(error: Error) -> anyhow::Error {
    match error {
        Error::Unknown(message, _) => anyhow!(message),
        other => anyhow!("the engine failed: {other}"),
    }
}
