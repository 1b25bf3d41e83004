//! The counters of all instrumented objects together with their aggregates: reset, ask, confirm, commit.
mod hits;

use waypoint_runtime::objects::{self, Object};

use super::scan::{Span, bucket, scan};
use crate::shared::{Aggregates, NO_HOLDER};

pub use hits::EVERY;

/// So many counters of two runs are compared at once.
const COMPARED_AT_ONCE: usize = 64;

/// One object's counters and where their aggregates lie.
#[derive(Debug)]
struct Part {
    object: Object,
    base: usize,
    functions: Vec<Span>,
    /// What the last run entered, so that resetting costs what was touched.
    entered: Vec<Span>,
    /// The counters as the run in question left them, to compare the confirming run with.
    first_run: Vec<u32>,
    /// Functions that we call ourselves, see [`Counters::learn_ours`].
    ours: Vec<Span>,
}

/// The run map of counters, over all objects.
#[derive(Debug)]
pub struct Counters {
    parts: Vec<Part>,
    known_objects: usize,
    aggregates: Aggregates,
    /// How many edges the last run took that was asked about.
    length: u64,
}

impl Counters {
    /// The counters of the objects registered so far; later ones are adopted when they appear.
    pub fn new(aggregates: Aggregates) -> Self {
        let mut counters = Self { parts: Vec::new(), known_objects: 0, aggregates, length: 0 };
        counters.adopt();
        counters
    }

    /// Takes in objects that were loaded since the last run.
    fn adopt(&mut self) {
        for object in objects::all().skip(self.known_objects) {
            let n = object.n_counters();
            let Some(base) = self.aggregates.place(object.identity.id, n) else { continue };
            let functions = spans(&object);
            self.parts.push(Part {
                object,
                base,
                functions,
                entered: Vec::new(),
                first_run: Vec::new(),
                ours: Vec::new(),
            });
        }
        self.known_objects = objects::count();
    }

    /// How many counters there are.
    pub fn total(&self) -> usize {
        self.parts.iter().map(|part| part.object.n_counters()).sum()
    }

    /// Sets to zero what the last run touched.
    pub fn reset(&mut self) {
        for part in &mut self.parts {
            let counters = part.object.counters();
            for span in part.entered.drain(..) {
                counters[span.start as usize..span.end as usize].fill(0);
            }
        }
    }

    /// Sets every counter to zero: after constructors and `LLVMFuzzerInitialize`, which count too.
    pub fn reset_all(&mut self) {
        for part in &self.parts {
            part.object.counters().fill(0);
        }
    }

    /// Whether the last run reached something new. Asking changes nothing.
    pub fn is_new(&mut self) -> bool {
        if objects::count() != self.known_objects {
            self.adopt();
        }
        let mut new = false;
        self.length = 0;
        for part in &mut self.parts {
            let counters = part.object.counters();
            let seen = self.aggregates.seen(part.base, counters.len());
            let scanned = scan(counters, seen, &part.functions, &mut part.entered);
            new |= scanned.is_new;
            self.length += scanned.length;
        }
        new
    }

    /// Whether the last run reached a counter that nothing kept so far has.
    pub fn opens_up(&self) -> bool {
        self.parts.iter().any(|part| {
            let counters = part.object.counters();
            let seen = self.aggregates.seen(part.base, counters.len());
            let mut entered = part.entered.iter().flat_map(|span| span.start as usize..span.end as usize);
            entered.any(|key| counters[key] != 0 && seen[key] == 0)
        })
    }

    /// Remembers the counters of the last run, to be compared with a second run of the same input.
    pub fn remember(&mut self) {
        for part in &mut self.parts {
            part.first_run.clear();
            part.first_run.extend_from_slice(part.object.counters());
        }
    }

    /// Compares the last run with the remembered one. Counters whose buckets differ are noise: they are marked
    /// unstable and take no part in decisions from now on.
    pub fn mark_unstable(&mut self) {
        for part in &mut self.parts {
            let counters = part.object.counters();
            // An object loaded by the second run has nothing to be compared with.
            part.first_run.resize(counters.len(), 0);
            let seen = self.aggregates.seen(part.base, counters.len());
            let unstable = self.aggregates.unstable(part.base, counters.len());
            // Almost all are equal, which is seen fastest of many at once.
            let pairs = part.first_run.chunks(COMPARED_AT_ONCE).zip(counters.chunks(COMPARED_AT_ONCE));
            for (n, (first, second)) in pairs.enumerate().filter(|(_, (first, second))| first != second) {
                for key in (0..first.len()).filter(|key| bucket(first[*key]) != bucket(second[*key])) {
                    unstable[n * COMPARED_AT_ONCE + key] = 1;
                    seen[n * COMPARED_AT_ONCE + key] = u8::MAX;
                }
            }
        }
    }

    /// Calls target code that is not part of a run, and learns by that which functions it enters: they are the reducer of
    /// a domain of the target's own, and what that calls. Nothing of them is to be counted.
    pub fn learn_ours<T>(&mut self, f: impl FnOnce() -> T) -> T {
        let before: Vec<Vec<u32>> = self.parts.iter().map(|part| part.object.counters().to_vec()).collect();
        let result = f();
        for (part, before) in self.parts.iter_mut().zip(before) {
            let counters = part.object.counters();
            let range = |span: &Span| span.start as usize..span.end as usize;
            let changed = |span: &&Span| counters[range(span)] != before[range(span)];
            let entered: Vec<Span> = part.functions.iter().filter(changed).copied().collect();
            part.ours.extend(entered);
            counters.copy_from_slice(&before);
        }
        self.silence();
        result
    }

    /// Forgets what was counted in functions that we call ourselves.
    pub fn silence(&self) {
        for part in &self.parts {
            for span in &part.ours {
                part.object.counters()[span.start as usize..span.end as usize].fill(0);
            }
        }
    }

    /// Calls `f` with the counters of every function that the last run entered: the number of the object, the first
    /// counter's index in it, and the counts.
    pub fn for_each_entered(&self, mut f: impl FnMut(usize, usize, &[u32])) {
        for (n, part) in self.parts.iter().enumerate() {
            let counters = part.object.counters();
            for span in &part.entered {
                f(n, span.start as usize, &counters[span.start as usize..span.end as usize]);
            }
        }
    }

    /// The steady counters of the last run that are not zero, by their key, in order.
    pub fn counts(&self) -> Vec<(u32, u32)> {
        let mut counts = Vec::new();
        for part in &self.parts {
            let counters = part.object.counters();
            let unstable = self.aggregates.unstable(part.base, counters.len());
            for key in part.entered.iter().flat_map(|span| span.start as usize..span.end as usize) {
                if counters[key] != 0 && unstable[key] == 0 {
                    counts.push(((part.base + key) as u32, counters[key]));
                }
            }
        }
        counts
    }

    /// How many edges the last run took, as of [`Counters::is_new`].
    pub fn path_length(&self) -> u64 {
        self.length
    }

    /// The objects with counters, in the order of their numbers.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.parts.iter().map(|part| &part.object)
    }

    /// How many counters the last run reached.
    pub fn edges(&self) -> u32 {
        let count = |part: &Part| part.object.counters().iter().filter(|count| **count != 0).count();
        self.parts.iter().map(count).sum::<usize>() as u32
    }

    /// Equal for runs that reached the same steady counters in the same buckets, and for hardly any others.
    pub fn signature(&self) -> u64 {
        let mut hash = 0u64;
        for part in &self.parts {
            let counters = part.object.counters();
            let unstable = self.aggregates.unstable(part.base, counters.len());
            for key in part.entered.iter().flat_map(|span| span.start as usize..span.end as usize) {
                if counters[key] != 0 && unstable[key] == 0 {
                    let reached = ((part.base + key) as u64) << 8 | u64::from(bucket(counters[key]));
                    hash = (hash.rotate_left(5) ^ reached).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                }
            }
        }
        hash
    }

    /// What the last run reached: every steady counter with its bucket, as one number each, see [`is_unstable`].
    pub fn reached(&self) -> Vec<u32> {
        let mut reached = Vec::new();
        for part in &self.parts {
            let counters = part.object.counters();
            let unstable = self.aggregates.unstable(part.base, counters.len());
            for (key, count) in counters.iter().enumerate().filter(|(_, count)| **count != 0) {
                if unstable[key] == 0 {
                    reached.push(((part.base + key) as u32) << BUCKET_BITS | bucket(*count).trailing_zeros());
                }
            }
        }
        reached
    }

    /// Takes what the last run reached into the aggregates.
    pub fn commit(&self) {
        for part in &self.parts {
            let counters = part.object.counters();
            let seen = self.aggregates.seen(part.base, counters.len());
            for (seen, count) in seen.iter_mut().zip(&*counters) {
                *seen |= bucket(*count);
            }
        }
    }

    /// Calls `f` with the holder of every key that the last run reached: a number plus one, or [`NO_HOLDER`].
    /// Noise has no holder.
    pub fn for_each_reached(&self, mut f: impl FnMut(&mut u32)) {
        for part in &self.parts {
            let counters = part.object.counters();
            let holders = self.aggregates.holders(part.base, counters.len());
            let unstable = self.aggregates.unstable(part.base, counters.len());
            for (key, _) in counters.iter().enumerate().filter(|(_, count)| **count != 0) {
                if unstable[key] == 0 {
                    f(&mut holders[key]);
                }
            }
        }
    }

    /// Every key's holder so far, as a number.
    pub fn holders(&self) -> impl Iterator<Item = u32> {
        let holders =
            self.parts.iter().flat_map(|part| self.aggregates.holders(part.base, part.object.n_counters()));
        holders.filter(|holder| **holder != NO_HOLDER).map(|holder| *holder - 1)
    }

    /// How many counters have been reached, and how many of these are unstable.
    pub fn found(&self) -> (usize, usize) {
        self.parts.iter().fold((0, 0), |(found, unstable), part| {
            let n = part.object.n_counters();
            let count = |map: &[u8]| map.iter().filter(|value| **value != 0).count();
            (
                found + count(self.aggregates.seen(part.base, n)),
                unstable + count(self.aggregates.unstable(part.base, n)),
            )
        })
    }
}

/// The number of a bucket, and beside it the key, of which there are fewer than 2 to the 27th.
const BUCKET_BITS: u32 = 3;

/// Whether the counter of a number from [`Counters::reached`] has turned out to be noise.
pub fn is_unstable(aggregates: Aggregates, reached: u32) -> bool {
    aggregates.unstable((reached >> BUCKET_BITS) as usize, 1)[0] != 0
}

/// The functions of an object in the order of their counters; all counters as one where there is no table.
fn spans(object: &Object) -> Vec<Span> {
    let n = object.n_counters();
    let mut spans: Vec<Span> = object
        .functions()
        .iter()
        .map(|function| {
            let start = object.first_counter(function);
            Span { start: start as u32, end: (start + function.n_counters as usize) as u32 }
        })
        .filter(|span| span.start < span.end && span.end as usize <= n)
        .collect();
    spans.sort_unstable_by_key(|span| span.start);
    let mut covered = 0;
    let mut all = Vec::with_capacity(spans.len());
    for span in spans {
        // Counters of units that were compiled without the plugin: each is its own entry counter.
        all.extend((covered..span.start).map(|key| Span { start: key, end: key + 1 }));
        if span.start >= covered {
            covered = span.end;
            all.push(span);
        }
    }
    all.extend((covered..n as u32).map(|key| Span { start: key, end: key + 1 }));
    all
}
