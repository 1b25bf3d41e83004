//! Repetitions and permutations on the way down, and the bounds that must be computed.
use super::frames::{Frame, Other, Then};
use super::{Machine, Step};
use crate::generate::Host;
use crate::ir::{Bound, ExprId};
use crate::parse::code::Form;
use crate::parse::input::Text;
use crate::parse::{FOLLOW, STEPS_PER_QUESTION};
use crate::tree::Index;

impl<T: Text, H: Host> Machine<'_, '_, T, H> {
    /// Goes on with a repetition of which `count` rounds are through, the last from `from` on.
    pub(super) fn round(&mut self, goal: u32, at: Index, count: u32, from: u32, bounds: (u32, u32)) -> Step {
        let (min, max) = bounds;
        let job = self.job;
        let ahead = job.text.ahead(self.at);
        // An empty round only helps to reach the least count.
        let more = count < max && (count < min || (from != self.at && job.ahead.can_repeat(goal, ahead)));
        let leave = count >= min && job.ahead.can_follow(goal, ahead);
        if !more {
            if !leave {
                let Form::Repeat { body, .. } = job.code.goals[goal as usize].form else { return Step::Back };
                if count < max {
                    self.buffers.furthest.note(self.at, job.code.productions[body as usize].first);
                }
                if count >= min {
                    self.buffers.furthest.note(self.at, FOLLOW | goal);
                }
                return Step::Back;
            }
            return self.leave(at, count);
        }
        if leave {
            self.choose(Other::Leave { at, count });
        }
        let Form::Repeat { body, .. } = job.code.goals[goal as usize].form else { return Step::Back };
        self.push(Then::Round { goal, at, count: count + 1, from: self.at, bounds });
        Step::Element(job.code.productions[body as usize].first)
    }

    #[inline]
    pub(super) fn leave(&mut self, at: Index, count: u32) -> Step {
        self.tree.set_alt(at, count);
        self.tree.close(at);
        Step::Return
    }

    /// Tries the items of a permutation from `item` on that are not taken.
    pub(super) fn item(&mut self, goal: u32, at: Index, taken: u64, item: u32) -> Step {
        let Form::Permutation(first, end) = self.job.code.goals[goal as usize].form else {
            return Step::Back;
        };
        let count = end - first;
        let free = |item: &u32| taken >> item & 1 == 0;
        let Some(item) = (item..count.min(64)).find(free) else {
            if taken.count_ones() < count {
                return Step::Back;
            }
            self.tree.close(at);
            return Step::Return;
        };
        if (item + 1..count.min(64)).any(|later| free(&later)) {
            self.choose(Other::Items { goal, at, taken, item: item + 1 });
        }
        self.push(Then::Item { goal, at, taken: taken | 1 << item });
        Step::Element(self.job.code.productions[(first + item) as usize].first)
    }

    /// The least and greatest count of a repetition that was just opened, if they make sense.
    pub(super) fn bounds(&mut self, min: Bound, max: Bound) -> Option<(u32, u32)> {
        let low = match min {
            Bound::Const(low) => low,
            Bound::Expr(expr) => self.ask(expr)?,
            Bound::Open => 0,
        };
        let high = match max {
            Bound::Const(high) => high,
            Bound::Open => u32::MAX,
            _ if max == min => low,
            Bound::Expr(expr) => self.ask(expr)?,
        };
        (low <= high).then_some((low, high))
    }

    #[cold]
    fn ask(&mut self, expr: ExprId) -> Option<u32> {
        self.left = self.left.saturating_sub(STEPS_PER_QUESTION);
        let within = &mut self.buffers.within;
        within.clear();
        // The repetition itself was just opened.
        within.push(self.tree.len() - 1);
        let mut frame = self.frame;
        while frame != 0 {
            let Frame { then, next } = self.buffers.frames[frame as usize];
            match then {
                Then::Close(at) | Then::Round { at, .. } | Then::Item { at, .. } => within.push(at),
                Then::Done | Then::Elements(_) | Then::Stem { .. } => {}
            }
            frame = next;
        }
        within.reverse();
        // Nodes that were closed before going back count as open again.
        within.iter().for_each(|at| self.tree.reopen(*at));
        self.host.bound(expr, self.tree, within, self.rng).ok()
    }
}
