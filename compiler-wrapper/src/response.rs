//! Reads `@file` arguments the way clang does: GNU quoting, nested files, a missing file is an ordinary argument.
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Deeper nesting than this is a cycle.
const MAX_DEPTH: u32 = 16;

/// The arguments behind `@file`, or `None` if this is no response file.
pub fn expand(arg: &OsStr) -> Option<Vec<OsString>> {
    expand_at(arg, 0)
}

fn expand_at(arg: &OsStr, depth: u32) -> Option<Vec<OsString>> {
    let path = arg.as_bytes().strip_prefix(b"@")?;
    if depth == MAX_DEPTH {
        return None;
    }
    let text = fs::read(OsStr::from_bytes(path)).ok()?;
    let nested =
        split(&text).into_iter().flat_map(|arg| expand_at(&arg, depth + 1).unwrap_or_else(|| vec![arg]));
    Some(nested.collect())
}

/// Splits at white space; quotes of both kinds keep it, a backslash takes the next character as it is (within
/// single quotes too, unlike in a shell).
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, _) if byte.is_ascii_whitespace() || byte == 0 => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_clang_does() {
        for (text, words) in [
            ("a b\n\tc", vec!["a", "b", "c"]),
            (r#"-DX="a b" 'c d'e"#, vec!["-DX=a b", "c de"]),
            (r#"a\ b \"q\" ''"#, vec!["a b", "\"q\"", ""]),
            ("", vec![]),
        ] {
            assert_eq!(split(text.as_bytes()), words, "{text}");
        }
    }

    #[test]
    fn files_nest_and_missing_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("inner"));
        fs::write(&inner, "x.c @nowhere").unwrap();
        fs::write(&outer, format!("-c @{}", inner.display())).unwrap();
        let at = |path: &std::path::Path| OsString::from(format!("@{}", path.display()));
        assert_eq!(expand(&at(&outer)).unwrap(), ["-c", "x.c", "@nowhere"]);
        fs::write(&inner, format!("@{}", inner.display())).unwrap();
        assert_eq!(expand(&at(&inner)).unwrap(), [at(&inner)]);
        assert_eq!(expand("@nowhere".as_ref()), None);
        assert_eq!(expand("a.c".as_ref()), None);
    }
}
