//! What is asked for: the signs and letters that junk behind a phrase is compared with.
use std::{collections::BTreeSet, rc::Rc};

use super::{
    super::answers::log::Sides,
    Future, Halt, Learner, Prober,
    junk::{Junk, end, is_junk, tight},
    phrase::{TIGHT, key, punctuation, text, with},
    votes::Site,
};

/// So many tests show whether a text goes on: in it they all read the same.
const WITHIN: usize = 3;

/// What is asked for right behind a beginning.
#[derive(Debug, Default)]
pub struct Behind {
    /// The signs that are not asked for behind a space, and make no known operator. Letters are among them where nothing
    /// else is read there.
    pub next: BTreeSet<u8>,
    /// The beginning is asked for once more, behind a space too.
    pub is_repeated: bool,
}

/// The signs and letters that junk was compared with, where, and behind how many bytes that were right.
fn asked(log: &[(Site, Sides)], junk: Junk) -> BTreeSet<(Site, usize, u8)> {
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
        let can_be_asked = |byte: &u8| byte.is_ascii_punctuation() || byte.is_ascii_alphabetic();
        let sign = u8::try_from(if is_first { b } else { a }).ok().filter(can_be_asked)?;
        (is_first != is_second).then_some((*site, right, sign))
    };
    log.iter().filter_map(wanted).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// The signs that are looked for behind a phrase.
    pub(super) fn asked_for(&mut self, phrase: &[Vec<u8>]) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let log = self.trace(&[&text(&with(phrase, self.junk.as_bytes()))[..], &end(self.junk)].concat())?;
        let all = asked(&log, self.junk).into_iter().map(|(_, _, sign)| sign);
        Ok(all.filter(u8::is_ascii_punctuation).collect())
    }

    /// What is asked for right behind a beginning.
    pub(super) fn asked_behind(
        &mut self,
        phrase: &[Vec<u8>],
        beginning: &[u8],
    ) -> Result<Behind, Halt<P::Error>> {
        let longer = with(phrase, beginning);
        let bytes = text(&longer);
        let mut found = Behind::default();
        for junk in tight(self.junk) {
            let mut behind = asked(&self.trace(&[&bytes[..], junk.as_bytes()].concat())?, junk);
            behind.retain(|(_, _, sign)| !self.operators.contains(&[beginning, &[*sign]].concat()));
            if !behind.is_empty() {
                let apart = asked(&self.trace(&[&bytes[..], b" ", junk.as_bytes()].concat())?, junk);
                found.is_repeated |= behind.intersection(&apart).any(|(_, _, sign)| [*sign] == *beginning);
                found.next.extend(behind.difference(&apart).map(|(_, _, sign)| *sign));
            }
        }
        if found.next.iter().any(u8::is_ascii_alphabetic) && !self.is_dead(&longer)? {
            found.next.retain(u8::is_ascii_punctuation);
        }
        Ok(found)
    }

    /// Whether a phrase leads into a comment, a text in quotes or the like: the first tests tell for most that do not.
    pub(super) fn opens_text(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        let first = self.answer(phrase, 0)?;
        for test in 1..WITHIN {
            if self.answer(phrase, test)? != first {
                return Ok(false);
            }
        }
        Ok(first != Some(0) && self.future(phrase)?.absorbed.is_some())
    }

    /// What opened the comment, the text in quotes or the like that a phrase leads into.
    pub(super) fn opener(&mut self, phrase: &[Vec<u8>]) -> Result<Option<Vec<u8>>, Halt<P::Error>> {
        let absorbed = self.future(phrase)?.absorbed;
        let mut opened = phrase.len();
        while absorbed.is_some() && opened > 0 {
            opened -= 1;
            if self.future(&phrase[..opened])?.absorbed != absorbed {
                return Ok(Some(phrase[opened].clone()));
            }
        }
        Ok(None)
    }

    /// Whether a sign behind which nothing is read is all that leads out of a comment, a text in quotes or the like: whoever
    /// does something with such a text, as with the name of a file, may read no further if that fails. With another sign
    /// right before or behind it, it is a part of an operator.
    pub(super) fn is_only_end(&mut self, phrase: &[Vec<u8>], token: &[u8]) -> Result<bool, Halt<P::Error>> {
        let begins = |operator: &Vec<u8>| operator.len() > token.len() && operator.starts_with(token);
        Ok(phrase.last().is_none_or(|last| last != TIGHT)
            && !self.operators.iter().any(begins)
            && self.future(phrase)?.absorbed.is_some()
            && self.ends(phrase)?.as_slice() == token
            && self.is_silent(&with(phrase, token))?
            && self.asked_behind(phrase, token)?.next.is_empty())
    }

    /// Those of the signs that are looked for in a comment, a text in quotes or the like that lead out of it: where such texts
    /// read alike, only what they end with tells them apart. What ends them may do all sorts of things with what stands in
    /// them, so no more than that is looked at. Who asks for nothing may look for any sign.
    pub(super) fn ends(&mut self, phrase: &[Vec<u8>]) -> Result<Rc<Vec<u8>>, Halt<P::Error>> {
        let key = key(phrase);
        if let Some(ends) = self.ends.get(&key) {
            return Ok(Rc::clone(ends));
        }
        let Future { absorbed, asked, .. } = self.future(phrase)?;
        let asked = match self.tables.are_read && absorbed.is_some() && asked.is_empty() {
            true => Rc::new(punctuation().flatten().collect()),
            false => asked,
        };
        let mut ends = Vec::with_capacity(asked.len());
        for sign in asked.iter() {
            let longer = with(phrase, &[*sign]);
            let mut leads_out = true;
            for test in 0..WITHIN {
                leads_out &= self.answer(&longer, test)? != self.answer(phrase, test)?;
            }
            if leads_out {
                ends.push(*sign);
            }
        }
        let ends = Rc::new(ends);
        self.ends.insert(key, Rc::clone(&ends));
        Ok(ends)
    }
}
