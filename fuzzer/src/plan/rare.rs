//! Whether a campaign holds on to rare branches.
use waypoint_runtime::harness;

/// Whether mutations hold on to rare branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rare {
    /// They do not.
    Off,
    /// Those of the seeds do, once each.
    Seeds,
    /// They do.
    On,
    /// They do half of the time, so that the effect can be measured.
    Shadow,
}

impl Rare {
    /// As the options say.
    pub fn new(on: bool, shadow: bool, off: bool) -> Self {
        match (on, shadow, off) {
            (_, true, _) => Self::Shadow,
            (true, false, _) => Self::On,
            (false, false, true) => Self::Off,
            (false, false, false) => Self::Seeds,
        }
    }

    /// Whether they do at all.
    pub fn is_on(self) -> bool {
        self != Self::Off
    }

    /// Whether somebody asked for it, and wants to be told what came of it.
    pub fn is_asked_for(self) -> bool {
        matches!(self, Self::On | Self::Shadow)
    }

    /// Why it comes to nothing, if it does.
    pub fn remark(self) -> Option<String> {
        let in_vain = self.is_asked_for() && harness::hooks().custom_mutator.is_some();
        in_vain.then(|| {
            "--rare does nothing here: the harness has a mutator of its own, and all inputs are made by it".to_owned()
        })
    }
}
