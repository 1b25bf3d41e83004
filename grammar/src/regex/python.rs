//! Python's spelling of regular expressions in that of the `regex-syntax` crate, where the two differ.

/// Translates `pattern`, or says in one sentence what has no counterpart.
pub fn translate(pattern: &str) -> Result<String, String> {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    let mut class_start = None;
    while let Some(char) = rest.chars().next() {
        let tail = &rest[char.len_utf8()..];
        let inside = class_start.is_some();
        match char {
            '\\' => {
                let Some(escaped) = tail.chars().next() else {
                    return Err(format!("the regular expression `{pattern}` ends in a lone backslash"));
                };
                match escaped {
                    'Z' if !inside => out.push_str(r"\z"),
                    '1'..='9' if !inside => return Err(unsupported(pattern, "back-references")),
                    'b' if inside => out.push_str(r"\x08"),
                    ' ' | '_' | '<' | '>' => push_escaped(&mut out, escaped),
                    _ => out.extend(['\\', escaped]),
                }
                rest = &tail[escaped.len_utf8()..];
                continue;
            }
            '[' if inside => out.push_str(r"\["),
            '[' => {
                out.push('[');
                rest = tail;
                if let Some(negated) = rest.strip_prefix('^') {
                    out.push('^');
                    rest = negated;
                }
                // Right after the bracket, `]` is a literal.
                if let Some(literal) = rest.strip_prefix(']') {
                    out.push_str(r"\]");
                    rest = literal;
                }
                class_start = Some(());
                continue;
            }
            ']' if inside => {
                out.push(']');
                class_start = None;
            }
            '&' | '~' if inside => push_escaped(&mut out, char),
            '{' if !inside => match quantifier(tail) {
                Some((min, max, len)) => {
                    out.push_str(&format!("{{{min}{max}}}"));
                    rest = &tail[len..];
                    continue;
                }
                None => out.push_str(r"\{"),
            },
            '(' if !inside => {
                if let Some(construct) = tail.strip_prefix('?') {
                    let around = ["=", "!", "<=", "<!"].iter().any(|prefix| construct.starts_with(prefix));
                    if around {
                        return Err(unsupported(pattern, "look-ahead and look-behind"));
                    }
                    if construct.starts_with("P=") || construct.starts_with('(') {
                        return Err(unsupported(pattern, "back-references"));
                    }
                }
                out.push('(');
            }
            _ => out.push(char),
        }
        rest = tail;
    }
    Ok(out)
}

fn push_escaped(out: &mut String, char: char) {
    out.push_str(&format!(r"\x{:02x}", char as u32));
}

fn unsupported(pattern: &str, what: &str) -> String {
    format!("the regular expression `{pattern}` uses {what}, which a grammar's terminals do not support")
}

/// The lower end, the rest with its comma, and the length of a quantifier of which `tail` follows the brace.
fn quantifier(tail: &str) -> Option<(&str, String, usize)> {
    let close = tail.find('}')?;
    let (min, max) = match tail[..close].split_once(',') {
        Some((min, max)) => (min, Some(max)),
        None => (&tail[..close], None),
    };
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !number(min) || !max.is_none_or(number) || (min.is_empty() && max.is_none_or(str::is_empty)) {
        return None;
    }
    let min = if min.is_empty() { "0" } else { min };
    Some((min, max.map_or(String::new(), |max| format!(",{max}")), close + 1))
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn only_what_differs_changes() {
        for (python, ours) in [
            (r"a{,3}b{2,}c{4}", r"a{0,3}b{2,}c{4}"),
            (r"{x}", r"\{x}"),
            (r"[][&]\Z", r"[\]\[\x26]\z"),
            (r"\d[^]a]+", r"\d[^\]a]+"),
        ] {
            assert_eq!(translate(python).unwrap(), ours);
        }
    }
}
