//! What shows that a byte right behind others makes one token with them.
use std::rc::Rc;

use super::{
    super::{Halt, Learner, Prober},
    roots::ONE,
    state::{Edges, State},
};

/// A state that keeps so much of another one is that one still.
pub const STILL: f64 = 0.6;
/// Where little is told apart, states may be one that are no more alike than this.
const HALF: f64 = 0.5;
/// What is read as a unit reaches so much that its parts do not.
const ENOUGH: usize = 2;

impl<P: Prober> Learner<'_, P> {
    /// Whether one of two states is that of another text than this one, to which a sign leads back.
    pub(super) fn is_end(&self, here: &State, there: [&State; 2]) -> bool {
        let others = self.tight.roots.iter().filter(|root| root.likeness(here) < ONE);
        others.flat_map(|root| there.map(|state| root.likeness(state))).any(|likeness| likeness >= ONE)
    }

    /// Whether a byte that is special anywhere leads from behind a unit to where it leads from anywhere.
    pub(super) fn is_as_anywhere(
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

    /// Whether a byte makes a unit with a prefix.
    pub(super) fn is_prefixed(
        &mut self,
        before: &[u8],
        unit: &[u8],
        byte: u8,
        is_strict: bool,
    ) -> Result<bool, Halt<P::Error>> {
        let whole = [before, unit, &[byte]].concat();
        if self.reaches_only(before, unit, byte)? == 0 || (is_strict && self.is_over(&whole)?) {
            return Ok(false);
        }
        let own = self.state(&whole)?;
        Ok(!self.is_alike_elsewhere(before, unit, byte, &own)?)
    }

    /// Whether a byte makes a unit with a sign behind which most are read as anywhere.
    pub(super) fn is_open_unit(
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
    pub(super) fn is_mode_unit(
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
        for other in [[&text[..], &[there.ordinary]].concat(), [&text[..], &[there.ordinary, byte]].concat()]
        {
            if self.state(&other)?.likeness(&own) >= STILL {
                return Ok(false);
            }
        }
        Ok(!self.is_alike_elsewhere(before, unit, byte, &own)?)
    }
}
