//! Mutations of an input as a row of tokens, where tokens have been learnt: what is put in stands for itself.
use std::{num::NonZero, ops::Range};

use libafl::{
    Error, HasMetadata,
    corpus::{Corpus, CorpusId},
    inputs::HasMutatorBytes,
    mutators::Tokens,
    state::{HasCorpus, HasMaxSize, HasRand},
};
use libafl_bolts::rands::Rand;

use super::{
    super::{
        assembly::{Input, State},
        keep::Keeper,
        parts::Parts,
    },
    Technique,
};
use crate::origin::Op;

/// At most 2 to this power mutations are stacked.
const MAX_STACK_POWER: NonZero<usize> = NonZero::new(4).unwrap();
/// Longer inputs are left to other techniques.
const LONGEST: usize = 1 << 12;
/// So many tokens are taken from elsewhere at most.
const LONGEST_RUN: NonZero<usize> = NonZero::new(8).unwrap();
/// Inserts, replaces, deletes, repeats, takes over from another entry.
const WAYS: NonZero<usize> = NonZero::new(8).unwrap();

/// Mutates rows of tokens.
#[derive(Debug, Default)]
pub struct Phrases {
    tokens: Vec<Vec<u8>>,
}

/// What a byte may be part of: nothing, signs in a row, or a word.
fn kind(byte: u8) -> u8 {
    match byte {
        _ if byte.is_ascii_whitespace() => 0,
        _ if byte.is_ascii_punctuation() && byte != b'_' => 1,
        _ => 2,
    }
}

/// Where the tokens of an input are: words, or signs in a row.
fn split(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let own = kind(bytes[start]);
        let len = bytes[start..].iter().take_while(|byte| kind(**byte) == own).count();
        if own != 0 {
            tokens.push(start..start + len);
        }
        start += len;
    }
    tokens
}

/// Puts something in the place of bytes, with spaces where it would become one with what stands beside it.
fn put(bytes: &mut Vec<u8>, place: Range<usize>, with: &[u8]) {
    let join = |left: Option<&u8>, right: Option<&u8>| {
        left.zip(right).is_some_and(|(left, right)| kind(*left) == kind(*right) && kind(*left) != 0)
    };
    let (before, behind) = (bytes[..place.start].last(), bytes.get(place.end));
    let mut new = Vec::with_capacity(with.len() + 2);
    if join(before, with.first().or(behind)) {
        new.push(b' ');
    }
    new.extend_from_slice(with);
    if join(with.last(), behind) {
        new.push(b' ');
    }
    bytes.splice(place, new);
}

impl Phrases {
    fn token(&self, state: &mut State) -> &[u8] {
        let n = state.rand_mut().below_or_zero(self.tokens.len());
        &self.tokens[n]
    }

    /// A few tokens in a row of another entry, or of this one.
    fn foreign(state: &mut State, own: &[u8]) -> Result<Vec<u8>, Error> {
        let count = state.corpus().count();
        let other = CorpusId(state.rand_mut().below_or_zero(count));
        let other = state.corpus().cloned_input_for_id(other)?;
        let bytes = if state.rand_mut().coinflip(0.5) { own } else { other.mutator_bytes() };
        let bytes = &bytes[..bytes.len().min(LONGEST)];
        let tokens = split(bytes);
        let Some(n) = NonZero::new(tokens.len()) else { return Ok(Vec::new()) };
        let first = state.rand_mut().below(n);
        let last = (first + state.rand_mut().below(LONGEST_RUN)).min(tokens.len() - 1);
        Ok(bytes[tokens[first].start..tokens[last].end].to_vec())
    }

    fn mutate(&self, state: &mut State, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let tokens = split(bytes);
        let n = state.rand_mut().below_or_zero(tokens.len() + 1);
        // Before a token, or behind all.
        let place = tokens.get(n).cloned().unwrap_or(bytes.len()..bytes.len());
        match state.rand_mut().below(WAYS) {
            0..=2 => put(bytes, place.start..place.start, self.token(state)),
            3..=4 => put(bytes, place, self.token(state)),
            5 => put(bytes, place, b""),
            _ => {
                let run = Self::foreign(state, bytes)?;
                let place = if state.rand_mut().coinflip(0.5) { place } else { place.start..place.start };
                put(bytes, place, &run);
            }
        }
        Ok(())
    }
}

impl Technique for Phrases {
    fn ops(&self) -> &[Op] {
        &[Op::Phrase]
    }

    fn begin(&mut self, parts: &mut Parts<'_>, _: &Keeper, entry: CorpusId) -> Result<bool, Error> {
        let Ok(known) = parts.state.metadata::<Tokens>() else { return Ok(false) };
        if known.len() != self.tokens.len() {
            self.tokens = known.tokens().to_vec();
        }
        Ok(!self.tokens.is_empty() && parts.input_of(entry)?.mutator_bytes().len() <= LONGEST)
    }

    fn make(&mut self, state: &mut State, input: &mut Input) -> Result<Option<(Op, u16)>, Error> {
        let rep = 1 << state.rand_mut().below(MAX_STACK_POWER);
        for _ in 0..rep {
            self.mutate(state, input.as_mut())?;
        }
        input.as_mut().truncate(state.max_size());
        Ok(Some((Op::Phrase, rep)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_are_tokens() {
        let text = b"if (x_1 <= 2)\n";
        let tokens: Vec<&[u8]> = split(text).into_iter().map(|token| &text[token]).collect();
        assert_eq!(tokens, [&b"if"[..], b"(", b"x_1", b"<=", b"2", b")"]);
        assert!(split(b"").is_empty());
    }

    #[test]
    fn what_is_put_in_stands_for_itself() {
        let mut bytes = b"if(x)y".to_vec();
        put(&mut bytes, 3..4, b"while");
        assert_eq!(bytes, b"if(while)y");
        put(&mut bytes, 9..9, b"+");
        assert_eq!(bytes, b"if(while) +y");
        put(&mut bytes, 12..12, b"else");
        assert_eq!(bytes, b"if(while) +y else");
        put(&mut bytes, 0..2, b"");
        assert_eq!(bytes, b"(while) +y else");
        put(&mut bytes, 9..10, b"");
        assert_eq!(bytes, b"(while) + else");
    }

    #[test]
    fn what_is_taken_out_joins_nothing() {
        let mut bytes = b"a+b".to_vec();
        put(&mut bytes, 1..2, b"");
        assert_eq!(bytes, b"a b");
    }
}
