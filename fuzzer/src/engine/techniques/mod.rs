//! The ways to make new inputs from an entry, a file each; they share its energy by what they find.
mod bytes;
mod masked;
mod phrases;
mod trees;

use std::fmt::Debug;

use libafl::{Error, corpus::CorpusId};

use super::{
    assembly::{Input, State},
    keep::Keeper,
    parts::Parts,
};
use crate::{origin::Op, plan::FuzzPlan, shared::Shared};

/// A way to make new inputs from the scheduled entry.
pub trait Technique: Debug {
    /// What its inputs are called in names and statistics; its share of energy follows from what these found.
    fn ops(&self) -> &[Op];

    /// Makes ready for an entry; whether there is anything to be made from it. It may run the target, through the
    /// keeper.
    fn begin(&mut self, parts: &mut Parts<'_>, keeper: &Keeper, entry: CorpusId) -> Result<bool, Error>;

    /// So many more inputs than usual should be made from the entry, because making ready was dear.
    fn wants(&self) -> usize {
        0
    }

    /// Whether its share of an entry from which it has nothing to make is left to the entries where it has, rather than to
    /// the others.
    fn saves_its_share(&self) -> bool {
        true
    }

    /// The entry that it works on, if it is another than the scheduled one.
    fn parent(&self) -> Option<CorpusId> {
        None
    }

    /// Changes `input`, which is the entry's, and says how and how often; `None` if nothing came of it.
    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error>;

    /// What it made last was run; the run maps are those of this run.
    fn ran(&mut self, _: &Parts<'_>) {}

    /// What it made last is an entry of the corpus from now on.
    fn kept(&mut self, _: &mut Parts<'_>, _: CorpusId) -> Result<(), Error> {
        Ok(())
    }
}

/// All of them, as far as the plan asks for them. To add one: a file and a line here.
pub fn all(plan: &FuzzPlan, shared: Shared) -> anyhow::Result<Vec<Box<dyn Technique>>> {
    let mut all: Vec<Box<dyn Technique>> = vec![Box::new(bytes::Bytes::new())];
    if plan.rare.is_on() {
        all.push(Box::new(masked::Masked::new(plan.rare, shared)));
    }
    if plan.learn.is_some() {
        all.push(Box::new(phrases::Phrases::default()));
    }
    if let Some(language) = plan.language {
        all.push(Box::new(trees::Trees::new(language, plan, shared)?));
    }
    Ok(all)
}
