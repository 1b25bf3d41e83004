//! Signs and what stands right behind them, told from what stands anywhere.
use std::{collections::BTreeSet, rc::Rc};

use super::{
    super::{Halt, Learner, Prober},
    roots::ONE,
    state::{Edges, State},
};

/// A state that keeps so much of another one is that one still.
const STILL: f64 = 0.6;
const HALF: f64 = 0.5;
/// What is read as a unit reaches so much that its parts do not.
const ENOUGH: usize = 2;
const LONGEST: usize = 5;
/// Who expects fewer bytes behind a sign, and nothing else, reads them as tokens of their own.
const FEWEST: usize = 4;

/// What a sign does to those behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Most are read as anywhere.
    Open,
    /// The next one is read otherwise, and those behind it as anywhere, or not at all.
    Prefix,
    /// All are read otherwise until something ends that.
    Mode,
}

impl<P: Prober> Learner<'_, P> {
    /// Looks at what stands right behind a beginning of a token.
    pub(super) fn look_behind(
        &mut self,
        before: &[u8],
        unit: &[u8],
        depth: usize,
    ) -> Result<(), Halt<P::Error>> {
        let text = [before, unit].concat();
        if unit.len() > LONGEST || self.has_enough() || self.is_over(&text)? {
            return Ok(());
        }
        let here = self.state(before)?;
        let anywhere = self.state(&[before, &[here.ordinary]].concat())?;
        let there = self.state(&text)?;
        let after = [&text[..], &[there.ordinary]].concat();
        let is_over = self.is_over(&after)?;
        let then = self.state(&after)?;
        if depth > 0 && unit.len() == 1 && self.is_end(&here, [&there, &then]) {
            return Ok(());
        }
        let kind = if there.likeness_of_signs(&anywhere) >= STILL {
            Kind::Open
        } else if is_over || then.keeps(&anywhere) >= STILL {
            Kind::Prefix
        } else {
            Kind::Mode
        };
        {
            super::log(&format!("{:depth$} {:?} {:?} {kind:?} over {is_over} {there}", "", String::from_utf8_lossy(before), String::from_utf8_lossy(unit)));
        }
        // A list of letters, as of options, goes on with the same ones.
        if kind == Kind::Prefix && unit.len() > 1 {
            let parent = self.state(&text[..text.len() - 1])?;
            if unit.last().is_some_and(u8::is_ascii_alphanumeric) || parent.tells(&there) >= STILL {
                return Ok(());
            }
        }
        let expected = there.special.iter().filter(|byte| !byte.is_ascii_digit()).count();
        if kind == Kind::Prefix && is_over && expected < FEWEST {
            return Ok(());
        }
        let behind_number = match kind {
            Kind::Open if unit.len() == 1 => self.find_behind_number(before, unit, &anywhere)?,
            _ => BTreeSet::new(),
        };
        if kind == Kind::Prefix && unit.len() == 1 {
            self.tight.prefixes.insert(unit[0]);
        }
        for byte in there.told.iter().copied().filter(u8::is_ascii_graphic) {
            if byte.is_ascii_digit() || there.classes.contains(&byte) {
                continue;
            }
            if kind == Kind::Prefix && self.is_as_anywhere(before, unit, byte, &anywhere)? {
                continue;
            }
            let longer = [unit, &[byte]].concat();
            let is_token = match kind {
                Kind::Open if behind_number.contains(&byte) => false,
                Kind::Open => self.is_open_unit(before, unit, byte, &there, &anywhere)?,
                Kind::Prefix => {
                    there.special.contains(&byte)
                        && self.reaches_only(before, unit, byte)? > 0
                        && !(is_over && self.is_over(&[before, &longer].concat())?)
                        && {
                            let own = self.state(&[before, &longer].concat())?;
                            !self.is_alike_elsewhere(before, unit, byte, &own)?
                        }
                }
                Kind::Mode => self.is_mode_unit(before, unit, byte, &there)?,
            };
            if is_token {
                self.found(before, &longer)?;
            }
            if kind == Kind::Open
                && !is_token
                && unit.len() == 1
                && byte.is_ascii_punctuation()
                && there.special.contains(&byte)
                && !anywhere.special.contains(&byte)
            {
                self.find_closed(before, &longer, there.ordinary)?;
            }
            if is_token || kind == Kind::Prefix {
                self.look_behind(before, &longer, depth)?;
            }
        }
        if kind == Kind::Mode {
            self.find_names(&text, there.ordinary)?;
            self.look_within(&after, depth + 1)?;
        }
        Ok(())
    }

    /// The signs that count only behind a number that stands behind a sign, which are tokens.
    fn find_behind_number(
        &mut self,
        before: &[u8],
        unit: &[u8],
        anywhere: &State,
    ) -> Result<BTreeSet<u8>, Halt<P::Error>> {
        let number = [before, unit, b"1"].concat();
        let as_anywhere = self.state(&[before, b"1"].concat())?;
        let mut signs: BTreeSet<u8> =
            self.state(&number)?.special.iter().copied().filter(u8::is_ascii_punctuation).collect();
        super::log(&format!("NUM {:?} {} | {}", String::from_utf8_lossy(&number), self.state(&number)?, as_anywhere));
        signs.retain(|sign| !anywhere.special.contains(sign) && !as_anywhere.special.contains(sign));
        for sign in &signs {
            if !self.is_over(&[&number[..], &[*sign]].concat())? {
                self.found(&number, &[*sign])?;
            }
        }
        Ok(signs)
    }

    /// Whether one of two states is that of another text than this one, to which a sign leads back.
    fn is_end(&self, here: &State, there: [&State; 2]) -> bool {
        let others = self.tight.roots.iter().filter(|root| root.likeness(here) < ONE);
        others.flat_map(|root| there.map(|state| root.likeness(state))).any(|likeness| likeness >= ONE)
    }

    /// Whether a byte that is special anywhere leads from behind a unit to where it leads from anywhere.
    fn is_as_anywhere(
        &mut self,
        before: &[u8],
        unit: &[u8],
        byte: u8,
        anywhere: &State,
    ) -> Result<bool, Halt<P::Error>> {
        if !anywhere.special.contains(&byte) {
            return Ok(false);
        }
        let here = self.state(before)?.ordinary;
        let own = self.state(&[before, unit, &[byte]].concat())?;
        Ok(self.state(&[before, &[here, byte]].concat())?.likeness(&own) >= STILL)
    }

    /// How much a byte right behind a unit reaches that neither of them reaches apart.
    fn reaches_only(&mut self, before: &[u8], unit: &[u8], byte: u8) -> Result<usize, Halt<P::Error>> {
        let text = [before, unit].concat();
        let (here, there) = (self.state(before)?.ordinary, self.state(&text)?.ordinary);
        let mut others: Vec<Rc<Edges>> = Vec::new();
        for other in [
            [before, &[byte]].concat(),
            [before, &[here, byte]].concat(),
            [&text[..], &[there, byte]].concat(),
            [&text[..], &[there]].concat(),
            [before, &[here], &unit[..unit.len() - 1], &[byte]].concat(),
            [&text[..], b"1"].concat(),
        ] {
            others.push(self.reach(&other)?);
        }
        Ok(self.reach(&[&text[..], &[byte]].concat())?.only(&others))
    }

    /// Whether a byte makes a unit with a sign behind which most are read as anywhere.
    fn is_open_unit(
        &mut self,
        before: &[u8],
        unit: &[u8],
        byte: u8,
        there: &State,
        anywhere: &State,
    ) -> Result<bool, Halt<P::Error>> {
        let text = [before, unit].concat();
        if byte.is_ascii_alphabetic()
            || (unit.len() > 1 && (!there.special.contains(&byte) || anywhere.special.contains(&byte)))
            || self.reaches_only(before, unit, byte)? < ENOUGH
        {
            return Ok(false);
        }
        let whole = [&text[..], &[byte]].concat();
        if self.is_over(&whole)? {
            return Ok(false);
        }
        let here = self.state(before)?;
        // Who only looks whether another sign follows does nothing with the first one alone.
        if unit.len() == 1 && !here.special.contains(&unit[0]) && there.special.contains(&byte) {
            return Ok(!here.special.contains(&byte));
        }
        let own = self.state(&whole)?;
        if unit.len() == 1 && self.tight.roots.iter().any(|root| root.likeness(&own) >= STILL) {
            return Ok(false);
        }
        for other in [
            [before, &[here.ordinary]].concat(),
            [before, &[byte]].concat(),
            [before, &[here.ordinary, byte]].concat(),
            [&text[..], &[there.ordinary]].concat(),
            [&text[..], &[there.ordinary, byte]].concat(),
        ] {
            if self.state(&other)?.likeness(&own) >= STILL {
                return Ok(false);
            }
        }
        Ok(!self.is_alike_elsewhere(before, unit, byte, &own)?)
    }

    /// Whether a byte leads to the same state where a line begins or behind other signs: what opens a text there does so by
    /// itself.
    fn is_alike_elsewhere(
        &mut self,
        before: &[u8],
        unit: &[u8],
        byte: u8,
        own: &State,
    ) -> Result<bool, Halt<P::Error>> {
        if unit.len() > 1 {
            return Ok(false);
        }
        let here = self.state(before)?;
        if self.state(&[before, &[here.ordinary]].concat())?.likeness(own) >= STILL {
            return Ok(false);
        }
        let signs = here.special.iter().copied().filter(|sign| *sign != unit[0]);
        let elsewhere = signs.filter(u8::is_ascii_punctuation).chain([b'\n']);
        let elsewhere = elsewhere.map(|sign| [before, &[sign, byte]].concat());
        for text in std::iter::once(vec![byte]).chain(elsewhere) {
            if self.state(&text)?.likeness(own) >= HALF {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a byte leads out of the text that a sign opens right behind it only.
    fn is_mode_unit(
        &mut self,
        before: &[u8],
        unit: &[u8],
        byte: u8,
        there: &State,
    ) -> Result<bool, Halt<P::Error>> {
        let text = [before, unit].concat();
        let whole = [&text[..], &[byte]].concat();
        if self.reaches_only(before, unit, byte)? == 0 || self.is_over(&whole)? {
            return Ok(false);
        }
        // What ends such a text may stand there at once.
        let after = [&text[..], &[there.ordinary]].concat();
        if self.state(&after)?.special.contains(&byte) && !self.is_over(&[&after[..], &[byte]].concat())? {
            return Ok(false);
        }
        let own = self.state(&whole)?;
        // So are numbers where only those may stand.
        if 2 * own.told.iter().filter(|byte| byte.is_ascii_digit()).count() >= own.told.len() {
            return Ok(false);
        }
        for other in
            [[&text[..], &[there.ordinary]].concat(), [&text[..], &[there.ordinary, byte]].concat()]
        {
            if self.state(&other)?.likeness(&own) >= STILL {
                return Ok(false);
            }
        }
        Ok(!self.is_alike_elsewhere(before, unit, byte, &own)?)
    }
}
