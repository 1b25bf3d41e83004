//! A new round stands somewhere in a repetition.
use super::{Change, Mutator, Operator, pick, rounds};
use crate::generate::Failure;
use crate::ir::Node;
use crate::tree::{Index, Kind};

pub(super) const OPERATOR: Operator =
    Operator { name: "insert", help: "a new round is put into a repetition", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Change { material, tree, rng, host, out } = change;
    let grammar = material.grammar;
    let room = |at: Index| match rounds::fixed_bounds(grammar, tree, at) {
        Some((_, max)) => max > tree.node(at).alt,
        None => false,
    };
    let Some(at) = pick(tree, &mut mutator.spots, rng, room) else { return Ok(false) };
    let Kind::Control(node) = tree.node(at).kind() else { return Ok(false) };
    let Node::Repeat { body, .. } = grammar.node(node) else { return Ok(false) };
    let mut round = std::mem::take(&mut mutator.scratch);
    round.clear();
    let made = mutator.generator.node(grammar, *body, material.size, rng, host, &mut round);
    if made.is_ok() {
        mutator.split(grammar, tree, at);
        let place = rng.below(mutator.rounds.len() as u32 + 1) as usize;
        let end = tree.end(at);
        let cut = mutator.rounds.get(place).map_or(end, |(start, _)| *start);
        mutator.put(tree, at, out, |out| {
            let open = out.open(Kind::Control(node), tree.node(at).alt + 1);
            out.append_siblings(tree, at + 1..cut);
            out.append_siblings(&round, 0..round.len());
            out.append_siblings(tree, cut..end);
            out.close(open);
        });
    }
    mutator.scratch = round;
    made.map(|()| true)
}
