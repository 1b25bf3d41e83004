//! A repetition gets a count at which programs tend to change their ways.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::Node;
use crate::tree::Kind;

/// Rounds that no repetition is given beyond its least.
const MOST: u32 = 300;
/// Counts around which programs tend to change their ways.
const COUNTS: [u32; 10] = [0, 1, 2, 3, 16, 17, 64, 128, 256, 257];
/// So many more rounds are few.
const FEW: u32 = 4;
/// So many different rounds are derived; when more are missing, they stand there again.
const DIFFERENT: u32 = 2;

pub(super) const OPERATOR: Operator = Operator {
    name: "resize",
    help: "a repetition gets another number of rounds",
    spot: Spot::Counted,
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Counted) else { return Ok(false) };
    let Change { material, subject, tree, rng, host, patch } = change;
    let grammar = material.grammar;
    let node = tree.node(at);
    let Some((min, max)) = mutator.kinds.of(node.kind()).bounds else { return Ok(false) };
    let Kind::Control(id) = node.kind() else { return Ok(false) };
    let Node::Repeat { body, .. } = grammar.node(id) else { return Ok(false) };
    let wanted = match rng.below(6) {
        0 => min,
        1 if max <= MOST => max,
        2 => node.alt.saturating_mul(2),
        3 => node.alt / 2,
        4 => node.alt + 1,
        _ => COUNTS[rng.below(COUNTS.len() as u32) as usize],
    };
    let count = wanted.clamp(min, max.min(MOST.max(min)));
    if count == node.alt {
        return Ok(false);
    }
    // Where constraints see it, many rounds take long.
    if count > node.alt.saturating_add(FEW) && subject.is_dear(Spot::Counted, at) && !rng.one_in(16) {
        return Ok(false);
    }
    let (mark, end) = (patch.mark(), tree.end(at));
    if count < node.alt {
        let kept = Mutator::round_start(grammar, tree, at, count);
        patch.replace_inside(tree, at, count, kept..end, mark);
        return Ok(true);
    }
    let missing = count - node.alt;
    for number in 0..missing.min(DIFFERENT) {
        let round = mutator.round(material, *body, material.size / 4, rng, *host)?;
        let times = (missing + number) / DIFFERENT.min(missing);
        let nodes = 0..round.tree.len();
        patch.add(round.tree, nodes, times, round.is_valid);
    }
    patch.replace_inside(tree, at, count, end..end, mark);
    Ok(true)
}
