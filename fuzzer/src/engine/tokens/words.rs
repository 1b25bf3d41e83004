//! Words that names of the input are compared with while it is read.
use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::answers::log::Sides,
    Halt, Learner, Prober,
    classes::is_repeated,
    judged,
    junk::ordinary,
    phrase::{OTHER_NAME, text},
    probe::{Probe, Probes},
    votes::Site,
    wanted::{Extent, ending, letters, words},
};

/// So many probes are made for one name at most. Each follows from what another one was compared with, but for the first.
const PROBES: usize = 2000;
/// Whoever asks for more beginnings of words letter by letter looks for classes of letters.
const SPELT: usize = 1500;
/// So many letters stand before the end of a word at most.
const FRONT: usize = 18;
/// Two different things behind a probe: what is compared before either shows is compared by who reads the input.
const BEHIND: [&[u8]; 2] = [b" q", b" ("];
/// The name in these and in [`judged::AHEAD`].
const NAME_BEHIND: &[u8] = b"q";

/// A phrase whose name at this place is to be another word.
#[derive(Clone, Copy)]
pub struct Slot<'a> {
    pub phrase: &'a [Vec<u8>],
    pub at: usize,
    /// Two different things behind the phrase.
    pub behind: [&'static [u8]; 2],
}

impl<'a> Slot<'a> {
    pub fn new(phrase: &'a [Vec<u8>], at: usize) -> Self {
        Self { phrase, at, behind: BEHIND }
    }

    pub fn phrase(self, word: &[u8]) -> Vec<Vec<u8>> {
        let mut phrase = self.phrase.to_vec();
        phrase[self.at] = word.to_vec();
        phrase
    }

    /// With a word in its place, and this one of the two things behind.
    pub fn bytes(self, word: &[u8], behind: usize) -> Vec<u8> {
        [&text(&self.phrase(word))[..], self.behind[behind]].concat()
    }

    /// Whether this name stands before or behind the place, too.
    fn has_elsewhere(self, name: &[u8]) -> bool {
        let mut others = self.phrase.iter().enumerate().filter(|(at, _)| *at != self.at);
        name == NAME_BEHIND || others.any(|(_, other)| other == name)
    }

    fn start(self) -> usize {
        text(&self.phrase[..=self.at]).len() - self.phrase[self.at].len()
    }
}

/// What a comparison wanted: a whole word, or another letter in the probe, here.
enum Wanted {
    Word(Vec<u8>, Extent),
    Letter(Probe, usize),
    /// The end of a word.
    Ending(Vec<u8>),
}

/// A word that the name was compared with.
struct Compared {
    sites: BTreeSet<Site>,
    /// Not only letter by letter.
    is_whole: bool,
    /// It may be no more than the beginning of a word, wherever it was seen.
    is_cut: bool,
}

impl Default for Compared {
    fn default() -> Self {
        Self { sites: BTreeSet::new(), is_whole: false, is_cut: true }
    }
}

impl<P: Prober> Learner<'_, P> {
    /// Finds out what the name at this place of a phrase is compared with.
    pub(super) fn find_words(&mut self, phrase: &[Vec<u8>], at: usize) -> Result<(), Halt<P::Error>> {
        self.find_words_in(Slot::new(phrase, at))?;
        Ok(())
    }

    /// The same; these are the words that it was compared with, and that were tried.
    pub(super) fn find_words_in(&mut self, slot: Slot<'_>) -> Result<Vec<Vec<u8>>, Halt<P::Error>> {
        let mut probes = Probes::default();
        // Of every length: texts of another length are often not even compared.
        (1..=self.letters.len()).for_each(|n| probes.add(self.letters[..n].to_vec()));
        let mut found: BTreeMap<Vec<u8>, Compared> = BTreeMap::new();
        let mut spelt = 0;
        for _ in 0..PROBES {
            let Some(probe) = probes.next() else { break };
            if spelt > SPELT {
                found.retain(|_, compared| compared.is_whole);
                break;
            }
            if slot.behind != BEHIND && found.len() > judged::MOST {
                return Ok(Vec::new());
            }
            let wanted = self.wanted(slot, &probe)?;
            // Nothing may be asked for because the last letter happens to be right.
            if wanted.is_empty()
                && let Some(other) = probe.with_other_end(&self.letters)
            {
                probes.add_probe(other);
            }
            for (site, wanted) in wanted {
                let (word, is_whole, is_short, is_cut) = match wanted {
                    Wanted::Word(word, extent) => {
                        if found.is_empty() {
                            for first in b'a'..=b'z' {
                                probes.add(vec![first, b'q']);
                                probes.add(vec![first, b'z', b'z']);
                            }
                        }
                        (word, true, extent != Extent::Whole, extent == Extent::Equal)
                    }
                    Wanted::Ending(ending) => {
                        self.ended.note_end(&ending);
                        for front in 1..=FRONT {
                            probes.add_probe(Probe::ended(front, &ending, &self.letters));
                        }
                        continue;
                    }
                    Wanted::Letter(mended, at) => {
                        self.spelt.insert((site, mended.word.clone()));
                        let Some(whole) = mended.whole().map(<[u8]>::to_vec) else {
                            if !is_repeated(&mended.word) {
                                probes.add_probe(mended);
                            }
                            continue;
                        };
                        self.beginnings.insert(whole.clone());
                        if at + 1 == whole.len() {
                            self.classes.note(site, &whole);
                        }
                        if is_repeated(&whole) || self.classes.has(site, &whole) {
                            continue;
                        }
                        // Whoever compares letter by letter compares beginnings that are no words.
                        let is_first = |word: &[u8]| {
                            found.get(word).is_some_and(|first| first.is_whole)
                                || self.strong.contains_key(word)
                        };
                        let firsts = (1..whole.len()).filter(|end| is_first(&whole[..*end])).collect();
                        if self.is_joined(slot, &whole, firsts)? {
                            continue;
                        }
                        // Of every length again: who compares from the end looks at the last letter next.
                        for n in (1..=self.letters.len()).filter(|_| whole.len() == 1) {
                            probes.add_probe(Probe::new(&whole, &self.letters[..n]));
                        }
                        spelt += 1;
                        (whole, false, false, false)
                    }
                };
                // Right behind it in the order of words, for tables that are searched by halves.
                let other = self.letters.iter().position(|letter| !word.contains(letter)).unwrap_or(0);
                probes.add_probe(Probe::new(&word, &self.letters[other..=other]));
                // A comparison shows no more than the first difference: a longer probe that goes on so far shows more.
                if is_whole && is_short {
                    probes.add_probe(Probe::new(&word, &self.letters));
                }
                if word.len() > 1 || is_whole {
                    self.words_of_site.entry(site).or_default().insert(word.clone());
                    let compared = found.entry(word).or_default();
                    compared.sites.insert(site);
                    compared.is_whole |= is_whole;
                    compared.is_cut &= is_cut || !is_whole;
                }
            }
        }
        let mut tried = Vec::new();
        for (word, Compared { sites, is_whole, is_cut }) in found {
            if self.ended.is_longer(&word) || (!is_whole && self.is_of_class(&word)) {
                continue;
            }
            if is_cut && !self.uncut.contains(&word) && self.is_cut_at(&sites, &word) {
                continue;
            }
            tried.push(word.clone());
            let is_more = self.try_word(slot, &word, is_whole)?;
            if is_more || is_whole {
                let word = self.words.entry(word).or_default();
                word.sites.extend(sites);
                word.is_whole |= is_whole;
            }
        }
        Ok(tried)
    }

    /// What a probe is compared with, as far as that is new, by who reads the input.
    fn wanted(&mut self, slot: Slot<'_>, probe: &Probe) -> Result<Vec<(Site, Wanted)>, Halt<P::Error>> {
        let input = slot.bytes(&probe.word, 0);
        let rest = &input[slot.start()..];
        let log = self.trace(&input)?;
        let mut wanted: Vec<(usize, (Site, Wanted))> = Vec::new();
        let mut is_mended = false;
        for (n, (site, sides)) in log.iter().enumerate() {
            if slot.behind != BEHIND
                && let Some(ending) = ending(sides, &probe.word).filter(|_| probe.ending().is_none())
            {
                wanted.push((n, (*site, Wanted::Ending(ending.to_vec()))));
            }
            for (word, extent) in words(sides, &probe.word, rest) {
                // The rest of a word whose end is right.
                if let Some(end) = probe.ending().filter(|end| self.ended.is_end(end))
                    && let Some(whole) = self.ended.with_end(&word, extent, &probe.word, end)
                {
                    wanted.push((n, (*site, Wanted::Word(whole, Extent::Whole))));
                    continue;
                }
                // It may be another name of the input that was compared, which the probe begins with.
                if extent == Extent::Beginning && slot.has_elsewhere(&probe.word[..word.len()]) {
                    continue;
                }
                if extent == Extent::Beginning {
                    self.cuts.note(*site, word.len());
                    self.growing.note(*site, &word, &probe.word);
                }
                if extent != Extent::Equal {
                    self.cuts.note_whole(*site, &word);
                    self.uncut.insert(word.clone());
                }
                let is_cut = extent == Extent::Equal && self.cuts.has(*site, &word);
                // A name that is stored is found again, when it comes again.
                let is_own = word == OTHER_NAME
                    || ordinary(self.junk).contains(&&word[..])
                    || (slot.behind != BEHIND && word.len() == 1);
                let is_known = self.words_of_site.get(site).is_some_and(|all| all.contains(&word));
                if !is_cut && !is_known && !is_own {
                    wanted.push((n, (*site, Wanted::Word(word, extent))));
                }
            }
            // Who looks for letters, and not always for the same, looks for whatever words have in them.
            let is_speller = self.spellers.get(site).is_some_and(|letters| letters.len() > 1);
            let wanted_letters = letters(sides, &probe.word, is_speller);
            let is_unclear = wanted_letters.len() > 1;
            let mended = wanted_letters
                .into_iter()
                .filter_map(|(at, letter)| Some((probe.mended(at, letter)?, at, letter)));
            // The next letter of a word is likelier than one of the rest of the probe, of which nothing was asked for.
            let Some((mended, at, letter)) = mended.min_by_key(|(mended, ..)| mended.whole().is_none())
            else {
                continue;
            };
            if is_unclear && !self.compares_at(slot, &probe.word, *site, (at, letter))? {
                continue;
            }
            if letter.is_ascii_alphabetic() {
                self.spellers.entry(*site).or_default().insert(letter);
            }
            // A letter that is asked for before those in front of it is the end of a word only if it is the first one
            // asked for: who has given up on a word goes on with what stands behind it.
            let is_next = mended.whole().is_some() || !is_mended;
            is_mended |= mended.whole().is_none();
            if is_next && !self.spelt.contains(&(*site, mended.word.clone())) {
                wanted.push((n, (*site, Wanted::Letter(mended, at))));
            }
        }
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let other = self.trace(&slot.bytes(&probe.word, 1))?;
        let same = log.iter().zip(&other).take_while(|(a, b)| a == b).count();
        Ok(wanted.into_iter().filter(|(n, _)| *n < same).map(|(_, wanted)| wanted).collect())
    }

    /// Whether the letter of a probe at this place is compared with another one: if so, any letter there is.
    fn compares_at(
        &mut self,
        slot: Slot<'_>,
        probe: &[u8],
        site: Site,
        (at, letter): (usize, u8),
    ) -> Result<bool, Halt<P::Error>> {
        let mut other = probe.to_vec();
        let is_new = |own: &&u8| !probe.contains(own);
        let Some(own) = self.letters.iter().chain(b"hpbf").find(is_new).copied() else { return Ok(false) };
        other[at] = own;
        let log = self.trace(&slot.bytes(&other, 0))?;
        let sides = |sides: &Sides| letters(sides, &other, true).contains(&(at, letter));
        Ok(log.iter().any(|(made, both)| *made == site && sides(both)))
    }
}
