//! What was found: tokens that are told of, and texts with them that may be worth keeping.
use super::super::{Halt, Learner, Prober};

impl<P: Prober> Learner<'_, P> {
    /// This is a token between these texts.
    pub(super) fn found(&mut self, before: &[u8], token: &[u8], behind: &[u8]) -> Result<(), Halt<P::Error>> {
        if self.tight.tokens.insert(token.to_vec()) {
            self.prober.offer(&[before, token, behind].concat(), true)?;
            self.tell();
        }
        Ok(())
    }
}
