//! Fields that must agree with the rest of the input, such as checksums: when something else changes, the target itself
//! tells in its comparison what they must be.
use memchr::memmem;

use super::{
    edit::Edit,
    fields::write,
    log::{Log, Made, Sides},
};

/// So many fields of an entry are asked whether they follow the rest: a file may have many parts with a checksum each, and
/// most of what is right in it never changes.
const MOST: usize = 32;
/// So many places in an input may be the field.
const PLACES: usize = 2;
/// Smaller numbers stand in inputs by chance.
const SMALLEST: u64 = 1 << 12;
/// Texts of such lengths may be checksums.
const TEXTS: std::ops::RangeInclusive<usize> = 3..=64;

/// A field that is compared with something, and was equal to it.
#[derive(Debug, Clone)]
pub struct Repair {
    made: Made,
    /// What it was.
    value: Vec<u8>,
    at: usize,
    /// Whether the most significant byte of a number comes first.
    big: bool,
}

/// The fields of an input that its comparisons found to be right.
pub fn candidates(plain: &[u8], log: &Log) -> Vec<Repair> {
    let mut found: Vec<Repair> = Vec::new();
    for (made, sides) in &log.all {
        for (value, big) in values(sides) {
            for at in memmem::find_iter(plain, &value).take(PLACES) {
                // What is read twice is one field.
                if !found.iter().any(|other| other.at == at && other.value == value) {
                    found.push(Repair { made: *made, value: value.clone(), at, big });
                }
            }
        }
        if found.len() >= MOST {
            break;
        }
    }
    found.truncate(MOST);
    found
}

/// How what was equal might stand in an input.
fn values(sides: &Sides) -> Vec<(Vec<u8>, bool)> {
    match sides {
        Sides::Numbers { width, ordered: false, sides: [value, other] } => {
            let size = *width as usize / 8;
            if value != other || *value < SMALLEST || ![2, 4, 8].contains(&size) {
                return Vec::new();
            }
            [false, true].map(|big| (write(*value, size, big), big)).to_vec()
        }
        Sides::Texts([value, other]) if value == other && TEXTS.contains(&value.len()) => {
            vec![(value.clone(), false)]
        }
        _ => Vec::new(),
    }
}

impl Repair {
    /// A number of no comparison, for tests.
    #[cfg(test)]
    pub fn at(at: usize, value: &[u8]) -> Self {
        Self { made: Made { site: (0, 0), nth: 0 }, value: value.to_vec(), at, big: false }
    }

    /// Where it stands.
    pub fn field(&self) -> std::ops::Range<usize> {
        self.at..self.at + self.value.len()
    }

    /// The stretches beside the field in which a change may show that it is about them.
    pub fn neighbours(&self, len: usize) -> [std::ops::Range<usize>; 2] {
        const NEAR: usize = 16;
        let end = self.at + self.value.len();
        [self.at.saturating_sub(NEAR)..self.at, end.min(len)..(end + NEAR).min(len)]
    }

    /// What the field must be, as a run of the changed input says; nothing if it is right, or if it is compared with
    /// what it always was.
    fn wanted(&self, changed: &[u8], at: usize, log: &Log) -> Option<Vec<u8>> {
        let size = self.value.len();
        let now = changed.get(at..at + size)?;
        let [a, b] = match log.find(&self.made)? {
            Sides::Numbers { sides, .. } => sides.map(|side| write(side, size, self.big)),
            Sides::Texts([a, b]) => [a.get(..size)?.to_vec(), b.get(..size)?.to_vec()],
            Sides::Floats(_) => return None,
        };
        let wanted = if a == now {
            b
        } else if b == now {
            a
        } else {
            return None;
        };
        (wanted != now && wanted != self.value).then_some(wanted)
    }

    /// Whether a run with other bytes elsewhere wants another value in the field.
    pub fn follows(&self, changed: &[u8], log: &Log) -> bool {
        self.wanted(changed, self.at, log).is_some()
    }
}

/// The changed input with its fields made right, after a run of it; nothing if nothing was wrong. `edit` is what changed
/// in it, if that moved what is behind.
pub fn mend(repairs: &[Repair], changed: &[u8], edit: Option<&Edit>, log: &Log) -> Option<Vec<u8>> {
    let mut mended = changed.to_vec();
    for repair in repairs {
        let at = match edit {
            Some(edit) if edit.at + edit.len <= repair.at => repair.at + edit.with.len() - edit.len,
            _ => repair.at,
        };
        if let Some(wanted) = repair.wanted(changed, at, log) {
            mended[at..at + wanted.len()].copy_from_slice(&wanted);
        }
    }
    (mended != changed).then_some(mended)
}
