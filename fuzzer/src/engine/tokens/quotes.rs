//! Signs that stand around a text: two of them in a row are an empty one, and three of them may stand around longer ones.
use super::{
    Halt, Learner, Prober,
    phrase::{NAME, is_sign, with},
};

impl<P: Prober> Learner<'_, P> {
    /// Whether the last sign of a phrase, behind which almost everything reads the same, ends what it began; then that is a
    /// quote. If three of them begin a text that one does not end, they are a token.
    pub(super) fn find_quotes(&mut self, phrase: &[Vec<u8>]) -> Result<(), Halt<P::Error>> {
        let Some((quote, before)) = phrase.split_last().filter(|(last, _)| is_sign(last)) else {
            return Ok(());
        };
        let empty = quote.repeat(2);
        // A name says nothing there, and does not keep it from its end.
        let named = with(phrase, NAME);
        if self.future(&named)?.absorbed != self.future(phrase)?.absorbed
            || self.future(&with(&named, quote))?.absorbed.is_some()
        {
            return Ok(());
        }
        if self.future(&with(phrase, quote))?.absorbed.is_some()
            || self.future(&with(before, &empty))?.absorbed.is_some()
        {
            return Ok(());
        }
        self.operators.remove(&empty);
        self.quotes.insert(empty.clone());
        let long = with(before, &quote.repeat(3));
        let apart = with(&with(before, &empty), quote);
        if self.future(&long)?.absorbed.is_some()
            && self.is_other(&long, &[apart], &[])?
            && self.future(&with(&long, quote))?.absorbed.is_some()
        {
            self.operators.extend(long.last().cloned());
        }
        Ok(())
    }
}
