//! Texts that the program holds in memory that it allocated: words that it unpacks or puts together at its start are none of
//! its constants, and who then compares addresses shows them in no comparison.
use std::{fs, fs::File, ops::Range, os::unix::fs::FileExt};

/// More memory is not looked through.
const MOST: u64 = 64 << 20;
const LONGEST: usize = 32;
const WORD: usize = size_of::<u64>();

/// What is mapped, and the part of it that allocations come from.
fn mapped(maps: &str) -> (Vec<Range<u64>>, Option<Range<u64>>) {
    let (mut all, mut heap) = (Vec::new(), None);
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let Some((from, to)) = range else { continue };
        let number = |text| u64::from_str_radix(text, 16);
        let (Ok(from), Ok(to)) = (number(from), number(to)) else { continue };
        all.push(from..to);
        if line.ends_with("[heap]") {
            heap = Some(from..to.min(from + MOST));
        }
    }
    (all, heap)
}

/// Overwrites all that depends on where memory lies, which differs from process to process: addresses, and what the
/// allocator keeps in a block that was freed, the address of another one mixed with its own and a random number.
fn clear_addresses(bytes: &mut [u8], start: u64, mapped: &[Range<u64>]) {
    let is_mapped = |address: u64| mapped.iter().any(|range| range.contains(&address));
    let mut is_behind_link = false;
    for (n, word) in bytes.as_chunks_mut::<WORD>().0.iter_mut().enumerate() {
        let value = u64::from_le_bytes(*word);
        let own = start + (n * WORD) as u64;
        let link = value ^ own >> 12;
        let is_link = value != 0 && (link == 0 || is_mapped(link));
        if is_link || is_behind_link || is_mapped(value) {
            *word = [1; WORD];
        }
        is_behind_link = is_link;
    }
}

/// The texts among some bytes: whatever has no sign of a text before it and a zero behind it.
fn texts_in(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let parts = bytes.split_inclusive(|byte| !byte.is_ascii_graphic());
    let texts = parts.filter_map(|part| part.strip_suffix(b"\0"));
    texts.filter(|text| (1..=LONGEST).contains(&text.len())).map(<[u8]>::to_vec)
}

/// Whether a text is what addresses end in, whose last bytes are those of all that lies near: programs also hold them packed,
/// where they are not seen as such.
fn ends_an_address(text: &[u8], mapped: &[Range<u64>]) -> bool {
    const BYTES: usize = 6;
    let Some(behind) = BYTES.checked_sub(text.len()) else { return false };
    let value = text.iter().rev().fold(0, |value, byte| value << u8::BITS | u64::from(*byte));
    let shift = u32::try_from(behind).unwrap_or(0) * u8::BITS;
    mapped.iter().any(|range| (range.start >> shift..=(range.end - 1) >> shift).contains(&value))
}

/// The texts that the program holds; none where its memory is not what it asked the system for.
pub fn texts() -> Vec<Vec<u8>> {
    let read = || -> Option<Vec<Vec<u8>>> {
        let (mapped, heap) = mapped(&fs::read_to_string("/proc/self/maps").ok()?);
        let heap = heap?;
        let mut bytes = vec![0; usize::try_from(heap.end - heap.start).ok()?];
        File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, heap.start).ok()?;
        clear_addresses(&mut bytes, heap.start, &mapped);
        Some(texts_in(&bytes).filter(|text| !ends_an_address(text, &mapped)).collect())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_between_what_is_none_and_a_zero() {
        let found: Vec<Vec<u8>> = texts_in(b"\x03\0if\0\x07\x02while\0else\x01do\0two words\0").collect();
        assert_eq!(found, [&b"if"[..], b"while", b"do", b"words"].map(<[u8]>::to_vec));
    }

    #[test]
    fn the_last_bytes_of_addresses_are_no_text() {
        let mapped = [0x5578_1234_5000..0x5578_1235_0000, 0x7ffe_0000_0000..0x7ffe_0010_0000];
        assert!(ends_an_address(b"xU", &mapped) && ends_an_address(b"\x12xU", &mapped));
        assert!(!ends_an_address(b"if", &mapped) && !ends_an_address(b"axU", &mapped));
        assert!(!ends_an_address(b"identifier", &mapped));
    }

    #[test]
    fn what_lies_elsewhere_next_time_is_not_looked_at() {
        let maps = "5500-5600 rw-p 0 0 0\n414243440000-414243450000 rw-p 00000000 00:00 0 [heap]\n";
        let (mapped, heap) = mapped(maps);
        assert_eq!(heap, Some(0x4142_4344_0000..0x4142_4345_0000));
        let start = mapped[1].start;
        let words = [
            start + 0x4142,
            u64::from_le_bytes(*b"address\0"),
            (start + 0x10) ^ (start + 2 * WORD as u64) >> 12,
            u64::from_le_bytes(*b"random\0\0"),
            u64::from_le_bytes(*b"text\0\0\0\0"),
        ];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        clear_addresses(&mut bytes, start, &mapped);
        let found: Vec<Vec<u8>> = texts_in(&bytes).collect();
        assert_eq!(found, [&b"address"[..], b"text"].map(<[u8]>::to_vec));
    }
}
