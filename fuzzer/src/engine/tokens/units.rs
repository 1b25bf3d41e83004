//! Whether several signs are one token: what they lead to together, and what their parts do.
use std::collections::{BTreeSet, HashSet};

use super::{
    Counts, Halt, Learner, Prober,
    phrase::{LINE, NAME, OTHER_NAME, Phrase, TIGHT, punctuation, text, with},
    prober::differences,
};

fn changed(first: &Counts, second: &Counts) -> HashSet<u32> {
    differences(first, second).into_iter().map(|(key, _)| key).collect()
}

impl<P: Prober> Learner<'_, P> {
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
    pub(super) fn reads_otherwise(
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

    /// Whether nothing is read behind a phrase, and no word right behind it.
    pub(super) fn is_dead(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        Ok(self.parsed.is_empty() && self.is_silent(phrase)? && !self.reads_words(&with(phrase, TIGHT))?)
    }

    /// Whether an operator leads to a state, and to another one than its parts, its beginning with a name, and anything
    /// ordinary. What does not lead out of a text is part of it, even if its end finds more to do then.
    pub(super) fn is_unit(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
        sign: u8,
        plain: &[Phrase],
    ) -> Result<bool, Halt<P::Error>> {
        // What names are made of is the lexer's to say, and has shown when that was looked at.
        // Right behind what opens a text there is no name.
        let may_be_in_name = sign.is_ascii_punctuation() && self.parsed.is_empty();
        if may_be_in_name
            && self.future(&with(phrase, beginning))?.absorbed.is_none()
            && self.is_in_names(phrase, sign)?
        {
            return Ok(false);
        }
        let signs = [beginning, &[sign]].concat();
        let whole = with(phrase, &signs);
        // Who gives up on a sign may have looked at what stands right behind it, and only the end of a line does.
        let named = with(phrase, &[beginning, NAME].concat());
        let behind = (1..signs.len()).map(|from| with(phrase, &[NAME, &signs[from..]].concat()));
        // Wherever it may be two: what begins like an operator may be a shorter one before another.
        let parts = (1..signs.len()).map(|end| with(&with(phrase, &signs[..end]), &signs[end..]));
        let others: Vec<Phrase> = parts.chain([named]).chain(behind).chain(plain.iter().cloned()).collect();
        let may_lead = self.future(phrase)?.absorbed.is_some();
        if !self.leads_elsewhere(&whole, &others, may_lead)?
            || self.is_same_text(&whole, phrase)?
            || self.is_opened_by(&whole, phrase, &signs)?
        {
            return Ok(false);
        }
        // What was not seen to be compared may read otherwise only for its length: its parts are longer by a space.
        let as_long = with(phrase, &[b" ", &signs[..]].concat());
        Ok(!self.tables.are_read || self.leads_elsewhere(&as_long, &others, may_lead)?)
    }

    /// Whether the same text follows a sign right behind what opens it, and the sign reaches what no other one there does but
    /// for those that are asked for too: it may say what is done with the text, and not how it is read.
    pub(super) fn is_kind(
        &mut self,
        phrase: &[Vec<u8>],
        opener: &[u8],
        sign: u8,
        asked: &BTreeSet<u8>,
    ) -> Result<bool, Halt<P::Error>> {
        let texts = [opener, &[opener, &[sign]].concat()].map(|opener| with(phrase, opener));
        if self.future(&texts[0])?.absorbed != self.future(&texts[1])?.absorbed {
            return Ok(false);
        }
        let front = text(&texts[0]);
        let mut own = self.read(&[&front[..], &[sign], b" q"].concat())?;
        let others = punctuation().filter(|other| !asked.contains(&other[0]));
        for other in others.chain([b" ".to_vec(), [b" ", &[sign][..]].concat(), [NAME, &[sign]].concat()]) {
            let run = self.read(&[&front[..], &other, b" q"].concat())?;
            own.retain(|(key, _)| run.binary_search_by_key(key, |(key, _)| *key).is_err());
        }
        Ok(!own.is_empty())
    }

    /// Whether another state is behind a phrase, or right behind it, than behind others.
    fn leads_elsewhere(
        &mut self,
        phrase: &[Vec<u8>],
        others: &[Phrase],
        may_lead: bool,
    ) -> Result<bool, Halt<P::Error>> {
        let line = [self.test_of(LINE)];
        // What a lexer cuts out of the input before it is parsed does not depend on what stands right behind.
        Ok(self.is_other(phrase, others, &line)?
            || (may_lead && self.parsed.is_empty() && self.is_other_tight(phrase, others)?))
    }

    /// Whether a phrase leads to where almost everything reads the same, and the last of its signs alone lead there as well
    /// somewhere: a quote may count only right behind some sign.
    fn is_opened_by(
        &mut self,
        whole: &[Vec<u8>],
        phrase: &[Vec<u8>],
        signs: &[u8],
    ) -> Result<bool, Halt<P::Error>> {
        if self.future(whole)?.absorbed.is_none() {
            return Ok(false);
        }
        for place in [&[][..], phrase] {
            // Where that text is already, anything leads to it.
            if self.is_same_text(whole, place)? {
                continue;
            }
            for from in 1..signs.len() {
                if self.is_same_text(whole, &with(place, &signs[from..]))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether two phrases lead to the same comment, text in quotes or the like.
    fn is_same_text(&mut self, first: &[Vec<u8>], second: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        let absorbed = [self.future(first)?.absorbed, self.future(second)?.absorbed];
        let are_alike = match absorbed {
            [Some(first), Some(second)] => first == second || self.tables.are_read,
            _ => false,
        };
        Ok(are_alike && self.ends(first)? == self.ends(second)?)
    }

    /// Whether a sign may be part of a name.
    pub(super) fn is_in_names(&mut self, phrase: &[Vec<u8>], sign: u8) -> Result<bool, Halt<P::Error>> {
        let (name, own) = (with(phrase, b"xx"), self.test_of(&[sign]));
        let within = with(phrase, &[b'x', sign, b'x']);
        if self.is_silent(&within)? || self.is_other(&within, std::slice::from_ref(&name), &[own])? {
            return Ok(false);
        }
        let name = self.future(&name)?;
        if name.silent || name.absorbed.is_some() {
            return Ok(false);
        }
        // Where all is skipped, as behind an error, it reads no otherwise apart.
        let spaces = self.changed_by_spaces(&within)?;
        let apart = with(phrase, &[b'x', b' ', sign, b' ', b'x']);
        let [within, apart] = [within, apart].map(|phrase| text(&with(&phrase, OTHER_NAME)));
        Ok(!self.changes(&within, &apart)?.is_subset(&spaces))
    }
}
