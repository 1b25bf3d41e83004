//! The automaton of a regular expression: built at load if it is small, otherwise state by state as it is used.
use std::sync::Mutex;

use regex_automata::dfa::{Automaton as _, dense};
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA as LazyDfa};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::Hir;

/// Above this many bytes an automaton is built as it is used.
const SMALL: usize = 4 << 20;

/// Says where matches end that start at the beginning of a text.
#[derive(Debug)]
pub enum Automaton {
    /// All states are there.
    Small {
        /// Its transitions.
        dfa: Box<dense::DFA<Vec<u32>>>,
        /// Where every match starts.
        start: StateID,
    },
    /// States are made when they are reached.
    Large {
        /// The rules by which states are made.
        dfa: Box<LazyDfa>,
        /// The states so far.
        states: Box<Mutex<Cache>>,
    },
}

impl Automaton {
    /// Builds the automaton, or says why it is out of reach.
    pub fn new(hir: &Hir) -> Result<Self, String> {
        let nfa = thompson::Compiler::new()
            .configure(thompson::Config::new().nfa_size_limit(Some(64 << 20)))
            .build_from_hir(hir)
            .map_err(|error| error.to_string())?;
        let small = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(regex_automata::dfa::StartKind::Anchored)
                    .unicode_word_boundary(true)
                    .dfa_size_limit(Some(SMALL))
                    .determinize_size_limit(Some(4 * SMALL)),
            )
            .build_from_nfa(&nfa);
        if let Ok(dfa) = small {
            let start = dfa.start_state(&anchored()).map_err(|error| error.to_string())?;
            return Ok(Self::Small { dfa: Box::new(dfa), start });
        }
        let dfa = LazyDfa::builder()
            .configure(
                LazyDfa::config()
                    .match_kind(MatchKind::All)
                    .unicode_word_boundary(true)
                    .cache_capacity(4 * SMALL)
                    .skip_cache_capacity_check(true),
            )
            .build_from_nfa(nfa)
            .map_err(|error| error.to_string())?;
        let states = Box::new(Mutex::new(dfa.create_cache()));
        Ok(Self::Large { dfa: Box::new(dfa), states })
    }

    /// Calls `end` with every length at which a match that starts at the beginning of `input` ends, shortest first;
    /// returns how many bytes it had to look at.
    #[inline]
    pub fn match_ends(&self, input: &[u8], mut end: impl FnMut(usize)) -> usize {
        match self {
            Self::Small { dfa, start } => {
                let mut state = *start;
                for (at, byte) in input.iter().enumerate() {
                    if dfa.is_match_state(dfa.next_eoi_state(state)) {
                        end(at);
                    }
                    state = dfa.next_state(state, *byte);
                    if dfa.is_dead_state(state) || dfa.is_quit_state(state) {
                        return at + 1;
                    }
                }
                if dfa.is_match_state(dfa.next_eoi_state(state)) {
                    end(input.len());
                }
                input.len()
            }
            Self::Large { dfa, states } => {
                // A poisoned lock only means that another thread died; the cache is sound to reuse after a reset.
                let mut cache = states.lock().unwrap_or_else(|poisoned| {
                    let mut cache = poisoned.into_inner();
                    cache.reset(dfa);
                    cache
                });
                let mut seen = 0;
                let mut walk = || -> Option<()> {
                    let mut state: LazyStateID = dfa.start_state(&mut cache, &anchored()).ok()?;
                    for at in 0..=input.len() {
                        seen = at;
                        if dfa.next_eoi_state(&mut cache, state).ok()?.is_match() {
                            end(at);
                        }
                        state = dfa.next_state(&mut cache, state, *input.get(at)?).ok()?;
                        if state.is_dead() || state.is_quit() {
                            return None;
                        }
                    }
                    Some(())
                };
                walk();
                seen
            }
        }
    }

    /// The bytes with which a word can start, and whether the empty word matches.
    pub fn first(&self) -> ([bool; 256], bool) {
        let mut empty = false;
        self.match_ends(&[], |_| empty = true);
        let alive = |byte: u8| match self {
            Self::Small { dfa, start } => !dfa.is_dead_state(dfa.next_state(*start, byte)),
            // Rather one candidate too many than a state made for every byte.
            Self::Large { .. } => true,
        };
        (std::array::from_fn(|byte| alive(byte as u8)), empty)
    }
}

fn anchored() -> start::Config {
    start::Config::new().anchored(Anchored::Yes)
}
