//! The word of a pattern is changed so that the pattern still matches it.
use super::{Change, Mutator, Operator, Spot};
use crate::generate::Failure;
use crate::ir::Node;
use crate::rng::Rng;
use crate::tree::Kind;

/// Edits tried before the word is derived anew.
const TRIES: u32 = 4;

pub(super) const OPERATOR: Operator = Operator {
    name: "terminal",
    help: "a word of a pattern becomes another that it matches",
    spot: Spot::Word,
    apply,
};

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let Some(at) = change.pick(Spot::Word) else { return Ok(false) };
    let Change { material, tree, rng, patch, .. } = change;
    let Kind::Terminal(node) = tree.node(at).kind() else { return Ok(false) };
    let Node::Regex(regex) = material.grammar.node(node) else { return Ok(false) };
    let regex = &material.grammar.regexes[*regex as usize];
    let (word, old) = (&mut mutator.text, tree.text_of(at));
    let mut fits = false;
    for _ in 0..TRIES {
        word.clear();
        word.extend_from_slice(old);
        edit(word, rng);
        fits = word != old && regex.matches(word);
        if fits {
            break;
        }
    }
    if !fits {
        word.clear();
        regex.generate(rng, material.size, word);
    }
    let (from, mark) = (patch.pieces.len(), patch.mark());
    patch.pieces.terminal(node, word);
    // Constraints are about symbols.
    patch.add_own(from, true);
    patch.replace(tree, at, mark);
    Ok(true)
}

/// One small change of a word.
fn edit(word: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(word.len() as u32) as usize;
    match rng.below(4) {
        0 if !word.is_empty() => word[at] = word[at].wrapping_add(1),
        1 if !word.is_empty() => word[at] = 32 + rng.below(95) as u8,
        2 if !word.is_empty() => drop(word.remove(at)),
        _ => {
            let byte = word.get(at).copied().unwrap_or(b'0');
            word.insert(at, byte);
        }
    }
}
