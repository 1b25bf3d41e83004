//! Tokens of several signs: what reads otherwise when a space stands between its signs.
use std::collections::{BTreeSet, HashSet};

use super::{
    super::answers::log::Sides,
    Counts, Halt, Learner, Prober,
    phrase::{JUNK, punctuation, text, with},
    prober::differences,
    votes::Site,
};

/// Longer ones are no operators.
const LONGEST: usize = 4;
/// In so many states in which almost everything reads the same operators are looked for: it takes a look at every pair.
const ABSORBING_STATES: u32 = 8;

fn changed(first: &Counts, second: &Counts) -> HashSet<u32> {
    differences(first, second).into_iter().map(|(key, _)| key).collect()
}

/// The signs that junk was compared with, and where.
fn signs_wanted(log: &[(Site, Sides)]) -> BTreeSet<(Site, u8)> {
    let junk = u64::from(JUNK[0]);
    let sign = |sides: &Sides| match *sides {
        Sides::Numbers { ordered: false, sides: [a, b], .. } if (a == junk) != (b == junk) => {
            u8::try_from(if a == junk { b } else { a }).ok().filter(u8::is_ascii_punctuation)
        }
        _ => None,
    };
    log.iter().filter_map(|(site, sides)| Some((*site, sign(sides)?))).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// Looks for operators behind a phrase.
    pub(super) fn find_operators(
        &mut self,
        phrase: &[Vec<u8>],
        absorbing: bool,
    ) -> Result<(), Halt<P::Error>> {
        self.absorbing_states += u32::from(absorbing);
        if absorbing && self.absorbing_states > ABSORBING_STATES {
            return Ok(());
        }
        let spaces = self.changed_by_spaces(phrase, absorbing)?;
        let known = self.operators.iter().filter(|operator| operator.len() < LONGEST).cloned();
        let mut beginnings: Vec<Vec<u8>> = punctuation().chain(known).collect();
        while let Some(beginning) = beginnings.pop() {
            // What ends a comment or a text in quotes is made of signs that are tokens elsewhere.
            if absorbing && (beginning.len() > 1 || !self.strong.contains_key(&beginning)) {
                continue;
            }
            let next = if absorbing {
                self.strong.keys().filter(|token| token.len() == 1).map(|token| token[0]).collect()
            } else {
                self.signs_behind(phrase, &beginning)?
            };
            if next.is_empty() || (!absorbing && self.future(&with(phrase, &beginning))?.absorbing) {
                continue;
            }
            for sign in next {
                let operator = [&beginning[..], &[sign]].concat();
                if !self.operators.contains(&operator)
                    && self.reads_otherwise(phrase, &beginning, sign, &spaces)?
                    && self.is_unit(phrase, &beginning, sign)?
                {
                    self.operators.insert(operator.clone());
                    if operator.len() < LONGEST {
                        beginnings.push(operator);
                    }
                }
            }
        }
        Ok(())
    }

    /// The signs that are looked for right behind a beginning, but not behind a space.
    fn signs_behind(&mut self, phrase: &[Vec<u8>], beginning: &[u8]) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let bytes = text(&with(phrase, beginning));
        let behind = signs_wanted(&self.prober.trace(&[&bytes[..], JUNK].concat())?);
        let apart = signs_wanted(&self.prober.trace(&[&bytes[..], b" ", JUNK].concat())?);
        Ok(behind.difference(&apart).map(|(_, sign)| *sign).collect())
    }

    /// The counters that a space more changes, whatever stands around it.
    fn changed_by_spaces(
        &mut self,
        phrase: &[Vec<u8>],
        absorbing: bool,
    ) -> Result<HashSet<u32>, Halt<P::Error>> {
        let bytes = text(phrase);
        let mut pairs: Vec<[&[u8]; 2]> = vec![[b" q", b"  q"]];
        if absorbing {
            pairs.push([b" qq", b" q q"]);
        }
        let mut spaces = HashSet::new();
        for [tight, wide] in pairs {
            let (tight, wide) =
                (self.read(&[&bytes[..], tight].concat())?, self.read(&[&bytes[..], wide].concat())?);
            spaces.extend(changed(&tight, &wide));
        }
        Ok(spaces)
    }

    /// Whether a space within an operator changes more than a space does.
    fn reads_otherwise(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
        sign: u8,
        spaces: &HashSet<u32>,
    ) -> Result<bool, Halt<P::Error>> {
        let bytes = text(phrase);
        let tight = self.read(&[&bytes[..], b" ", beginning, &[sign], b" q"].concat())?;
        let wide = self.read(&[&bytes[..], b" ", beginning, b" ", &[sign], b" q"].concat())?;
        Ok(!changed(&tight, &wide).is_subset(spaces))
    }

    /// Whether an operator leads to a state, and to another one than its parts.
    fn is_unit(&mut self, phrase: &[Vec<u8>], beginning: &[u8], sign: u8) -> Result<bool, Halt<P::Error>> {
        if self.is_in_names(phrase, sign)? {
            return Ok(false);
        }
        let parts = with(&with(phrase, beginning), &[sign]);
        self.is_other(&with(phrase, &[beginning, &[sign]].concat()), &[parts], None)
    }

    /// Whether a sign may be part of a name.
    fn is_in_names(&mut self, phrase: &[Vec<u8>], sign: u8) -> Result<bool, Halt<P::Error>> {
        let (name, own) = (with(phrase, b"xx"), self.test_of(&[sign]));
        let within = with(phrase, &[b'x', sign, b'x']);
        if self.is_silent(&within)? || self.is_other(&within, std::slice::from_ref(&name), own)? {
            return Ok(false);
        }
        let name = self.future(&name)?;
        Ok(!name.silent && !name.absorbing)
    }
}
