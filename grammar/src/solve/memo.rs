//! Which comparisons inside several quantifiers depend on one of them only, so that their results can be kept.
use super::formula::Formula;
use crate::python::code::Ex;
use crate::python::lower::Lowerer;
use crate::select::{Base, Selector, Step};

/// Gives every such comparison a number to keep its results under.
pub fn assign(formula: &mut Formula, lowerer: &mut Lowerer) {
    walk(formula, 0, lowerer);
}

fn walk(formula: &mut Formula, depth: u32, lowerer: &mut Lowerer) {
    match formula {
        Formula::Forall(_, _, body) | Formula::Exists(_, _, body) => walk(body, depth + 1, lowerer),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter_mut().for_each(|part| walk(part, depth, lowerer));
        }
        Formula::Compare(comparison) if depth >= 2 => {
            let mut free = Vec::new();
            let pure = slots(&comparison.left, &mut free) && slots(&comparison.right, &mut free);
            free.retain(|slot| !comparison.selectors.iter().any(|(own, _)| own == slot));
            for (_, selector) in &comparison.selectors {
                selector_slots(selector, &mut free);
            }
            free.sort_unstable();
            free.dedup();
            if let ([slot], true) = (&free[..], pure) {
                comparison.memo = Some((lowerer.memos, *slot));
                lowerer.memos += 1;
            }
        }
        Formula::Compare(_) | Formula::Test(_) => {}
    }
}

fn selector_slots(selector: &Selector, out: &mut Vec<u32>) {
    if let Base::Slot(slot) = selector.base {
        out.push(slot);
    }
    out.extend(selector.steps.iter().filter_map(|step| match step {
        Step::Slot(slot) => Some(*slot),
        _ => None,
    }));
}

/// Adds the slots that `ex` reads; false if it may do more than read.
fn slots(ex: &Ex, out: &mut Vec<u32>) -> bool {
    match ex {
        Ex::Const(_) => true,
        Ex::Local(slot) => {
            out.push(*slot);
            true
        }
        Ex::Select(selector) => {
            selector_slots(selector, out);
            true
        }
        Ex::Str(inner)
        | Ex::Bytes(inner)
        | Ex::Int(inner)
        | Ex::Len(inner)
        | Ex::Neg(inner)
        | Ex::Not(inner) => slots(inner, out),
        Ex::Bin(_, pair) | Ex::Compare(_, pair) | Ex::Index(pair) => {
            slots(&pair.0, out) && slots(&pair.1, out)
        }
        _ => false,
    }
}
