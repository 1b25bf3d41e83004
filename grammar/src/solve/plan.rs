//! Which constraints compute a field, and in which order all are taken.
use super::formula::{Comparison, Formula};
use crate::ir::SymbolId;
use crate::python::code::{Arguments, Cmp, Ex, Piece};
use crate::select::{Base, Selector, Step};
use crate::spec::Spec;

/// How a constraint is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A field equals an expression over others: computed and parsed in.
    Computed,
    /// Two trees are equal: copied.
    Copied,
    /// Searched, guided by distance.
    Searched,
}

/// What is known about one constraint.
#[derive(Debug, Clone)]
pub struct Known {
    /// How it is met.
    pub class: Class,
    /// The symbols it would set.
    pub sets: Vec<SymbolId>,
    /// The symbols it reads.
    pub reads: Vec<SymbolId>,
}

/// The order and the kinds of a spec's constraints.
#[derive(Debug, Default)]
pub struct Plan {
    /// Per constraint.
    pub known: Vec<Known>,
    /// Indices of constraints, those that others depend on first.
    pub order: Vec<usize>,
    /// Constraints that compute fields from each other in a circle.
    pub cyclic: Vec<usize>,
}

/// The slot of a side that can be set by setting a tree: `<x>`, `str(<x>)`, `bytes(<x>)`, `int(<x>)`.
pub fn place(ex: &Ex) -> Option<u32> {
    match ex {
        Ex::Local(slot) => Some(*slot),
        Ex::Str(inner) | Ex::Bytes(inner) | Ex::Int(inner) => match &**inner {
            Ex::Local(slot) => Some(*slot),
            Ex::Str(deeper) | Ex::Bytes(deeper) => match &**deeper {
                Ex::Local(slot) => Some(*slot),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The symbol that `selector` selects, given what quantifiers bound.
fn symbol_of(selector: &Selector, bound: &[(u32, Option<SymbolId>)]) -> Option<SymbolId> {
    match selector.steps.last() {
        Some(Step::Child(symbol) | Step::Descendant(symbol)) => Some(*symbol),
        Some(Step::Slot(slot)) => lookup(*slot, bound),
        Some(_) => None,
        None => match selector.base {
            Base::All(symbol) => Some(symbol),
            Base::Slot(slot) => lookup(slot, bound),
        },
    }
}

fn lookup(slot: u32, bound: &[(u32, Option<SymbolId>)]) -> Option<SymbolId> {
    bound.iter().rev().find(|(known, _)| *known == slot).and_then(|(_, symbol)| *symbol)
}

impl Plan {
    /// Plans the constraints of `spec`.
    pub fn new(spec: &Spec) -> Self {
        let known: Vec<Known> =
            spec.constraints.iter().map(|constraint| study(&constraint.formula)).collect();
        let contains =
            |outer: SymbolId, inner: SymbolId| outer == inner || spec.grammar.reach.can(outer, inner);
        let count = known.len();
        // `later` waits for `earlier` if it reads something that `earlier` sets part of, and does not set it itself.
        let waits = |later: &Known, earlier: &Known| {
            earlier.class != Class::Searched
                && earlier.sets.iter().any(|set| {
                    later.reads.iter().any(|read| contains(*read, *set) && !later.sets.contains(set))
                })
        };
        let mut left: Vec<usize> = (0..count).collect();
        // What is searched for comes first: computed fields follow from it.
        left.sort_by_key(|index| known[*index].class != Class::Searched);
        let (mut order, mut cyclic) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let free = left.iter().position(|index| {
                known[*index].class == Class::Searched
                    || left.iter().all(|other| other == index || !waits(&known[*index], &known[*other]))
            });
            let at = free.unwrap_or_else(|| {
                cyclic.extend(left.iter().copied());
                0
            });
            order.push(left.remove(at));
        }
        cyclic.sort_unstable();
        cyclic.dedup();
        Self { known, order, cyclic }
    }
}

fn study(formula: &Formula) -> Known {
    let mut known = Known { class: Class::Searched, sets: Vec::new(), reads: Vec::new() };
    let mut pure = true;
    let mut copied = true;
    walk(formula, &mut Vec::new(), true, &mut known, &mut pure, &mut copied);
    if pure && !known.sets.is_empty() {
        known.class = if copied { Class::Copied } else { Class::Computed };
    }
    known
}

fn walk(
    formula: &Formula,
    bound: &mut Vec<(u32, Option<SymbolId>)>,
    certain: bool,
    known: &mut Known,
    pure: &mut bool,
    copied: &mut bool,
) {
    match formula {
        Formula::Forall(slot, selector, body) | Formula::Exists(slot, selector, body) => {
            let certain = certain && matches!(formula, Formula::Forall(..));
            let symbol = symbol_of(selector, bound);
            bound.push((*slot, symbol));
            walk(body, bound, certain, known, pure, copied);
            bound.pop();
        }
        Formula::And(parts) => parts.iter().for_each(|part| walk(part, bound, certain, known, pure, copied)),
        Formula::Or(parts) => parts.iter().for_each(|part| walk(part, bound, false, known, pure, copied)),
        Formula::Compare(comparison) => {
            let count = bound.len();
            for (slot, selector) in &comparison.selectors {
                let symbol = symbol_of(selector, bound);
                bound.push((*slot, symbol));
                known.reads.extend(symbol);
            }
            // Of what quantifiers bound, only what the sides name themselves: `<e>.<x>` reads `<x>`, not all of `<e>`.
            let mut named = Vec::new();
            let all = !(slots(&comparison.left, &mut named) && slots(&comparison.right, &mut named));
            let read = bound[..count].iter().filter(|(slot, _)| all || named.contains(slot));
            known.reads.extend(read.filter_map(|(_, symbol)| *symbol));
            match target(comparison).filter(|_| certain) {
                Some(slot) => {
                    known.sets.extend(lookup(slot, bound));
                    *copied &= place(&comparison.left).is_some() && place(&comparison.right).is_some();
                }
                None => *pure = false,
            }
            bound.truncate(count);
        }
        Formula::Test(test) => {
            *pure = false;
            for (_, selector) in &test.selectors {
                known.reads.extend(symbol_of(selector, bound));
            }
            known.reads.extend(bound.iter().filter_map(|(_, symbol)| *symbol));
        }
    }
}

/// Adds the slots that `ex` names; false if it is of a kind that is not looked into.
fn slots(ex: &Ex, out: &mut Vec<u32>) -> bool {
    let arguments = |arguments: &Arguments, out: &mut Vec<u32>| {
        arguments.args.iter().all(|(arg, _)| slots(arg, out))
            && arguments.named.iter().all(|(_, arg)| slots(arg, out))
    };
    match ex {
        Ex::Const(_) | Ex::Global(_) => true,
        Ex::Local(slot) => {
            out.push(*slot);
            true
        }
        Ex::Str(inner)
        | Ex::Bytes(inner)
        | Ex::Int(inner)
        | Ex::Len(inner)
        | Ex::Neg(inner)
        | Ex::Not(inner)
        | Ex::Attribute(inner, _) => slots(inner, out),
        Ex::Bin(_, pair) | Ex::Compare(_, pair) | Ex::Index(pair) => {
            slots(&pair.0, out) && slots(&pair.1, out)
        }
        Ex::Direct(_, args) => args.iter().all(|arg| slots(arg, out)),
        #[cfg(feature = "python")]
        Ex::Foreign(_, args) => args.iter().all(|arg| slots(arg, out)),
        Ex::Native(_, args) => arguments(args, out),
        Ex::Method(inner, _, args) | Ex::Call(inner, args) => slots(inner, out) && arguments(args, out),
        Ex::Format(pieces) => pieces.iter().all(|piece| match piece {
            Piece::Text(_) => true,
            Piece::Value(value, _, format) => {
                slots(value, out) && format.iter().all(|piece| matches!(piece, Piece::Text(_)))
            }
        }),
        _ => false,
    }
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one before the operator.
    Left,
    /// The one behind it.
    Right,
}

/// The side of an equation from which the other, a field, is computed; none if that takes nothing, or is not so.
pub fn computed_side(comparison: &Comparison) -> Option<Side> {
    let computes = |ex: &Ex| !matches!(ex, Ex::Const(_));
    match (place(&comparison.left), place(&comparison.right)) {
        (Some(_), None) if comparison.cmp == Cmp::Eq && computes(&comparison.right) => Some(Side::Right),
        (None, Some(_)) if comparison.cmp == Cmp::Eq && computes(&comparison.left) => Some(Side::Left),
        _ => None,
    }
}

/// The slot that `comparison` sets, if it is an equation with a side that can be set.
pub fn target(comparison: &Comparison) -> Option<u32> {
    if comparison.cmp != Cmp::Eq {
        return None;
    }
    match (place(&comparison.left), place(&comparison.right)) {
        // Of two fields, the one on the right follows the one on the left: `<open> == <close>`.
        (Some(_), Some(right)) => Some(right),
        (Some(left), None) => Some(left),
        (None, right) => right,
    }
}
