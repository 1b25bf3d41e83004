//! Which domains a user enabled: built-in ones, and names that the target must register.
use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use anyhow::{Result, bail, ensure};
use waypoint_domains::{ALL_DOMAINS, Domain, Event, EventSet, RunMap};
use waypoint_runtime::{dsf, ijon, objects, recording::Recording, sections};

use crate::{
    changes::{self, ChangeArgs, Changes},
    guidance::{Claim, Goal},
    shared::{Control, MAX_DOMAINS, Shared},
    worker::refusal,
};

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Which {
    /// One of ours.
    BuiltIn(&'static Domain),
    /// One that the target registers while it runs.
    Custom(String),
}

/// An enabled domain.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Which.
    pub which: Which,
    /// Whether it guides the search; else its aggregates are only recorded.
    pub guides: bool,
    /// How far it has to come, and the number of each goal among all.
    pub goals: Vec<(usize, Goal)>,
    /// What changed in the source, if it needs to know.
    pub changes: Option<Arc<Changes>>,
}

impl Choice {
    fn new(which: Which, guides: bool) -> Self {
        Self { which, guides, goals: Vec::new(), changes: None }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match &self.which {
            Which::BuiltIn(domain) => domain.name,
            Which::Custom(name) => name,
        }
    }

    /// The built-in domain it is.
    pub fn built_in(&self) -> Option<&'static Domain> {
        match self.which {
            Which::BuiltIn(domain) => Some(domain),
            Which::Custom(_) => None,
        }
    }

    /// Whether it comes with another domain, or another with it.
    pub fn belongs_to(&self, other: &Self) -> bool {
        let brings = |one: &Self, name| {
            one.built_in().and_then(|domain| domain.brings).is_some_and(|brought| brought.name == name)
        };
        brings(self, other.name()) || brings(other, self.name())
    }
}

/// The domains of these names, coverage first, then those for which the target has annotations of other tools. A name that
/// is none of ours may be the target's.
pub fn choose(guiding: &[String], recorded: &[String], coverage: bool) -> Result<Vec<Choice>> {
    let mut chosen = vec![Choice::new(Which::BuiltIn(ALL_DOMAINS[0]), coverage)];
    let named = guiding.iter().map(|name| (name, true)).chain(recorded.iter().map(|name| (name, false)));
    for (name, guides) in named.filter(|(name, _)| !name.is_empty()) {
        if let Some(known) = chosen.iter().position(|known| known.name() == name) {
            // Named twice, or coverage by name, which is there anyway.
            ensure!(
                known != 0 || !guides || coverage,
                "--domain cov and --no-coverage contradict each other; leave one of them out"
            );
            continue;
        }
        let which = waypoint_domains::find(name).map_or_else(|| Which::Custom(name.clone()), Which::BuiltIn);
        chosen.push(Choice::new(which, guides));
    }
    let brought = |choice: &Choice| Some((choice.built_in()?.brings?, choice.guides));
    for (domain, guides) in chosen.iter().filter_map(brought).collect::<Vec<_>>() {
        if chosen.iter().all(|known| known.name() != domain.name) {
            chosen.push(Choice::new(Which::BuiltIn(domain), guides));
        }
    }
    for domain in ALL_DOMAINS.iter().filter(|domain| section(domain).is_some()) {
        let named = chosen.iter().any(|known| known.name() == domain.name);
        if named && !is_possible(domain) {
            bail!(
                "the domain `{}` needs an array of the target in the section {}, and there is none; leave the domain out",
                domain.name,
                section(domain).unwrap_or_default()
            );
        }
        if !named && is_possible(domain) {
            chosen.push(Choice::new(Which::BuiltIn(domain), true));
        }
    }
    ijon::register();
    for annotation in ijon::in_program() {
        if chosen.iter().all(|known| known.name() != annotation.name()) {
            chosen.push(Choice::new(Which::Custom(annotation.name().to_owned()), true));
        }
    }
    ensure!(chosen.len() <= MAX_DOMAINS, "{} domains are too many; {MAX_DOMAINS} is the most", chosen.len());
    ensure!(
        chosen.iter().any(|choice| choice.guides),
        "--no-coverage leaves nothing to go by; enable a domain as well, e.g. --domain mem"
    );
    Ok(chosen)
}

/// The section that a domain reads, if it reads one. Such a domain guides unasked, as with the fuzzer it comes from.
fn section(domain: &Domain) -> Option<&'static str> {
    match domain.maps {
        [RunMap::ExtraCounters] => Some("__libfuzzer_extra_counters"),
        [RunMap::ExtraFeatures] => Some("__centipede_extra_features"),
        _ => None,
    }
}

/// Whether the target has what the domain reads.
pub fn is_possible(domain: &Domain) -> bool {
    compiled_events().contains(domain.events)
        && match domain.maps {
            [RunMap::ExtraCounters] => !sections::extra_counters().is_empty(),
            [RunMap::ExtraFeatures] => !sections::extra_features().is_empty(),
            _ => true,
        }
}

/// The same, with what changed in the source; all that the domains need is there.
pub fn choose_all(
    guiding: &[String],
    recorded: &[String],
    coverage: bool,
    changed: &ChangeArgs,
) -> Result<Vec<Choice>> {
    let mut guiding = guiding.to_vec();
    if changed.are_given() {
        let named = |name: &str| guiding.iter().chain(recorded).any(|other| other == name);
        let needing =
            ALL_DOMAINS.iter().filter(|domain| changes::is_needed_by(domain) && !named(domain.name));
        guiding.extend(needing.map(|domain| domain.name.to_owned()).collect::<Vec<_>>());
    }
    let mut chosen = choose(&guiding, recorded, coverage)?;
    required_events(&chosen)?;
    let changes = changed.load()?.map(Arc::new);
    for choice in &mut chosen {
        if choice.built_in().is_some_and(changes::is_needed_by) {
            ensure!(
                changes.is_some(),
                "the domain `{}` needs to know what changed; add --diff FILE.patch or --diff-git REV..REV",
                choice.name()
            );
            choice.changes.clone_from(&changes);
        }
    }
    Ok(chosen)
}

/// What the user should know about the chosen domains.
pub fn remark(chosen: &[Choice]) -> Option<String> {
    chosen.iter().find_map(|choice| choice.changes.as_ref()).map(|changes| changes.summary())
}

/// What the sentence begins with that says so; a worker's message is all that the supervisor has of it.
const NO_SUCH_DOMAIN: &str = "there is no domain";

/// Whether this is what [`no_such_domain`] says.
pub fn is_no_such_domain(message: &str) -> bool {
    message.starts_with(NO_SUCH_DOMAIN)
}

/// What to say of a name that is none of ours and that the target has not registered. To be asked in a worker, where the
/// target runs.
pub fn no_such_domain(name: &str) -> String {
    let own: Vec<&str> = dsf::all().map(|domain| domain.name.as_str()).collect();
    let built_in = ALL_DOMAINS.iter().map(|domain| domain.name);
    let near = waypoint_domains::nearest(name, built_in.clone().chain(own.iter().copied()));
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let own = if own.is_empty() { "none".to_owned() } else { own.join(", ") };
    let built_in = built_in.collect::<Vec<_>>().join(", ");
    format!("{NO_SUCH_DOMAIN} `{name}`{hint} (known: {built_in}; registered by the target: {own})")
}

/// The events that the chosen domains need, if the target has them.
pub fn required_events(chosen: &[Choice]) -> Result<EventSet> {
    let compiled = compiled_events();
    let mut needed = EventSet::of(Event::Edge);
    for domain in chosen.iter().filter_map(Choice::built_in) {
        needed = needed.union(domain.events);
        if !compiled.contains(domain.events) {
            bail!(
                "the domain `{}` needs the event `{}`, which is not compiled into this target; rebuild it with `waypoint-cc --events={} ...`, or without --events and WAYPOINT_EVENTS, which compiles all in",
                domain.name,
                domain.events.names(),
                compiled.union(domain.events).names()
            );
        }
    }
    if needed.contains(EventSet::of(Event::Cmp)) || needed.contains(EventSet::of(Event::Diff)) {
        ensure!(
            counts_bits(),
            "this processor lacks the instructions popcnt and lzcnt, which the domains `cmp` and `diff` need; leave them out"
        );
    }
    Ok(needed)
}

/// Whether the processor has the instructions that the recorders of comparisons use.
fn counts_bits() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("popcnt") && std::arch::is_x86_feature_detected!("lzcnt");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// Whether runs of this target can be traced.
pub fn can_trace() -> bool {
    compiled_events().contains(EventSet::of(Event::Cmp)) && counts_bits()
}

/// Whether runs of this target can be traced, which `what` needs; else how to build one of which that is true.
pub fn ensure_traceable(what: &str) -> Result<()> {
    let cmp = EventSet::of(Event::Cmp);
    ensure!(
        compiled_events().contains(cmp),
        "{what} needs the event `cmp`, which is not compiled into this target; rebuild it with `waypoint-cc --events={} ...`, or without --events and WAYPOINT_EVENTS, which compiles all in",
        compiled_events().union(cmp).names()
    );
    ensure!(
        counts_bits(),
        "this processor lacks the instructions popcnt and lzcnt, which {what} needs; leave it out"
    );
    Ok(())
}

/// Whether one of these domains needs the event.
pub fn need(chosen: &[Choice], event: Event) -> bool {
    let events = EventSet::of(event);
    chosen.iter().any(|choice| choice.built_in().is_some_and(|domain| domain.events.contains(events)))
}

/// What a worker's recorders have to do for these domains. 0 means no limit.
pub fn recording(chosen: &[Choice], malloc_limit: u64, control: &'static Control) -> Recording {
    let needs = |event| need(chosen, event);
    Recording {
        cmp: needs(Event::Cmp),
        alloc: needs(Event::Alloc),
        diff: needs(Event::Diff),
        leaks: chosen
            .iter()
            .filter_map(Choice::built_in)
            .any(|domain| domain.maps.contains(&RunMap::LeftMemory)),
        stack: needs(Event::Stack),
        out: needs(Event::Out),
        malloc_limit: if malloc_limit == 0 { u64::MAX } else { malloc_limit },
        refused: Some(refusal::handler(control)),
    }
}

/// The events that are compiled into the target.
pub fn compiled_events() -> EventSet {
    objects::all().fold(EventSet::of(Event::Edge), |all, object| all.union(object.events()))
}

/// The best value of every key of every domain but coverage. Only where aggregates are values can inputs be told by them.
pub fn best_values(chosen: &[Choice], shared: &Shared) -> HashSet<Claim> {
    let mut best = HashSet::new();
    for (domain, choice) in chosen.iter().enumerate().skip(1) {
        let (Some(table), a0) = (shared.table(domain), shared.control.domains[domain].a0.load(Relaxed))
        else {
            continue;
        };
        let a0 = choice.built_in().map_or(a0, |built_in| built_in.a0);
        let found = (0..table.len()).filter(|key| table.encoded(*key) != 0 && !table.is_unstable(*key));
        best.extend(found.map(|key| Claim { domain, key, value: table.encoded(key) ^ a0 }));
    }
    best
}
