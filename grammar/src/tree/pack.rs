//! Bytes from bits and bytes, most significant bit first.

/// Appends bits and bytes to a buffer.
#[derive(Debug)]
pub struct Packer<'a> {
    /// The whole bytes so far.
    pub out: &'a mut Vec<u8>,
    /// `filled` bits of the byte being made, at the low end.
    bits: u32,
    filled: u32,
}

impl<'a> Packer<'a> {
    /// Appends to `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, bits: 0, filled: 0 }
    }

    /// Whether the last byte is whole.
    pub fn is_whole(&self) -> bool {
        self.filled == 0
    }

    /// Appends a bit.
    #[inline]
    pub fn bit(&mut self, bit: u8) {
        self.bits = self.bits << 1 | u32::from(bit);
        self.filled += 1;
        if self.filled == 8 {
            self.out.push(self.bits as u8);
            (self.bits, self.filled) = (0, 0);
        }
    }

    /// Appends bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.filled == 0 {
            self.out.extend_from_slice(bytes);
            return;
        }
        for byte in bytes {
            self.bits = self.bits << 8 | u32::from(*byte);
            self.out.push((self.bits >> self.filled) as u8);
            self.bits &= (1 << self.filled) - 1;
        }
    }

    /// Fills the last byte with zeros.
    pub fn finish(self) {
        if self.filled > 0 {
            self.out.push((self.bits << (8 - self.filled)) as u8);
        }
    }
}
