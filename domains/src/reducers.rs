//! The standard reducers: idempotent and order-insensitive, as the conformance tests demand.

/// How an aggregate takes in a value: equations 4.1 and 4.2 of the thesis must hold for it.
#[derive(Debug, Clone, Copy)]
pub enum Reducer {
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
    /// Union of AFL's hit-count buckets: 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and 128 or more, a bit each.
    BucketUnion,
    /// Union of the values' highest bits: one for every order of magnitude.
    LogUnion,
    /// Union of bits.
    BitUnion,
    /// Intersection of bits.
    BitIntersection,
    /// A function of the target.
    Custom(extern "C" fn(u64, u64) -> u64),
}

impl Reducer {
    /// `reduce(aggregate, value)`.
    #[must_use]
    #[inline]
    pub fn apply(self, aggregate: u64, value: u64) -> u64 {
        match self {
            Self::Max => aggregate.max(value),
            Self::Min => aggregate.min(value),
            Self::BucketUnion => aggregate | bucket(value),
            Self::LogUnion => aggregate | value.checked_ilog2().map_or(0, |bit| 1 << bit),
            Self::BitUnion => aggregate | value,
            Self::BitIntersection => aggregate & value,
            Self::Custom(function) => function(aggregate, value),
        }
    }

    /// Whether aggregates are values that runs had, so that the largest is worth telling.
    #[must_use]
    pub const fn keeps_a_value(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }

    /// Looks for values that break the laws, by trial: the conformance tests do it for ours, and a target's own reducer
    /// is tried when it registers. The answer says which law is broken, and how.
    ///
    /// # Errors
    /// A law is broken.
    pub fn try_laws(self, a0: u64) -> Result<(), String> {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |round: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // Mostly small, as values are; sometimes anything.
            if round.is_multiple_of(3) { random } else { random >> 32 & 0xff }
        };
        for round in 0..1000 {
            let seen = [next(round), next(round + 1), next(round / 2)];
            let a = seen[..round as usize % 4].iter().fold(a0, |a, v| self.apply(a, *v));
            let (x, y) = (next(round), next(round + 1));
            let (once, twice) = (self.apply(a, x), self.apply(self.apply(a, x), x));
            if once != twice {
                return Err(format!(
                    "it is not idempotent (4.1): reduce({a}, {x}) is {once}, but reducing that with {x} again gives {twice}"
                ));
            }
            let (xy, yx) = (self.apply(self.apply(a, x), y), self.apply(self.apply(a, y), x));
            if xy != yx {
                return Err(format!(
                    "the order matters (4.2): starting from {a}, {x} then {y} gives {xy}, but {y} then {x} gives {yx}"
                ));
            }
        }
        Ok(())
    }
}

/// The bucket of a count, as the one bit that stands for it; no bit for 0.
#[must_use]
pub const fn bucket(count: u64) -> u64 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn sum(a: u64, v: u64) -> u64 {
        a.wrapping_add(v)
    }

    extern "C" fn last(_: u64, v: u64) -> u64 {
        v
    }

    #[test]
    fn trial_tells_good_from_bad() {
        use Reducer::{BitIntersection, BitUnion, BucketUnion, LogUnion, Max, Min};
        for reducer in [Max, Min, BucketUnion, LogUnion, BitUnion, BitIntersection] {
            assert_eq!(reducer.try_laws(0), Ok(()), "{reducer:?}");
            assert_eq!(reducer.try_laws(u64::MAX), Ok(()), "{reducer:?}");
        }
        assert!(Reducer::Custom(sum).try_laws(0).unwrap_err().contains("4.1"));
        assert!(Reducer::Custom(last).try_laws(0).unwrap_err().contains("4.2"));
    }
}
