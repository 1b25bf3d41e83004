//! The control page: what the worker is doing right now, readable by the supervisor even after the worker died.
use std::sync::atomic::{
    AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use anyhow::Result;

use super::{
    crash::Crash,
    ops::OpNumbers,
    rare::RareNumbers,
    region::{Plain, Region},
    structure::StructureNumbers,
};
use crate::{
    guidance::goal::MAX_GOALS,
    origin::{Op, Origin},
};

/// What a worker is doing. A death in [`Phase::Run`] is the target's, one elsewhere is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Phase {
    /// Setting up, `LLVMFuzzerInitialize` included.
    Start = 0,
    /// Choosing, mutating, judging.
    Engine = 1,
    /// The harness runs.
    Run = 2,
    /// The campaign is over.
    Done = 3,
    /// Wants to be replaced by a fresh worker.
    Recycle = 4,
    /// Cannot go on; the message says why.
    Failed = 5,
    /// The target wrote over its input.
    Overwrote = 6,
    /// The target asked for more memory at once than allowed, and was refused.
    Refused = 7,
    /// LeakSanitizer is at work.
    LooksForLeaks = 8,
    /// The target leaked memory.
    Leaked = 9,
}

/// As many domains as can be enabled at once, coverage and the target's own included.
pub const MAX_DOMAINS: usize = 24;

/// Where a domain stands. Kept by the worker, shown by the supervisor.
#[repr(C)]
#[derive(Debug)]
pub struct DomainNumbers {
    /// The scheduler's place in the corpus when it looks for this domain's holders.
    pub cursor: AtomicUsize,
    /// Kept inputs that were waypoints in it.
    pub waypoints: AtomicU64,
    /// Keys whose aggregate is not a0.
    pub found: AtomicU64,
    /// Keys whose goal is met.
    pub met: AtomicU64,
    /// The best aggregate short of the goal: the largest, or where less is better the smallest.
    pub best: AtomicU64,
    /// Of a domain of the target's own: its a0, so that aggregates can be read.
    pub a0: AtomicU64,
    /// Whether less is better.
    pub descends: AtomicU32,
}

/// What came of a goal of `--until`. Kept by the worker, told by the supervisor.
#[repr(C)]
#[derive(Debug)]
pub struct GoalNumbers {
    met: AtomicU32,
    entry: AtomicU32,
    key: AtomicUsize,
    value: AtomicU64,
}

impl GoalNumbers {
    /// Whether it is met.
    pub fn is_met(&self) -> bool {
        self.met.load(Acquire) != 0
    }

    /// This key has met it, with this value, by the input with this place in the journal.
    pub fn meet(&self, key: usize, value: u64, entry: u32) {
        self.entry.store(entry, Relaxed);
        self.key.store(key, Relaxed);
        self.value.store(value, Relaxed);
        self.met.store(1, Release);
    }

    /// The key, its value and the place of the input in the journal, if it is met.
    pub fn how(&self) -> Option<(usize, u64, usize)> {
        let entry = self.entry.load(Relaxed) as usize;
        self.is_met().then(|| (self.key.load(Relaxed), self.value.load(Relaxed), entry))
    }
}

/// How many call sites can be known to ask for too much.
const MAX_REFUSED: usize = 64;

const MAX_MESSAGE: usize = 1 << 10;
/// So many different leaks are told apart in a campaign.
const MAX_LEAKS: usize = 256;

/// Shared by the supervisor and its worker. All zeros is its valid initial state.
#[repr(C)]
#[derive(Debug)]
pub struct Control {
    phase: AtomicU32,
    /// Runs started, by all workers together.
    pub runs: AtomicU64,
    /// What they have cost, see `engine::effort`.
    effort: AtomicU64,
    /// What a run of a usual entry costs.
    usual_effort: AtomicU64,
    /// Those of them in which an assumption of the target failed.
    pub invalid_runs: AtomicU64,
    /// Kept inputs for which one fails.
    pub invalid_kept: AtomicU64,
    input_len: AtomicUsize,
    /// Where the current input comes from, see [`Origin::pack`].
    origin: AtomicU64,

    /// Seeds that have been started; the next worker goes on behind them.
    pub seeds_started: AtomicUsize,
    /// Those of them that the harness rejected, as far as somebody counts them.
    pub seeds_rejected: AtomicU64,
    /// The scheduler's place in the corpus, as last chosen.
    pub current: AtomicUsize,
    /// The domain whose turn it is.
    pub turn: AtomicUsize,
    /// The entry whose comparisons are being answered, counted from 1; 0 if none are.
    pub answering: AtomicUsize,
    /// Where each enabled domain stands, coverage first.
    pub domains: [DomainNumbers; MAX_DOMAINS],
    /// What every way of making inputs has cost and found, by [`Op::code`].
    ops: [OpNumbers; Op::CODES],
    /// What came of holding on to rare branches.
    pub rare: RareNumbers,
    /// What became of the structure of inputs.
    pub structure: StructureNumbers,
    /// What came of each goal.
    pub goals: [GoalNumbers; MAX_GOALS],
    /// How many goals there are.
    pub goals_wanted: AtomicU32,
    /// How many of them are met.
    pub goals_met: AtomicU32,
    /// Kept inputs that the corpus did not have before.
    pub found: AtomicU64,
    /// Kept inputs with lower numbers have had their turn in the scheduler.
    pub visited: AtomicUsize,
    /// Those of the others that hold some key.
    pub pending_holders: AtomicU64,
    /// Kept inputs that hold some key.
    pub holders: AtomicU64,
    /// Counters that some kept input reached.
    pub edges_found: AtomicU64,
    /// Counters there are.
    pub edges_total: AtomicU64,
    /// Counters whose value differed between two runs of one input.
    pub edges_unstable: AtomicU64,
    /// Times the scheduler went through the whole corpus.
    pub cycles: AtomicU64,
    /// Milliseconds since the campaign's start at which the last input was kept.
    pub last_find_ms: AtomicU64,

    /// The supervisor asks the worker to end after the current run.
    pub stop: AtomicU32,
    /// The supervisor asks the worker to make room for a fresh one after the current run.
    pub recycle: AtomicU32,

    /// Workers that died of a run.
    pub deaths: AtomicU64,
    /// That the target writes over its input has been found: no need to stop for it again.
    pub overwrite_is_known: AtomicU32,
    /// Whether the target was asked if it has the domains that are none of ours.
    pub names_are_judged: AtomicU32,
    /// The size of an allocation that was refused in the last run; 0 if none was, or none that is new.
    pub refused_size: AtomicU64,
    /// Call sites that are known to ask for too much, by the address of their slot.
    refused_sites: [AtomicUsize; MAX_REFUSED],
    /// LeakSanitizer cannot do its work here.
    pub leaks_cannot_be_found: AtomicU32,
    /// Checks for leaks since the last that found a new one.
    pub leak_checks_in_vain: AtomicU64,
    /// The run before which no leak is looked for.
    pub next_leak_check: AtomicU64,
    known_leaks: [AtomicU64; MAX_LEAKS],
    /// The number in the name of the next kept input.
    pub next_id: AtomicU32,

    /// How the last worker died.
    pub crash: Crash,
    message_len: AtomicUsize,
    message: [AtomicU8; MAX_MESSAGE],
    capacity: AtomicUsize,
}

// SAFETY: atomics only.
unsafe impl Plain for Control {}

impl Control {
    /// A control page followed by room for an input of `max_len` bytes.
    pub fn new(max_len: usize) -> Result<&'static Self> {
        let region = Region::new(size_of::<Self>() + max_len.max(1))?;
        // SAFETY: the region is zeroed, large enough, aligned to a page and never unmapped.
        let control: &'static Self = unsafe { &*region.at::<Self>(0, 1) };
        control.capacity.store(max_len, Relaxed);
        Ok(control)
    }

    fn input_bytes(&self) -> *mut u8 {
        std::ptr::from_ref(self).wrapping_add(1).cast::<u8>().cast_mut()
    }

    /// Takes note of an input before the target sees it. Longer inputs than the page has room for are cut.
    pub fn begin_run(&self, input: &[u8]) {
        let len = input.len().min(self.capacity.load(Relaxed));
        // SAFETY: `new` reserved `capacity` bytes behind the struct; only the worker writes there.
        unsafe { std::ptr::copy_nonoverlapping(input.as_ptr(), self.input_bytes(), len) };
        self.input_len.store(len, Relaxed);
        self.runs.store(self.runs.load(Relaxed) + 1, Relaxed);
        self.set_phase(Phase::Run);
    }

    /// What all runs have cost so far.
    pub fn effort(&self) -> u64 {
        self.effort.load(Relaxed)
    }

    /// A run has cost so much.
    pub fn add_effort(&self, effort: u64) {
        self.effort.store(self.effort() + effort, Relaxed);
    }

    /// What a run of a usual entry costs; 1 before there is any.
    pub fn usual_effort(&self) -> u64 {
        self.usual_effort.load(Relaxed).max(1)
    }

    /// Says what a run of a usual entry costs from now on.
    pub fn set_usual_effort(&self, effort: u64) {
        self.usual_effort.store(effort, Relaxed);
    }

    /// The harness returned.
    pub fn end_run(&self) {
        if self.crash.samples() != 0 {
            // It took too long, and is being looked at: the next run must not be taken for it.
            // SAFETY: a plain system call that ends the process.
            unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
        }
        self.set_phase(Phase::Engine);
    }

    /// The input of the run that is, or was last, under way.
    pub fn input(&self) -> Vec<u8> {
        let len = self.input_len.load(Relaxed);
        let mut bytes = vec![0; len];
        // SAFETY: as in `begin_run`; the supervisor reads once the worker is dead or stuck in a run.
        unsafe { std::ptr::copy_nonoverlapping(self.input_bytes(), bytes.as_mut_ptr(), len) };
        bytes
    }

    /// Says what the worker does from now on.
    pub fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u32, Relaxed);
    }

    /// What the worker does, or did when it died.
    pub fn phase(&self) -> Phase {
        const ALL: [Phase; 10] = [
            Phase::Start,
            Phase::Engine,
            Phase::Run,
            Phase::Done,
            Phase::Recycle,
            Phase::Failed,
            Phase::Overwrote,
            Phase::Refused,
            Phase::LooksForLeaks,
            Phase::Leaked,
        ];
        ALL.get(self.phase.load(Relaxed) as usize).copied().unwrap_or(Phase::Failed)
    }

    /// What this way of making inputs has cost and found.
    pub fn op(&self, op: Op) -> &OpNumbers {
        &self.ops[usize::from(op.code())]
    }

    /// The same for every way that was used.
    pub fn ops(&self) -> impl Iterator<Item = (Op, &OpNumbers)> {
        let all = (0u8..).zip(&self.ops).filter_map(|(code, numbers)| Some((Op::of_code(code)?, numbers)));
        all.filter(|(_, numbers)| numbers.all() != (0, 0))
    }

    /// Whether there are goals and all are met.
    pub fn goals_are_met(&self) -> bool {
        let wanted = self.goals_wanted.load(Relaxed);
        wanted > 0 && self.goals_met.load(Relaxed) >= wanted
    }

    /// Whether it is not known yet that this call site asks for too much; from now on it is.
    pub fn is_new_refusal(&self, site: usize) -> bool {
        for known in &self.refused_sites {
            match known.compare_exchange(0, site, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(other) if other == site => return false,
                Err(_) => {}
            }
        }
        false
    }

    /// No call site is known to ask for too much from now on.
    pub fn forget_refusals(&self) {
        self.refused_size.store(0, Relaxed);
        self.refused_sites.iter().for_each(|site| site.store(0, Relaxed));
    }

    /// A worker that refused an allocation and died before it could tell leaves the site to others: the next input may
    /// be another one.
    pub fn forget_pending_refusal(&self) {
        if self.refused_size.swap(0, Relaxed) != 0
            && let Some(pending) = self.refused_sites.iter().rfind(|site| site.load(Relaxed) != 0)
        {
            pending.store(0, Relaxed);
        }
    }

    /// Says where the next inputs come from.
    pub fn set_origin(&self, origin: Origin) {
        self.origin.store(origin.pack(), Relaxed);
    }

    /// Where the current input comes from.
    pub fn origin(&self) -> Origin {
        Origin::unpack(self.origin.load(Relaxed))
    }

    /// Notes a leak down by the hash of its stack, as far as there is room; whether it is new.
    pub fn note_leak(&self, hash: u64) -> bool {
        // Zero is a place that is still free.
        let hash = hash.max(1);
        let taken = |slot: &&AtomicU64| [0, hash].contains(&slot.load(Relaxed));
        self.known_leaks.iter().find(taken).is_some_and(|slot| slot.swap(hash, Relaxed) == 0)
    }

    /// The worker cannot go on, and why.
    pub fn fail(&self, message: &str) {
        self.tell(message);
        self.set_phase(Phase::Failed);
    }

    /// Leaves a message for the supervisor.
    pub fn tell(&self, message: &str) {
        let bytes = &message.as_bytes()[..message.len().min(MAX_MESSAGE)];
        for (slot, byte) in self.message.iter().zip(bytes) {
            slot.store(*byte, Relaxed);
        }
        self.message_len.store(bytes.len(), Relaxed);
    }

    /// What the worker left: why it could not go on, if it could not.
    pub fn message(&self) -> String {
        let len = self.message_len.load(Relaxed);
        let bytes: Vec<u8> = self.message[..len].iter().map(|byte| byte.load(Relaxed)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
