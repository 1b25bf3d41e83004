//! Structure-aware trimming: a smaller input that reaches what an entry holds becomes an entry beside it, and since it is
//! cheaper it holds that from then on.
use std::sync::atomic::Ordering::Relaxed;

use libafl::{Error, corpus::CorpusId, fuzzer::HasScheduler};

use super::super::super::{assembly::Input, keep::Keeper, parts::Parts};
use crate::{
    origin::{Op, Origin},
    shared::Control,
    structure::{Language, shrink::TreeSearch},
};

/// Shorter inputs are not worth it.
const SHORTEST: usize = 48;
/// So many runs are spent on an entry, and so many in vain in a row.
const RUNS: u32 = 96;
const IN_VAIN: u32 = 24;
/// At most one run in so many is spent on trimming.
const SHARE: u64 = 16;

/// Whether there are runs left for trimming, and this input is worth them.
pub fn pays(control: &Control, input: &[u8]) -> bool {
    let (spent, _) = control.op(Op::Trim).all();
    let runs = control.runs.load(Relaxed);
    input.len() >= SHORTEST && (spent + u64::from(RUNS)) * SHARE < runs
}

/// Looks for a smaller input that reaches all that `entry` holds, and keeps it. On its own, so that a profile tells it from
/// making mutants (`scripts/bench structure`).
#[inline(never)]
pub fn trim(
    language: &'static Language,
    parts: &mut Parts<'_>,
    keeper: &Keeper,
    entry: CorpusId,
    input: &[u8],
) -> Result<(), Error> {
    if parts.fuzzer.scheduler().held(entry) == 0 {
        return Ok(());
    }
    let Some(mut search) = TreeSearch::new(language, input) else { return Ok(()) };
    let origin = Origin { parent: parts.number_of(entry), op: Op::Trim, rep: 1 };
    keeper.check_end(parts.state)?;
    keeper.consider(parts, &Input::from(input.to_vec()), origin)?;
    let values = parts.executor.maps().values();
    let (mut runs, mut in_vain) = (0, 0);
    while runs < RUNS
        && in_vain < IN_VAIN
        && let Some(candidate) = search.candidate()
    {
        keeper.check_end(parts.state)?;
        keeper.consider(parts, &Input::from(candidate.to_vec()), origin)?;
        let maps = parts.executor.maps();
        let mut reached = 0;
        maps.counters.for_each_reached(|holder| reached += u32::from(*holder as usize == entry.0 + 1));
        let keeps = reached == parts.fuzzer.scheduler().held(entry) && maps.is_as_good_as(&values);
        (runs, in_vain) = (runs + 1, if keeps { 0 } else { in_vain + 1 });
        search.answer(keeps);
    }
    // A little less is not worth another entry.
    if search.best().len() * 8 <= input.len() * 7 {
        keeper.check_end(parts.state)?;
        keeper.keep_anyway(parts, &Input::from(search.best().to_vec()), origin)?;
    }
    Ok(())
}
