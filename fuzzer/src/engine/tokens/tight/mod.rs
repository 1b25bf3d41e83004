//! Languages in which a space is a byte like any other: phrases with spaces between tokens show little there, so that states are
//! told apart byte by byte, by what each next byte reaches right behind a text.
mod closed;
mod evidence;
mod found;
mod gate;
mod names;
mod roots;
mod state;
mod units;

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use self::state::{Edges, State};
use super::{Halt, Learner, Prober};

/// So many states are looked at, each with a run for every byte.
const STATES: usize = 1000;

/// What is known of such a language.
#[derive(Debug, Default)]
pub struct Tight {
    /// Stands behind every text: what keeps it from being complete.
    tail: Vec<u8>,
    runs: HashMap<Vec<u8>, Rc<Edges>>,
    states: HashMap<Vec<u8>, Rc<State>>,
    /// Texts within which others were looked for.
    roots: Vec<Rc<State>>,
    /// Where names were looked for.
    named: BTreeSet<Vec<u8>>,
    /// Signs that change how the next byte is read, and no more.
    prefixes: BTreeSet<u8>,
    pub tokens: BTreeSet<Vec<u8>>,
}

impl Tight {
    /// Whether several signs that were found with spaces between tokens are no token: what stands behind a prefix has been
    /// looked at.
    pub fn refuses(&self, operator: &[u8]) -> bool {
        operator.len() > 1 && self.prefixes.contains(&operator[0]) && !self.tokens.contains(operator)
    }
}

impl<P: Prober> Learner<'_, P> {
    /// Learns byte by byte if the language is such a one.
    pub(super) fn learn_tight(&mut self) -> Result<(), Halt<P::Error>> {
        if let Some(ordinary) = self.tight_ordinary()? {
            self.look_within(&[ordinary], 0)?;
        }
        // None of it is asked for again.
        let Tight { prefixes, tokens, .. } = std::mem::take(&mut self.tight);
        self.tight = Tight { prefixes, tokens, ..Tight::default() };
        Ok(())
    }

    /// What a text and the tail reach.
    fn reach(&mut self, text: &[u8]) -> Result<Rc<Edges>, Halt<P::Error>> {
        if let Some(run) = self.tight.runs.get(text) {
            return Ok(Rc::clone(run));
        }
        let mut run = self.prober.read(&[text, &self.tight.tail].concat())?;
        run.retain(|(key, _)| !self.blind.counters.contains(key));
        let run = Rc::new(Edges::of(&run));
        self.tight.runs.insert(text.to_vec(), Rc::clone(&run));
        Ok(run)
    }

    /// The state behind a text.
    fn state(&mut self, text: &[u8]) -> Result<Rc<State>, Halt<P::Error>> {
        if let Some(state) = self.tight.states.get(text) {
            return Ok(Rc::clone(state));
        }
        let mut runs = Vec::new();
        for byte in state::bytes() {
            runs.push((byte, self.reach(&[text, &[byte]].concat())?));
        }
        let state = Rc::new(State::new(&runs));
        self.tight.states.insert(text.to_vec(), Rc::clone(&state));
        Ok(state)
    }

    /// Whether enough states were looked at.
    fn has_enough(&self) -> bool {
        self.tight.states.len() >= STATES
    }

    /// Whether nothing behind a text, nor behind it and an ordinary byte, is told apart.
    fn is_over(&mut self, text: &[u8]) -> Result<bool, Halt<P::Error>> {
        let state = self.state(text)?;
        if !state.special.is_empty() || state.told.is_empty() {
            return Ok(state.told.is_empty());
        }
        // Where the same bytes are told apart as at first, it goes on, however little they do.
        if self.tight.roots.first().is_some_and(|root| root.told == state.told) {
            return Ok(false);
        }
        Ok(self.state(&[text, &[state.ordinary]].concat())?.special.is_empty())
    }
}
