//! Whether a space is a byte like any other to the reader, and what keeps its texts from being complete.
use super::{
    super::{Halt, Learner, Prober, phrase::punctuation, prober::differences},
    state::{State, bytes},
};

/// A space may be looked at in so many places.
const LOOKED_AT: usize = 3;
/// One byte in so many may be read otherwise behind a space.
const FEW: usize = 20;
/// Stands before what keeps a text from being complete.
const FILLER: &[u8] = b"qq";

impl<P: Prober> Learner<'_, P> {
    /// A byte that is ordinary, if a space is another one.
    pub(super) fn tight_ordinary(&mut self) -> Result<Option<u8>, Halt<P::Error>> {
        // Whoever does something at its first run only has done it.
        self.prober.read(b" ")?;
        self.choose_tail()?;
        let ordinary = self.state(b"")?.ordinary;
        if !ordinary.is_ascii_lowercase() {
            return Ok(None);
        }
        let here = [ordinary];
        let told = self.state(&here)?;
        if told.special.is_empty() && !self.tells_behind(ordinary, &told)? {
            return Ok(None);
        }
        // Two names are no longer one.
        let one = self.prober.read(&[ordinary; 12])?;
        let two = self.prober.read(&[&[ordinary; 6][..], b" ", &[ordinary; 5]].concat())?;
        if differences(&one, &two).len() > LOOKED_AT {
            return Ok(None);
        }
        let mut otherwise = 0;
        for byte in bytes() {
            let behind = self.reach(&[ordinary, ordinary, byte])?;
            let apart = self.reach(&[ordinary, b' ', byte])?;
            otherwise += usize::from(behind.apart(&apart) > LOOKED_AT);
        }
        Ok((otherwise * FEW < bytes().count()).then_some(ordinary))
    }

    /// Whether anything is told apart behind a sign.
    fn tells_behind(&mut self, ordinary: u8, here: &State) -> Result<bool, Halt<P::Error>> {
        for sign in here.told.iter().filter(|byte| byte.is_ascii_punctuation()) {
            if !self.state(&[ordinary, *sign])?.special.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Chooses the sign behind which texts reach least, of those that hide nothing.
    fn choose_tail(&mut self) -> Result<(), Halt<P::Error>> {
        let mut best: Option<(usize, Vec<u8>)> = None;
        for sign in punctuation() {
            let tail = [FILLER, &sign].concat();
            let mut reached = 0;
            for byte in bytes() {
                reached += self.prober.read(&[&[byte][..], &tail].concat())?.len();
            }
            if best.as_ref().is_none_or(|(least, _)| reached < *least) {
                best = Some((reached, tail));
            }
        }
        self.tight.tail = best.map(|(_, tail)| tail).unwrap_or_default();
        Ok(())
    }
}
