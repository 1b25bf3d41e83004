//! Tokens of several signs: what reads otherwise when a space stands between its signs.
use std::collections::BTreeSet;

use super::{
    Halt, Learner, Prober,
    asked::Behind,
    phrase::{NAME, Phrase, punctuation, with},
};

/// Longer ones are no operators.
const LONGEST: usize = 4;
/// Longer ones with letters in them are none either.
const LONGEST_SPELT: usize = 20;
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

fn is_spelt(operator: &[u8]) -> bool {
    operator.iter().any(u8::is_ascii_alphabetic)
}

fn is_short(operator: &[u8]) -> bool {
    operator.len() < if is_spelt(operator) { LONGEST_SPELT } else { LONGEST }
}

impl<P: Prober> Learner<'_, P> {
    /// Looks for operators behind a phrase. In a comment or the like those begin with what is looked for there.
    pub(super) fn find_operators(
        &mut self,
        phrase: &[Vec<u8>],
        is_absorbing: bool,
        plain: &[Phrase],
    ) -> Result<(), Halt<P::Error>> {
        let here = self.future(phrase)?;
        let spaces = self.changed_by_spaces(phrase)?;
        let is_tabled = if is_absorbing { self.tables.take_state() } else { self.tables.are_read };
        let firsts: BTreeSet<u8> = match is_absorbing && !is_tabled {
            true => here.asked.iter().copied().collect(),
            false => punctuation().flatten().collect(),
        };
        let known = self.operators.iter().filter(|operator| is_short(operator)).cloned();
        let mut beginnings: Vec<Vec<u8>> = punctuation().chain(known).collect();
        beginnings.retain(|beginning| firsts.contains(&beginning[0]));
        // What opens a text in quotes and ends it too is whole.
        if let Some(quote) = self.opener(phrase)? {
            beginnings.retain(|beginning| !beginning.starts_with(&quote));
        }
        while let Some(beginning) = beginnings.pop() {
            let Behind { mut next, is_repeated } = self.asked_behind(phrase, &beginning)?;
            // Two quotes are an empty text, and one more may open a text of another kind.
            if is_repeated && self.opens_text(&with(phrase, &beginning))? {
                beginnings.push(beginning.repeat(2));
            }
            if is_tabled && !is_spelt(&beginning) {
                next.extend(match is_absorbing {
                    true => self.ends_told_behind(phrase, &beginning)?,
                    false => self.signs_told_behind(phrase, &beginning)?,
                });
            }
            if next.is_empty() {
                continue;
            }
            let there = self.future(&with(phrase, &beginning))?;
            let stays = is_absorbing && there.absorbed == here.absorbed && there.asked == here.asked;
            // Right behind a sign that opens a text there may be others that say of which kind it is; within one nothing is opened.
            let opens = there.absorbed.is_some() && !stays;
            if opens {
                // A name says nothing in a text.
                let named = with(&with(phrase, &beginning), NAME);
                if is_absorbing
                    || is_tabled
                    || beginning.len() > 1
                    || self.future(&named)?.absorbed != there.absorbed
                {
                    continue;
                }
                next.retain(|sign| [*sign] != *beginning);
                self.note_kinds(beginning[0], &mut next);
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
            // Who takes any signs for one token asks for most of them.
            let is_choosy = next.len() < MANY;
            let asked = next.clone();
            for sign in next {
                let operator = [&beginning[..], &[sign]].concat();
                if self.refused.get(&operator).is_some_and(|states| *states >= ENOUGH_STATES)
                    || self.quotes.contains(&operator)
                    || self.prefixes.iter().any(|prefix| is_prefixed(&operator, prefix))
                    || self.is_repetition(&beginning, sign)
                {
                    continue;
                }
                let is_unit = units.contains(&sign)
                    && (self.is_unit(phrase, &beginning, sign, plain)?
                        || (opens && self.is_kind(phrase, &beginning, sign, &asked)?));
                if is_unit {
                    if self.operators.insert(operator.clone()) {
                        self.tell();
                    }
                } else if !self.parsed.is_empty() {
                    *self.refused.entry(operator.clone()).or_default() += 1;
                }
                // One sign several times may count only as a whole, and so may what nothing is read behind yet, or what does
                // not lead out of a text yet.
                if is_short(&operator)
                    && (is_unit
                        || stays
                        || beginning.iter().all(|byte| *byte == sign)
                        || (is_absorbing && is_choosy && self.is_dead(&with(phrase, &operator))?))
                {
                    beginnings.push(operator);
                }
            }
        }
        Ok(())
    }

    /// Leaves those of the signs right behind what opens a text that stand behind no other opener: what may stand behind any
    /// is part of none.
    fn note_kinds(&mut self, opener: u8, signs: &mut BTreeSet<u8>) {
        signs.retain(|sign| {
            let openers = self.kinds.entry(*sign).or_default();
            openers.insert(opener);
            if openers.len() == 1 {
                return true;
            }
            openers.iter().for_each(|own| _ = self.operators.remove(&[*own, *sign][..]));
            false
        });
    }

    /// Whether an operator is a known one with a sign in it twice: some signs may stand there any number of times.
    fn is_repetition(&self, beginning: &[u8], sign: u8) -> bool {
        !self.operators.contains(beginning)
            && (1..beginning.len())
                .filter(|n| beginning[*n] == beginning[n - 1])
                .any(|n| self.operators.contains(&[&beginning[..n], &beginning[n + 1..], &[sign]].concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{joined::tests::reads, prober::Fake},
        *,
    };

    #[test]
    fn what_stands_behind_any_opener_is_part_of_none() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        let mut kinds = |opener, signs: &[u8]| {
            let mut signs = signs.iter().copied().collect();
            learner.note_kinds(opener, &mut signs);
            learner.operators.extend(signs.iter().map(|sign| vec![opener, *sign]));
            signs.into_iter().collect::<Vec<u8>>()
        };
        assert_eq!(kinds(b'#', b",:"), b",:");
        assert_eq!(kinds(b'|', b"+-"), b"+-");
        assert_eq!(kinds(b'>', b"+"), b"");
        let known: Vec<_> = learner.operators.iter().map(|operator| &operator[..]).collect();
        assert_eq!(known, [&b"#,"[..], b"#:", b"|-"]);
    }

    #[test]
    fn only_the_same_sign_makes_an_operator_with_a_prefix() {
        assert!(is_prefixed(b":+", b":") && is_prefixed(b":[]=", b":"));
        assert!(!is_prefixed(b"::", b":") && !is_prefixed(b":", b":") && !is_prefixed(b"+:", b":"));
    }
}
