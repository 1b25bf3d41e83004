//! Words that are several in a row. A reader that takes the longest word that an input goes on with needs nothing between
//! two of them, and asks for the letters of the next one right behind the first.
use super::{
    Halt, Learner, Prober,
    words::{BEHIND, Slot},
};

impl<P: Prober> Learner<'_, P> {
    /// Whether a space in a word, behind one of its beginnings that end here and are words, changes no more than a space does.
    pub(super) fn is_joined(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        ends: Vec<usize>,
    ) -> Result<bool, Halt<P::Error>> {
        if ends.is_empty() {
            return Ok(false);
        }
        let spaces = self.changed_by_spaces(&slot.phrase[..slot.at])?;
        for end in ends {
            let (first, rest) = word.split_at(end);
            let apart = [first, b" ", rest].concat();
            if self.changes(&slot.bytes(word, BEHIND[0]), &slot.bytes(&apart, BEHIND[0]))?.is_subset(&spaces)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
