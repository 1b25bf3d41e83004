//! What one byte of lookahead says: which productions of a goal can go on, and whether a repetition can.
use rustc_hash::FxHashMap;

use super::code::{ALONE, Code, Element, Form};
use super::input::END;
use crate::ir::{Bound, Grammar, Node};

/// A set of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bytes([u64; 4]);

impl Bytes {
    const ALL: Self = Self([u64::MAX; 4]);

    /// Whether `byte` is in it; [`END`] never is.
    #[inline]
    pub fn has(&self, byte: usize) -> bool {
        self.0.get(byte / 64).is_some_and(|word| word >> (byte % 64) & 1 == 1)
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte) / 64] |= 1 << (byte % 64);
    }

    /// Adds all of `other`; tells whether that changed anything.
    fn absorb(&mut self, other: Self) -> bool {
        let before = *self;
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
        *self != before
    }
}

/// The tables of one form of text.
#[derive(Debug)]
pub struct Lookahead {
    /// Per goal, the bytes with which its words start.
    first: Vec<Bytes>,
    /// Per goal, the bytes that can come after its words.
    follow: Vec<Bytes>,
    nullable: Vec<bool>,
    /// Per goal with several productions, where its row of `tables` is.
    table: Vec<u32>,
    /// Per such goal and lookahead, which list of candidates holds.
    tables: Vec<[u16; END + 1]>,
    /// Candidate lists of all goals, as ranges of `candidates`.
    lists: Vec<Vec<(u32, u32)>>,
    candidates: Vec<u32>,
}

impl Lookahead {
    /// Computes the tables. With `packed`, a bit is one bit of a byte; with `open`, anything may follow a word.
    pub fn new(grammar: &Grammar, code: &Code, packed: bool, open: bool) -> Self {
        let nullable = code.nullable(grammar);
        let count = code.goals.len();
        let mut this = Self {
            first: vec![Bytes::default(); count],
            follow: vec![if open { Bytes::ALL } else { Bytes::default() }; count],
            nullable,
            table: vec![u32::MAX; count],
            tables: Vec::new(),
            lists: Vec::new(),
            candidates: Vec::new(),
        };
        let terminals: Vec<Bytes> =
            code.elements.iter().map(|element| first_of_terminal(grammar, *element, packed)).collect();
        let empty: Vec<bool> =
            code.elements.iter().map(|element| code.is_nullable(grammar, *element, &this.nullable)).collect();
        this.fill_first(code, &terminals, &empty);
        if !open {
            this.fill_follow(code, &terminals, &empty);
        }
        this.fill_tables(code, &terminals, &empty);
        this
    }

    /// The productions of a choice that can go on with lookahead `ahead`.
    #[inline]
    pub fn candidates(&self, code: &Code, goal: u32, ahead: usize) -> Candidates {
        match self.table[goal as usize] {
            u32::MAX => {
                let range = code.productions_of(goal);
                Candidates { direct: range.start, next: 0, end: range.end - range.start }
            }
            table => {
                let (next, end) = self.lists[table as usize][usize::from(self.tables[table as usize][ahead])];
                Candidates { direct: u32::MAX, next, end }
            }
        }
    }

    /// The production at a place that [`Lookahead::candidates`] named.
    #[inline]
    pub fn candidate(&self, from: Candidates) -> u32 {
        if from.direct != u32::MAX { from.direct + from.next } else { self.candidates[from.next as usize] }
    }

    /// Whether a word of `goal` can start with lookahead `ahead`, be it the empty one.
    #[inline]
    pub fn can_start(&self, goal: u32, ahead: usize) -> bool {
        self.first[goal as usize].has(ahead) || (self.nullable[goal as usize] && self.can_follow(goal, ahead))
    }

    /// Whether a repetition can have a round that is not empty.
    #[inline]
    pub fn can_repeat(&self, goal: u32, ahead: usize) -> bool {
        self.first[goal as usize].has(ahead)
    }

    /// Whether `ahead` can come after a word of `goal`.
    #[inline]
    pub fn can_follow(&self, goal: u32, ahead: usize) -> bool {
        ahead == END || self.follow[goal as usize].has(ahead)
    }

    /// Whether the element at `slot`, which belongs to a production of `goal`, can go on with lookahead `ahead`.
    #[inline]
    pub fn can_go_on(&self, code: &Code, slot: u32, goal: u32, ahead: usize) -> bool {
        match code.elements[slot as usize] {
            Element::Goal(child) => self.can_start(child, ahead),
            Element::End(_) => self.can_follow(goal, ahead),
            // Terminals say so themselves.
            _ => true,
        }
    }

    /// Adds what can follow a word of `goal` as quoted bytes, unless that is nearly everything.
    pub fn describe_follow(&self, goal: u32, out: &mut Vec<String>) {
        let bytes: Vec<u8> =
            (0..=u8::MAX).filter(|byte| self.follow[goal as usize].has(usize::from(*byte))).collect();
        for byte in bytes.iter().filter(|_| bytes.len() < 128) {
            let text = format!("'{}'", byte.escape_ascii());
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }

    fn element_first(&self, element: Element, slot: usize, terminals: &[Bytes]) -> Bytes {
        match element {
            Element::Goal(goal) => self.first[goal as usize],
            _ => terminals[slot],
        }
    }

    /// The bytes with which a production's words start, and whether they can be empty.
    fn row_first(&self, code: &Code, production: u32, terminals: &[Bytes], empty: &[bool]) -> (Bytes, bool) {
        let start = code.productions[production as usize].first as usize;
        let mut first = Bytes::default();
        for (slot, element) in (start..).zip(code.row(production)) {
            first.absorb(self.element_first(*element, slot, terminals));
            if !empty[slot] {
                return (first, false);
            }
        }
        (first, true)
    }

    fn fill_first(&mut self, code: &Code, terminals: &[Bytes], empty: &[bool]) {
        let mut changed = true;
        while changed {
            changed = false;
            for goal in (0..code.goals.len()).rev() {
                if matches!(code.goals[goal].form, Form::Repeat { max: Bound::Const(0), .. }) {
                    continue;
                }
                for production in code.productions_of(goal as u32) {
                    let (first, _) = self.row_first(code, production, terminals, empty);
                    changed |= self.first[goal].absorb(first);
                }
            }
        }
    }

    fn fill_follow(&mut self, code: &Code, terminals: &[Bytes], empty: &[bool]) {
        let mut changed = true;
        while changed {
            changed = false;
            for goal in 0..code.goals.len() {
                // Rounds follow rounds, and items of a permutation each other.
                let mut after = self.follow[goal];
                if !matches!(code.goals[goal].form, Form::Choice(..)) {
                    after.absorb(self.first[goal]);
                }
                for production in code.productions_of(goal as u32) {
                    let start = code.productions[production as usize].first as usize;
                    let row = code.row(production);
                    let mut behind = after;
                    for (slot, element) in (start..start + row.len()).zip(row).rev() {
                        if let Element::Goal(child) = element {
                            changed |= self.follow[*child as usize].absorb(behind);
                        }
                        let first = self.element_first(*element, slot, terminals);
                        if !empty[slot] {
                            behind = Bytes::default();
                        }
                        behind.absorb(first);
                    }
                }
            }
        }
    }

    fn fill_tables(&mut self, code: &Code, terminals: &[Bytes], empty: &[bool]) {
        for goal in 0..code.goals.len() {
            let Form::Choice(start, end) = code.goals[goal].form else { continue };
            if end - start < 2 {
                continue;
            }
            let rows: Vec<(Bytes, bool)> =
                (start..end).map(|production| self.row_first(code, production, terminals, empty)).collect();
            let mut known: FxHashMap<Vec<u32>, u16> = FxHashMap::default();
            let mut lists = Vec::new();
            let table = std::array::from_fn(|ahead| {
                let follows = self.can_follow(goal as u32, ahead);
                let fits = |(first, empty): &(Bytes, bool)| first.has(ahead) || (*empty && follows);
                let mut list: Vec<u32> = (start..end)
                    .zip(&rows)
                    .filter(|(_, row)| fits(row))
                    .map(|(production, _)| production)
                    .collect();
                gather(code, &mut list);
                *known.entry(list).or_insert_with_key(|list| {
                    let from = self.candidates.len() as u32;
                    self.candidates.extend_from_slice(list);
                    lists.push((from, self.candidates.len() as u32));
                    lists.len() as u16 - 1
                })
            });
            self.table[goal] = self.tables.len() as u32;
            self.tables.push(table);
            self.lists.push(lists);
        }
    }
}

/// Puts productions that share a stem next to each other, at the place of the first.
fn gather(code: &Code, list: &mut [u32]) {
    let stem = |production: u32| code.productions[production as usize].stem;
    let order = list.to_vec();
    list.sort_by_key(|production| match stem(*production) {
        ALONE => order.iter().position(|other| other == production),
        shared => order.iter().position(|other| stem(*other) == shared),
    });
}

/// Productions that can go on: those from `next` to before `end`.
#[derive(Debug, Clone, Copy)]
pub struct Candidates {
    /// The first production if all of the goal's can, otherwise `u32::MAX`.
    direct: u32,
    /// The next one.
    pub next: u32,
    /// The one after the last.
    pub end: u32,
}

fn first_of_terminal(grammar: &Grammar, element: Element, packed: bool) -> Bytes {
    let mut first = Bytes::default();
    match element {
        Element::Byte(_, byte) => first.insert(byte),
        Element::Literal(node) => {
            if let Node::Literal(literal) = grammar.node(node)
                && let Some(byte) = grammar.literal(literal).first()
            {
                first.insert(*byte);
            }
        }
        Element::Regex(_, regex) => {
            let (bytes, _) = grammar.regexes[regex as usize].first();
            (0..=u8::MAX).filter(|byte| bytes[usize::from(*byte)]).for_each(|byte| first.insert(byte));
        }
        Element::Bit(_, bit) if packed => {
            (0..=u8::MAX).filter(|byte| (byte >> 7 == 1) == bit).for_each(|byte| first.insert(byte));
        }
        Element::Bit(_, bit) => first.insert(u8::from(bit)),
        Element::Goal(_) | Element::End(_) => {}
    }
    first
}
