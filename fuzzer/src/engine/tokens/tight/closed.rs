//! Signs that open a text only if what closes it is found ahead.
use std::rc::Rc;

use super::{
    super::{Halt, Learner, Prober},
    state::Edges,
};

/// So many signs are looked for ahead at most.
const ASKED: usize = 8;
/// With what closes it, a text is read so much otherwise.
const ENOUGH: usize = 2;

impl<P: Prober> Learner<'_, P> {
    /// Whether signs are looked for behind a unit that are not looked for behind anything ordinary.
    pub(super) fn asks_for_more(
        &mut self,
        before: &[u8],
        text: &[u8],
        ordinary: u8,
    ) -> Result<bool, Halt<P::Error>> {
        let anywhere = self.asked_for(&[[before, &[ordinary]].concat()])?;
        Ok(!self.asked_for(&[text.to_vec()])?.is_subset(&anywhere))
    }

    /// Looks for one or two signs far behind a unit with which it is read otherwise.
    pub(super) fn find_closed(
        &mut self,
        before: &[u8],
        unit: &[u8],
        ordinary: u8,
    ) -> Result<(), Halt<P::Error>> {
        let text = [before, unit].concat();
        let asked: Vec<u8> = self.asked_for(std::slice::from_ref(&text))?.into_iter().take(ASKED).collect();
        let singles = asked.iter().map(|sign| vec![*sign]);
        let pairs = asked.iter().flat_map(|first| asked.iter().map(|second| vec![*first, *second]));
        let named = [&text[..], &[ordinary]].concat();
        let unopened = [before, &unit[..unit.len() - 1], &[ordinary, ordinary]].concat();
        let mut best: Option<(usize, Vec<u8>)> = None;
        for end in singles.chain(pairs) {
            let mut others: Vec<Rc<Edges>> =
                vec![self.reach(&named)?, self.reach(&[&unopened[..], &end].concat())?];
            // Two signs count only together.
            if let [first, second] = end[..] {
                others.push(self.reach(&[&named[..], &[first, ordinary, second]].concat())?);
            }
            let only = self.reach(&[&named[..], &end].concat())?.only(&others);
            if only >= ENOUGH && best.as_ref().is_none_or(|(most, _)| only > *most) {
                best = Some((only, end));
            }
        }
        if let Some((_, end)) = best {
            self.found(before, unit, b"")?;
            self.found(&named, &end, b"")?;
            self.find_names_before(&text, &end)?;
        }
        Ok(())
    }
}
