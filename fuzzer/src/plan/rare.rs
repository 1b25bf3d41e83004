//! Whether a campaign holds on to rare branches.

/// Whether mutations hold on to rare branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rare {
    /// They do not.
    Off,
    /// They do.
    On,
    /// They do half of the time, so that the effect can be measured.
    Shadow,
}

impl Rare {
    /// As the options say.
    pub fn new(on: bool, shadow: bool) -> Self {
        match (on, shadow) {
            (_, true) => Self::Shadow,
            (true, false) => Self::On,
            (false, false) => Self::Off,
        }
    }

    /// Whether they do at all.
    pub fn is_on(self) -> bool {
        self != Self::Off
    }
}
