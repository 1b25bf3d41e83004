//! Steps of selectors that the grammar never takes.
use crate::ir::{Grammar, SymbolId};
use crate::select::{Base, Selector, Step};
use crate::solve::formula::Formula;
use crate::spec::Spec;

/// Why some selector of a formula can never match, in a sentence.
pub fn impossible(spec: &Spec, formula: &Formula) -> Option<String> {
    walk(&spec.grammar, formula, &mut Vec::new())
}

fn walk(grammar: &Grammar, formula: &Formula, bound: &mut Vec<(u32, Option<SymbolId>)>) -> Option<String> {
    match formula {
        Formula::Forall(slot, selector, body) | Formula::Exists(slot, selector, body) => {
            let symbol = match follow(grammar, selector, bound) {
                Ok(symbol) => symbol,
                Err(why) => return Some(why),
            };
            bound.push((*slot, symbol));
            let found = walk(grammar, body, bound);
            bound.pop();
            found
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(|part| walk(grammar, part, bound)),
        Formula::Compare(comparison) => check(grammar, &comparison.selectors, bound),
        Formula::Test(test) => check(grammar, &test.selectors, bound),
    }
}

fn check(
    grammar: &Grammar,
    selectors: &[(u32, Selector)],
    bound: &[(u32, Option<SymbolId>)],
) -> Option<String> {
    selectors.iter().find_map(|(_, selector)| follow(grammar, selector, bound).err())
}

/// The symbol that a selector selects, if that is one; the step that is never there as an error.
fn follow(
    grammar: &Grammar,
    selector: &Selector,
    bound: &[(u32, Option<SymbolId>)],
) -> Result<Option<SymbolId>, String> {
    let of_slot =
        |slot: u32| bound.iter().rev().find(|(known, _)| *known == slot).and_then(|(_, symbol)| *symbol);
    let mut here = match selector.base {
        Base::All(symbol) if symbol.0 as usize >= grammar.symbols.len() => {
            return Err("the grammar does not use its first symbol".into());
        }
        Base::All(symbol) => Some(symbol),
        Base::Slot(slot) => of_slot(slot),
    };
    for step in &selector.steps {
        let next = match *step {
            Step::Child(symbol) | Step::Descendant(symbol) => Some(symbol),
            Step::Slot(slot) => of_slot(slot),
            Step::At(_) | Step::Range(..) => None,
        };
        if next.is_some_and(|next| next.0 as usize >= grammar.symbols.len()) {
            return Err("the grammar does not use one of its symbols".into());
        }
        if let (Some(above), Some(below)) = (here, next) {
            let (outer, inner) = (&grammar.symbol(above).name, &grammar.symbol(below).name);
            match step {
                Step::Child(_) if !is_child(grammar, above, below) => {
                    let hint = if grammar.reach.can(above, below) {
                        format!("; deeper it can stand, `{outer}..{inner}`")
                    } else {
                        String::new()
                    };
                    return Err(format!("{inner} is never a child of {outer}{hint}"));
                }
                Step::Descendant(_) if above != below && !grammar.reach.can(above, below) => {
                    return Err(format!("{inner} never stands below {outer}"));
                }
                _ => {}
            }
        }
        here = next;
    }
    Ok(here)
}

/// Whether the rule of `above` has `below` in it.
fn is_child(grammar: &Grammar, above: SymbolId, below: SymbolId) -> bool {
    grammar.named_in(above).any(|symbol| symbol == below)
}
