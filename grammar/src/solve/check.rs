//! Whether a tree satisfies a formula.
use super::formula::{Comparison, Formula, Test};
use super::plan::Side;
use crate::python::code::Cmp;
use crate::python::error::{REFUSED, Raised};
use crate::python::value::{TreeRef, Value};
use crate::python::vm::{Found, Vm};
use crate::select::Selector;
use crate::tree::Index;

/// Whether `formula` holds.
pub fn holds(vm: &mut Vm<'_>, formula: &Formula) -> bool {
    match formula {
        Formula::Forall(slot, selector, body) => each(vm, *slot, selector, &mut |vm| holds(vm, body)),
        Formula::Exists(slot, selector, body) => !each(vm, *slot, selector, &mut |vm| !holds(vm, body)),
        Formula::And(parts) => parts.iter().all(|part| holds(vm, part)),
        Formula::Or(parts) => parts.iter().any(|part| holds(vm, part)),
        Formula::Compare(comparison) => {
            if let Some(result) = comparison.memo.and_then(|memo| vm.remembered(memo)) {
                return result;
            }
            let result =
                combinations(vm, &comparison.selectors, &mut |vm| compare(vm, comparison).unwrap_or(true));
            if let Some(memo) = comparison.memo {
                vm.remember(memo, result);
            }
            result
        }
        Formula::Test(test) => combinations(vm, &test.selectors, &mut |vm| self::test(vm, test)),
    }
}

/// Calls `f` with every match bound to a slot until it says false; whether it never did.
#[inline]
pub fn each(vm: &mut Vm<'_>, slot: u32, selector: &Selector, f: &mut dyn FnMut(&mut Vm<'_>) -> bool) -> bool {
    let found = vm.find(selector);
    let mut fine = true;
    for index in 0..found.len() {
        let at = vm.found(&found, index);
        bind(vm, slot, at);
        if !f(vm) {
            fine = false;
            break;
        }
    }
    vm.release(&found);
    fine
}

/// Puts the node `at` of the input into a slot.
#[inline]
pub fn bind(vm: &mut Vm<'_>, slot: u32, at: Index) {
    vm.set_slot(slot, Value::Tree(TreeRef { tree: 0, at }));
}

/// Whether one combination satisfies a comparison; none if an exception skips it.
pub fn compare(vm: &mut Vm<'_>, comparison: &Comparison) -> Option<bool> {
    match vm.compare_ex(comparison.cmp, &comparison.left, &comparison.right) {
        Ok(result) => Some(result),
        Err(raised) => {
            note(vm, &raised);
            None
        }
    }
}

/// Like [`compare`], and `value` becomes that of a side.
pub fn compare_keeping(
    vm: &mut Vm<'_>,
    comparison: &Comparison,
    side: Side,
    value: &mut Option<Value>,
) -> Option<bool> {
    let (computed, field) = match side {
        Side::Left => (&comparison.left, &comparison.right),
        Side::Right => (&comparison.right, &comparison.left),
    };
    if comparison.cmp == Cmp::Eq
        && let Some(bytes) = vm.field_bytes(field)
    {
        // Against the tree's own bytes, which nobody else needs.
        let compared = vm.eval(computed).and_then(|made| {
            let result = match &made {
                Value::Bytes(made) => **made == *bytes,
                other => vm.compare(Cmp::Eq, &Value::bytes(bytes), other)?,
            };
            *value = Some(made);
            Ok(result)
        });
        return compared.map_err(|raised| note(vm, &raised)).ok();
    }
    let both = vm.eval(&comparison.left).and_then(|left| Ok((left, vm.eval(&comparison.right)?)));
    let compared = both.and_then(|(left, right)| {
        let result = vm.compare(comparison.cmp, &left, &right)?;
        *value = Some(if side == Side::Left { left } else { right });
        Ok(result)
    });
    compared.map_err(|raised| note(vm, &raised)).ok()
}

/// Whether one combination satisfies a test; an exception counts as failed.
pub fn test(vm: &mut Vm<'_>, test: &Test) -> bool {
    match vm.test(&test.ex) {
        Ok(result) => result,
        Err(raised) => {
            note(vm, &raised);
            false
        }
    }
}

/// Keeps the reason why something could not be run at all.
#[cold]
pub fn note(vm: &mut Vm<'_>, raised: &Raised) {
    if &*raised.kind == REFUSED {
        vm.state.refused.get_or_insert_with(|| raised.message.clone());
    } else {
        vm.state.raised.get_or_insert_with(|| format!("{}: {}", raised.kind, raised.message));
    }
}

/// Calls `f` with every combination of matches bound to their slots until it says false; whether it never did.
pub fn combinations(
    vm: &mut Vm<'_>,
    selectors: &[(u32, Selector)],
    f: &mut dyn FnMut(&mut Vm<'_>) -> bool,
) -> bool {
    match selectors {
        [] => f(vm),
        [(slot, selector)] => each(vm, *slot, selector, f),
        _ => {
            let mut lists: smallvec::SmallVec<[(u32, Found); 4]> = smallvec::SmallVec::new();
            let mut empty = false;
            for (slot, selector) in selectors {
                let found = vm.find(selector);
                empty |= found.is_empty();
                lists.push((*slot, found));
            }
            let fine = empty || product(vm, &lists, f);
            for (_, found) in lists.iter().rev() {
                vm.release(found);
            }
            fine
        }
    }
}

fn product(vm: &mut Vm<'_>, lists: &[(u32, Found)], f: &mut dyn FnMut(&mut Vm<'_>) -> bool) -> bool {
    match lists.split_first() {
        None => f(vm),
        Some(((slot, found), rest)) => {
            for index in 0..found.len() {
                let at = vm.found(found, index);
                bind(vm, *slot, at);
                if !product(vm, rest, f) {
                    return false;
                }
            }
            true
        }
    }
}
