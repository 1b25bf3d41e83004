//! Signs that open a text only if what closes it is found ahead.
use std::rc::Rc;

use super::{
    super::{Halt, Learner, Prober},
    state::Edges,
};

/// So many signs are looked for ahead at most.
const ASKED: usize = 8;
/// With what closes it, a text is read so much otherwise.
const ENOUGH: usize = 3;

impl<P: Prober> Learner<'_, P> {
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
            let apart = [&[end[0], ordinary], &end[1..]].concat();
            let mut others: Vec<Rc<Edges>> = vec![self.reach(&named)?];
            for other in [[&unopened, &end], [&named, &apart]] {
                others.push(self.reach(&other.map(|part| &part[..]).concat())?);
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
