//! What supervisor and worker share, and what must survive a worker: anonymous memory, inherited by fork.
//!
//! Nothing here has a name in the file system, so nothing stays behind however the processes end.
mod aggregates;
mod control;
mod crash;
mod deadly;
mod directory;
mod journal;
mod learning;
mod marks;
mod ops;
mod rare;
mod region;
mod structure;
mod table;

use anyhow::Result;

pub use aggregates::{Aggregates, NO_HOLDER};
pub use control::{Control, DomainNumbers, GoalNumbers, MAX_DOMAINS, Phase};
pub use crash::{Crash, MAX_FRAMES};
pub use deadly::Deadly;
pub use journal::{Entry, Journal, Note, Place};
pub use learning::Learning;
pub use marks::Marks;
pub use ops::NEW;
use region::Region;
pub use structure::StructureNumbers;
pub use table::{Table, UNSTABLE};

/// Everything the supervisor and its workers share.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// The input being run, what the worker is doing, and its numbers.
    pub control: &'static Control,
    /// Every kept input.
    pub journal: Journal,
    /// What every counter has seen so far.
    pub aggregates: Aggregates,
    /// How often the comparisons of each kept input were answered.
    pub answered: Marks,
    /// How often a worker died while it answered them.
    pub died_answering: Marks,
    /// Which kept inputs have fields that follow the rest, as far as anybody has looked.
    pub mendable: Marks,
    /// Inputs that were the end of a worker.
    pub deadly: Deadly,
    /// For each kept input: 0 if it is not known whether it has structure, 2 if somebody tried to make it smaller, else 1.
    pub parsed: Marks,
    /// What was learnt of the target's tokens.
    pub learning: Learning,
    tables: [Option<Table>; MAX_DOMAINS],
}

impl Shared {
    /// Reserves the memory for inputs of at most `max_len` bytes and for this many domains, coverage included.
    pub fn new(max_len: usize, n_domains: usize) -> Result<Self> {
        let mut tables = [None; MAX_DOMAINS];
        for table in tables.iter_mut().take(n_domains).skip(1) {
            *table = Some(Table::new()?);
        }
        Ok(Self {
            control: Control::new(max_len)?,
            journal: Journal::new(Region::largest()?),
            aggregates: Aggregates::new()?,
            answered: Marks::new()?,
            died_answering: Marks::new()?,
            mendable: Marks::new()?,
            deadly: Deadly::new()?,
            parsed: Marks::new()?,
            learning: Learning::new()?,
            tables,
        })
    }

    /// The table of a domain other than coverage, which is the first.
    pub fn table(&self, domain: usize) -> Option<Table> {
        self.tables.get(domain).copied().flatten()
    }
}
