//! Random words of a regular expression.
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::rng::Rng;

/// How many rounds an open repetition has without much size to spend.
const USUAL_ROUNDS: u32 = 5;

/// One part of a regular expression, prepared for drawing words.
#[derive(Debug)]
pub enum Words {
    /// These bytes.
    Literal(Box<[u8]>),
    /// One character.
    Char {
        /// Its printable ASCII members, which are drawn most of the time.
        plain: Box<[u8]>,
        /// All members, as ranges.
        ranges: Box<[(char, char)]>,
        /// How many members there are.
        count: u32,
    },
    /// One byte.
    Byte(Box<[u8]>),
    /// A part some number of times.
    Repeat {
        /// The least count.
        min: u32,
        /// The greatest count, none if open.
        max: Option<u32>,
        /// What is repeated.
        body: Box<Words>,
    },
    /// All parts in order.
    All(Box<[Words]>),
    /// One of the parts.
    OneOf(Box<[Words]>),
}

impl Words {
    /// Prepares `hir`.
    pub fn new(hir: &Hir) -> Self {
        match hir.kind() {
            // Anchors hold by themselves: a terminal is matched as a text of its own.
            HirKind::Empty | HirKind::Look(_) => Self::All(Box::new([])),
            HirKind::Literal(literal) => Self::Literal(literal.0.clone()),
            HirKind::Class(Class::Unicode(class)) => {
                let ranges: Box<[_]> = class.iter().map(|range| (range.start(), range.end())).collect();
                let count = ranges.iter().map(|range| width(range.0, range.1)).sum();
                let plain = (b' '..=b'~').filter(|byte| {
                    ranges.iter().any(|range| (range.0..=range.1).contains(&char::from(*byte)))
                });
                Self::Char { plain: plain.collect(), count, ranges }
            }
            HirKind::Class(Class::Bytes(class)) => {
                Self::Byte(class.iter().flat_map(|range| range.start()..=range.end()).collect())
            }
            HirKind::Repetition(repetition) => Self::Repeat {
                min: repetition.min,
                max: repetition.max,
                body: Box::new(Self::new(&repetition.sub)),
            },
            HirKind::Capture(capture) => Self::new(&capture.sub),
            HirKind::Concat(parts) => Self::All(parts.iter().map(Self::new).collect()),
            HirKind::Alternation(parts) => Self::OneOf(parts.iter().map(Self::new).collect()),
        }
    }

    /// Appends a random word; open repetitions grow with `size`.
    pub fn generate(&self, rng: &mut Rng, size: u32, out: &mut Vec<u8>) {
        match self {
            Self::Literal(bytes) => out.extend_from_slice(bytes),
            Self::Char { plain, ranges, count } => {
                if !plain.is_empty() && !rng.one_in(8) {
                    out.push(plain[rng.below(plain.len() as u32) as usize]);
                } else if let Some(char) = nth(ranges, rng.below(*count)) {
                    out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            Self::Byte(bytes) => {
                if !bytes.is_empty() {
                    out.push(bytes[rng.below(bytes.len() as u32) as usize]);
                }
            }
            Self::Repeat { min, max, body } => {
                for _ in 0..rounds(*min, *max, size, rng) {
                    body.generate(rng, size / 2, out);
                }
            }
            Self::All(parts) => parts.iter().for_each(|part| part.generate(rng, size, out)),
            Self::OneOf(parts) => parts[rng.below(parts.len() as u32) as usize].generate(rng, size, out),
        }
    }
}

/// A count between `min` and `max`: at most a few above `min`, but now and then as many as `size` allows.
fn rounds(min: u32, max: Option<u32>, size: u32, rng: &mut Rng) -> u32 {
    let spare = max.map_or(u32::MAX, |max| max - min);
    let usual = if rng.one_in(16) { size } else { size.min(USUAL_ROUNDS) };
    min + rng.below(spare.min(usual).saturating_add(1))
}

/// The `n`th member of a list of ranges.
fn nth(ranges: &[(char, char)], mut n: u32) -> Option<char> {
    for (start, end) in ranges {
        let len = width(*start, *end);
        if n < len {
            return (*start..=*end).nth(n as usize);
        }
        n -= len;
    }
    None
}

/// The number of characters in a range, surrogates left out.
fn width(start: char, end: char) -> u32 {
    (start..=end).size_hint().0 as u32
}
