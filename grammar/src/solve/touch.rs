//! Which constraints a change of a tree can have broken: the others hold after it if they held before.
//!
//! A constraint sees a tree through its selectors: the nodes of the symbols that they name, and the text of those that they
//! end with. A change that neither takes nor brings such a node, and is not inside one whose text is read, is not seen.
use std::ops::Range;

use super::formula::{Constraint, Formula};
use crate::ir::{Grammar, SymbolId};
use crate::mutate::Subject;
use crate::python::code::{Arguments, Ex, Piece};
use crate::select::{Base, Mode, Selector, Step};
use crate::tree::{Index, Kind, Patch, Tree};

/// Some constraints, a bit each; those beyond share the last.
pub type Set = u64;

/// All constraints.
pub const ALL: Set = Set::MAX;

/// The bit of a constraint.
pub fn bit(constraint: usize) -> Set {
    1 << constraint.min(63)
}

/// The bit of a constraint if it shares that with no other.
pub fn own_bit(constraint: usize) -> Set {
    if constraint < 63 { 1 << constraint } else { 0 }
}

/// Per symbol, which constraints see it.
#[derive(Debug)]
pub struct Touching {
    /// Those that name it.
    named: Vec<Set>,
    /// Those that read its text.
    text: Vec<Set>,
    /// Those of which nobody knows what they see.
    always: Set,
    /// Those that are about each node of a symbol on its own.
    local: Set,
}

impl Touching {
    /// Works it out.
    pub fn new(grammar: &Grammar, constraints: &[Constraint]) -> Self {
        let none = || vec![0; grammar.symbols.len()];
        let mut touching = Self { named: none(), text: none(), always: 0, local: 0 };
        for (index, constraint) in constraints.iter().enumerate() {
            let mut look = Look { touching: &mut touching, bit: bit(index), bound: Vec::new(), roots: 0 };
            look.formula(&constraint.formula);
            let is_alone = look.roots == 1;
            if let (Formula::Forall(_, selector, _), true) = (&constraint.formula, is_alone)
                && matches!(selector.base, Base::All(_))
                && selector.steps.is_empty()
            {
                touching.local |= own_bit(index);
            }
        }
        touching
    }

    /// The constraints that see what `patch` does to the subject.
    pub fn by_patch(&self, subject: &Subject, patch: &Patch) -> Set {
        let mut seen = self.always;
        for (number, (at, old)) in patch.places().enumerate() {
            let text = |seen, at| match subject.tree.node(at).kind() {
                Kind::Symbol(symbol) => seen | self.text[symbol.0 as usize],
                _ => seen,
            };
            let inside = (old.start > at).then_some(at);
            seen = subject.above(at).chain(inside).fold(seen, text);
            seen |= self.within(&subject.tree, old);
            seen = patch.new_parts(number).fold(seen, |seen, (tree, nodes)| seen | self.within(tree, nodes));
        }
        seen
    }

    /// Whether a constraint is about each node of some symbol, and sees nothing outside of it.
    pub fn is_local(&self, constraint: usize) -> bool {
        self.local & !self.always & own_bit(constraint) != 0
    }

    /// The constraints that see that the part of `tree` at `at` gives way to that of `donor` at `from`.
    pub fn by_part(&self, tree: &Tree, at: Index, donor: &Tree, from: Index) -> Set {
        self.always
            | self.above(tree, at)
            | self.within(tree, at..tree.end(at))
            | self.within(donor, from..donor.end(from))
    }

    /// Those that read the text of a node above `at`.
    fn above(&self, tree: &Tree, at: Index) -> Set {
        let (mut seen, mut above) = (0, 0);
        while above < at {
            let node = tree.node(above);
            if above + node.len > at {
                if let Kind::Symbol(symbol) = node.kind() {
                    seen |= self.text[symbol.0 as usize];
                }
                above += 1;
            } else {
                above += node.len;
            }
        }
        seen
    }

    /// Those that name or read some of these nodes.
    fn within(&self, tree: &Tree, nodes: Range<Index>) -> Set {
        tree.nodes()[nodes.start as usize..nodes.end as usize].iter().fold(0, |seen, node| {
            match node.kind() {
                Kind::Symbol(symbol) => seen | self.named[symbol.0 as usize] | self.text[symbol.0 as usize],
                _ => seen,
            }
        })
    }
}

/// A look at one constraint.
struct Look<'a> {
    touching: &'a mut Touching,
    bit: Set,
    /// The symbols in the slots bound so far.
    bound: Vec<(u32, SymbolId)>,
    /// Selectors that start at no slot, but look at the whole tree.
    roots: u32,
}

impl Look<'_> {
    fn formula(&mut self, formula: &Formula) {
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
    fn selector(&mut self, selector: &Selector) -> Option<SymbolId> {
        let mut selected = match selector.base {
            Base::All(symbol) => {
                self.roots += 1;
                self.named(symbol)
            }
            Base::Slot(slot) => self.in_slot(slot),
        };
        for step in &selector.steps {
            selected = match step {
                Step::Child(symbol) | Step::Descendant(symbol) => self.named(*symbol),
                Step::Slot(slot) => self.in_slot(*slot),
                Step::At(_) | Step::Range(..) => self.unknown(),
            };
        }
        selected
    }

    fn named(&mut self, symbol: SymbolId) -> Option<SymbolId> {
        // A symbol that no tree of this grammar has is nowhere.
        *self.touching.named.get_mut(symbol.0 as usize)? |= self.bit;
        Some(symbol)
    }

    fn in_slot(&mut self, slot: u32) -> Option<SymbolId> {
        self.bound.iter().rev().find(|(known, _)| *known == slot).map(|(_, symbol)| *symbol)
    }

    fn unknown<T>(&mut self) -> Option<T> {
        self.touching.always |= self.bit;
        None
    }

    /// Notes that the text of a symbol is read.
    fn reads(&mut self, symbol: Option<SymbolId>) {
        if let Some(symbol) = symbol {
            self.touching.text[symbol.0 as usize] |= self.bit;
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
