//! The word of a pattern is changed so that the pattern still matches it.
use super::{Change, Mutator, Operator, pick};
use crate::generate::Failure;
use crate::ir::Node;
use crate::rng::Rng;
use crate::tree::{Index, Kind};

/// Edits tried before the word is derived anew.
const TRIES: u32 = 6;

pub(super) const OPERATOR: Operator =
    Operator { name: "terminal", help: "a word of a pattern becomes another that it matches", apply };

fn apply(mutator: &mut Mutator, change: &mut Change<'_>) -> Result<bool, Failure> {
    let (grammar, tree) = (change.material.grammar, change.tree);
    let regex = |at: Index| match tree.node(at).kind() {
        Kind::Terminal(node) => match grammar.node(node) {
            Node::Regex(regex) => Some((node, &grammar.regexes[*regex as usize])),
            _ => None,
        },
        _ => None,
    };
    let Some(at) = pick(tree, &mut mutator.spots, change.rng, |at| regex(at).is_some()) else {
        return Ok(false);
    };
    let Some((node, regex)) = regex(at) else { return Ok(false) };
    let mut word = std::mem::take(&mut mutator.text);
    let mut fits = false;
    for _ in 0..TRIES {
        word.clear();
        word.extend_from_slice(tree.text_of(at));
        edit(&mut word, change.rng);
        fits = word != tree.text_of(at) && regex.matches(&word);
        if fits {
            break;
        }
    }
    if !fits {
        word.clear();
        regex.generate(change.rng, change.material.size, &mut word);
    }
    mutator.put(tree, at, change.out, |out| {
        out.open(Kind::Terminal(node), 0);
        out.text_mut().extend_from_slice(&word);
    });
    mutator.text = word;
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
