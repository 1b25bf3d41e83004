//! Signs that stand around a text: two of them in a row are an empty one, and three of them may stand around longer ones.
use super::{
    Halt, Learner, Prober,
    phrase::{NAME, is_sign, with},
};

/// What stands in a text as well as anywhere else, each with a meaning of its own outside of one.
const WITHIN: [&[u8]; 6] = [NAME, b"(", b")", b"1", b";", b","];
/// So many tests show whether the same is read behind two texts.
const BEHIND: usize = 6;

impl<P: Prober> Learner<'_, P> {
    /// Whether the last sign of a phrase opens a text that shows only when that sign comes again: who follows a table up to
    /// the end of a token, and finds none, goes back and reads what was to be a text like anything else. Whatever stands
    /// between two of them, the same is read behind.
    pub(super) fn opens_unended(&mut self, phrase: &[Vec<u8>]) -> Result<bool, Halt<P::Error>> {
        let Some(sign) = phrase.last().filter(|last| self.tables.are_read && is_sign(last)) else {
            return Ok(false);
        };
        let empty = with(phrase, sign);
        let mut is_read = false;
        for test in 0..BEHIND {
            let own = self.answer(&empty, test)?;
            is_read |= own.is_some_and(|answer| answer != 0);
            for element in WITHIN {
                if self.answer(&with(&with(phrase, element), sign), test)? != own {
                    return Ok(false);
                }
            }
        }
        Ok(is_read)
    }

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

#[cfg(test)]
mod tests {
    use super::{
        super::{Counts, prober::Fake},
        *,
    };

    /// Reads letters and signs one by one, of which `+` wants a letter behind it; two quotes are one token with all between,
    /// and one is a sign.
    fn reads(input: &[u8]) -> Counts {
        let mut counts = vec![0; 256];
        let (mut at, mut wants) = (0, false);
        while let Some(byte) = input.get(at).copied().filter(|byte| byte.is_ascii()) {
            if wants && !byte.is_ascii_alphabetic() && byte != b' ' {
                break;
            }
            wants = byte == b'+' || (wants && byte == b' ');
            counts[byte as usize] += 1;
            let end = input[at + 1..].iter().position(|other| *other == b'"').filter(|_| byte == b'"');
            if let Some(end) = end {
                counts[b'"' as usize] += 10;
                at += end + 1;
            }
            at += 1;
        }
        (0..).zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    #[test]
    fn a_text_may_show_only_with_its_end() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.junk = "\x7f";
        learner.tests = super::super::phrase::tests();
        let mut opens = |are_read, sign: &[u8]| {
            learner.tables.are_read = are_read;
            learner.opens_unended(&[b"x".to_vec(), sign.to_vec()]).unwrap()
        };
        assert!(opens(true, b"\"") && !opens(true, b"+"));
        assert!(!opens(false, b"\""));
    }
}
