//! The events that can be compiled into a target: the one list that the wrapper, the engine and the help share.

/// Something the instrumented target does that a recorder can write down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An edge of the control-flow graph is taken.
    Edge,
    /// Two values are compared.
    Cmp,
    /// Memory is allocated.
    Alloc,
    /// A changed line is reached.
    Diff,
    /// The stack grows.
    Stack,
}

/// Every event, in the order in which they are listed.
pub const ALL_EVENTS: &[Event] = &[Event::Edge, Event::Cmp, Event::Alloc, Event::Diff, Event::Stack];

impl Event {
    /// What a user writes after `--events=`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Cmp => "cmp",
            Self::Alloc => "alloc",
            Self::Diff => "diff",
            Self::Stack => "stack",
        }
    }

    /// Whether this version has a recorder for it; the others are names kept for the domains to come.
    #[must_use]
    pub const fn is_recorded(self) -> bool {
        matches!(self, Self::Edge | Self::Cmp | Self::Alloc)
    }
}

/// A set of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventSet(u32);

/// Why a list of events could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownEvent {
    /// No event has this name.
    NoSuch(String),
    /// The event has no recorder in this version.
    NotRecorded(Event),
}

impl std::fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = EventSet::all_recorded().names();
        match self {
            Self::NoSuch(name) => {
                write!(f, "there is no event `{name}`; choose from: {known}")?;
                match crate::nearest(name, ALL_EVENTS.iter().map(|event| event.name())) {
                    Some(near) => write!(f, " (did you mean `{near}`?)"),
                    None => Ok(()),
                }
            }
            Self::NotRecorded(event) => write!(
                f,
                "the event `{}` cannot be recorded by this version yet; choose from: {known}",
                event.name()
            ),
        }
    }
}

impl std::error::Error for UnknownEvent {}

impl EventSet {
    /// The set of this one event.
    #[must_use]
    pub const fn of(event: Event) -> Self {
        Self(1 << event as u32)
    }

    /// Everything this version can record: what is compiled in unless the user says otherwise.
    #[must_use]
    pub fn all_recorded() -> Self {
        let recorded = ALL_EVENTS.iter().filter(|event| event.is_recorded());
        Self(recorded.fold(0, |bits, event| bits | Self::of(*event).0))
    }

    /// Reads a comma-separated list; `all` and the empty list mean everything this version can record.
    ///
    /// # Errors
    /// A name is unknown, or names an event without a recorder.
    pub fn parse(list: &str) -> Result<Self, UnknownEvent> {
        let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if names.is_empty() || names == ["all"] {
            return Ok(Self::all_recorded());
        }
        names.iter().try_fold(Self(0), |set, name| {
            let event = ALL_EVENTS.iter().copied().find(|event| event.name() == *name);
            let event = event.ok_or_else(|| UnknownEvent::NoSuch((*name).to_owned()))?;
            if !event.is_recorded() {
                return Err(UnknownEvent::NotRecorded(event));
            }
            Ok(Self(set.0 | Self::of(event).0))
        })
    }

    /// As the bits of `waypoint_function::events` in `waypoint_abi.h`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The events of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with these bits; unknown ones are dropped.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << ALL_EVENTS.len()) - 1))
    }

    /// Whether every event of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names, comma-separated, as `parse` reads them.
    #[must_use]
    pub fn names(self) -> String {
        let members = ALL_EVENTS.iter().filter(|event| self.contains(Self::of(**event)));
        members.map(|event| event.name()).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_as_it_was_written() {
        assert_eq!(EventSet::parse("edge").unwrap().names(), "edge");
        assert_eq!(EventSet::parse(" edge , edge ").unwrap().names(), "edge");
        assert_eq!(EventSet::parse("all").unwrap(), EventSet::all_recorded());
        assert_eq!(EventSet::parse("").unwrap(), EventSet::all_recorded());
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let message = EventSet::parse("edges").unwrap_err().to_string();
        assert_eq!(message, "there is no event `edges`; choose from: edge,cmp,alloc (did you mean `edge`?)");
        assert_eq!(
            EventSet::parse("diff").unwrap_err().to_string(),
            "the event `diff` cannot be recorded by this version yet; choose from: edge,cmp,alloc"
        );
    }
}
