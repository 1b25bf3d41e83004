//! Where in an input a compared number is written out, and the bytes that would make it another.
use memchr::memmem;

use super::{
    edit::Edit,
    fields::{Pair, read, write},
};

/// Edits that replace the number written as text, in decimal or hexadecimal digits.
pub fn digits(pair: Pair<'_>, value: [u64; 2], width: u32, wanted: &[u64], limit: usize) -> Vec<Edit> {
    type Spell = fn(u64, u32) -> String;
    let spellings: [Spell; 4] = [
        |value, _| value.to_string(),
        |value, width| signed(value, width).to_string(),
        |value, _| format!("{value:x}"),
        |value, _| format!("{value:X}"),
    ];
    let mut edits: Vec<Edit> = Vec::new();
    for spell in spellings {
        let texts = value.map(|value| spell(value, width));
        let found = memmem::find_iter(pair.plain, texts[0].as_bytes());
        for at in found.filter(|at| pair.coloured[*at..].starts_with(texts[1].as_bytes())).take(limit) {
            let with = wanted.iter().map(|wanted| spell(*wanted, width).into_bytes());
            edits.extend(with.map(|with| Edit { at, len: texts[0].len(), with }));
        }
    }
    edits
}

/// Where words begin, or could: there, and where a text ends at a zero.
pub fn words(plain: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let is_word = |at: usize| plain.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let parts = |at: usize| plain[at].is_ascii_whitespace() || b",:;=([{\"'/<>".contains(&plain[at]);
    let ends = |at: usize| plain.get(at) == Some(&0);
    (0..=plain.len()).filter(move |at| match at.checked_sub(1) {
        None => true,
        Some(before) => parts(before) || (is_word(*at) && !is_word(before)) || (ends(*at) && !ends(before)),
    })
}

/// Edits that write a number out where a word begins: what is parsed as a number may be no number yet.
pub fn guesses(plain: &[u8], texts: &[String], limit: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    for at in words(plain).take(limit) {
        let len = plain[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let len = len.max(1).min(plain.len() - at);
        edits.extend(texts.iter().map(|text| Edit { at, len, with: text.clone().into_bytes() }));
    }
    edits
}

fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// Edits that replace a floating-point number, as bits or as text.
pub fn floats(pair: Pair<'_>, value: [f64; 2], wanted: &[f64], limit: usize) -> Vec<Edit> {
    // By their bits: what is not a number is not equal to itself.
    let [plain, coloured] = value.map(f64::to_bits);
    let is = |found: Option<f64>, bits: u64| found.is_some_and(|found| found.to_bits() == bits);
    let mut edits = Vec::new();
    for at in 0..pair.plain.len() {
        let before = edits.len();
        for big in [false, true] {
            let double = |bytes: &[u8]| bytes.get(at..at + 8).map(|bytes| f64::from_bits(read(bytes, big)));
            let single = |bytes: &[u8]| {
                bytes.get(at..at + 4).map(|bytes| f64::from(f32::from_bits(read(bytes, big) as u32)))
            };
            if is(double(pair.plain), plain) && is(double(pair.coloured), coloured) {
                let with = wanted.iter().map(|wanted| write(wanted.to_bits(), 8, big));
                edits.extend(with.map(|with| Edit { at, len: 8, with }));
            }
            if is(single(pair.plain), plain) && is(single(pair.coloured), coloured) {
                let around = |wanted: f32| [wanted, wanted.next_up(), wanted.next_down()];
                let with = around(wanted[0] as f32).map(|wanted| write(u64::from(wanted.to_bits()), 4, big));
                edits.extend(with.map(|with| Edit { at, len: 4, with }));
            }
        }
        if let (Some((first, len)), Some((second, _))) = (literal(pair.plain, at), literal(pair.coloured, at))
            && [first, second] == value
        {
            edits.extend(wanted.iter().map(|wanted| Edit { at, len, with: wanted.to_string().into_bytes() }));
        }
        if edits.len() > before && edits.len() >= limit * wanted.len() {
            break;
        }
    }
    edits
}

/// The number written at this place, and the length of its text.
fn literal(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let starts_inside = at > 0 && is_part(&bytes[at - 1]);
    let len = bytes[at..].iter().take(32).take_while(|byte| is_part(byte)).count();
    if starts_inside || len == 0 {
        return None;
    }
    // The longest beginning that is a number.
    (1..=len).rev().find_map(|len| {
        let text = std::str::from_utf8(&bytes[at..at + len]).ok()?;
        Some((text.parse().ok()?, len))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_numbers_that_are_written_out() {
        let pair = Pair { plain: b"n=12;", coloured: b"n=57;" };
        let edits = digits(pair, [12, 57], 32, &[1000], 4);
        assert_eq!(edits[0], Edit { at: 2, len: 2, with: b"1000".to_vec() });
        let pair = Pair { plain: b"n=1f;", coloured: b"n=a3;" };
        let edits = digits(pair, [0x1f, 0xa3], 32, &[0xbeef], 4);
        assert_eq!(edits, [Edit { at: 2, len: 2, with: b"beef".to_vec() }]);
        let pair = Pair { plain: b"x -3.5 ", coloured: b"x -7.1 " };
        let edits = floats(pair, [-3.5, -7.1], &[2.25], 4);
        assert_eq!(edits, [Edit { at: 2, len: 4, with: b"2.25".to_vec() }]);
    }
}
