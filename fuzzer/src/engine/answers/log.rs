//! The comparisons of a traced run, ready to be answered.
use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use waypoint_runtime::{
    abi::{COMPARISONS, SiteRecord, Traced},
    objects,
};

use super::super::run_maps::RunMaps;

/// A comparison: its place in the program, and which one of those made there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Made {
    /// The number of the object and of the slot.
    pub site: (usize, usize),
    /// How many there made before it in this run.
    pub nth: u32,
}

/// What was compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Sides {
    /// Whole numbers of so many bits; whether order counts, not only equality.
    Numbers { width: u32, ordered: bool, sides: [u64; 2] },
    /// Floating-point numbers.
    Floats([f64; 2]),
    /// Texts, as far as they are known.
    Texts([Vec<u8>; 2]),
}

impl Sides {
    /// Whether there is nothing left to answer.
    pub fn are_equal(&self) -> bool {
        match self {
            // What is equal may still be wanted larger or smaller.
            Self::Numbers { ordered, sides, .. } => !ordered && sides[0] == sides[1],
            Self::Floats(_) => false,
            Self::Texts(sides) => sides[0] == sides[1],
        }
    }

    /// Whether they are as an answer makes them: equal, or one apart where order counts.
    pub fn are_near(&self) -> bool {
        match self {
            Self::Numbers { ordered, sides, .. } => {
                sides[0].abs_diff(sides[1]) <= u64::from(*ordered || sides.contains(&0))
            }
            Self::Floats(sides) => (sides[0] - sides[1]).abs() <= 1.0,
            Self::Texts(sides) => sides[0] == sides[1],
        }
    }

    /// One of the sides, if it might be a length.
    pub fn length(&self, side: usize) -> Option<usize> {
        const LIKELY: std::ops::RangeInclusive<u64> = 2..=1024;
        match self {
            Self::Numbers { sides, .. } => LIKELY.contains(&sides[side]).then_some(sides[side] as usize),
            Self::Floats(_) | Self::Texts(_) => None,
        }
    }

    /// A number for one of the sides, to remember what was wanted.
    pub fn hash(&self, side: usize) -> u64 {
        match self {
            Self::Numbers { sides, .. } => sides[side],
            Self::Floats(sides) => sides[side].to_bits(),
            Self::Texts(sides) => {
                let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
                sides[side].iter().fold(0xcbf2_9ce4_8422_2325, mix)
            }
        }
    }
}

/// The comparisons of one run, in the order in which they were made.
#[derive(Debug, Default)]
pub struct Log {
    /// All of them.
    pub all: Vec<(Made, Sides)>,
    /// Where in it each of them is; most logs are never asked.
    places: OnceCell<FxHashMap<Made, usize>>,
}

impl Log {
    /// Of these comparisons.
    #[cfg(test)]
    pub fn of(all: Vec<(Made, Sides)>) -> Self {
        Self { all, places: OnceCell::new() }
    }

    /// Where comparisons were made.
    pub fn sites(&self) -> FxHashSet<(usize, usize)> {
        self.all.iter().map(|(made, _)| made.site).collect()
    }

    /// What the other run compared at the same place.
    pub fn find(&self, made: &Made) -> Option<&Sides> {
        let number = || self.all.iter().enumerate().map(|(place, (made, _))| (*made, place)).collect();
        let places = self.places.get_or_init(number);
        places.get(made).map(|place| &self.all[*place].1)
    }
}

/// What the slots of all objects stand for.
#[derive(Debug, Default)]
pub struct Sites {
    objects: Vec<Vec<Option<&'static SiteRecord>>>,
    /// How often each was seen in the log that is read; all 0 in between.
    counts: Vec<Vec<u32>>,
}

impl Sites {
    /// Reads the log of the last run, which was traced.
    pub fn read(&mut self, maps: &RunMaps) -> Log {
        if self.objects.len() != objects::count() {
            self.objects = objects::all().map(|object| sites(&object)).collect();
            self.counts = self.objects.iter().map(|sites| vec![0; sites.len()]).collect();
        }
        let mut log = Log::default();
        maps.for_each_traced(|object, slot, traced| {
            let Some(record) = self.objects.get(object).and_then(|sites| *sites.get(slot)?) else { return };
            let count = &mut self.counts[object][slot];
            let made = Made { site: (object, slot), nth: *count };
            *count += 1;
            log.all.push((made, sides(record, traced)));
        });
        log.all.iter().for_each(|(made, _)| self.counts[made.site.0][made.site.1] = 0);
        log
    }
}

fn sites(object: &objects::Object) -> Vec<Option<&'static SiteRecord>> {
    let mut found = vec![None; object.n_cmps()];
    for function in object.functions() {
        let (first, records) = function.cmps();
        let Some(first) = object.cmp_index(first) else { continue };
        for (slot, record) in found[first..].iter_mut().zip(records) {
            *slot = Some(record);
        }
    }
    found
}

fn sides(record: &SiteRecord, traced: &Traced) -> Sides {
    match COMPARISONS.get(record.kind as usize).copied().unwrap_or("text") {
        "text" => Sides::Texts(ended(traced.texts()).map(<[u8]>::to_vec)),
        "float" => Sides::Floats(traced.numbers().map(f64::from_bits)),
        kind => {
            let ordered = kind == "order";
            let sides = traced.numbers().map(|value| truncated(value, record.width, ordered));
            Sides::Numbers { width: record.width, ordered, sides }
        }
    }
}

/// Two texts without what stands behind their ends. Compilers compare a string with a constant as so many bytes, its end
/// included; of a shorter string, what is behind it is anything, and another thing each time if it is an address.
fn ended(sides: [&[u8]; 2]) -> [&[u8]; 2] {
    let ends = sides.map(|side| side.iter().position(|byte| *byte == 0).unwrap_or(side.len()));
    let is_string = |side: usize| ends[side] + 1 == sides[side].len();
    let goes_on = |side: usize| ends[side] + 1 < sides[side].len();
    let has_stale = (is_string(0) && goes_on(1)) || (is_string(1) && goes_on(0));
    if has_stale { [0, 1].map(|side| &sides[side][..ends[side]]) } else { sides }
}

/// A number in its own width. Signed ones that are ordered come with their sign bit flipped, which shows in bits that
/// none of the others has.
fn truncated(value: u64, width: u32, ordered: bool) -> u64 {
    let mask = mask(width);
    let flipped = ordered && (value & !mask != 0 || (width == 64 && value >> 62 == 0b10));
    (if flipped { value ^ 1 << 63 } else { value }) & mask
}

/// As many ones.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_where_strings_do() {
        assert_eq!(ended([b"ab\0\x12\x7f\0\0", b"kernel\0"]), [&b"ab"[..], b"kernel"]);
        assert_eq!(ended([b"kernel\0", b"ab\0junk"]), [&b"kernel"[..], b"ab"]);
        for sides in
            [[&b"kernels"[..], b"kernel\0"], [b"kernel\0", b"kernel\0"], [b"a\0bc", b"x\0yz"], [b"", b"\0a"]]
        {
            assert_eq!(ended(sides), sides, "bytes, not strings");
        }
    }

    #[test]
    fn signed_numbers_lose_the_flip_of_their_sign() {
        assert_eq!(truncated(5 ^ 1 << 63, 32, true), 5);
        assert_eq!(truncated((-5i64) as u64 ^ 1 << 63, 32, true), (-5i32) as u32 as u64);
        assert_eq!(truncated(70_000, 32, true), 70_000);
        assert_eq!(truncated(u64::MAX, 64, false), u64::MAX);
        assert_eq!(truncated(1000 ^ 1 << 63, 64, true), 1000);
    }
}
