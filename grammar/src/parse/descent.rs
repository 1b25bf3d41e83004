//! Parsing from the start symbol down, with one byte of lookahead; going back to the last choice when nothing fits.
//!
//! The tree is built on the way, so a computed bound can be asked for with the tree so far. What is to be done after
//! the current element is a chain of frames; frames are never changed, so going back is cutting the buffers to what
//! they were.
use super::code::{ALONE, Element, Form};
use super::input::Text;
use super::lookahead::Candidates;
use super::{BYTES_PER_STEP, FOLLOW, Job, ParseError};
use crate::generate::Host;
use crate::ir::{Grammar, Node, NodeId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

mod frames;
mod rounds;

pub use frames::Buffers;
use frames::{Choice, Frame, Other, Then};

/// Where to go on.
enum Step {
    /// With the element at this slot.
    Element(u32),
    /// With what comes after the current production.
    Return,
    /// With the last choice.
    Back,
}

/// Parses `job`, within `budget` steps.
pub fn parse<T: Text, H: Host>(
    job: &Job<'_, T>,
    buffers: &mut Buffers,
    budget: u64,
    rng: &mut Rng,
    host: &mut H,
    tree: &mut Tree,
) -> Result<usize, ParseError> {
    buffers.frames.clear();
    buffers.choices.clear();
    buffers.ends.clear();
    buffers.furthest.clear();
    buffers.frames.push(Frame { then: Then::Done, next: 0 });
    let base = tree.len();
    Machine { job, buffers, tree, base, at: 0, frame: 0, floor: 1, left: budget, rng, host }.run()
}

struct Machine<'a, 'j, T, H> {
    job: &'a Job<'j, T>,
    buffers: &'a mut Buffers,
    tree: &'a mut Tree,
    /// Where the tree of this parse starts.
    base: Index,
    at: u32,
    frame: u32,
    /// Frames below this are needed when going back.
    floor: u32,
    /// Steps that may still be taken.
    left: u64,
    rng: &'a mut Rng,
    host: &'a mut H,
}

impl<T: Text, H: Host> Machine<'_, '_, T, H> {
    fn run(mut self) -> Result<usize, ParseError> {
        let mut best = None;
        let mut step = self.enter(self.job.symbol.0);
        loop {
            if self.left == 0 {
                return Err(ParseError::Budget { at: self.job.text.byte(self.buffers.furthest.at) });
            }
            self.left = self.left.saturating_sub(1);
            step = match step {
                Step::Element(slot) => self.element(slot),
                Step::Return => match self.buffers.frames[self.frame as usize].then {
                    Then::Done if self.at == self.job.text.len() => return Ok(self.job.text.byte(self.at)),
                    Then::Done => {
                        if self.job.prefix && best.is_none_or(|best| self.at > best) {
                            best = Some(self.at);
                            self.buffers.best.clear();
                            self.buffers.best.append(self.tree, self.base);
                        }
                        self.buffers.furthest.note(self.at, u32::MAX);
                        Step::Back
                    }
                    then => self.resume(then),
                },
                Step::Back => match self.back() {
                    Some(step) => step,
                    None => break,
                },
            };
        }
        match best {
            Some(at) => {
                self.tree.truncate(self.base);
                self.tree.append(&self.buffers.best, 0);
                Ok(self.job.text.byte(at))
            }
            None => {
                self.buffers.furthest.wanted.retain(|slot| *slot != u32::MAX);
                Err(self.job.mismatch(&self.buffers.furthest))
            }
        }
    }

    #[inline]
    fn element(&mut self, slot: u32) -> Step {
        let job = self.job;
        let end = match job.code.elements[slot as usize] {
            Element::End(_) => return Step::Return,
            Element::Goal(goal) => {
                let ahead = job.text.ahead(self.at);
                if !job.ahead.can_start(goal, ahead) {
                    self.buffers.furthest.note(self.at, slot);
                    return Step::Back;
                }
                if job.code.goals[goal as usize].has_leaf && self.leaf(goal, ahead) {
                    return Step::Element(slot + 1);
                }
                if !matches!(job.code.elements[slot as usize + 1], Element::End(_)) {
                    self.push(Then::Elements(slot + 1));
                }
                return self.enter(goal);
            }
            Element::Byte(node, byte) => {
                if !T::PACKED {
                    if job.text.ahead(self.at) != usize::from(byte) {
                        self.buffers.furthest.note(self.at, slot);
                        return Step::Back;
                    }
                    self.tree.open(Kind::Terminal(node), 0);
                    self.tree.text_mut().push(byte);
                    self.at += 1;
                    return Step::Element(slot + 1);
                }
                job.text.literal(self.at, &[byte]).map(|end| (node, end))
            }
            Element::Literal(node) => {
                let end = job.text.literal(self.at, literal(job.grammar, node));
                end.map(|end| (node, end))
            }
            Element::Bit(node, bit) => match job.text.bit(self.at, bit) {
                Some(end) => {
                    self.tree.terminal(node, &[u8::from(bit)]);
                    self.at = end;
                    return Step::Element(slot + 1);
                }
                None => None,
            },
            Element::Regex(node, regex) => {
                let ends = &mut self.buffers.ends;
                let first = ends.len() as u32;
                let regex = &job.grammar.regexes[regex as usize];
                let mut looked = 0;
                job.text.rest(self.at, |rest| looked = regex.match_ends(rest, |end| ends.push(end as u32)));
                self.left = self.left.saturating_sub(looked as u64 / BYTES_PER_STEP);
                // The longest match first, the others when that turns out wrong.
                let longest = if ends.len() as u32 > first { ends.pop() } else { None };
                let end = ends.len() as u32;
                if end > first {
                    // Every end that is kept costs memory.
                    self.left = self.left.saturating_sub(u64::from(end - first));
                    self.choose(Other::Ends { slot, first, end });
                }
                longest.map(|longest| (node, job.text.skip(self.at, longest as usize)))
            }
        };
        match end {
            Some((node, end)) => {
                self.take(node, end);
                Step::Element(slot + 1)
            }
            None => {
                self.buffers.furthest.note(self.at, slot);
                Step::Back
            }
        }
    }

    /// Takes a word of a symbol that is one byte or bit, if nothing else can stand here; spares the usual way.
    #[inline]
    fn leaf(&mut self, goal: u32, ahead: usize) -> bool {
        let Job { code, ahead: tables, text, .. } = *self.job;
        let candidates = tables.candidates(code, goal, ahead);
        if candidates.next + 1 != candidates.end {
            return false;
        }
        let production = code.productions[tables.candidate(candidates) as usize];
        let first = production.first as usize;
        let (node, byte, end) = match (code.elements[first], code.elements[first + 1]) {
            (Element::Byte(node, byte), Element::End(_)) => (node, byte, text.literal(self.at, &[byte])),
            (Element::Bit(node, bit), Element::End(_)) => (node, u8::from(bit), text.bit(self.at, bit)),
            _ => return false,
        };
        let (Some(end), Some(kind)) = (end, code.goals[goal as usize].tree) else { return false };
        let at = self.tree.open(kind, production.alt);
        self.tree.terminal(node, &[byte]);
        self.tree.close(at);
        self.at = end;
        true
    }

    #[inline]
    fn take(&mut self, node: NodeId, end: u32) {
        self.tree.open(Kind::Terminal(node), 0);
        self.job.text.copy(self.at, end, self.tree.text_mut());
        self.at = end;
    }

    #[inline]
    fn enter(&mut self, goal: u32) -> Step {
        let Job { code, ahead, text, .. } = *self.job;
        let what = code.goals[goal as usize];
        let at = match what.tree {
            Some(kind) => self.tree.open(kind, 0),
            None => Index::MAX,
        };
        match what.form {
            Form::Choice(..) => {
                if at != Index::MAX {
                    self.push(Then::Close(at));
                }
                let candidates = ahead.candidates(code, goal, text.ahead(self.at));
                if candidates.next == candidates.end {
                    self.buffers.furthest.note_goal(self.at, code, goal);
                }
                self.produce(candidates, at)
            }
            Form::Repeat { min, max, .. } => {
                let Some(bounds) = self.bounds(min, max) else { return Step::Back };
                self.round(goal, at, 0, u32::MAX, bounds)
            }
            Form::Permutation(..) => self.item(goal, at, 0, 0),
        }
    }

    /// Takes the next of several productions.
    #[inline]
    fn produce(&mut self, mut candidates: Candidates, at: Index) -> Step {
        if candidates.next == candidates.end {
            return Step::Back;
        }
        let Job { code, ahead, .. } = *self.job;
        let production = code.productions[ahead.candidate(candidates) as usize];
        let mut group = candidates;
        candidates.next += 1;
        if production.stem != ALONE {
            let in_group =
                |candidates| code.productions[ahead.candidate(candidates) as usize].stem == production.stem;
            while candidates.next < candidates.end && in_group(candidates) {
                candidates.next += 1;
            }
        }
        if candidates.next < candidates.end {
            self.choose(Other::Productions(candidates, at));
        }
        group.end = candidates.next;
        if group.end - group.next > 1 {
            let children = self.tree.len();
            self.push(Then::Stem { candidates: group, at, children });
            return Step::Element(code.stems[production.stem as usize].first);
        }
        if at != Index::MAX {
            self.tree.set_alt(at, production.alt);
        }
        Step::Element(production.first)
    }

    /// Goes on with one of several productions behind what they share.
    fn part(&mut self, mut candidates: Candidates, at: Index, children: Index) -> Step {
        let Job { code, ahead, text, .. } = *self.job;
        let next = text.ahead(self.at);
        let behind = |candidates| {
            let production = code.productions[ahead.candidate(candidates) as usize];
            let slot = production.first + code.stems[production.stem as usize].len;
            (production, slot, ahead.can_go_on(code, slot, production.goal, next))
        };
        while candidates.next < candidates.end {
            let (production, slot, fits) = behind(candidates);
            candidates.next += 1;
            if !fits {
                let is_end = matches!(code.elements[slot as usize], Element::End(_));
                self.buffers.furthest.note(self.at, if is_end { FOLLOW | production.goal } else { slot });
                continue;
            }
            while candidates.next < candidates.end && !behind(candidates).2 {
                candidates.next += 1;
            }
            if candidates.next < candidates.end {
                self.choose(Other::Stem(candidates, at, children));
            }
            if at != Index::MAX {
                self.tree.set_alt(at, production.alt);
            }
            // The terminals so far may be those of another production.
            let mut child = children;
            for element in &code.elements[production.first as usize..slot as usize] {
                if let Element::Byte(node, _)
                | Element::Literal(node)
                | Element::Regex(node, _)
                | Element::Bit(node, _) = element
                {
                    self.tree.set_terminal(child, *node);
                }
                child = self.tree.end(child);
            }
            return Step::Element(slot);
        }
        Step::Back
    }

    #[inline]
    fn resume(&mut self, then: Then) -> Step {
        let done = self.frame;
        self.frame = self.buffers.frames[done as usize].next;
        // Where no choice needs it any more, the frame goes, so that buffers stay small.
        if done >= self.floor && done as usize + 1 == self.buffers.frames.len() {
            self.buffers.frames.pop();
        }
        match then {
            Then::Elements(slot) => Step::Element(slot),
            Then::Close(at) => {
                self.tree.close(at);
                Step::Return
            }
            Then::Round { goal, at, count, from, bounds } => self.round(goal, at, count, from, bounds),
            Then::Item { goal, at, taken } => self.item(goal, at, taken, 0),
            Then::Stem { candidates, at, children } => self.part(candidates, at, children),
            Then::Done => Step::Back,
        }
    }

    /// Returns to the last choice and takes what else it offers.
    #[inline]
    fn back(&mut self) -> Option<Step> {
        let choice = self.buffers.choices.pop()?;
        self.floor = self.buffers.choices.last().map_or(1, |choice| choice.frames);
        self.at = choice.at;
        self.frame = choice.frame;
        self.buffers.frames.truncate(choice.frames as usize);
        self.tree.rewind(choice.nodes, choice.text);
        Some(match choice.other {
            Other::Productions(candidates, at) => self.produce(candidates, at),
            Other::Stem(candidates, at, children) => self.part(candidates, at, children),
            Other::Leave { at, count } => self.leave(at, count),
            Other::Items { goal, at, taken, item } => self.item(goal, at, taken, item),
            Other::Ends { slot, first, end } => {
                let longest = self.buffers.ends[end as usize - 1];
                self.buffers.ends.truncate(end as usize - 1);
                if end - 1 > first {
                    self.choose(Other::Ends { slot, first, end: end - 1 });
                }
                if let Element::Regex(node, _) = self.job.code.elements[slot as usize] {
                    self.take(node, self.job.text.skip(self.at, longest as usize));
                }
                Step::Element(slot + 1)
            }
        })
    }

    #[inline]
    fn push(&mut self, then: Then) {
        self.buffers.frames.push(Frame { then, next: self.frame });
        self.frame = self.buffers.frames.len() as u32 - 1;
    }

    #[inline]
    fn choose(&mut self, other: Other) {
        self.floor = self.buffers.frames.len() as u32;
        self.buffers.choices.push(Choice {
            other,
            at: self.at,
            frame: self.frame,
            frames: self.buffers.frames.len() as u32,
            nodes: self.tree.len(),
            text: self.tree.text().len() as u32,
        });
    }
}

fn literal(grammar: &Grammar, node: NodeId) -> &[u8] {
    match grammar.node(node) {
        Node::Literal(literal) => grammar.literal(literal),
        _ => &[],
    }
}
