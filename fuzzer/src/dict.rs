//! Reads and writes a dictionary of tokens, in the format that AFL and libFuzzer share.
use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow};

/// The tokens of a file: a quoted string a line, with an optional `name=` before it; `#` starts a comment line.
pub fn load(path: &Path) -> Result<Vec<Vec<u8>>> {
    let text = fs::read(path).with_context(|| {
        format!("cannot read the dictionary {}; name a file that is there", path.display())
    })?;
    let mut tokens = Vec::new();
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let token = parse(line.trim_ascii())
            .map_err(|reason| anyhow!("{}:{}: {reason}", path.display(), number + 1))?;
        tokens.extend(token.filter(|token| !token.is_empty() && !tokens.contains(token)));
    }
    Ok(tokens)
}

/// The name of the dictionary of learnt tokens.
pub const LEARNT: &str = "tokens.dict";

/// Writes tokens as a dictionary, a line each.
pub fn save(path: &Path, tokens: &[Vec<u8>]) -> Result<()> {
    let mut text = String::from("# Learnt tokens.\n");
    for token in tokens {
        text.push('"');
        for byte in token {
            match byte {
                b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
                b' '..=b'~' => text.push(char::from(*byte)),
                other => text.push_str(&format!("\\x{other:02x}")),
            }
        }
        text.push_str("\"\n");
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The token of one line, if it has one.
fn parse(line: &[u8]) -> Result<Option<Vec<u8>>, &'static str> {
    const FORM: &str = "a dictionary line reads `name=\"token\"` or `\"token\"`";
    if line.is_empty() || line[0] == b'#' {
        return Ok(None);
    }
    let open = line.iter().position(|byte| *byte == b'"').ok_or(FORM)?;
    if open + 1 >= line.len() || line[line.len() - 1] != b'"' {
        return Err(FORM);
    }
    let mut bytes = line[open + 1..line.len() - 1].iter().copied();
    let mut token = Vec::new();
    while let Some(byte) = bytes.next() {
        token.push(match byte {
            b'\\' => escape(&mut bytes)?,
            b'"' => return Err("a quote inside a token is written `\\\"`"),
            other => other,
        });
    }
    Ok(Some(token))
}

/// The byte that a backslash and what follows stand for.
fn escape(bytes: &mut impl Iterator<Item = u8>) -> Result<u8, &'static str> {
    const FORM: &str =
        "a backslash is followed by `\\`, `\"`, `n`, `r`, `t`, or `x` and two hexadecimal digits";
    let digit = |bytes: &mut dyn Iterator<Item = u8>| {
        bytes.next().and_then(|byte| char::from(byte).to_digit(16)).ok_or(FORM)
    };
    match bytes.next() {
        Some(byte @ (b'\\' | b'"')) => Ok(byte),
        Some(b'n') => Ok(b'\n'),
        Some(b'r') => Ok(b'\r'),
        Some(b't') => Ok(b'\t'),
        Some(b'x') => Ok((digit(bytes)? * 16 + digit(bytes)?) as u8),
        _ => Err(FORM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(parse(b"# comment"), Ok(None));
        assert_eq!(parse(b""), Ok(None));
        assert_eq!(parse(b"\"GIF8\""), Ok(Some(b"GIF8".to_vec())));
        assert_eq!(parse(br#"png_magic@2 = "\x89PNG\\\"""#), Ok(Some(b"\x89PNG\\\"".to_vec())));
        for wrong in [&b"plain"[..], b"\"", b"\"open", br#""\q""#, br#""\x1""#, br#""a"b""#] {
            assert!(parse(wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn reads_back_what_it_writes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LEARNT);
        let tokens: Vec<Vec<u8>> =
            [&b"if"[..], b"\"", b"\\", b"=\"=", b"\x00\xff\n", b"#", b" a "].map(<[u8]>::to_vec).into();
        save(&path, &tokens).unwrap();
        assert_eq!(load(&path).unwrap(), tokens);
    }

    #[test]
    fn says_where_it_is_wrong() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokens.dict");
        fs::write(&path, "\"good\"\nbad\n").unwrap();
        let message = load(&path).unwrap_err().to_string();
        assert!(
            message.ends_with("tokens.dict:2: a dictionary line reads `name=\"token\"` or `\"token\"`"),
            "{message}"
        );
    }
}
