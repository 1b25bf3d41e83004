//! The target's own domains: what `waypoint.h` calls, and what it left in the last run.
use std::{
    ffi::{CStr, c_char},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
};

use waypoint_domains::ALL_DOMAINS;

use crate::{harness, ijon, validity};

/// More domains than a person can watch; a further one is refused.
pub const MAX_CUSTOM: usize = 16;
/// The largest number of keys: values and aggregates take some 30 bytes each.
pub const MAX_KEYS: usize = 1 << 24;

/// A reducer of the target.
pub type Reduce = extern "C" fn(u64, u64) -> u64;

/// A domain that the target registered.
#[derive(Debug)]
pub struct Custom {
    /// Its name.
    pub name: String,
    /// How many keys it has.
    pub keys: usize,
    /// The value of every key when a run starts, and its first aggregate.
    pub a0: u64,
    /// Its reducer.
    pub reduce: Reduce,
    values: Box<[AtomicU64]>,
    /// Which keys the run has touched: as a mark on each, and as a list.
    marks: Box<[AtomicBool]>,
    touched: Box<[AtomicU32]>,
    n_touched: AtomicUsize,
}

static DOMAINS: [AtomicPtr<Custom>; MAX_CUSTOM] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; MAX_CUSTOM];
static COUNT: AtomicUsize = AtomicUsize::new(0);
static REGISTERING: Mutex<()> = Mutex::new(());

/// The first thing the target did wrong: a kind, and the numbers it is about.
static MISTAKE: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
const NO_KEYS: u64 = 1;
const TOO_MANY_KEYS: u64 = 2;
const TOO_MANY_DOMAINS: u64 = 3;
const OUT_OF_RANGE: u64 = 4;
const NO_NAME: u64 = 5;
const NO_REDUCER: u64 = 6;
const OURS: u64 = 7;
const ANOTHER: u64 = 8;

fn mistake(kind: u64, detail: u64, domain: usize) {
    if MISTAKE[0].compare_exchange(0, kind, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
        MISTAKE[1].store(detail, Ordering::Relaxed);
        MISTAKE[2].store(domain as u64, Ordering::Relaxed);
    }
}

/// What the target did wrong with its domains, as a sentence.
#[must_use]
#[inline]
pub fn complaint() -> Option<String> {
    if MISTAKE[0].load(Ordering::Relaxed) == 0 { None } else { Some(explain_mistake()) }
}

fn explain_mistake() -> String {
    let [kind, detail, domain] = [0, 1, 2].map(|n| MISTAKE[n].load(Ordering::Relaxed));
    let name = || all().nth(domain as usize).map_or_else(String::new, |domain| domain.name.clone());
    match kind {
        NO_KEYS => "the target calls dsf_new_domain with no keys; a domain needs at least one".into(),
        TOO_MANY_KEYS => format!(
            "the target calls dsf_new_domain with {detail} keys; {MAX_KEYS} is the most there can be, so hash yours to fewer"
        ),
        TOO_MANY_DOMAINS => format!("the target registers more than {MAX_CUSTOM} domains; give it fewer"),
        NO_NAME => {
            "the target calls dsf_new_domain without a name, or with another character in it than letters, digits, `_` and `-`; give it such a name"
                .into()
        }
        OURS => format!(
            "the target calls dsf_new_domain with the name `{}`, which is one of Waypoint's own domains; give it another one",
            ALL_DOMAINS.get(detail as usize).map_or("", |domain| domain.name)
        ),
        ANOTHER => format!(
            "the target registers two domains called `{}`, the second with {detail} keys or another initial value than the first; give them two names",
            name()
        ),
        NO_REDUCER => {
            "the target calls dsf_new_domain without a reducer; give it dsf_max or another one".into()
        }
        _ => format!(
            "the target uses the key {detail} of its domain `{0}`, which has the keys 0 to {1}; give dsf_new_domain a larger number of keys",
            name(),
            all().nth(domain as usize).map_or(0, |domain| domain.keys - 1)
        ),
    }
}

/// The domains that the target has registered so far.
#[inline]
pub fn all() -> impl Iterator<Item = &'static Custom> {
    DOMAINS[..COUNT.load(Ordering::Acquire)].iter().filter_map(|domain| {
        // SAFETY: the pointers below `COUNT` come from `Box::leak`.
        unsafe { domain.load(Ordering::Acquire).as_ref() }
    })
}

/// How many there are; grows when the target registers one.
#[must_use]
#[inline]
pub fn count() -> usize {
    COUNT.load(Ordering::Acquire)
}

impl Custom {
    /// Calls `f` with every touched key and its value.
    pub fn for_each(&self, mut f: impl FnMut(usize, u64)) {
        for key in &self.touched[..self.n_touched.load(Ordering::Relaxed)] {
            let key = key.load(Ordering::Relaxed) as usize;
            f(key, self.values[key].load(Ordering::Relaxed));
        }
    }

    /// Sets what the last run touched back to a0.
    pub fn reset(&self) {
        for key in &self.touched[..self.n_touched.swap(0, Ordering::Relaxed)] {
            let key = key.load(Ordering::Relaxed) as usize;
            self.values[key].store(self.a0, Ordering::Relaxed);
            self.marks[key].store(false, Ordering::Relaxed);
        }
    }

    fn index(&'static self) -> usize {
        all().position(|domain| std::ptr::eq(domain, self)).unwrap_or(0)
    }
}

pub(crate) extern "C" fn new_domain(
    name: *const c_char,
    keys: usize,
    reduce: Option<Reduce>,
    a0: u64,
) -> Option<&'static Custom> {
    let _registering = REGISTERING.lock().ok()?;
    // SAFETY: the target passes a NUL-terminated string, or null.
    let name = if name.is_null() { "" } else { unsafe { CStr::from_ptr(name) }.to_str().unwrap_or("") };
    if let Some(known) = all().find(|domain| domain.name == name) {
        if known.keys != keys || known.a0 != a0 {
            mistake(ANOTHER, keys as u64, known.index());
        }
        return Some(known);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        mistake(NO_NAME, 0, 0);
        return None;
    }
    if let Some(place) = ALL_DOMAINS.iter().position(|domain| domain.name == name) {
        mistake(OURS, place as u64, 0);
        return None;
    }
    let Some(reduce) = reduce else {
        mistake(NO_REDUCER, 0, 0);
        return None;
    };
    if keys == 0 || keys > MAX_KEYS {
        mistake(if keys == 0 { NO_KEYS } else { TOO_MANY_KEYS }, keys as u64, 0);
        return None;
    }
    let n = count();
    if n == MAX_CUSTOM {
        mistake(TOO_MANY_DOMAINS, 0, 0);
        return None;
    }
    let domain = Box::leak(Box::new(Custom {
        name: name.to_owned(),
        keys,
        a0,
        reduce,
        values: (0..keys).map(|_| AtomicU64::new(a0)).collect(),
        marks: (0..keys).map(|_| AtomicBool::new(false)).collect(),
        touched: (0..keys).map(|_| AtomicU32::new(0)).collect(),
        n_touched: AtomicUsize::new(0),
    }));
    DOMAINS[n].store(domain, Ordering::Release);
    COUNT.store(n + 1, Ordering::Release);
    Some(domain)
}

pub(crate) extern "C" fn get(domain: &'static Custom, key: usize) -> u64 {
    domain.values.get(key).map_or_else(
        || {
            mistake(OUT_OF_RANGE, key as u64, domain.index());
            domain.a0
        },
        |value| value.load(Ordering::Relaxed),
    )
}

pub(crate) extern "C" fn set(domain: &'static Custom, key: usize, value: u64) {
    let Some(place) = domain.values.get(key) else {
        return mistake(OUT_OF_RANGE, key as u64, domain.index());
    };
    place.store(value, Ordering::Relaxed);
    let mark = &domain.marks[key];
    // Threads of the target may come here at once: one of them lists the key.
    if !mark.load(Ordering::Relaxed) && !mark.swap(true, Ordering::Relaxed) {
        let at = domain.n_touched.fetch_add(1, Ordering::Relaxed);
        domain.touched[at].store(key as u32, Ordering::Relaxed);
    }
}

extern "C" fn keys(domain: &'static Custom) -> usize {
    domain.keys
}

/// What `waypoint.h` finds the engine by.
#[repr(C)]
#[derive(Debug)]
pub struct Api {
    new_domain: extern "C" fn(*const c_char, usize, Option<Reduce>, u64) -> Option<&'static Custom>,
    get: extern "C" fn(&'static Custom, usize) -> u64,
    set: extern "C" fn(&'static Custom, usize, u64),
    assumption_failed: extern "C" fn(*const c_char),
    end_run: unsafe extern "C" fn() -> !,
    keys: extern "C" fn(&'static Custom) -> usize,
    annotate: extern "C" fn(u32, u64, u64),
    xor_state: extern "C" fn(u32),
    reset_state: extern "C" fn(),
    push_state: extern "C" fn(u32),
}

/// The functions behind `waypoint.h`.
#[unsafe(no_mangle)]
pub static __waypoint_dsf: Api = Api {
    new_domain,
    get,
    set,
    assumption_failed: validity::assumption_failed,
    end_run: harness::waypoint_end_run,
    keys,
    annotate: ijon::annotate,
    xor_state: ijon::xor_state,
    reset_state: ijon::reset_state,
    push_state: ijon::push_state,
};
