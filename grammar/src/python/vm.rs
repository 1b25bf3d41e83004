//! Runs lowered Python over trees.
use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::code::{Arguments, Collection, Ex, Function, Handler, Loop, Piece, St, Target};
use super::error::{REFUSED, Raised, Res, catches, raise};
use super::native::Args;
use super::value::{Closure, Dict, Set, TreeRef, Value};
use crate::ir::Grammar;
use crate::rng::Rng;
use crate::select::{Base, Mode, Selector, slice_indices};
use crate::tree::{Index, Tree};

mod calls;
mod eval;
mod loops;
mod matches;
mod slices;
mod statements;

/// Loop rounds and calls one evaluation may take.
const FUEL: u64 = 50_000_000;
/// How deep calls may nest.
const DEPTH: u32 = 200;

/// The functions of a spec.
#[derive(Debug, Default)]
pub struct Program {
    /// The functions; one that uses what this engine lacks says so when called.
    pub functions: Vec<Result<Function, Rc<str>>>,
    /// What runs in CPython.
    #[cfg(feature = "python")]
    pub foreign: super::foreign::Runtime,
}

/// What an evaluation keeps between runs: globals and the stack's memory.
#[derive(Debug, Default)]
pub struct State {
    /// The global variables.
    pub globals: Vec<Value>,
    /// Frames of slots.
    pub stack: Vec<Value>,
    /// What printed.
    pub printed: String,
    /// The first reason why something could not be run at all.
    pub refused: Option<String>,
    /// The first exception that skipped a combination or failed a test.
    pub raised: Option<String>,
    /// Memory for a tree.
    pub scratch: Tree,
    /// Matches in use, the innermost last.
    pub found: Vec<Index>,
    /// Matches that depend on the tree alone, with the evaluation that found them.
    pub kept: Vec<(u64, Vec<Index>)>,
    /// Results of comparisons by the node they depend on: twice the evaluation that found them, plus the result.
    memos: Vec<Vec<u64>>,
    /// Counts by the node they depend on, with the evaluation that found them.
    counts: Vec<Vec<(u64, u32)>>,
    stamp: u64,
}

/// Matches of a selector: kept under a number, or on the stack of matches.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    kept: Option<u32>,
    start: u32,
    end: u32,
}

impl Found {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.end - self.start
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.end == self.start
    }
}

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// One evaluation.
pub struct Vm<'t> {
    /// The grammar of the trees.
    pub grammar: &'t Grammar,
    /// The functions.
    pub program: &'t Program,
    /// The trees that values refer to.
    pub trees: SmallVec<[&'t Tree; 2]>,
    /// Globals and stack.
    pub state: &'t mut State,
    /// Chance.
    pub rng: &'t mut Rng,
    /// First slot of the current frame.
    pub base: usize,
    /// Which evaluation this is, to know whose matches are kept.
    stamp: u64,
    /// Only nodes before this one can be selected: what is built so far.
    pub horizon: Index,
    fuel: u64,
    depth: u32,
    handled: Option<Box<Raised>>,
}

impl<'t> Vm<'t> {
    /// An evaluation over `trees`.
    pub fn new(
        grammar: &'t Grammar,
        program: &'t Program,
        trees: &[&'t Tree],
        state: &'t mut State,
        rng: &'t mut Rng,
    ) -> Self {
        let base = state.stack.len();
        state.stamp += 1;
        let stamp = state.stamp;
        Self {
            grammar,
            program,
            trees: SmallVec::from_slice(trees),
            state,
            rng,
            base,
            stamp,
            horizon: Index::MAX,
            fuel: FUEL,
            depth: 0,
            handled: None,
        }
    }

    /// Makes room for `slots` slots of the current frame.
    pub fn reserve(&mut self, slots: u32) {
        let need = self.base + slots as usize;
        if self.state.stack.len() < need {
            self.state.stack.resize_with(need, || Value::None);
        }
    }

    /// The slot `index` of the current frame.
    #[inline]
    pub fn slot(&self, index: u32) -> &Value {
        &self.state.stack[self.base + index as usize]
    }

    /// Sets the slot `index` of the current frame.
    #[inline]
    pub fn set_slot(&mut self, index: u32, value: Value) {
        self.state.stack[self.base + index as usize] = value;
    }

    /// Counts a step of work.
    #[inline]
    pub fn step(&mut self) -> Res<()> {
        self.fuel -= 1;
        if self.fuel == 0 { raise(REFUSED, "this Python ran for more than 50 million steps") } else { Ok(()) }
    }
}

/// The number of characters.
pub fn char_count(text: &str) -> i64 {
    if text.is_ascii() { text.len() as i64 } else { text.chars().count() as i64 }
}
