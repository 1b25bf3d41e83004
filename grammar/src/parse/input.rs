//! The text to parse: bytes in which a bit is a byte of its own, or bytes in which bits are packed.

/// The lookahead at the end of a text.
pub const END: usize = 256;

/// A text with positions; a position counts bytes, or bits if they are packed.
pub trait Text: Copy {
    /// Whether positions count bits.
    const PACKED: bool;

    /// The position of the end.
    fn len(&self) -> u32;

    /// The byte that holds position `at`.
    fn byte(&self, at: u32) -> usize;

    /// The next eight bits from `at` as an index, or [`END`].
    fn ahead(&self, at: u32) -> usize;

    /// Where the word `word` that starts at `at` ends, if it stands there.
    fn literal(&self, at: u32, word: &[u8]) -> Option<u32>;

    /// Where the bit `bit` that stands at `at` ends, if it stands there.
    fn bit(&self, at: u32, bit: bool) -> Option<u32>;

    /// Calls `with` with the bytes from `at` on.
    fn rest(&self, at: u32, with: impl FnMut(&[u8]));

    /// The position `bytes` bytes after `at`.
    fn skip(&self, at: u32, bytes: usize) -> u32;

    /// Appends the bytes between two positions.
    fn copy(&self, from: u32, to: u32, out: &mut Vec<u8>);
}

/// Bytes, in which a bit of the grammar is a byte 0 or 1.
#[derive(Debug, Clone, Copy)]
pub struct Plain<'a>(pub &'a [u8]);

impl Text for Plain<'_> {
    const PACKED: bool = false;

    #[inline]
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    #[inline]
    fn byte(&self, at: u32) -> usize {
        at as usize
    }

    #[inline]
    fn ahead(&self, at: u32) -> usize {
        self.0.get(at as usize).map_or(END, |byte| usize::from(*byte))
    }

    #[inline]
    fn literal(&self, at: u32, word: &[u8]) -> Option<u32> {
        self.0[at as usize..].starts_with(word).then_some(at + word.len() as u32)
    }

    #[inline]
    fn bit(&self, at: u32, bit: bool) -> Option<u32> {
        (self.ahead(at) == usize::from(bit)).then_some(at + 1)
    }

    #[inline]
    fn rest(&self, at: u32, mut with: impl FnMut(&[u8])) {
        with(&self.0[at as usize..]);
    }

    #[inline]
    fn skip(&self, at: u32, bytes: usize) -> u32 {
        at + bytes as u32
    }

    #[inline]
    fn copy(&self, from: u32, to: u32, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0[from as usize..to as usize]);
    }
}

/// Bytes, of which a bit of the grammar is one bit, most significant first.
#[derive(Debug, Clone, Copy)]
pub struct Packed<'a> {
    bytes: &'a [u8],
    /// How many bits count.
    len: u32,
}

impl<'a> Packed<'a> {
    /// All of `bytes`, without the last `padding` bits.
    pub fn new(bytes: &'a [u8], padding: u32) -> Self {
        Self { bytes, len: (8 * bytes.len() as u32).saturating_sub(padding) }
    }

    /// The eight bits from `at` on, zeros beyond the end.
    #[inline]
    fn window(&self, at: u32) -> u8 {
        let byte = |index: usize| u16::from(self.bytes.get(index).copied().unwrap_or(0));
        let index = at as usize / 8;
        ((byte(index) << 8 | byte(index + 1)) >> (8 - at % 8)) as u8
    }
}

impl Text for Packed<'_> {
    const PACKED: bool = true;

    #[inline]
    fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    fn byte(&self, at: u32) -> usize {
        at as usize / 8
    }

    #[inline]
    fn ahead(&self, at: u32) -> usize {
        if at < self.len { usize::from(self.window(at)) } else { END }
    }

    #[inline]
    fn literal(&self, at: u32, word: &[u8]) -> Option<u32> {
        let end = at + 8 * word.len() as u32;
        let mut here = (at..).step_by(8);
        let fits = end <= self.len()
            && word.iter().all(|byte| here.next().is_some_and(|at| self.window(at) == *byte));
        fits.then_some(end)
    }

    #[inline]
    fn bit(&self, at: u32, bit: bool) -> Option<u32> {
        (at < self.len() && (self.window(at) >> 7 == 1) == bit).then_some(at + 1)
    }

    fn rest(&self, at: u32, mut with: impl FnMut(&[u8])) {
        if at.is_multiple_of(8) {
            with(&self.bytes[at as usize / 8..self.len as usize / 8]);
        } else {
            let whole = (self.len() - at) / 8;
            with(&(0..whole).map(|index| self.window(at + 8 * index)).collect::<Vec<u8>>());
        }
    }

    #[inline]
    fn skip(&self, at: u32, bytes: usize) -> u32 {
        at + 8 * bytes as u32
    }

    #[inline]
    fn copy(&self, from: u32, to: u32, out: &mut Vec<u8>) {
        out.extend((from..to).step_by(8).map(|at| self.window(at)));
    }
}
