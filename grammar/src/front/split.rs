//! Cuts a `.fan` file into statements: rules, constraints, includes, settings, and Python between them.
use std::ops::Range;

/// What a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `<nt> ::= ...`
    Rule,
    /// `where ...`, or the older bare formula.
    Where,
    /// `minimizing ...`
    Minimizing,
    /// `maximizing ...`
    Maximizing,
    /// `include("...")`
    Include,
    /// `setting ...`
    Setting,
    /// Anything else.
    Python,
}

/// A statement and where it stands; keywords and the end mark are not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub range: Range<usize>,
}

/// The end of the string literal whose prefix or quote starts at `at`, if one starts there.
pub fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut quote = at;
    while quote < text.len() && quote < at + 3 && text[quote].is_ascii_alphabetic() {
        if !b"rRbBfFuUtT".contains(&text[quote]) {
            return None;
        }
        quote += 1;
    }
    let mark = *text.get(quote)?;
    if mark != b'\'' && mark != b'"' {
        return None;
    }
    let triple = text.len() >= quote + 3 && text[quote + 1] == mark && text[quote + 2] == mark;
    let mut here = quote + if triple { 3 } else { 1 };
    while here < text.len() {
        match text[here] {
            b'\\' => here += 1,
            byte if byte == mark => {
                if !triple {
                    return Some(here + 1);
                }
                if text[here..].starts_with(&[mark; 3]) {
                    return Some(here + 3);
                }
            }
            b'\n' if !triple => return Some(here),
            _ => {}
        }
        here += 1;
    }
    Some(text.len())
}

/// The end of the name that starts at `at` (equal to `at` if none does).
pub fn name_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < text.len() && (text[end] == b'_' || text[end].is_ascii_alphanumeric() || text[end] >= 0x80) {
        end += 1;
    }
    if end > at && text[at].is_ascii_digit() { at } else { end }
}

/// The end of the `<name>` that starts at `at`; a party (`<P:name>`) counts too.
pub fn nonterminal_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'<') {
        return None;
    }
    let mut here = at + 1;
    loop {
        let end = name_end(text, here);
        match text.get(end) {
            Some(b'>') if end > here => return Some(end + 1),
            Some(b':') if end > here => here = end + 1,
            _ => return None,
        }
    }
}

/// The end of the logical line from `at`: a newline outside of brackets and strings that no backslash continues, or,
/// with `semicolon`, a `;` there.
fn logical_end(text: &[u8], at: usize, semicolon: bool) -> usize {
    let (mut here, mut depth) = (at, 0i32);
    while here < text.len() {
        match text[here] {
            b'#' => {
                while here < text.len() && text[here] != b'\n' {
                    here += 1;
                }
                continue;
            }
            b'\\' => here += 1,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'\n' if depth <= 0 => return here,
            b';' if semicolon && depth <= 0 => return here,
            b'\'' | b'"' => {
                here = string_end(text, here).unwrap_or(text.len());
                continue;
            }
            byte if byte == b'_' || byte.is_ascii_alphanumeric() => {
                here = string_end(text, here).unwrap_or_else(|| name_or_number_end(text, here));
                continue;
            }
            _ => {}
        }
        here += 1;
    }
    text.len()
}

/// The end of the name or number at `at`; at least one byte further.
pub fn name_or_number_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < text.len() && (text[end] == b'_' || text[end].is_ascii_alphanumeric()) {
        end += 1;
    }
    end
}

/// All statements of a file, in order.
pub fn split(source: &str) -> Vec<Statement> {
    let text = source.as_bytes();
    let mut statements = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line = at;
        while at < text.len() && (text[at] == b' ' || text[at] == b'\t' || text[at] == b'\r') {
            at += 1;
        }
        match text.get(at) {
            None => break,
            Some(b'\n' | b';') => {
                at += 1;
                continue;
            }
            Some(b'#') => {
                at = logical_end(text, at, false);
                continue;
            }
            _ => {}
        }
        let indented = at > line;
        let (kind, body) = classify(text, at, indented);
        let mut end = logical_end(text, body, kind != Kind::Python);
        if kind == Kind::Where {
            while end < text.len() && source[body..end].trim_end().ends_with(':') {
                end = logical_end(text, end + 1, true);
            }
        }
        while kind == Kind::Rule && text.get(end) == Some(&b'\n') && goes_on(text, end + 1) {
            end = logical_end(text, end + 1, true);
        }
        let start = if kind == Kind::Python { line } else { body };
        statements.push(Statement { kind, range: start..end.min(text.len()) });
        at = end + 1;
    }
    statements
}

/// Whether the line at `at` starts with `|`, and so goes on with the rule before.
fn goes_on(text: &[u8], at: usize) -> bool {
    text[at..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'|')
}

/// What the statement at `at` is, and where its body starts.
fn classify(text: &[u8], at: usize, indented: bool) -> (Kind, usize) {
    if let Some(end) = nonterminal_end(text, at) {
        let mut here = end;
        while here < text.len() && matches!(text[here], b' ' | b'\t' | b'\\' | b'\n' | b'\r') {
            here += 1;
        }
        if text[here..].starts_with(b"::=") {
            return (Kind::Rule, at);
        }
    }
    let word_end = name_end(text, at);
    let mut next = word_end;
    while next < text.len() && (text[next] == b' ' || text[next] == b'\t') {
        next += 1;
    }
    let assigned = text.get(next) == Some(&b'=') && text.get(next + 1) != Some(&b'=');
    match &text[at..word_end] {
        b"where" => (Kind::Where, word_end),
        b"minimizing" if !assigned => (Kind::Minimizing, word_end),
        b"maximizing" if !assigned => (Kind::Maximizing, word_end),
        b"include" if text.get(next) == Some(&b'(') => (Kind::Include, word_end),
        b"setting" if !assigned => (Kind::Setting, word_end),
        b"forall" | b"exists" if text.get(next) == Some(&b'<') => (Kind::Where, at),
        _ if !indented && bare_formula(text, at) => (Kind::Where, at),
        _ => (Kind::Python, at),
    }
}

/// Whether the line at `at` names a nonterminal outside of strings, so that it can be no Python.
fn bare_formula(text: &[u8], at: usize) -> bool {
    let end = logical_end(text, at, false);
    let mut here = at;
    while here < end {
        if text[here] == b'#' {
            return false;
        }
        if let Some(next) = string_end(text, here) {
            here = next;
            continue;
        }
        if nonterminal_end(text, here).is_some() {
            return true;
        }
        here = if text[here] == b'_' || text[here].is_ascii_alphanumeric() {
            name_or_number_end(text, here)
        } else {
            here + 1
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Kind, String)> {
        split(source)
            .into_iter()
            .map(|statement| (statement.kind, source[statement.range].trim().to_owned()))
            .collect()
    }

    #[test]
    fn rules_formulas_and_python_are_told_apart() {
        let source = "import random # <x>\n<a> ::= 'x;#' | \\\n  'y' ; <b> ::= ('p'\n 'q')\nwhere forall <c> in <a>:\n  \
                      exists <d> in <a>:\n    <c> == <d>\ndef f(x):\n    return '<a>'\n\nint(<a>) > 3;\nsetting <a> k = 1\n";
        let found = kinds(source);
        let only: Vec<Kind> = found.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(
            only,
            [
                Kind::Python,
                Kind::Rule,
                Kind::Rule,
                Kind::Where,
                Kind::Python,
                Kind::Python,
                Kind::Where,
                Kind::Setting
            ]
        );
        assert!(found[3].1.ends_with("<c> == <d>"));
    }
}
