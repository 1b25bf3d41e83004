//! How far a tree is from satisfying a formula: branch distance through every comparison, `and`, `or` and quantifier.
use num_traits::ToPrimitive;

use super::check::{combinations, each, test};
use super::formula::{Comparison, Formula};
use crate::python::code::Cmp;
use crate::python::value::Value;
use crate::python::vm::Vm;

/// The distance; 0 exactly if the formula holds.
pub fn distance(vm: &mut Vm<'_>, formula: &Formula) -> f64 {
    match formula {
        Formula::And(parts) => parts.iter().map(|part| distance(vm, part)).sum(),
        Formula::Or(parts) => parts.iter().map(|part| distance(vm, part)).fold(f64::INFINITY, f64::min),
        Formula::Forall(slot, selector, body) => {
            let mut sum = 0.0;
            each(vm, *slot, selector, &mut |vm| {
                sum += distance(vm, body);
                true
            });
            sum
        }
        Formula::Exists(slot, selector, body) => {
            let mut least = f64::INFINITY;
            each(vm, *slot, selector, &mut |vm| {
                least = least.min(distance(vm, body));
                least > 0.0
            });
            if least.is_finite() { least } else { 2.0 }
        }
        Formula::Compare(comparison) => {
            let mut sum = 0.0;
            combinations(vm, &comparison.selectors, &mut |vm| {
                sum += comparison_distance(vm, comparison);
                true
            });
            sum
        }
        Formula::Test(inner) => {
            let mut sum = 0.0;
            combinations(vm, &inner.selectors, &mut |vm| {
                sum += f64::from(u8::from(!test(vm, inner)));
                true
            });
            sum
        }
    }
}

/// The distance of one combination, below 1.
pub fn comparison_distance(vm: &mut Vm<'_>, comparison: &Comparison) -> f64 {
    let left = vm.eval(&comparison.left);
    let right = vm.eval(&comparison.right);
    let (left, right) = match (left, right) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(raised), _) | (_, Err(raised)) => {
            super::check::note(vm, &raised);
            return 0.0;
        }
    };
    match vm.compare(comparison.cmp, &left, &right) {
        Ok(true) => return 0.0,
        Ok(false) => {}
        Err(raised) => {
            super::check::note(vm, &raised);
            return 0.0;
        }
    }
    if comparison.cmp == Cmp::Ne {
        return 0.9;
    }
    let strict = matches!(comparison.cmp, Cmp::Lt | Cmp::Gt);
    let raw = between(vm, &left, &right) + f64::from(u8::from(strict));
    // Into (0, 1), and never 0 for what failed.
    (raw / (raw + 1.0)).clamp(1e-9, 0.999_999)
}

/// How far two values are apart.
pub fn between(vm: &mut Vm<'_>, a: &Value, b: &Value) -> f64 {
    let number = |vm: &mut Vm<'_>, value: &Value| -> Option<f64> {
        match value {
            Value::Bool(value) => Some(f64::from(u8::from(*value))),
            Value::Int(value) => Some(*value as f64),
            Value::Big(value) => value.to_f64(),
            Value::Float(value) => Some(*value),
            Value::Tree(_) | Value::Trees(_) => vm.int_of(value).ok().and_then(|value| value.as_float()),
            _ => None,
        }
    };
    let is_number =
        |value: &Value| matches!(value, Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_));
    if is_number(a) || is_number(b) {
        return match (number(vm, a), number(vm, b)) {
            (Some(a), Some(b)) => (a - b).abs(),
            _ => 1e6,
        };
    }
    let bytes = |vm: &mut Vm<'_>, value: &Value| -> Option<Vec<u8>> {
        match value {
            Value::Str(text) => Some(text.as_bytes().to_vec()),
            other => vm.bytes_of(other).ok().map(std::borrow::Cow::into_owned),
        }
    };
    match (bytes(vm, a), bytes(vm, b)) {
        (Some(a), Some(b)) => {
            let apart = a.len().abs_diff(b.len()) as f64 * 256.0;
            apart + a.iter().zip(&b).map(|(x, y)| f64::from(x.abs_diff(*y))).sum::<f64>()
        }
        _ => 1e3,
    }
}
