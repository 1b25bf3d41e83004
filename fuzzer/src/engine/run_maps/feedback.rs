//! The run maps as LibAFL's observers, and the one feedback that judges them for all domains.
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

use super::{super::assembly::Input, RunMaps};

impl<S> ObserversTuple<Input, S> for RunMaps {
    fn pre_exec_all(&mut self, _: &mut S, _: &Input) -> Result<(), Error> {
        self.begin();
        Ok(())
    }

    fn post_exec_all(&mut self, _: &mut S, _: &Input, _: &ExitKind) -> Result<(), Error> {
        self.end();
        self.ask();
        self.charge();
        self.count_some();
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

/// Says whether a run is a waypoint. The aggregates take it in once it has a number, see `HolderScheduler`.
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
        Ok(maps.waypoint_in != 0)
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
