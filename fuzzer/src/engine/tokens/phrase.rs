//! Beginnings of inputs: tokens with spaces or line ends between.

/// The tokens of a beginning.
pub type Phrase = Vec<Vec<u8>>;

/// Stands for any name.
pub const NAME: &[u8] = b"x";
/// A name that stands in no phrase.
pub const OTHER_NAME: &[u8] = b"q";
/// The end of a line.
pub const LINE: &[u8] = b"\n";

/// Stands between tokens that have no space between them.
pub const TIGHT: &[u8] = b"\0";

/// The bytes of a phrase. The end of a line needs no spaces, and may count only right behind something.
pub fn text(phrase: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (n, token) in phrase.iter().enumerate() {
        let is_tight = |token: &[u8]| token == LINE || token == TIGHT;
        if n > 0 && !is_tight(token) && !is_tight(&phrase[n - 1]) {
            bytes.push(b' ');
        }
        if token != TIGHT {
            bytes.extend_from_slice(token);
        }
    }
    bytes
}

/// What phrases are remembered by: their bytes, and whether the next token comes right behind them.
pub fn key(phrase: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = text(phrase);
    bytes.extend(phrase.last().filter(|token| **token == TIGHT).into_iter().flatten());
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

/// Whether a token is a single sign.
pub fn is_sign(token: &[u8]) -> bool {
    matches!(token, [sign] if sign.is_ascii_punctuation())
}

/// Whether a token ends in a sign.
pub fn ends_in_sign(token: &[u8]) -> bool {
    token.last().is_some_and(u8::is_ascii_punctuation)
}

/// Whether a token begins as a name or a number does.
pub fn is_alphanumeric(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a token begins as a word does.
pub fn is_word(token: &[u8]) -> bool {
    token.first().is_some_and(|byte| !byte.is_ascii_punctuation())
}
