//! Words that names of the input are compared with while it is read.
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use super::{
    Halt, Learner, Prober,
    phrase::{NAME, Phrase, text},
    votes::Site,
    wanted::{beginning, neighbours, words},
};

/// So many probes are made for one name at most.
const PROBES: usize = 250;
/// Words are probed up to this length.
const LONGEST: usize = 20;
/// Two different things behind a probe: what is compared before either shows is compared by who reads the input.
const BEHIND: [&[u8]; 2] = [b" q", b" ("];

/// Probes that wait, each made once.
#[derive(Default)]
struct Probes {
    waiting: VecDeque<Vec<u8>>,
    made: HashSet<Vec<u8>>,
}

impl Probes {
    fn add(&mut self, probe: Vec<u8>) {
        if probe.len() <= LONGEST && self.made.insert(probe.clone()) {
            self.waiting.push_back(probe);
        }
    }
}

/// A phrase whose name at this place is to be another word.
#[derive(Clone, Copy)]
struct Slot<'a> {
    phrase: &'a [Vec<u8>],
    at: usize,
}

impl Slot<'_> {
    fn phrase(self, word: &[u8]) -> Vec<Vec<u8>> {
        let mut phrase = self.phrase.to_vec();
        phrase[self.at] = word.to_vec();
        phrase
    }

    fn bytes(self, word: &[u8], behind: &[u8]) -> Vec<u8> {
        [&text(&self.phrase(word))[..], behind].concat()
    }

    fn start(self) -> usize {
        text(&self.phrase[..=self.at]).len() - self.phrase[self.at].len()
    }
}

/// What a comparison wanted: a whole word, or the beginning of one.
struct Wanted {
    site: Site,
    word: Vec<u8>,
    is_whole: bool,
}

impl<P: Prober> Learner<'_, P> {
    /// Finds out what the name at this place of a phrase is compared with.
    pub(super) fn find_words(&mut self, phrase: &[Vec<u8>], at: usize) -> Result<(), Halt<P::Error>> {
        let slot = Slot { phrase, at };
        let mut probes = Probes::default();
        // Of every length: texts of another length are often not even compared.
        (1..=self.letters.len()).for_each(|n| probes.add(self.letters[..n].to_vec()));
        let mut found: BTreeMap<Vec<u8>, BTreeSet<Site>> = BTreeMap::new();
        for _ in 0..PROBES {
            let Some(probe) = probes.waiting.pop_front() else { break };
            for Wanted { site, word, is_whole } in self.wanted(slot, &probe)? {
                // Right behind it in the order of words, for tables that are searched by halves.
                let other = self.letters.iter().find(|letter| !word.contains(letter)).copied();
                probes.add(word.iter().copied().chain(other).collect());
                if is_whole && found.is_empty() {
                    for first in b'a'..=b'z' {
                        probes.add(vec![first, b'q']);
                        probes.add(vec![first, b'z', b'z']);
                    }
                }
                if !is_whole {
                    self.spelt.insert((site, word.clone()));
                }
                if word.len() > 1 || is_whole {
                    self.words_of_site.entry(site).or_default().insert(word.clone());
                    found.entry(word).or_default().insert(site);
                }
            }
        }
        for (word, sites) in found {
            self.words.entry(word.clone()).or_default().sites.extend(sites);
            self.try_word(slot, &word)?;
        }
        Ok(())
    }

    /// What a probe is compared with, as far as that is new, by who reads the input.
    fn wanted(&mut self, slot: Slot<'_>, probe: &[u8]) -> Result<Vec<Wanted>, Halt<P::Error>> {
        let input = slot.bytes(probe, BEHIND[0]);
        let rest = &input[slot.start()..];
        let log = self.prober.trace(&input)?;
        let mut wanted: Vec<(usize, Wanted)> = Vec::new();
        for (n, (site, sides)) in log.iter().enumerate() {
            for word in words(sides, probe, rest) {
                if !self.words_of_site.get(site).is_some_and(|all| all.contains(&word)) {
                    wanted.push((n, Wanted { site: *site, word, is_whole: true }));
                }
            }
            if let Some(word) = beginning(sides, probe)
                && !self.spelt.contains(&(*site, word.clone()))
            {
                wanted.push((n, Wanted { site: *site, word, is_whole: false }));
            }
        }
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let other = self.prober.trace(&slot.bytes(probe, BEHIND[1]))?;
        let same = log.iter().zip(&other).take_while(|(a, b)| a == b).count();
        Ok(wanted.into_iter().filter(|(n, _)| *n < same).map(|(_, wanted)| wanted).collect())
    }

    /// Whether a word reaches code that no word like it reaches, and leads to another state.
    fn try_word(&mut self, slot: Slot<'_>, word: &[u8]) -> Result<(), Halt<P::Error>> {
        let others: Vec<Vec<u8>> = neighbours(word).into_iter().chain([NAME.to_vec()]).collect();
        let mut reached = HashSet::new();
        for other in &others {
            let run = self.read(&slot.bytes(other, BEHIND[0]))?;
            reached.extend(run.into_iter().map(|(key, _)| key));
        }
        let run = self.read(&slot.bytes(word, BEHIND[0]))?;
        if run.iter().all(|(key, _)| reached.contains(key)) {
            return Ok(());
        }
        self.words.entry(word.to_vec()).or_default().reaches_more = true;
        let others: Vec<Phrase> = others.iter().map(|other| slot.phrase(other)).collect();
        if (word.len() > 1 || !word[0].is_ascii_alphanumeric())
            && self.is_other(&slot.phrase(word), &others, None)?
        {
            *self.strong.entry(word.to_vec()).or_default() += 1;
        }
        Ok(())
    }
}
