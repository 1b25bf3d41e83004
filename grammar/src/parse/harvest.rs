//! Trees from the chart: along the items, each by the first way in which it came about, or by ways drawn.
use super::chart::{Item, NONE, Place};
use super::code::{Element, Form};
use super::input::Text;
use super::ways::{Draw, Ways};
use super::{Job, ParseError};
use crate::generate::Host;
use crate::ir::{Bound, ExprId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

/// What is kept between texts.
#[derive(Debug, Default)]
pub struct Buffers {
    todo: Vec<Emit>,
    within: Vec<Index>,
}

/// What is still to do to the tree.
#[derive(Debug, Clone, Copy)]
enum Emit {
    /// The word that an item says is through.
    Word(u32),
    /// A terminal, by its slot, from one position to another.
    Terminal { slot: u32, from: u32, to: u32 },
    /// The end of a node.
    Close(Index),
}

/// Makes the tree that the item `found` stands for; with `ways`, one of its trees.
#[expect(clippy::too_many_arguments, reason = "the state of a parse, all of it borrowed")]
pub fn harvest<T: Text, H: Host>(
    job: &Job<'_, T>,
    items: &[Item],
    ways: Option<(&Ways, Draw)>,
    buffers: &mut Buffers,
    found: u32,
    rng: &mut Rng,
    host: &mut H,
    tree: &mut Tree,
) -> Result<(), ParseError> {
    let mut todo = std::mem::take(&mut buffers.todo);
    todo.clear();
    todo.push(Emit::Word(found));
    let mut within = std::mem::take(&mut buffers.within);
    within.clear();
    // Ways that are drawn can lead around in a circle where a symbol derives itself; the first ways never do.
    let mut drawn = 64 + 16 * job.text.len();
    let mut way = |index: u32, rng: &mut Rng| match ways {
        Some((ways, draw)) if drawn > 0 => {
            drawn -= 1;
            ways.pick(items, index, draw, rng)
        }
        _ => items[index as usize],
    };
    while let Some(next) = todo.pop() {
        match next {
            Emit::Close(at) => {
                tree.close(at);
                within.pop();
            }
            Emit::Terminal { slot, from, to } => {
                let (node, bit) = match job.code.elements[slot as usize] {
                    Element::Byte(node, _) | Element::Literal(node) | Element::Regex(node, _) => (node, None),
                    Element::Bit(node, bit) => (node, Some(bit)),
                    Element::Goal(_) | Element::End(_) => continue,
                };
                tree.open(Kind::Terminal(node), 0);
                match bit {
                    Some(bit) => tree.text_mut().push(u8::from(bit)),
                    None => job.text.copy(from, to, tree.text_mut()),
                }
            }
            Emit::Word(item) => {
                let Item { place: Place::Through(goal), from, before, .. } = way(item, rng) else {
                    continue;
                };
                // A row has no node of its own.
                let form = job.code.goals.get(goal as usize).map(|goal| goal.form);
                let kind = job.code.goals.get(goal as usize).and_then(|goal| goal.tree);
                let open = kind.map(|kind| {
                    let at = tree.open(kind, 0);
                    todo.push(Emit::Close(at));
                    within.push(at);
                    at
                });
                let first = todo.len();
                let mut last = before;
                let mut rounds = 0;
                // Back along the items of the production; the first element ends up on top.
                while last != NONE {
                    let Item { place, at, before, word, .. } = way(last, rng);
                    if before != NONE {
                        let step = match (place, word) {
                            (Place::Slot(slot), NONE) => {
                                Emit::Terminal { slot: slot - 1, from: items[before as usize].at, to: at }
                            }
                            (_, word) => Emit::Word(word),
                        };
                        rounds += 1;
                        todo.push(step);
                    }
                    if let (Some(open), None, Place::Slot(slot), Some(Form::Choice(..))) =
                        (open, (before != NONE).then_some(()), place, form)
                    {
                        // The item before the first element: its slot is where its production starts.
                        tree.set_alt(
                            open,
                            job.code.production_at(goal, slot).map_or(0, |production| production.alt),
                        );
                    }
                    last = before;
                }
                debug_assert!(todo.len() - first == rounds as usize);
                if let (Some(open), Some(Form::Repeat { min, max, .. })) = (open, form) {
                    tree.set_alt(open, rounds);
                    let mut ask = |expr: ExprId| host.bound(expr, tree, &within, rng).ok();
                    let fits = |bound: Bound, ask: &mut dyn FnMut(ExprId) -> Option<u32>| match bound {
                        Bound::Expr(expr) => ask(expr),
                        Bound::Const(count) => Some(count),
                        Bound::Open => None,
                    };
                    let low = fits(min, &mut ask);
                    let high = if max == min { low } else { fits(max, &mut ask) };
                    let wrong = low.is_some_and(|low| rounds < low) || high.is_some_and(|high| rounds > high);
                    let failed = (matches!(min, Bound::Expr(_)) && low.is_none())
                        || (matches!(max, Bound::Expr(_)) && high.is_none());
                    if wrong || failed {
                        let expected = vec!["another number of rounds of a computed repetition".to_owned()];
                        return Err(ParseError::Mismatch { at: job.text.byte(from), expected });
                    }
                }
            }
        }
    }
    buffers.todo = todo;
    buffers.within = within;
    Ok(())
}
