//! The matches of selectors, kept while a tree stays the same.
use super::*;

impl<'t> Vm<'t> {
    /// Which tree a selector looks at: the input, or the one whose node is in its first slot.
    pub(super) fn tree_of(&self, selector: &Selector) -> u32 {
        match selector.base {
            Base::Slot(slot) => match self.slot(slot) {
                Value::Tree(at) => at.tree,
                _ => 0,
            },
            Base::All(_) => 0,
        }
    }

    /// Finds the matches of a selector; [`Vm::release`] must follow.
    pub fn find(&mut self, selector: &Selector) -> Found {
        let which = self.tree_of(selector);
        let Some(tree) = self.trees.get(which as usize).copied() else {
            return Found { kept: None, start: 0, end: 0 };
        };
        if let (Some(id), Base::All(_), true) = (selector.cache, selector.base, self.horizon == Index::MAX) {
            let id = id as usize;
            if self.state.kept.len() <= id {
                self.state.kept.resize_with(id + 1, Default::default);
            }
            let entry = &mut self.state.kept[id];
            if entry.0 != self.stamp {
                entry.0 = self.stamp;
                entry.1.clear();
                selector.find(self.grammar, tree, |_| None, &mut entry.1);
            }
            return Found { kept: Some(id as u32), start: 0, end: entry.1.len() as u32 };
        }
        let mut found = std::mem::take(&mut self.state.found);
        let start = found.len();
        let slot = |index| match self.slot(index) {
            Value::Tree(at) if at.tree == which => Some(at.at),
            _ => None,
        };
        selector.find(self.grammar, tree, slot, &mut found);
        if self.horizon != Index::MAX {
            let mut kept = start;
            for at in start..found.len() {
                if found[at] < self.horizon {
                    found[kept] = found[at];
                    kept += 1;
                }
            }
            found.truncate(kept);
        }
        let end = found.len();
        self.state.found = found;
        Found { kept: None, start: start as u32, end: end as u32 }
    }

    /// How many nodes a selector finds below the one in `slot`, kept under `id`.
    pub(super) fn count_below(&mut self, id: u32, slot: u32, selector: &Selector) -> u32 {
        let at = match self.slot(slot) {
            Value::Tree(at) => at.at as usize,
            _ => 0,
        };
        let id = id as usize;
        if self.state.counts.len() <= id {
            self.state.counts.resize_with(id + 1, Vec::new);
        }
        if let Some((stamp, count)) = self.state.counts[id].get(at)
            && *stamp == self.stamp
        {
            return *count;
        }
        let found = self.find(selector);
        self.release(&found);
        let counts = &mut self.state.counts[id];
        if counts.len() <= at {
            counts.resize(at + 1, (0, 0));
        }
        counts[at] = (self.stamp, found.len());
        found.len()
    }

    /// The result kept under `id` for the node in `slot`, if there is one.
    #[inline]
    pub fn remembered(&self, (id, slot): (u32, u32)) -> Option<bool> {
        let Value::Tree(at) = self.slot(slot) else { return None };
        let entry = *self.state.memos.get(id as usize)?.get(at.at as usize)?;
        (entry >> 1 == self.stamp).then_some(entry & 1 != 0)
    }

    /// Keeps a result under `id` for the node in `slot`.
    pub fn remember(&mut self, (id, slot): (u32, u32), result: bool) {
        let Value::Tree(at) = self.slot(slot) else { return };
        let (id, at) = (id as usize, at.at as usize);
        if self.state.memos.len() <= id {
            self.state.memos.resize_with(id + 1, Vec::new);
        }
        let memo = &mut self.state.memos[id];
        if memo.len() <= at {
            memo.resize(at + 1, 0);
        }
        memo[at] = self.stamp << 1 | u64::from(result);
    }

    /// One match.
    #[inline]
    pub fn found(&self, found: &Found, index: u32) -> Index {
        match found.kept {
            Some(id) => self.state.kept[id as usize].1[index as usize],
            None => self.state.found[(found.start + index) as usize],
        }
    }

    /// Gives the memory of matches back; the last found first.
    #[inline]
    pub fn release(&mut self, found: &Found) {
        if found.kept.is_none() {
            self.state.found.truncate(found.start as usize);
        }
    }
}
