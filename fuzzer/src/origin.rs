//! Where an input comes from, as queue and crash names tell it.

/// Which stage made an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// A seed, as the user gave it; `parent` is its place in the list of seeds.
    Seed = 0,
    /// Stacked random mutations.
    Havoc = 1,
    /// The harness's own mutator.
    Custom = 2,
    /// The harness's own crossover.
    CustomCrossOver = 3,
    /// Kept by an earlier campaign; `parent` is its place in the list of seeds.
    Earlier = 4,
    /// Other bytes that keep the way of a run.
    Colour = 5,
    /// What a comparison wanted.
    Answer = 6,
}

impl Op {
    const ALL: [Self; 7] = [
        Self::Seed,
        Self::Havoc,
        Self::Custom,
        Self::CustomCrossOver,
        Self::Earlier,
        Self::Colour,
        Self::Answer,
    ];

    /// As it stands in a queue name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed | Self::Earlier => "orig",
            Self::Havoc => "havoc",
            Self::Custom => "custom",
            Self::CustomCrossOver => "splice",
            Self::Colour => "colour",
            Self::Answer => "answer",
        }
    }
}

/// The entry an input was made from, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The queue entry, or the seed for [`Op::Seed`].
    pub parent: u32,
    /// The stage.
    pub op: Op,
    /// How many mutations were stacked.
    pub rep: u16,
}

impl Origin {
    /// As one word, so that it can be shared and read at any moment.
    pub fn pack(self) -> u64 {
        u64::from(self.parent) | (u64::from(self.op as u8) << 32) | (u64::from(self.rep) << 40)
    }

    /// The inverse of [`Origin::pack`].
    pub fn unpack(word: u64) -> Self {
        let op = Op::ALL.get((word >> 32) as usize & 0xff).copied().unwrap_or(Op::Havoc);
        Self { parent: word as u32, op, rep: (word >> 40) as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_without_loss() {
        for op in Op::ALL {
            let origin = Origin { parent: u32::MAX - 1, op, rep: 513 };
            assert_eq!(Origin::unpack(origin.pack()), origin);
        }
    }
}
