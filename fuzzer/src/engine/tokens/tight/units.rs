//! Signs and what stands right behind them.
use std::collections::BTreeSet;

use super::{
    super::{Halt, Learner, Prober},
    evidence::STILL,
    state::State,
};

/// Longer ones are not looked behind.
const LONGEST: usize = 5;
/// Who expects fewer bytes behind a sign, and nothing else, reads them as tokens of their own.
const FEWEST: usize = 3;

/// What a sign does to those behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Most are read as anywhere.
    Open,
    /// The next one is read otherwise, and those behind it as anywhere; or only some may stand there.
    Prefix {
        /// Only some.
        is_strict: bool,
    },
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
        if unit.len() > LONGEST || self.has_enough() {
            return Ok(());
        }
        let here = self.state(before)?;
        if self.is_over(&text)? {
            // It may wait for its end.
            if self.asks_for_more(before, &text, here.ordinary)? {
                self.find_closed(before, unit, here.ordinary)?;
            }
            return Ok(());
        }
        let anywhere = self.state(&[before, &[here.ordinary]].concat())?;
        let there = self.state(&text)?;
        let after = [&text[..], &[there.ordinary]].concat();
        let then = self.state(&after)?;
        if depth > 0 && unit.len() == 1 && self.is_end(&here, [&there, &then]) {
            return Ok(());
        }
        let is_strict = self.is_over(&after)?;
        let kind = if there.likeness_of_signs(&anywhere) >= STILL {
            Kind::Open
        } else if is_strict || then.returns_to(&anywhere) >= STILL {
            Kind::Prefix { is_strict }
        } else {
            Kind::Mode
        };
        let mut separate = BTreeSet::new();
        match kind {
            Kind::Open if unit.len() == 1 => separate = self.find_behind_number(before, unit, &anywhere)?,
            Kind::Prefix { is_strict } => {
                let expected = there.special.iter().filter(|byte| !byte.is_ascii_digit()).count();
                if (is_strict && expected < FEWEST) || self.is_list(&text, unit, &there)? {
                    return Ok(());
                }
                if let [sign] = unit {
                    self.tight.prefixes.insert(*sign);
                }
            }
            _ => {}
        }
        let others = there.told.difference(&there.classes).copied();
        for byte in others.filter(|byte| byte.is_ascii_graphic() && !byte.is_ascii_digit()) {
            let longer = [unit, &[byte]].concat();
            let is_token = match kind {
                Kind::Prefix { .. } if self.is_as_anywhere(before, unit, byte, &anywhere)? => continue,
                Kind::Prefix { is_strict } => {
                    there.special.contains(&byte) && self.is_prefixed(before, unit, byte, is_strict)?
                }
                Kind::Open if separate.contains(&byte) => false,
                Kind::Open => self.is_open_unit(before, unit, byte, &there, &anywhere)?,
                Kind::Mode => self.is_mode_unit(before, unit, byte, &there)?,
            };
            if is_token {
                self.found(before, &longer, b"")?;
            }
            let is_new = there.special.contains(&byte) && !anywhere.special.contains(&byte);
            if kind == Kind::Open && !is_token && unit.len() == 1 && byte.is_ascii_punctuation() && is_new {
                self.find_closed(before, &longer, there.ordinary)?;
            }
            if is_token || matches!(kind, Kind::Prefix { .. }) {
                self.look_behind(before, &longer, depth)?;
            }
        }
        if kind == Kind::Mode {
            self.find_names(&text, there.ordinary)?;
            self.look_within(&after, depth + 1)?;
        }
        Ok(())
    }

    /// Whether a prefix goes on with what could stand in its last byte's place, as a list of options does, or ends in a letter.
    fn is_list(&mut self, text: &[u8], unit: &[u8], there: &State) -> Result<bool, Halt<P::Error>> {
        if unit.len() == 1 {
            return Ok(false);
        }
        let parent = self.state(&text[..text.len() - 1])?;
        Ok(unit.last().is_some_and(u8::is_ascii_alphanumeric) || parent.tells(there) >= STILL)
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
        signs.retain(|sign| !anywhere.special.contains(sign) && !as_anywhere.special.contains(sign));
        for sign in &signs {
            if !self.is_over(&[&number[..], &[*sign]].concat())? {
                self.found(&number, &[*sign], b"")?;
            }
        }
        Ok(signs)
    }
}
