//! `features`: what a harness made for Centipede writes to `__centipede_extra_features`.
use crate::{Domain, Event, EventSet, Reducer, RunMap, Unit};

/// A feature is a domain of the target's, of which Centipede knows 16, and a number in it.
const DOMAIN_BITS: u32 = 4;
const NUMBER_BITS: u32 = 16;
/// How many keys there are.
pub const FEATURE_KEYS: usize = 1 << (DOMAIN_BITS + NUMBER_BITS);

pub(crate) static FEATURES: Domain = Domain {
    name: "features",
    help: "new features of Centipede's kind (on where the target has the section __centipede_extra_features)",
    events: EventSet::of(Event::Edge),
    maps: &[RunMap::ExtraFeatures],
    a0: 0,
    reducer: Reducer::Max,
    goal: None,
    unit: Unit::Number,
    brings: None,
};

/// The key of a feature: its upper half is the domain, its lower half the number. Large numbers, which are hashes mostly,
/// share the keys.
#[must_use]
pub const fn feature_key(feature: u64) -> usize {
    let (domain, number) = (feature >> 32, feature & 0xffff_ffff);
    let folded = if number >> NUMBER_BITS == 0 {
        number
    } else {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - NUMBER_BITS)
    };
    ((domain & ((1 << DOMAIN_BITS) - 1)) << NUMBER_BITS | folded) as usize
}

/// The domain and the number that a key stands for.
#[must_use]
pub const fn feature_of(key: usize) -> (usize, usize) {
    (key >> NUMBER_BITS, key & ((1 << NUMBER_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_features_have_keys_of_their_own_and_all_have_one() {
        assert_eq!(feature_of(feature_key(3 << 32 | 500)), (3, 500));
        assert_eq!(feature_key(17 << 32 | 5), feature_key(1 << 32 | 5));
        for feature in [0, 1, u64::MAX, 0xffff_ffff, 1 << 16, 15 << 32 | 0xffff] {
            assert!(feature_key(feature) < FEATURE_KEYS, "{feature:#x}");
        }
        assert_ne!(feature_key(0x10000), feature_key(0x20000));
    }
}
