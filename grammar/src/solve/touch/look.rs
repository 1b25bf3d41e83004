//! What one constraint sees of a tree: the symbols that its selectors name, and those whose text it reads.
use super::{Set, Touching};
use crate::ir::SymbolId;
use crate::python::code::{Arguments, Ex, Piece};
use crate::select::{Base, Mode, Selector, Step};
use crate::solve::formula::Formula;
use crate::solve::views::Chain;

/// A look at one constraint.
pub(super) struct Look<'a> {
    pub(super) touching: &'a mut Touching,
    pub(super) bit: Set,
    /// The symbols in the slots bound so far, and their chains.
    pub(super) bound: Vec<(u32, Selected)>,
    /// Selectors that start at no slot, but look at the whole tree.
    pub(super) roots: u32,
    /// How it looks down from the nodes it is about.
    pub(super) chains: Vec<Chain>,
    /// It does so by these chains of children alone.
    pub(super) is_exact: bool,
}

/// A symbol that a selector selects, and which of the chains leads to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selected {
    symbol: SymbolId,
    chain: usize,
}

impl Look<'_> {
    pub(super) fn formula(&mut self, formula: &Formula) {
        let count = self.bound.len();
        match formula {
            Formula::Forall(slot, selector, body) | Formula::Exists(slot, selector, body) => {
                self.bind(*slot, selector);
                self.formula(body);
            }
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
            Formula::Compare(comparison) => {
                comparison.selectors.iter().for_each(|(slot, selector)| self.bind(*slot, selector));
                self.value(&comparison.left);
                self.value(&comparison.right);
            }
            Formula::Test(test) => {
                test.selectors.iter().for_each(|(slot, selector)| self.bind(*slot, selector));
                self.value(&test.ex);
            }
        }
        self.bound.truncate(count);
    }

    fn bind(&mut self, slot: u32, selector: &Selector) {
        if let Some(symbol) = self.selector(selector) {
            self.bound.push((slot, symbol));
        }
    }

    /// Notes what a selector names; the symbol it selects.
    fn selector(&mut self, selector: &Selector) -> Option<Selected> {
        let mut selected = match selector.base {
            Base::All(symbol) => {
                self.roots += 1;
                self.named(symbol, None)
            }
            Base::Slot(slot) => self.in_slot(slot),
        };
        for step in &selector.steps {
            selected = match step {
                Step::Child(symbol) => self.named(*symbol, selected),
                Step::Descendant(symbol) => {
                    self.is_exact = false;
                    self.named(*symbol, None)
                }
                Step::Slot(slot) => self.in_slot(*slot),
                Step::At(_) | Step::Range(..) => self.unknown(),
            };
        }
        if let Some(selected) = selected {
            self.chains[selected.chain].ends = true;
        }
        selected
    }

    /// Notes that a symbol is named, as a child of what was selected before, if anything was.
    fn named(&mut self, symbol: SymbolId, above: Option<Selected>) -> Option<Selected> {
        let above = above.map(|above| self.chains[above.chain].symbols.clone());
        let (mut symbols, chain) = (above.unwrap_or_default(), self.chains.len());
        symbols.push(symbol);
        self.chains.push(Chain { symbols, reads: false, ends: false });
        // A symbol that no tree of this grammar has is nowhere.
        *self.touching.named.get_mut(symbol.0 as usize)? |= self.bit;
        Some(Selected { symbol, chain })
    }

    fn in_slot(&mut self, slot: u32) -> Option<Selected> {
        self.bound.iter().rev().find(|(known, _)| *known == slot).map(|(_, selected)| *selected)
    }

    fn unknown<T>(&mut self) -> Option<T> {
        self.touching.always |= self.bit;
        None
    }

    /// Notes that the text of a symbol is read.
    fn reads(&mut self, selected: Option<Selected>) {
        if let Some(Selected { symbol, chain }) = selected {
            self.touching.text[symbol.0 as usize] |= self.bit;
            self.chains[chain].reads = true;
        }
    }

    /// Notes what is read where a tree counts as its text.
    fn value(&mut self, ex: &Ex) {
        match ex {
            Ex::Local(slot) => {
                let symbol = self.in_slot(*slot);
                self.reads(symbol);
            }
            Ex::Select(selector) => self.select(selector),
            _ => self.expression(ex),
        }
    }

    fn select(&mut self, selector: &Selector) {
        let symbol = self.selector(selector);
        if selector.mode != Mode::Count {
            self.reads(symbol);
        }
    }

    /// Notes what is read. A tree as such is seen by whoever gets it, with all that is around it.
    fn expression(&mut self, ex: &Ex) {
        match ex {
            Ex::Const(_) | Ex::Global(_) => {}
            Ex::Select(selector) if selector.mode == Mode::Count => self.select(selector),
            Ex::Str(inner) | Ex::Bytes(inner) | Ex::Int(inner) | Ex::Len(inner) => self.value(inner),
            Ex::Compare(_, pair) => {
                self.value(&pair.0);
                self.value(&pair.1);
            }
            Ex::Neg(inner) | Ex::Not(inner) | Ex::Invert(inner) | Ex::Attribute(inner, _) => {
                self.expression(inner);
            }
            Ex::Bin(_, pair) | Ex::Index(pair) | Ex::And(pair) | Ex::Or(pair) => {
                self.expression(&pair.0);
                self.expression(&pair.1);
            }
            Ex::Direct(_, args) => args.iter().for_each(|arg| self.expression(arg)),
            Ex::Native(_, args) => self.arguments(args),
            Ex::Call(inner, args) | Ex::Method(inner, _, args) => {
                self.expression(inner);
                self.arguments(args);
            }
            Ex::Slice(pair) => {
                self.expression(&pair.0);
                pair.1.iter().flatten().for_each(|ex| self.expression(ex));
            }
            Ex::List(items) | Ex::Tuple(items) | Ex::Set(items) => {
                items.iter().for_each(|(item, _)| self.expression(item));
            }
            Ex::Format(pieces) => pieces.iter().for_each(|piece| {
                if let Piece::Value(value, _, _) = piece {
                    self.value(value);
                }
            }),
            Ex::Comprehension(_, element, loops) => {
                for each in loops {
                    self.value(&each.iter);
                    each.ifs.iter().for_each(|condition| self.expression(condition));
                }
                self.expression(&element.0);
                element.1.iter().for_each(|value| self.expression(value));
            }
            _ => {
                self.unknown::<()>();
            }
        }
    }

    fn arguments(&mut self, arguments: &Arguments) {
        arguments.args.iter().for_each(|(arg, _)| self.expression(arg));
        arguments.named.iter().for_each(|(_, arg)| self.expression(arg));
    }
}
