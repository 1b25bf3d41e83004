//! What was found: tokens that are told of, and texts with them that may be worth keeping.
use super::super::{Halt, Learner, Prober};

impl<P: Prober> Learner<'_, P> {
    /// This is a token, behind this text.
    pub(super) fn found(&mut self, before: &[u8], token: &[u8]) -> Result<(), Halt<P::Error>> {
        if self.tight.tokens.insert(token.to_vec()) {
            {
                super::log(&format!("   {:?} {:?}", String::from_utf8_lossy(before), String::from_utf8_lossy(token)));
            }
            self.prober.offer(&[before, token].concat(), true)?;
            self.tell();
        }
        Ok(())
    }
}
