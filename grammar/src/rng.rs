//! The one source of chance, so that one seed gives one output: xoshiro256++ by Blackman and Vigna.

/// A small, fast, seeded generator of random numbers.
#[derive(Debug, Clone)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator whose every number follows from `seed`.
    pub fn new(seed: u64) -> Self {
        // SplitMix64 spreads the seed, as the authors advise.
        let mut x = seed;
        let state = std::array::from_fn(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Self { state }
    }

    /// The next 64 random bits.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "a generator of numbers is no iterator")]
    pub fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `n`; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number below `n` and one below `m`, by one draw; 0 where those are 0.
    #[inline]
    pub fn below_both(&mut self, n: u32, m: u32) -> (u32, u32) {
        let bits = self.next();
        let below = |half: u64, n: u32| ((half * u64::from(n)) >> 32) as u32;
        (below(bits >> 32, n), below(bits & u64::from(u32::MAX), m))
    }

    /// A number below `n`; 0 if `n` is 0.
    #[inline]
    pub fn below64(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True once in `n` times.
    #[inline]
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn one_seed_gives_one_sequence_within_its_range() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for n in 1..1000 {
            let x = a.below(n);
            assert_eq!(x, b.below(n));
            assert!(x < n);
            let both = a.below_both(n, 7);
            assert_eq!(both, b.below_both(n, 7));
            assert!(both.0 < n && both.1 < 7);
        }
        assert_ne!(Rng::new(1).next(), Rng::new(2).next());
    }
}
