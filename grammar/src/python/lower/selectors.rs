//! Resolves the selectors of an expression.
use super::*;

impl Lowerer {
    /// The written selector that `expr` masks.
    pub fn masked(&self, expr: &Expr) -> Option<&selector::Selector> {
        match expr {
            Expr::Name(name) => self.selectors.get(&u32::from(name.range.start())),
            _ => None,
        }
    }

    /// A written selector with its names resolved.
    pub fn resolve(&self, written: &selector::Selector) -> Lowered<Selector> {
        let bound =
            |name: &str| self.bound.iter().rev().find(|(known, _)| known == name).map(|(_, slot)| *slot);
        let symbol = |name: &str| match self.symbols.get(name) {
            Some(symbol) => Ok(*symbol),
            None => Err(self.undefined(name, written.span)),
        };
        let base = match bound(&written.base) {
            Some(slot) => Base::Slot(slot),
            None => Base::All(symbol(&written.base)?),
        };
        let mut steps = smallvec::SmallVec::new();
        for step in &written.steps {
            steps.push(match step {
                Written::Child(name) | Written::Descendant(name) => match (bound(name), step) {
                    (Some(slot), _) => Step::Slot(slot),
                    // A selector may name what the grammar lacks: it matches nothing, which the lint tells.
                    (None, Written::Child(_)) => Step::Child(symbol(name).unwrap_or(NOWHERE)),
                    (None, _) => Step::Descendant(symbol(name).unwrap_or(NOWHERE)),
                },
                Written::Item(item) => select::item_step(*item),
            });
        }
        let mode = match (written.star, written.count) {
            (_, true) => Mode::Count,
            (true, _) => Mode::List,
            _ => Mode::Each,
        };
        let mut selector = Selector { base, steps, mode, cache: None };
        if selector.is_closed() {
            let next = self.closed.get() + 1;
            self.closed.set(next);
            selector.cache = Some(next - 1);
        } else if selector.is_count_of_slot() {
            let next = self.counts.get() + 1;
            self.counts.set(next);
            selector.cache = Some(next - 1);
        }
        Ok(selector)
    }

    pub(super) fn undefined(&self, name: &str, span: Span) -> Problem {
        let near = self
            .symbols
            .keys()
            .filter(|known| !known.starts_with("<_"))
            .min_by_key(|known| distance(known, name));
        let problem = Problem::new(span, format!("the symbol `{name}` is not defined"));
        match near {
            // Short names are near to everything.
            Some(near) if distance(near, name) <= 3.min(name.len().saturating_sub(2) / 3) => {
                problem.help(format!("did you mean `{near}`?"))
            }
            _ => problem,
        }
    }

    pub(super) fn select(&mut self, written: &selector::Selector) -> Lowered {
        let selector = self.resolve(written)?;
        if self.meaning == Some(Meaning::Source) {
            return self.select_in_source(selector);
        }
        if selector.mode != Mode::Each {
            return Ok(Ex::Select(Box::new(selector)));
        }
        if let (Base::Slot(slot), true) = (selector.base, selector.steps.is_empty()) {
            return Ok(Ex::Local(slot));
        }
        match self.meaning {
            Some(Meaning::Nearest) => Ok(Ex::Select(Box::new(selector))),
            Some(_) => Ok(Ex::Local(self.taken_slot(selector))),
            None => Err(Problem::new(written.span, "a selector cannot be used here")),
        }
    }

    /// A part of a tree that is made for a generator: the tree goes to a slot, the steps start there.
    fn select_in_source(&mut self, selector: Selector) -> Lowered {
        let whole = Selector { steps: smallvec::SmallVec::new(), mode: Mode::Each, ..selector.clone() };
        let slot = self.taken_slot(whole);
        if selector.steps.is_empty() && selector.mode == Mode::Each {
            return Ok(Ex::Local(slot));
        }
        Ok(Ex::Select(Box::new(Selector { base: Base::Slot(slot), cache: None, ..selector })))
    }

    /// The slot to which the matches of a selector go.
    fn taken_slot(&mut self, selector: Selector) -> u32 {
        if let Some((slot, _, _)) = self.taken.iter().find(|(_, known, _)| known.same(&selector)) {
            return *slot;
        }
        let symbol = match selector.base {
            Base::All(symbol) => symbol,
            Base::Slot(_) => NOWHERE,
        };
        let slot = self.slot();
        self.taken.push((slot, selector, symbol));
        slot
    }
}
