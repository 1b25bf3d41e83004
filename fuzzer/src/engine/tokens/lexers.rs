//! Targets that lex all of an input before they parse any of it: junk that no lexer takes hides the parser from every
//! phrase. They are learnt from twice, first as any other, which shows what the lexer knows, then with junk that it takes.
use std::collections::HashSet;

use super::{
    Counts, Halt, Learner, Prober,
    blind::TIMES,
    junk::{Junk, LEXED, end},
    phrase::{LINE, NAME, elements, text},
    prober::differences,
};

fn keys(run: &Counts) -> HashSet<u32> {
    run.iter().map(|(key, _)| *key).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// The junk that shows the parser, if the target lexes first: the same beginnings reach a quarter more if what
    /// stands behind them can be lexed. Whoever parses as it lexes has read them before it comes to the junk. Of several
    /// kinds the one that the parser does least with.
    pub(super) fn lexed_junk(&mut self) -> Result<Option<Junk>, Halt<P::Error>> {
        let hidden = self.reached_before(&[b" q q", &end(self.junk)[..]].concat())?.0;
        let mut best: Option<(usize, Junk)> = None;
        for junk in LEXED {
            let seen = self.reached_before(&[b" q q", &end(junk)[..]].concat())?.0;
            if seen.difference(&hidden).count() * 4 > hidden.len() {
                let all = self.reached_before(&end(junk))?.1;
                best = Some(best.map_or((all, junk), |best| best.min((all, junk))));
            }
        }
        Ok(best.map(|(_, junk)| junk))
    }

    /// What all elements reach with this behind them: the counters, and how many of them in all runs together.
    fn reached_before(&mut self, behind: &[u8]) -> Result<(HashSet<u32>, usize), Halt<P::Error>> {
        let (mut reached, mut all) = (HashSet::new(), 0);
        for element in elements() {
            let run = self.prober.read(&[&element[..], behind].concat())?;
            all += run.len();
            reached.extend(keys(&run));
        }
        Ok((reached, all))
    }

    /// Takes junk that is lexed, and looks at nothing that grows with what stands behind it: that is the lexer's, for the
    /// parser has given up by then.
    pub(super) fn look_at_parser(&mut self, junk: Junk) -> Result<(), Halt<P::Error>> {
        // In a comment or text in quotes there is nothing for the parser, and the end of a line is nothing to it either.
        self.lexers.insert(LINE.to_vec());
        for token in elements().into_iter().chain(self.tokens()) {
            if self.future(std::slice::from_ref(&token))?.absorbed.is_some() {
                self.lexers.insert(token);
            }
        }
        self.reached.clear();
        let unlexed = std::mem::replace(&mut self.junk, junk);
        self.tables.are_read = false;
        let behind = end(junk);
        let base = self.prober.read(&behind)?;
        let unlexed = self.prober.read(&[&behind[..], &end(unlexed)].concat())?;
        self.parsed = &keys(&base) - &keys(&unlexed);
        for element in elements() {
            let run = keys(&self.prober.read(&[&element[..], &behind].concat())?);
            if !run.is_disjoint(&self.parsed) {
                self.parsed.retain(|key| run.contains(key));
            }
        }
        for token in elements().into_iter().chain(self.tokens()) {
            for more in TIMES.map(|times| text(&vec![token.clone(); times])) {
                for input in [[&behind[..], &more].concat(), [&behind[..], &more, &behind].concat()] {
                    let grown = differences(&base, &self.prober.read(&input)?);
                    let grown = grown.into_iter().filter(|(_, is_more)| *is_more).map(|(key, _)| key);
                    self.blind.counters.extend(grown);
                }
            }
        }
        // What the end of a line changes where the parser is.
        let live = self.prober.read(&[NAME, &behind].concat())?;
        for input in [[LINE, NAME, &behind].concat(), [NAME, LINE, &behind].concat()] {
            let changed = differences(&live, &self.prober.read(&input)?);
            self.blind.counters.extend(changed.into_iter().map(|(key, _)| key));
        }
        self.parsed.retain(|key| !self.blind.counters.contains(key));
        Ok(())
    }

    /// Whether a run shows nothing but that its input cannot be lexed, if only the parser is looked at.
    pub(super) fn is_unparsed(&self, run: &Counts) -> bool {
        !self.parsed.is_empty() && !run.iter().any(|(key, _)| self.parsed.contains(key))
    }
}
