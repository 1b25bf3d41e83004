//! The one LibAFL assembly, with concrete types.
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, Result, anyhow};
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
use waypoint_runtime::harness::TestOneInput;

use super::{
    custom,
    executor::InProcess,
    havoc::Havoc,
    holders::HolderScheduler,
    keep::Keeper,
    run_maps::{RunMaps, Waypoints},
    stage::MutateStage,
};
use crate::{
    coverage::Counters,
    origin::{Op, Origin},
    plan::FuzzPlan,
    queue::Queue,
    seeds::Seed,
    shared::{Phase, Shared},
    worker::buffer::Buffer,
};

/// The input is the target's plain bytes.
pub type Input = BytesInput;
/// Random numbers, corpus, tokens, limits.
pub type State = StdState<InMemoryCorpus<Input>, Input, StdRand, InMemoryCorpus<Input>>;
/// Statistics travel through the control page, findings through the supervisor: there are no events to manage.
pub type Manager = NopEventManager;
/// Findings never come back as solutions, so there is no objective.
pub type Fuzzer = StdFuzzer<HolderScheduler, Waypoints, BytesInputConverter, NopInputFilter, ()>;

/// Fuzzes until the campaign ends, or until this worker is asked to make room.
pub fn fuzz(plan: &FuzzPlan, shared: Shared, queue: Queue, harness: TestOneInput) -> Result<Phase> {
    let control = shared.control;
    let mut fuzzer = Fuzzer::new(HolderScheduler::new(control), Waypoints, ());
    let runs = control.runs.load(Relaxed);
    // A worker that takes over must not repeat what its predecessor did.
    let rand = StdRand::with_seed(plan.seed.wrapping_add(runs));
    let corpus = || InMemoryCorpus::new();
    let mut state = State::new(rand, corpus(), corpus(), &mut Waypoints, &mut ()).map_err(explain)?;
    state.set_max_size(plan.max_len);
    *state.executions_mut() = runs;
    if !plan.tokens.is_empty() {
        state.add_metadata(Tokens::from(plan.tokens.clone()));
    }

    let mut counters = Counters::new(shared.aggregates);
    counters.reset_all();
    let mut executor = InProcess::new(harness, control, Buffer::new(plan.max_len), RunMaps::new(counters));
    let mut manager = Manager::new();
    custom::provide_built_in_mutation();

    for entry in shared.journal.entries() {
        state.corpus_mut().add(Testcase::new(Input::from(entry.input.to_vec()))).map_err(explain)?;
        fuzzer.scheduler_mut().add(entry.input.len(), entry.edges, entry.id);
    }
    fuzzer.scheduler_mut().restore(&executor.maps().counters);

    let keeper = Keeper::new(shared, queue);
    keeper.publish(&mut fuzzer, &executor);
    control.set_phase(Phase::Engine);
    let is_over = |state: &State| plan.max_runs.is_some_and(|max| *state.executions() >= max);
    loop {
        // Marked as started first: should it kill us, the next worker goes on behind it.
        let n = control.seeds_started.load(Relaxed);
        let Some(seed) = plan.seeds.get(n) else { break };
        if keeper.asked_to_end() || is_over(&state) {
            break;
        }
        control.seeds_started.store(n + 1, Relaxed);
        let bytes = seed.read().with_context(|| format!("cannot read the seed {}", seed.name()))?;
        let op = if matches!(seed, Seed::Earlier(_)) { Op::Earlier } else { Op::Seed };
        let origin = Origin { parent: n as u32, op, rep: 0 };
        keeper
            .consider(&mut fuzzer, &mut executor, &mut state, &mut manager, &Input::from(bytes), origin)
            .map_err(explain)?;
    }
    if state.corpus().count() == 0 && !keeper.asked_to_end() && !is_over(&state) {
        if control.deaths.load(Relaxed) > 0 {
            return Err(anyhow!("every seed is a finding; mend the target first, or give it other seeds"));
        }
        return Err(anyhow!(
            "no seed reached any instrumented code; compile the code under test with waypoint-cc or waypoint-c++"
        ));
    }

    let mut stages =
        tuple_list!(MutateStage::new(Havoc::new(!plan.tokens.is_empty()), keeper.clone(), plan.max_runs));
    if state.corpus().count() > 0 && !is_over(&state) {
        let result = loop {
            if let Err(error) = fuzzer.fuzz_one(&mut stages, &mut executor, &mut state, &mut manager) {
                break error;
            }
        };
        if !matches!(result, Error::ShuttingDown) {
            return Err(explain(result));
        }
    }
    keeper.publish(&mut fuzzer, &executor);
    let over = is_over(&state) || control.stop.load(Relaxed) != 0;
    Ok(if over { Phase::Done } else { Phase::Recycle })
}

/// LibAFL's errors carry a backtrace in their text; only the message is a user's business.
fn explain(error: Error) -> anyhow::Error {
    match error {
        Error::Unknown(message, _) => anyhow!(message),
        other => anyhow!("the engine failed: {other}"),
    }
}
