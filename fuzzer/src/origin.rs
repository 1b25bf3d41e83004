//! Where an input comes from, as queue and crash names tell it.
use waypoint_grammar::mutate::OPERATORS;

/// How an input was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// A seed, as the user gave it; `parent` is its place in the list of seeds.
    Seed,
    /// Stacked random mutations.
    Havoc,
    /// The harness's own mutator.
    Custom,
    /// The harness's own crossover.
    CustomCrossOver,
    /// Kept by an earlier campaign; `parent` is its place in the list of seeds.
    Earlier,
    /// Other bytes that keep the way of a run.
    Colour,
    /// What a comparison wanted.
    Answer,
    /// Random mutations, and fields such as checksums made right again.
    Mended,
    /// Random mutations only where they keep a rare branch, or the value of a key.
    Masked,
    /// A mutation that finds out where these may be.
    Mask,
    /// A smaller tree that reaches what an entry holds.
    Trim,
    /// Made of tokens that are being learnt.
    Token,
    /// Learnt tokens put in, taken out, or moved.
    Phrase,
    /// Larger values in the bytes that made a value larger.
    Climb,
    /// The operator of the language engine with this place in its list.
    Tree(u8),
}

impl Op {
    /// All but the operators on trees, by their code.
    const PLAIN: [Self; 14] = [
        Self::Seed,
        Self::Havoc,
        Self::Custom,
        Self::CustomCrossOver,
        Self::Earlier,
        Self::Colour,
        Self::Answer,
        Self::Mended,
        Self::Masked,
        Self::Mask,
        Self::Trim,
        Self::Token,
        Self::Phrase,
        Self::Climb,
    ];
    /// Codes from here on are operators on trees.
    const TREES: u8 = 32;
    /// Every code is below this.
    pub const CODES: usize = 64;

    /// A small number for it.
    pub fn code(self) -> u8 {
        match self {
            Self::Tree(place) => Self::TREES + place % Self::TREES,
            plain => Self::PLAIN.iter().position(|op| *op == plain).unwrap_or(1) as u8,
        }
    }

    /// The inverse of [`Op::code`].
    pub fn of_code(code: u8) -> Option<Self> {
        match code.checked_sub(Self::TREES) {
            Some(place) => (usize::from(place) < OPERATORS.len()).then_some(Self::Tree(place)),
            None => Self::PLAIN.get(usize::from(code)).copied(),
        }
    }

    /// As it stands in a queue name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed | Self::Earlier => "orig",
            Self::Havoc => "havoc",
            Self::Custom => "custom",
            Self::CustomCrossOver => "splice",
            Self::Colour => "colour",
            Self::Answer => "answer",
            Self::Mended => "mended",
            Self::Masked => "masked",
            Self::Mask => "mask",
            Self::Trim => "trim",
            Self::Token => "token",
            Self::Phrase => "phrase",
            Self::Climb => "climb",
            Self::Tree(place) => OPERATORS.get(usize::from(place)).map_or("tree", |operator| operator.name),
        }
    }
}

/// The entry an input was made from, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The queue entry, or the seed for [`Op::Seed`].
    pub parent: u32,
    /// How it was made.
    pub op: Op,
    /// How many mutations were stacked.
    pub rep: u16,
}

impl Origin {
    /// As one word, so that it can be shared and read at any moment.
    pub fn pack(self) -> u64 {
        u64::from(self.parent) | (u64::from(self.op.code()) << 32) | (u64::from(self.rep) << 40)
    }

    /// The inverse of [`Origin::pack`].
    pub fn unpack(word: u64) -> Self {
        let op = Op::of_code((word >> 32) as u8).unwrap_or(Op::Havoc);
        Self { parent: word as u32, op, rep: (word >> 40) as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_without_loss() {
        let trees = (0..OPERATORS.len()).map(|place| Op::Tree(place as u8));
        for op in Op::PLAIN.into_iter().chain(trees) {
            assert!(usize::from(op.code()) < Op::CODES);
            let origin = Origin { parent: u32::MAX - 1, op, rep: 513 };
            assert_eq!(Origin::unpack(origin.pack()), origin);
        }
    }
}
