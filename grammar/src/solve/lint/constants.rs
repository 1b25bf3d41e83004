//! Constraints that are constant, and pairs of them between whose bounds nothing lies.
use crate::front::source::Span;
use crate::python::code::{Cmp, Ex};
use crate::python::value::Value;
use crate::solve::formula::{Comparison, Formula};
use crate::spec::Spec;

/// The constraints that name no symbol.
pub fn constant(spec: &Spec) -> Vec<usize> {
    let names_none = |index: &usize| !names_symbol(&spec.constraints[*index].formula);
    (0..spec.constraints.len()).filter(names_none).collect()
}

fn names_symbol(formula: &Formula) -> bool {
    match formula {
        Formula::Forall(..) | Formula::Exists(..) => true,
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(names_symbol),
        // Lists and counts are inside of the code.
        Formula::Compare(comparison) => {
            !comparison.selectors.is_empty() || has_select(&comparison.left) || has_select(&comparison.right)
        }
        Formula::Test(test) => !test.selectors.is_empty() || has_select(&test.ex),
    }
}

fn has_select(ex: &Ex) -> bool {
    format!("{ex:?}").contains("Select(")
}

/// What a comparison with a constant says about its other side.
struct Limit<'f> {
    /// The other side, as something to compare.
    about: String,
    cmp: Cmp,
    bound: &'f Value,
    span: Span,
}

/// Pairs of comparisons that everything must satisfy and nothing can.
pub fn contradictions(spec: &Spec) -> Vec<(Span, Span)> {
    let mut limits: Vec<Limit<'_>> = Vec::new();
    for constraint in &spec.constraints {
        collect(&constraint.formula, &mut limits);
    }
    let mut found = Vec::new();
    for (number, one) in limits.iter().enumerate() {
        for other in &limits[number + 1..] {
            if one.about == other.about && contradict(one, other) {
                found.push((one.span, other.span));
            }
        }
    }
    found
}

fn collect<'f>(formula: &'f Formula, out: &mut Vec<Limit<'f>>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| collect(part, out)),
        Formula::Compare(comparison) => out.extend(limit(comparison)),
        _ => {}
    }
}

fn limit(comparison: &Comparison) -> Option<Limit<'_>> {
    let (ex, cmp, bound) = match (&comparison.left, &comparison.right) {
        (Ex::Const(_), Ex::Const(_)) => return None,
        (ex, Ex::Const(bound)) => (ex, comparison.cmp, bound),
        (Ex::Const(bound), ex) => (ex, crate::solve::numbers::flip(comparison.cmp), bound),
        _ => return None,
    };
    // Slots are numbered anew in each constraint, so the same side looks the same but for where its matches are kept.
    let selectors =
        comparison.selectors.iter().map(|(_, selector)| (selector.base, &selector.steps, selector.mode));
    let about = format!("{ex:?} {:?}", selectors.collect::<Vec<_>>());
    let about = about.split("cache: Some(").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    let about = about.collect();
    Some(Limit { about, cmp, bound, span: comparison.span })
}

/// Whether no value satisfies both.
fn contradict(one: &Limit<'_>, other: &Limit<'_>) -> bool {
    if let (Value::Str(a), Value::Str(b)) = (one.bound, other.bound) {
        return match (one.cmp, other.cmp) {
            (Cmp::Eq, Cmp::Eq) => a != b,
            (Cmp::Eq, Cmp::Ne) | (Cmp::Ne, Cmp::Eq) => a == b,
            _ => false,
        };
    }
    let (Some(a), Some(b)) = (one.bound.as_float(), other.bound.as_float()) else { return false };
    // Every constraint's candidates lie at its bound, beside it, or between the two.
    let holds = |cmp: Cmp, value: f64, bound: f64| match cmp {
        Cmp::Eq => value == bound,
        Cmp::Ne => value != bound,
        Cmp::Lt => value < bound,
        Cmp::Le => value <= bound,
        Cmp::Gt => value > bound,
        Cmp::Ge => value >= bound,
        _ => true,
    };
    let candidates = [a - 1.0, a, a + 1.0, b - 1.0, b, b + 1.0, (a + b) / 2.0];
    !candidates.iter().any(|value| holds(one.cmp, *value, a) && holds(other.cmp, *value, b))
}
