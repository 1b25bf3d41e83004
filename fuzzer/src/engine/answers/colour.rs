//! Other bytes of the same kind: what an input's bytes are changed into to see which comparisons they go to.
use libafl_bolts::rands::Rand;

/// Another byte of the same kind: digits stay digits and letters letters, so that most parsers take the same way.
pub fn recolour(byte: u8, rand: &mut impl Rand) -> u8 {
    let within = |first: u8, n: u8, rand: &mut dyn FnMut() -> u64| {
        let step = 1 + (rand() % u64::from(n - 1)) as u8;
        first + (byte - first + step) % n
    };
    let mut next = || rand.next();
    match byte {
        b'0'..=b'9' => within(b'0', 10, &mut next),
        // Letters that may be hexadecimal digits stay such.
        b'a'..=b'f' => within(b'a', 6, &mut next),
        b'g'..=b'z' => within(b'g', 20, &mut next),
        b'A'..=b'F' => within(b'A', 6, &mut next),
        b'G'..=b'Z' => within(b'G', 20, &mut next),
        _ => byte ^ (1 + (next() % 255) as u8),
    }
}

#[cfg(test)]
mod tests {
    use libafl_bolts::rands::StdRand;

    use super::*;

    #[test]
    fn every_byte_changes_and_keeps_its_kind() {
        let mut rand = StdRand::with_seed(3);
        for byte in 0..=u8::MAX {
            for _ in 0..50 {
                let other = recolour(byte, &mut rand);
                assert_ne!(byte, other);
                assert!(!byte.is_ascii_digit() || other.is_ascii_digit());
                assert!(!byte.is_ascii_lowercase() || other.is_ascii_lowercase());
                assert!(!byte.is_ascii_uppercase() || other.is_ascii_uppercase());
            }
        }
    }
}
