//! Selectors such as `<a>.<b>..<c>[0]`: found in Python text, read, and masked so that Python can be parsed around them.
use super::source::{Problem, Span};
use super::split::{name_or_number_end, nonterminal_end, string_end};

/// One part of `[i]` or `[i:j:k]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// `[i]`
    At(i64),
    /// `[i:j:k]`
    Slice(Option<i64>, Option<i64>, Option<i64>),
}

/// One step from what was selected so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `.<x>`: children.
    Child(String),
    /// `..<x>`: descendants.
    Descendant(String),
    /// `[..]`: children by position.
    Item(Item),
}

/// A selector as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// The first symbol, with angle brackets.
    pub base: String,
    /// What follows it.
    pub steps: Vec<Step>,
    /// `*<a>`: all at once, as a list.
    pub star: bool,
    /// `|<a>|`: how many.
    pub count: bool,
    /// Where it stands.
    pub span: Span,
}

/// Python text with its selectors masked by names of the same length.
#[derive(Debug, Clone)]
pub struct Masked {
    /// The text; byte for byte as long as the original.
    pub text: String,
    /// The selectors, by the offset in `text` where they start.
    pub selectors: Vec<(u32, Selector)>,
    /// Where the text stands.
    pub span: Span,
}

/// Masks the selectors of `source[span]`.
pub fn mask(source: &str, span: Span) -> Result<Masked, Problem> {
    let original = &source.as_bytes()[span.start as usize..span.end as usize];
    let mut scan = Scan { text: original.to_vec(), selectors: Vec::new(), span, operand: false };
    scan.run(0, original.len())?;
    let text = String::from_utf8(scan.text)
        .map_err(|_| Problem::new(span, "this expression has a selector inside of a character"))?;
    Ok(Masked { text, selectors: scan.selectors, span })
}

struct Scan {
    text: Vec<u8>,
    selectors: Vec<(u32, Selector)>,
    span: Span,
    /// The token before is a value, so that `*` and `|` are operators.
    operand: bool,
}

impl Scan {
    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            file: self.span.file,
            start: self.span.start + start as u32,
            end: self.span.start + end as u32,
        }
    }

    fn run(&mut self, from: usize, to: usize) -> Result<(), Problem> {
        let mut at = from;
        while at < to {
            let byte = self.text[at];
            if byte == b'#' {
                while at < to && self.text[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            if let Some(end) = string_end(&self.text, at) {
                self.fields(at, end)?;
                self.operand = true;
                at = end;
                continue;
            }
            if nonterminal_end(&self.text, at).is_some() {
                at = self.selector(at, at, false, false)?;
                continue;
            }
            if byte == b'*' && !self.operand {
                let stars = if self.text.get(at + 1) == Some(&b'*') { 2 } else { 1 };
                if nonterminal_end(&self.text, at + stars).is_some() {
                    at = self.selector(at, at + stars, true, false)?;
                    continue;
                }
            }
            if byte == b'|' && !self.operand && nonterminal_end(&self.text, at + 1).is_some() {
                at = self.selector(at, at + 1, false, true)?;
                continue;
            }
            if byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80 {
                let end = name_or_number_end(&self.text, at);
                const WORDS: [&[u8]; 9] =
                    [b"in", b"and", b"or", b"not", b"if", b"else", b"for", b"is", b"return"];
                self.operand = !WORDS.contains(&&self.text[at..end]);
                at = end;
                continue;
            }
            if !byte.is_ascii_whitespace() {
                self.operand = matches!(byte, b')' | b']' | b'}');
            }
            at += 1;
        }
        Ok(())
    }

    /// Masks within the replacement fields of an f-string.
    fn fields(&mut self, at: usize, end: usize) -> Result<(), Problem> {
        let mut quote = at;
        let mut formatted = false;
        while self.text[quote].is_ascii_alphabetic() {
            formatted |= matches!(self.text[quote], b'f' | b'F');
            quote += 1;
        }
        if !formatted {
            return Ok(());
        }
        let (mut here, mut depth, mut start) = (quote, 0, 0);
        while here < end {
            match self.text[here] {
                b'{' if depth == 0 && self.text.get(here + 1) == Some(&b'{') => here += 1,
                b'{' => {
                    depth += 1;
                    if depth == 1 {
                        start = here + 1;
                    }
                }
                b'}' if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        self.operand = false;
                        self.run(start, here)?;
                    }
                }
                _ => {}
            }
            here += 1;
        }
        Ok(())
    }

    /// Reads the selector whose first `<` is at `at` and which is masked from `from` on; returns its end.
    fn selector(&mut self, from: usize, at: usize, star: bool, count: bool) -> Result<usize, Problem> {
        let (base, mut here) = self.name(at)?;
        let mut steps = Vec::new();
        loop {
            if self.text.get(here) == Some(&b'.') {
                let descendant = self.text.get(here + 1) == Some(&b'.');
                let next = here + if descendant { 2 } else { 1 };
                if nonterminal_end(&self.text, next).is_none() {
                    break;
                }
                let (name, end) = self.name(next)?;
                steps.push(if descendant { Step::Descendant(name) } else { Step::Child(name) });
                here = end;
            } else if let Some((item, end)) = self.item(here) {
                steps.push(Step::Item(item));
                here = end;
            } else {
                break;
            }
        }
        let mut end = here;
        if count {
            if self.text.get(here) != Some(&b'|') {
                return Err(Problem::new(
                    self.span(from, here),
                    "`|` before a selector needs a `|` after it",
                ));
            }
            end += 1;
        }
        let span = self.span(from, end);
        self.text[from] = b'S';
        self.text[from + 1..end].fill(b'_');
        self.selectors.push((from as u32, Selector { base, steps, star, count, span }));
        self.operand = true;
        Ok(end)
    }

    fn name(&self, at: usize) -> Result<(String, usize), Problem> {
        let end = nonterminal_end(&self.text, at).unwrap_or(at);
        let name = String::from_utf8_lossy(&self.text[at..end]).into_owned();
        if name.contains(':') {
            return Err(party(self.span(at, end)));
        }
        Ok((name, end))
    }

    /// `[3]`, `[1:2]` with numbers only.
    fn item(&self, at: usize) -> Option<(Item, usize)> {
        if self.text.get(at) != Some(&b'[') {
            return None;
        }
        let close = at + self.text[at..].iter().position(|byte| *byte == b']')?;
        let inside = std::str::from_utf8(&self.text[at + 1..close]).ok()?;
        let mut parts = Vec::new();
        for part in inside.split(':') {
            let part = part.trim();
            parts.push(if part.is_empty() { None } else { Some(part.parse::<i64>().ok()?) });
        }
        let item = match parts[..] {
            [Some(index)] => Item::At(index),
            [start, stop] => Item::Slice(start, stop, None),
            [start, stop, step] => Item::Slice(start, stop, step),
            _ => return None,
        };
        Some((item, close + 1))
    }
}

/// The one sentence on protocol parties.
pub fn party(span: Span) -> Problem {
    Problem::new(
        span,
        "protocol parties (`<Party:symbol>`) are not supported: Waypoint makes inputs, it does not talk",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_masked_with_names_of_the_same_length() {
        let source = "3 * <a>.<b>..<c>[0] < len(*<d>) and |<e>.<f>| > f'{<g>} <h>' + \"<i>\"";
        let masked = mask(source, Span::new(0, 0..source.len())).unwrap();
        assert_eq!(masked.text.len(), source.len());
        assert_eq!(masked.selectors.len(), 4);
        assert_eq!(masked.selectors[0].1.steps.len(), 3);
        assert!(masked.selectors[1].1.star && masked.selectors[2].1.count);
        assert!(
            masked.text.contains("<h>") && masked.text.contains("\"<i>\"") && !masked.text.contains("<g>")
        );
    }
}
