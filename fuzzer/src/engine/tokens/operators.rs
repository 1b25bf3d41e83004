//! Tokens of several signs: what reads otherwise when a space stands between its signs.
use std::collections::{BTreeSet, HashSet};

use super::{
    super::answers::log::Sides,
    Counts, Halt, Learner, Prober,
    junk::{Junk, end, is_junk, tight},
    phrase::{LINE, NAME, Phrase, punctuation, text, with},
    prober::differences,
    votes::Site,
};

/// Longer ones are no operators.
const LONGEST: usize = 4;
/// A lexer asks for the same signs in every state. So many states are enough to see that they are nothing to the parser.
const ENOUGH_STATES: u32 = 3;
/// No language has so many operators that differ in the last sign only: what reads so many signs otherwise than apart is a
/// prefix that takes any, as for the name of an operator or a letter.
const MANY: usize = 8;

/// Whether this is what a prefix is put before. Only the same sign once more may make an operator with it.
fn is_prefixed(operator: &[u8], prefix: &[u8]) -> bool {
    let behind = operator.strip_prefix(prefix).unwrap_or_default();
    behind.first().is_some_and(|sign| !prefix.ends_with(&[*sign]))
}

fn changed(first: &Counts, second: &Counts) -> HashSet<u32> {
    differences(first, second).into_iter().map(|(key, _)| key).collect()
}

/// The signs that junk was compared with, where, and behind how many bytes that were right.
fn signs_wanted(log: &[(Site, Sides)], junk: Junk) -> BTreeSet<(Site, usize, u8)> {
    let wanted = |(site, sides): &(Site, Sides)| {
        let (right, a, b) = match sides {
            Sides::Numbers { ordered: false, sides: [a, b], .. } => (0, *a, *b),
            Sides::Texts([a, b]) => {
                let right = a.iter().zip(b).take_while(|(a, b)| a == b).count();
                let junk = junk.as_bytes()[0];
                let wanted = if *a.get(right)? == junk { &b[right..] } else { &a[right..] };
                // A word is none, even if it begins with a sign.
                if !wanted.iter().all(|byte| byte.is_ascii_punctuation() && *byte != b'_') {
                    return None;
                }
                (right, u64::from(a[right]), u64::from(*b.get(right)?))
            }
            _ => return None,
        };
        let (is_first, is_second) = (is_junk(junk, a), is_junk(junk, b));
        let sign = u8::try_from(if is_first { b } else { a }).ok().filter(u8::is_ascii_punctuation)?;
        (is_first != is_second).then_some((*site, right, sign))
    };
    log.iter().filter_map(wanted).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// Looks for operators behind a phrase.
    pub(super) fn find_operators(
        &mut self,
        phrase: &[Vec<u8>],
        is_absorbing: bool,
        plain: &[Phrase],
    ) -> Result<(), Halt<P::Error>> {
        if is_absorbing {
            return self.find_ends(phrase);
        }
        let spaces = self.changed_by_spaces(phrase)?;
        let is_tabled = self.tables.are_read;
        let known = self.operators.iter().filter(|operator| operator.len() < LONGEST).cloned();
        let mut beginnings: Vec<Vec<u8>> = punctuation().chain(known).collect();
        while let Some(beginning) = beginnings.pop() {
            let mut next = self.signs_behind(phrase, &beginning)?;
            if is_tabled {
                next.extend(self.signs_told_behind(phrase, &beginning)?);
            }
            if next.is_empty() || self.future(&with(phrase, &beginning))?.absorbed.is_some() {
                continue;
            }
            let mut units = BTreeSet::new();
            for sign in &next {
                if self.reads_otherwise(phrase, &beginning, *sign, &spaces)? {
                    units.insert(*sign);
                }
            }
            if units.len() >= MANY {
                self.prefixes.insert(beginning.clone());
                self.operators.retain(|operator| !is_prefixed(operator, &beginning));
            }
            for sign in next {
                let operator = [&beginning[..], &[sign]].concat();
                if self.refused.get(&operator).is_some_and(|states| *states >= ENOUGH_STATES)
                    || self.quotes.contains(&operator)
                    || self.prefixes.iter().any(|prefix| is_prefixed(&operator, prefix))
                {
                    continue;
                }
                let is_unit = units.contains(&sign) && self.is_unit(phrase, &beginning, sign, plain)?;
                if is_unit {
                    self.operators.insert(operator.clone());
                } else if !self.parsed.is_empty() {
                    *self.refused.entry(operator.clone()).or_default() += 1;
                }
                // One sign several times may count only as a whole.
                if operator.len() < LONGEST && (is_unit || beginning.iter().all(|byte| *byte == sign)) {
                    beginnings.push(operator);
                }
            }
        }
        Ok(())
    }

    /// Looks for what ends a comment or the like: signs that lead out of it together, but not each alone.
    fn find_ends(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        let here = self.future(phrase)?;
        let is_tabled = self.tables.take_state();
        let firsts = if is_tabled { punctuation().flatten().collect() } else { self.asked_for(phrase)? };
        for first in firsts {
            let mut next = self.signs_behind(phrase, &[first])?;
            if is_tabled {
                next.extend(self.ends_told_behind(phrase, first)?);
            }
            for sign in next {
                let end = vec![first, sign];
                let whole = self.future(&with(phrase, &end))?;
                if !whole.silent
                    && whole.absorbed.is_none()
                    && self.future(&with(phrase, &[first]))?.absorbed == here.absorbed
                    && self.future(&with(phrase, &[sign]))?.absorbed == here.absorbed
                {
                    self.operators.insert(end);
                }
            }
        }
        Ok(())
    }

    /// The signs that are looked for behind a phrase.
    pub(super) fn asked_for(&mut self, phrase: &[Vec<u8>]) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let log = self.trace(&[&text(&with(phrase, self.junk.as_bytes()))[..], &end(self.junk)].concat())?;
        Ok(signs_wanted(&log, self.junk).into_iter().map(|(_, _, sign)| sign).collect())
    }

    /// The signs that are looked for right behind a beginning, but not behind a space, and make no known operator.
    fn signs_behind(&mut self, phrase: &[Vec<u8>], beginning: &[u8]) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let bytes = text(&with(phrase, beginning));
        let mut signs = BTreeSet::new();
        for junk in tight(self.junk) {
            let mut behind = signs_wanted(&self.trace(&[&bytes[..], junk.as_bytes()].concat())?, junk);
            behind.retain(|(_, _, sign)| !self.operators.contains(&[beginning, &[*sign]].concat()));
            if !behind.is_empty() {
                let apart = signs_wanted(&self.trace(&[&bytes[..], b" ", junk.as_bytes()].concat())?, junk);
                signs.extend(behind.difference(&apart).map(|(_, _, sign)| *sign));
            }
        }
        Ok(signs)
    }

    /// The counters that a space more changes, whatever stands around it.
    pub(super) fn changed_by_spaces(&mut self, phrase: &[Vec<u8>]) -> Result<HashSet<u32>, Halt<P::Error>> {
        let bytes = text(phrase);
        self.changes(&[&bytes[..], b" q"].concat(), &[&bytes[..], b"  q"].concat())
    }

    /// The counters in which the runs of two beginnings differ.
    pub(super) fn changes(&mut self, first: &[u8], second: &[u8]) -> Result<HashSet<u32>, Halt<P::Error>> {
        Ok(changed(&self.read(first)?, &self.read(second)?))
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
        let tight = [&bytes[..], b" ", beginning, &[sign], b" q"].concat();
        let wide = [&bytes[..], b" ", beginning, b" ", &[sign], b" q"].concat();
        Ok(!self.changes(&tight, &wide)?.is_subset(spaces))
    }

    /// Whether an operator leads to a state, and to another one than its parts, its beginning with a name, and anything
    /// ordinary.
    fn is_unit(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
        sign: u8,
        plain: &[Phrase],
    ) -> Result<bool, Halt<P::Error>> {
        // What names are made of is the lexer's to say, and has shown when that was looked at.
        if self.parsed.is_empty() && self.is_in_names(phrase, sign)? {
            return Ok(false);
        }
        let whole = with(phrase, &[beginning, &[sign]].concat());
        // Who gives up on a sign may have looked at what stands right behind it, and only the end of a line does.
        let named = with(phrase, &[beginning, NAME].concat());
        let signs = [beginning, &[sign]].concat();
        let behind = (1..signs.len()).map(|from| with(phrase, &[NAME, &signs[from..]].concat()));
        // Wherever it may be two: what begins like an operator may be a shorter one before another.
        let parts = (1..signs.len()).map(|end| with(&with(phrase, &signs[..end]), &signs[end..]));
        let others: Vec<Phrase> = parts.chain([named]).chain(behind).chain(plain.iter().cloned()).collect();
        let line = [self.test_of(LINE)];
        if !self.is_other(&whole, &others, &line)? || self.is_opened_by(&whole, phrase, &signs)? {
            return Ok(false);
        }
        // What was not seen to be compared may read otherwise only for its length: its parts are longer by a space.
        let as_long = with(phrase, &[b" ", beginning, &[sign]].concat());
        Ok(!self.tables.are_read || self.is_other(&as_long, &others, &line)?)
    }

    /// Whether a phrase leads to where almost everything reads the same, and the last of its signs alone lead there as well
    /// somewhere: a quote may count only right behind some sign.
    fn is_opened_by(
        &mut self,
        whole: &[Vec<u8>],
        phrase: &[Vec<u8>],
        signs: &[u8],
    ) -> Result<bool, Halt<P::Error>> {
        let absorbed = self.future(whole)?.absorbed;
        if absorbed.is_none() {
            return Ok(false);
        }
        for from in 1..signs.len() {
            for place in [&[][..], phrase] {
                if self.future(&with(place, &signs[from..]))?.absorbed == absorbed {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a sign may be part of a name.
    fn is_in_names(&mut self, phrase: &[Vec<u8>], sign: u8) -> Result<bool, Halt<P::Error>> {
        let (name, own) = (with(phrase, b"xx"), self.test_of(&[sign]));
        let within = with(phrase, &[b'x', sign, b'x']);
        if self.is_silent(&within)? || self.is_other(&within, std::slice::from_ref(&name), &[own])? {
            return Ok(false);
        }
        let name = self.future(&name)?;
        Ok(!name.silent && name.absorbed.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_sign_makes_an_operator_with_a_prefix() {
        assert!(is_prefixed(b":+", b":") && is_prefixed(b":[]=", b":"));
        assert!(!is_prefixed(b"::", b":") && !is_prefixed(b":", b":") && !is_prefixed(b"+:", b":"));
    }
}
