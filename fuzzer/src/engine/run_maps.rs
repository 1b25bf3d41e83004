//! What one run wrote, as LibAFL's observers, and the one feedback that judges it.
use std::borrow::Cow;

use libafl::{
    Error,
    corpus::Testcase,
    executors::ExitKind,
    feedbacks::{Feedback, StateInitializer},
    observers::ObserversTuple,
};
use libafl_bolts::{Named, tuples::MatchName};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::assembly::Input;
use crate::coverage::Counters;

/// The run maps. They stand for all observers, so that asking them costs no look-up by name.
#[derive(Debug)]
pub struct RunMaps {
    /// One key a counter.
    pub counters: Counters,
    /// The harness asked that this input is never kept.
    pub rejected: bool,
    is_new: bool,
}

impl RunMaps {
    /// The run maps of the objects loaded so far.
    pub fn new(counters: Counters) -> Self {
        Self { counters, rejected: false, is_new: false }
    }

    /// After a second run of the same input: what differs from the remembered first run is noise and counts no
    /// more.
    pub fn confirm(&mut self) {
        self.counters.mark_unstable();
        self.is_new = self.counters.is_new() && !self.rejected;
    }
}

impl<S> ObserversTuple<Input, S> for RunMaps {
    fn pre_exec_all(&mut self, _: &mut S, _: &Input) -> Result<(), Error> {
        self.counters.reset();
        Ok(())
    }

    fn post_exec_all(&mut self, _: &mut S, _: &Input, _: &ExitKind) -> Result<(), Error> {
        // Always asked, because the scan also finds out what must be reset before the next run.
        self.is_new = self.counters.is_new() && !self.rejected;
        Ok(())
    }
}

impl MatchName for RunMaps {
    fn match_name<T>(&self, _: &str) -> Option<&T> {
        None
    }

    fn match_name_mut<T>(&mut self, _: &str) -> Option<&mut T> {
        None
    }
}

// LibAFL asks this of observers so that it can send them to other processes. Ours stay: they are views of memory
// that the supervisor and its workers share.
impl Serialize for RunMaps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for RunMaps {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(de::Error::custom("run maps do not travel between processes"))
    }
}

/// Says whether a run is a waypoint, and takes it into the aggregates once it is kept.
#[derive(Debug, Default)]
pub struct Waypoints;

impl<S> StateInitializer<S> for Waypoints {}

impl Named for Waypoints {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("waypoints")
    }
}

impl<EM, S> Feedback<EM, Input, RunMaps, S> for Waypoints {
    fn is_interesting(
        &mut self,
        _: &mut S,
        _: &mut EM,
        _: &Input,
        maps: &RunMaps,
        _: &ExitKind,
    ) -> Result<bool, Error> {
        Ok(maps.is_new)
    }

    fn append_metadata(
        &mut self,
        _: &mut S,
        _: &mut EM,
        maps: &RunMaps,
        _: &mut Testcase<Input>,
    ) -> Result<(), Error> {
        maps.counters.commit();
        Ok(())
    }
}
