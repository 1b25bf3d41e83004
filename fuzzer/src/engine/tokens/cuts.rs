//! Places in the program that compare no more than the shorter of two texts, as those do that keep words in order: a probe
//! sees no more of a word there than it is long.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Learner, Prober, votes::Site};

/// A call that compares texts of varying length has so many slots, one for each length, the last one for all longer ones.
const SLOTS: usize = 8;
/// Whoever cuts words of so many lengths cuts those of all others too.
const ENOUGH: usize = 3;

/// The first slot of a call that compared so many bytes at this place.
pub fn call(site: Site, length: usize) -> Option<Site> {
    let first = length.min(SLOTS).checked_sub(1).and_then(|n| site.1.checked_sub(n))?;
    Some((site.0, first))
}

/// What is known of such places.
#[derive(Debug, Default)]
pub struct Cuts {
    /// The places, and the beginnings of words that were seen there.
    pub sites: HashMap<Site, BTreeSet<Vec<u8>>>,
    /// By the first slot of a call: the lengths that were seen there.
    lengths: HashMap<Site, BTreeSet<usize>>,
    /// The words that were seen to end where they do, at each place.
    whole: BTreeMap<Site, BTreeSet<Vec<u8>>>,
}

impl Cuts {
    /// At this place a longer probe was compared with no more than so many bytes.
    pub fn note(&mut self, site: Site, length: usize) {
        self.sites.entry(site).or_default();
        let Some(call) = call(site, length) else { return };
        let lengths = self.lengths.entry(call).or_default();
        if lengths.insert(length) && lengths.len() >= ENOUGH {
            let slots = call.1..call.1 + SLOTS;
            slots.for_each(|slot| _ = self.sites.entry((site.0, slot)).or_default());
        }
    }

    /// At this place all of a word was seen.
    pub fn note_whole(&mut self, site: Site, word: &[u8]) {
        self.whole.entry(site).or_default().insert(word.to_vec());
    }

    /// Whether a longer word that begins with this one was seen in the same call: who compares no more of a word than the
    /// input has shows as much of it to every probe.
    fn goes_on(&self, site: Site, word: &[u8]) -> bool {
        // The slots of a call, for probes of other lengths, are those next to it.
        let slots = (site.0, (site.1 + 1).saturating_sub(SLOTS))..(site.0, site.1 + SLOTS);
        let is_longer = |words: &BTreeSet<Vec<u8>>| {
            let mut longer = words.range(word.to_vec()..).take_while(|longer| longer.starts_with(word));
            longer.any(|longer| longer.len() > word.len())
        };
        self.whole.range(slots).any(|(_, words)| is_longer(words))
    }

    /// Whether this word was cut before, at this place.
    pub fn has(&self, site: Site, word: &[u8]) -> bool {
        self.sites.get(&site).is_some_and(|words| words.contains(word))
    }
}

impl<P: Prober> Learner<'_, P> {
    /// Whether only the beginning of a word was seen at such a place. If so, that is forgotten.
    pub(super) fn is_cut_at(&mut self, sites: &BTreeSet<Site>, word: &[u8]) -> bool {
        let is_known = self.cuts.sites.values().any(|cuts| cuts.contains(word));
        let is_cutting = |site: &Site| self.cuts.sites.contains_key(site) || self.cuts.goes_on(*site, word);
        if !is_known && !sites.iter().any(is_cutting) {
            return false;
        }
        for site in sites {
            self.cuts.sites.get_mut(site).into_iter().for_each(|cuts| _ = cuts.insert(word.to_vec()));
            self.words_of_site.get_mut(site).into_iter().for_each(|words| _ = words.remove(word));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_in_the_same_call_is_cut() {
        let mut cuts = Cuts::default();
        cuts.note_whole((0, 16), b"shared");
        assert!(cuts.goes_on((0, 12), b"sha") && !cuts.goes_on((0, 12), b"she"));
        assert!(
            !cuts.goes_on((0, 15), b"shared")
                && !cuts.goes_on((0, 24), b"sha")
                && !cuts.goes_on((1, 12), b"sha")
        );
    }

    #[test]
    fn who_cuts_at_three_lengths_cuts_at_all() {
        let mut cuts = Cuts::default();
        cuts.note((0, 11), 2);
        cuts.note((0, 13), 4);
        cuts.note((0, 13), 4);
        assert!(!cuts.sites.contains_key(&(0, 16)));
        cuts.note((0, 14), 5);
        let cutting = |slot| cuts.sites.contains_key(&(0, slot));
        assert!((10..18).all(cutting) && !cutting(9) && !cutting(18));
    }
}
