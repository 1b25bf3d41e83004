//! What the descent remembers: what is to be done after the current production, and the choices it can go back to.
use crate::parse::Furthest;
use crate::parse::lookahead::Candidates;
use crate::tree::{Index, Tree};

/// What happens when the current production is through.
#[derive(Debug, Clone, Copy)]
pub enum Then {
    /// The parse is through.
    Done,
    /// The elements from here on.
    Elements(u32),
    /// The end of a tree node.
    Close(Index),
    /// The end of a round of a repetition.
    Round { goal: u32, at: Index, count: u32, from: u32, bounds: (u32, u32) },
    /// The end of what several productions share; `children` is where the tree nodes of that start.
    Stem { candidates: Candidates, at: Index, children: Index },
    /// The end of an item of a permutation; a bit of `taken` per item that is through.
    Item { goal: u32, at: Index, taken: u64 },
}

/// A link of the chain of what is to be done.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// What happens then.
    pub then: Then,
    /// The frame after this.
    pub next: u32,
}

/// A choice of which not everything was tried.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// What else there is.
    pub other: Other,
    /// The position in the text.
    pub at: u32,
    /// The current frame.
    pub frame: u32,
    /// How many frames there were.
    pub frames: u32,
    /// How many tree nodes there were.
    pub nodes: u32,
    /// How much text the tree had.
    pub text: u32,
}

/// What else a choice offers.
#[derive(Debug, Clone, Copy)]
pub enum Other {
    /// More productions, for the tree node given.
    Productions(Candidates, Index),
    /// More productions that go on behind what they share.
    Stem(Candidates, Index, Index),
    /// To end a repetition after this many rounds.
    Leave { at: Index, count: u32 },
    /// Shorter matches of a regex: ends from the first to before the second in the buffer of ends.
    Ends { slot: u32, first: u32, end: u32 },
    /// Items of a permutation from this one on.
    Items { goal: u32, at: Index, taken: u64, item: u32 },
}

/// What the parser keeps between texts.
#[derive(Debug, Default)]
pub struct Buffers {
    /// Links of chains; a chain that goes on shares its end with others.
    pub(in crate::parse) frames: Vec<Frame>,
    /// Choices to go back to, the last one last.
    pub(in crate::parse) choices: Vec<Choice>,
    /// Ends of regex matches that were not tried.
    pub(in crate::parse) ends: Vec<u32>,
    /// Open nodes, for the host.
    pub(in crate::parse) within: Vec<Index>,
    /// For the error.
    pub(in crate::parse) furthest: Furthest,
    /// The tree of the longest prefix so far.
    pub(in crate::parse) best: Tree,
}
