//! Runs inputs for their comparisons, and makes right what follows the rest of an input and no longer does.
use libafl::{Error, fuzzer::ExecutesInput};
use rustc_hash::FxHashMap;

use super::{
    edit::Edit,
    log::{Log, Sites},
    repair::{self, Repair},
};
use crate::{
    engine::{assembly::Input, keep::Keeper, parts::Parts},
    origin::Origin,
    shared::Shared,
};

/// A traced run takes so many times longer than another, since it writes every comparison down.
const TRACED: u64 = 8;
/// To write down a comparison and to read it takes about as long as so many edges.
const COMPARISON: u64 = 32;

/// Knows the fields of entries that must agree with the rest of them.
#[derive(Debug)]
pub struct Mender {
    shared: Shared,
    keeper: Keeper,
    sites: Sites,
    known: FxHashMap<usize, Vec<Repair>>,
}

impl Mender {
    /// Knows none yet.
    pub fn new(shared: Shared, keeper: Keeper) -> Self {
        Self { shared, keeper, sites: Sites::default(), known: FxHashMap::default() }
    }

    /// These are the fields of an entry.
    pub fn know(&mut self, entry: usize, repairs: Vec<Repair>) {
        self.known.insert(entry, repairs);
    }

    /// Whether these are known.
    pub fn knows(&self, entry: usize) -> bool {
        self.known.contains_key(&entry)
    }

    /// What is known of an entry.
    pub fn known(&self, entry: usize) -> Vec<Repair> {
        self.known.get(&entry).cloned().unwrap_or_default()
    }

    /// Runs an input for its comparisons only, on the account of `origin`; none are known of one that was the end of a
    /// worker.
    pub fn trace(&mut self, parts: &mut Parts<'_>, input: &[u8], origin: Origin) -> Result<Log, Error> {
        self.keeper.check_end(parts.state)?;
        if self.shared.deadly.has(input) {
            return Ok(Log::default());
        }
        let Parts { fuzzer, executor, state, manager } = parts;
        self.shared.control.set_origin(origin);
        executor.maps_mut().follow_blocks = false;
        executor.maps_mut().trace(true);
        let run = fuzzer.execute_input(*state, *executor, *manager, &Input::from(input.to_vec()));
        let log = self.sites.read(executor.maps());
        let reading = COMPARISON * log.all.len() as u64 + TRACED * executor.maps().effort();
        self.shared.control.add_effort(reading);
        self.shared.control.op(origin.op).spend(1, executor.maps().effort() + reading);
        executor.maps_mut().trace(false);
        run.map(|_| log)
    }

    /// A changed input with the fields made right that no longer were; nothing if there is nothing to mend. `edit` is
    /// what changed in it, if that moved what is behind.
    pub fn mended(
        &mut self,
        parts: &mut Parts<'_>,
        changed: &[u8],
        repairs: &[Repair],
        edit: Option<&Edit>,
        origin: Origin,
    ) -> Result<Option<Vec<u8>>, Error> {
        if repairs.is_empty() {
            return Ok(None);
        }
        let log = self.trace(parts, changed, origin)?;
        Ok(repair::mend(repairs, changed, edit, &log))
    }
}
