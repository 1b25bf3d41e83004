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
    /// Bytes are written to a file descriptor.
    Out,
}

/// Every event, in the order in which they are listed.
pub const ALL_EVENTS: &[Event] =
    &[Event::Edge, Event::Cmp, Event::Alloc, Event::Diff, Event::Stack, Event::Out];

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
            Self::Out => "out",
        }
    }

    /// A few words for the help of the compilers.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Edge => "edges taken: coverage, and the domains perf, slow, valid",
            Self::Cmp => "comparisons: the domain cmp, and answered comparisons",
            Self::Alloc => "allocations: the domains mem and leak, --malloc-limit",
            Self::Diff => "ways taken behind a change: the domain diff",
            Self::Stack => "the depth of the stack: the domain stack",
            Self::Out => "output written: the domain out",
        }
    }
}

/// A set of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventSet(u32);

/// No event has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEvent(String);

impl std::fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, known) = (&self.0, EventSet::all().names());
        write!(f, "there is no event `{name}`; choose from: {known}")?;
        match crate::nearest(name, ALL_EVENTS.iter().map(|event| event.name())) {
            Some(near) => write!(f, " (did you mean `{near}`?)"),
            None => Ok(()),
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

    /// Every event: what is compiled in unless the user says otherwise.
    #[must_use]
    pub fn all() -> Self {
        Self(ALL_EVENTS.iter().fold(0, |bits, event| bits | Self::of(*event).0))
    }

    /// Reads a comma-separated list; `all` and the empty list mean every event.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn parse(list: &str) -> Result<Self, UnknownEvent> {
        let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if names.is_empty() || names == ["all"] {
            return Ok(Self::all());
        }
        names.iter().try_fold(Self(0), |set, name| {
            let event = ALL_EVENTS.iter().copied().find(|event| event.name() == *name);
            let event = event.ok_or_else(|| UnknownEvent((*name).to_owned()))?;
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
        assert_eq!(EventSet::parse("all").unwrap(), EventSet::all());
        assert_eq!(EventSet::parse("").unwrap(), EventSet::all());
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let message = EventSet::parse("edges").unwrap_err().to_string();
        assert_eq!(
            message,
            "there is no event `edges`; choose from: edge,cmp,alloc,diff,stack,out (did you mean `edge`?)"
        );
    }
}
