//! Beginnings of inputs: tokens with spaces or line ends between.

/// The tokens of a beginning.
pub type Phrase = Vec<Vec<u8>>;

/// What no text has, and what is no space either, as some take lower bytes to be.
pub const JUNK: &[u8] = b"\x7f";
/// Stands behind every phrase; long enough that whoever asks for the input's length is content.
pub const END: &[u8] = b" \x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f";
/// An input without what stands behind its phrase.
pub fn without_end(input: &[u8]) -> &[u8] {
    input.strip_suffix(END).unwrap_or(input)
}

/// Stands for any name.
pub const NAME: &[u8] = b"x";
/// A name that stands in no phrase.
pub const OTHER_NAME: &[u8] = b"q";
/// What a token must differ from: names, numbers, junk, a new line, nothing.
pub const ORDINARY: [&[u8]; 9] = [NAME, b"a", b"Z", b"1", b"70", b"xyz", JUNK, b"\n", b""];

/// The end of a line.
pub const LINE: &[u8] = b"\n";

/// The bytes of a phrase. The end of a line needs no spaces, and may count only right behind something.
pub fn text(phrase: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (n, token) in phrase.iter().enumerate() {
        if n > 0 && token != LINE && phrase[n - 1] != LINE {
            bytes.push(b' ');
        }
        bytes.extend_from_slice(token);
    }
    bytes
}

/// A phrase with one token more.
pub fn with(phrase: &[Vec<u8>], token: &[u8]) -> Phrase {
    let mut longer = phrase.to_vec();
    longer.push(token.to_vec());
    longer
}

/// Every sign that may be a token alone.
pub fn punctuation() -> impl Iterator<Item = Vec<u8>> {
    (0..=u8::MAX).filter(u8::is_ascii_punctuation).map(|byte| vec![byte])
}

/// What phrases are made of before anything is known.
pub fn elements() -> Vec<Vec<u8>> {
    let ordinary = [NAME, b"1", b"\n"].map(<[u8]>::to_vec);
    ordinary.into_iter().chain(punctuation()).collect()
}

/// Tests that are always made.
pub fn tests() -> Vec<Vec<u8>> {
    [OTHER_NAME, b"(", b"1", b";", b"\"", b"=", b",", b")", b"\n"].map(<[u8]>::to_vec).to_vec()
}

/// Whether a token begins as a word does.
pub fn is_word(token: &[u8]) -> bool {
    token.first().is_some_and(|byte| !byte.is_ascii_punctuation())
}
