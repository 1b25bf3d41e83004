//! Names that are compared as wholes within a text that a sign opened, up to the sign that ends it.
use std::{collections::BTreeSet, rc::Rc};

use super::{
    super::{
        Halt, Learner, Prober,
        probe::{Probe, Probes},
        wanted::{letters, neighbours, words},
    },
    state::Edges,
};

/// Names are looked for in so many places, with so many ends each.
const PLACES: usize = 24;
const ENDS: usize = 4;
/// So many probes are made for one end.
const PROBES: usize = 500;
/// So many words like the program's texts are compared with.
const ALIKE: usize = 600;
/// A state that keeps so much of another one is that one still.
const STILL: f64 = 0.6;
/// A name reaches so much that none like it reaches.
const ENOUGH: usize = 2;

impl<P: Prober> Learner<'_, P> {
    /// Looks for names behind what opens a text that signs lead out of.
    pub(super) fn find_names(&mut self, text: &[u8], ordinary: u8) -> Result<(), Halt<P::Error>> {
        let after = [text, &[ordinary]].concat();
        let within = self.state(&after)?;
        let mut ends = Vec::new();
        for sign in within.special.iter().copied().filter(u8::is_ascii_punctuation) {
            if self.state(&[&after[..], &[sign]].concat())?.likeness(&within) < STILL {
                ends.push(sign);
            }
        }
        for end in ends.into_iter().take(ENDS) {
            self.find_names_before(text, &[end])?;
        }
        Ok(())
    }

    /// Looks for names between two texts.
    pub(super) fn find_names_before(&mut self, text: &[u8], end: &[u8]) -> Result<(), Halt<P::Error>> {
        let opener = [&text[text.len().saturating_sub(2)..], end].concat();
        if self.tight.named.len() == PLACES || !self.tight.named.insert(opener) {
            return Ok(());
        }
        let mut probes = Probes::default();
        (1..=self.letters.len()).for_each(|n| probes.add(self.letters[..n].to_vec()));
        let mut tried: BTreeSet<Vec<u8>> = BTreeSet::new();
        for _ in 0..PROBES {
            let Some(probe) = probes.next() else { break };
            let input = [text, &probe.word, end, &self.tight.tail].concat();
            let rest = &input[text.len()..];
            for (_, sides) in self.trace(&input)? {
                for (word, _) in words(&sides, &probe.word, rest) {
                    if tried.insert(word.clone()) {
                        probes.add_probe(Probe::new(&word, &self.letters[..1]));
                        self.try_name(text, &word, end)?;
                    }
                }
                for (at, wanted) in letters(&sides, &probe.word, false) {
                    let Some(mended) = probe.mended(at, wanted) else { continue };
                    if let Some(whole) = mended.whole().map(<[u8]>::to_vec)
                        && tried.insert(whole.clone())
                    {
                        for n in (1..=self.letters.len()).filter(|_| whole.len() == 1) {
                            probes.add_probe(Probe::new(&whole, &self.letters[..n]));
                        }
                        self.try_name(text, &whole, end)?;
                    }
                    probes.add_probe(mended);
                }
            }
        }
        self.try_texts_before(text, end, &tried)
    }

    /// Tries the program's own texts, for those who look names up by hash: such a one also finds some of them by chance, but no
    /// more these than others.
    fn try_texts_before(
        &mut self,
        text: &[u8],
        end: &[u8],
        tried: &BTreeSet<Vec<u8>>,
    ) -> Result<(), Halt<P::Error>> {
        let mut plain: Vec<Rc<Edges>> = Vec::new();
        for n in 1..=self.letters.len() {
            plain.push(self.reach(&[text, &self.letters[..n], end].concat())?);
        }
        let mut candidates = Vec::new();
        for word in self.texts.clone() {
            if !tried.contains(&word) && self.reach(&[text, &word, end].concat())?.only(&plain) >= ENOUGH {
                candidates.push(word);
            }
        }
        if candidates.is_empty() {
            return Ok(());
        }
        let alike = self.texts.iter().filter_map(|word| neighbours(word).into_iter().next());
        let alike: Vec<Vec<u8>> = alike.take(ALIKE).collect();
        for other in alike {
            plain.push(self.reach(&[text, &other, end].concat())?);
        }
        for word in candidates {
            if self.reach(&[text, &word, end].concat())?.only(&plain) >= ENOUGH {
                self.try_name(text, &word, end)?;
            }
        }
        Ok(())
    }

    /// Takes a name if it reaches what none like it reaches.
    fn try_name(&mut self, text: &[u8], name: &[u8], end: &[u8]) -> Result<(), Halt<P::Error>> {
        if name.len() < 2 || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)) {
            return Ok(());
        }
        let letters = self.letters.iter().copied().cycle().take(name.len()).collect();
        let mut others: Vec<Rc<Edges>> = Vec::new();
        for other in neighbours(name).into_iter().chain([letters]) {
            others.push(self.reach(&[text, &other, end].concat())?);
        }
        if self.reach(&[text, name, end].concat())?.only(&others) >= ENOUGH {
            self.found(text, name, end)?;
            // What ends a name that is known is a token too.
            let named = [text, name].concat();
            if !self.is_over(&[&named[..], end].concat())? {
                self.found(&named, end, b"")?;
            }
        }
        Ok(())
    }
}
