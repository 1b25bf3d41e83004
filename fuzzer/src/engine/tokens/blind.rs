//! Who looks through all of an input before any of it is read, as for bytes that are no text, shows in every run: what is
//! longer changes it, whatever stands before. That says nothing of how the input is read, and is not looked at.
use std::collections::{HashMap, HashSet};

use super::{
    super::answers::log::Sides, Counts, Halt, Learner, Prober, junk::end, phrase::elements,
    prober::differences, votes::Site,
};

/// More is put behind so many times, for what depends on how much there is, as the place that a copy is given does.
pub const TIMES: [usize; 3] = [1, 2, 40];

/// Counters and comparisons that more of anything changes, wherever it stands.
#[derive(Debug, Default)]
pub struct Blind {
    pub counters: HashSet<u32>,
    pub sites: HashSet<Site>,
    /// Since the last state that was looked at there were more of those counters.
    pub is_news: bool,
    /// Texts that are compared whatever the input is, as when a program puts its own words in order.
    constants: HashSet<(Site, [Vec<u8>; 2])>,
}

impl Blind {
    /// Whether a comparison has to do with the input.
    pub fn is_of_input(&self, site: Site, sides: &Sides) -> bool {
        let is_constant = match sides {
            Sides::Texts(texts) => self.constants.contains(&(site, texts.clone())),
            _ => false,
        };
        !is_constant && !self.sites.contains(&site)
    }
}

fn common<T: Eq + std::hash::Hash>(all: Option<HashSet<T>>, found: HashSet<T>) -> HashSet<T> {
    match all {
        Some(all) => found.into_iter().filter(|one| all.contains(one)).collect(),
        None => found,
    }
}

/// The places where the comparisons of two runs differ.
fn changed_sites(first: &[(Site, Sides)], second: &[(Site, Sides)]) -> HashSet<Site> {
    let by_site = |log: &[(Site, Sides)]| {
        let mut sides: HashMap<Site, Vec<Sides>> = HashMap::new();
        log.iter().for_each(|(site, both)| sides.entry(*site).or_default().push(both.clone()));
        sides
    };
    let (first, second) = (by_site(first), by_site(second));
    let sites = first.keys().chain(second.keys()).copied();
    sites.filter(|site| first.get(site) != second.get(site)).collect()
}

impl<P: Prober> Learner<'_, P> {
    /// What differs between two runs of one input says nothing of it: chains of a hash table that is kept from run to run, say.
    pub(super) fn ignore_noise(&mut self, input: &[u8], run: &Counts) -> Result<(), Halt<P::Error>> {
        self.runs += 1;
        let noise = differences(run, &self.prober.read(input)?);
        let before = self.blind.counters.len();
        self.blind.counters.extend(noise.into_iter().map(|(counter, _)| counter));
        self.blind.is_news |= self.blind.counters.len() > before;
        Ok(())
    }

    /// Finds what more of anything behind the junk changes, whatever stands before it.
    pub(super) fn find_blind(&mut self) -> Result<(), Halt<P::Error>> {
        let mut blind = Blind::default();
        let kinds = [self.junk, "x", "\n"];
        for more in kinds.into_iter().flat_map(|more| TIMES.map(|times| more.repeat(times))) {
            let (mut counters, mut sites) = (None, None);
            for element in elements() {
                let short = [&element[..], &end(self.junk)].concat();
                let long = [&short[..], more.as_bytes()].concat();
                let changed = differences(&self.prober.read(&short)?, &self.prober.read(&long)?);
                let changed: HashSet<u32> =
                    common(counters, changed.into_iter().map(|(counter, _)| counter).collect());
                if changed.is_empty() {
                    (counters, sites) = (None, None);
                    break;
                }
                counters = Some(changed);
                let changed = changed_sites(&self.prober.trace(&short)?, &self.prober.trace(&long)?);
                sites = Some(common(sites, changed));
            }
            blind.counters.extend(counters.unwrap_or_default());
            blind.sites.extend(sites.unwrap_or_default());
        }
        // Of two inputs that have nothing in common, as some do nothing at all without one.
        let mut constants = None;
        for input in [end(self.junk), b"1".to_vec()] {
            let texts = self.prober.trace(&input)?.into_iter().filter_map(|(site, sides)| match sides {
                Sides::Texts(texts) => Some((site, texts)),
                _ => None,
            });
            constants = Some(common(constants, texts.collect()));
        }
        blind.constants = constants.unwrap_or_default();
        self.blind = blind;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::prober::Fake, *};

    #[test]
    fn what_differs_between_equal_runs_is_not_looked_at() {
        // Counter 2 is reached in every other run only.
        let mut runs = 0;
        let mut reader = Fake(|_: &[u8]| {
            runs += 1;
            if runs % 2 == 0 { vec![(1, 1)] } else { vec![(1, 1), (2, runs)] }
        });
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        let mut last = Vec::new();
        for _ in 0..2 * super::super::REPEATED {
            last.push(learner.read(b"x").unwrap());
        }
        assert!(last[0].len() == 2 && learner.blind.is_news);
        assert!(last[super::super::REPEATED..].iter().all(|run| run == &[(1, 1)]));
    }
}
