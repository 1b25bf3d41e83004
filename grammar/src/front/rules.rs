//! Reads one rule: `<nt> ::= alternatives := generator`.
use ruff_python_ast::Expr;

use super::selector::{Masked, mask, party};
use super::source::{Problem, Span};
use super::split::{name_end, name_or_number_end, nonterminal_end, string_end};

/// A rule as written.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The symbol it defines, with angle brackets.
    pub name: String,
    /// Where the symbol stands.
    pub span: Span,
    /// The right-hand side.
    pub body: Term,
    /// What follows `:=`.
    pub generator: Option<Masked>,
}

/// A part of a right-hand side.
#[derive(Debug, Clone)]
pub enum Term {
    /// `a | b`
    Alternative(Vec<Term>),
    /// `a b`
    Sequence(Vec<Term>),
    /// `[[ a b ]]`
    Permutation(Vec<Term>),
    /// `a*`, `a+`, `a?`, `a{..}`
    Repeat {
        /// What is repeated.
        body: Box<Term>,
        /// The least count.
        min: Count,
        /// The greatest count; none if it is the same as the least.
        max: Option<Count>,
    },
    /// `<a>`
    Symbol(String, Span),
    /// `'a'`, `b'a'`
    Literal {
        /// As bytes; text is UTF-8.
        bytes: Vec<u8>,
        /// `b'a'`
        is_bytes: bool,
    },
    /// `r'a'`, `rb'a'`
    Regex {
        /// The pattern.
        pattern: String,
        /// `rb'a'`
        is_bytes: bool,
        /// Where it stands.
        span: Span,
    },
    /// `0` or `1`
    Bit(bool),
}

/// A bound of a repetition.
#[derive(Debug, Clone)]
pub enum Count {
    /// A number.
    Number(u32),
    /// No bound.
    Open,
    /// An expression, to be computed at load or from the tree.
    Computed(Masked),
}

/// Reads the rule at `span` of `source`.
pub fn read(source: &str, span: Span) -> Result<Rule, Problem> {
    let text = source.as_bytes();
    let start = span.start as usize;
    let name_to = nonterminal_end(text, start).unwrap_or(start);
    let name_span = Span::new(span.file, start..name_to);
    let name = source[start..name_to].to_owned();
    if name.contains(':') {
        return Err(party(name_span));
    }
    let mut reader = Reader { source, text, at: name_to, end: span.end as usize, file: span.file };
    reader.blank();
    reader.at += 3;
    let body = reader.alternative()?;
    reader.blank();
    let generator = if reader.eat(b":=") || reader.eat(b"::") || reader.eat(b"=") {
        reader.blank();
        let trimmed = source[reader.at..reader.end].trim_end();
        let generator = mask(source, Span::new(span.file, reader.at..reader.at + trimmed.len()))?;
        reader.at = reader.end;
        Some(generator)
    } else {
        None
    };
    if reader.at < reader.end {
        return Err(Problem::new(
            Span::new(span.file, reader.at..reader.at + 1),
            "a rule cannot go on like this; expected a symbol, a literal, an operator, `:=` or the end of the line",
        ));
    }
    Ok(Rule { name, span: name_span, body, generator })
}

struct Reader<'a> {
    source: &'a str,
    text: &'a [u8],
    at: usize,
    end: usize,
    file: u32,
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start..end)
    }

    fn peek(&self) -> u8 {
        if self.at < self.end { self.text[self.at] } else { 0 }
    }

    fn eat(&mut self, word: &[u8]) -> bool {
        let found = self.text[self.at..self.end].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn blank(&mut self) {
        while self.at < self.end {
            match self.text[self.at] {
                b'#' => {
                    while self.at < self.end && self.text[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                byte if byte.is_ascii_whitespace() || byte == b'\\' => self.at += 1,
                _ => break,
            }
        }
    }

    fn alternative(&mut self) -> Result<Term, Problem> {
        let mut branches = vec![self.sequence()?];
        while {
            self.blank();
            self.eat(b"|")
        } {
            branches.push(self.sequence()?);
        }
        Ok(if branches.len() == 1 { branches.remove(0) } else { Term::Alternative(branches) })
    }

    fn sequence(&mut self) -> Result<Term, Problem> {
        let mut items = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                0 | b'|' | b')' | b':' | b'=' | b']' => break,
                _ => items.push(self.repeated()?),
            }
        }
        match items.len() {
            0 => Err(Problem::new(
                self.span(self.at.min(self.end.saturating_sub(1)), self.end.min(self.at + 1)),
                "an alternative needs at least one symbol; write `\"\"` for the empty word",
            )),
            1 => Ok(items.remove(0)),
            _ => Ok(Term::Sequence(items)),
        }
    }

    fn repeated(&mut self) -> Result<Term, Problem> {
        let mut term = self.symbol()?;
        loop {
            let at = self.at;
            self.blank();
            let (min, max) = match self.peek() {
                b'*' => (Count::Number(0), Some(Count::Open)),
                b'+' => (Count::Number(1), Some(Count::Open)),
                b'?' => (Count::Number(0), Some(Count::Number(1))),
                b'{' => {
                    let (min, max) = self.braces()?;
                    term = Term::Repeat { body: Box::new(term), min, max };
                    continue;
                }
                _ => {
                    self.at = at;
                    return Ok(term);
                }
            };
            self.at += 1;
            term = Term::Repeat { body: Box::new(term), min, max };
        }
    }

    /// `{n}`, `{n,m}`, `{n,}`, `{,m}` where both ends may be expressions.
    fn braces(&mut self) -> Result<(Count, Option<Count>), Problem> {
        let open = self.at;
        let (mut here, mut depth, mut comma) = (open + 1, 1, None);
        while here < self.end && depth > 0 {
            match self.text[here] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 1 => comma = Some(here),
                _ => {
                    if let Some(end) = string_end(self.text, here) {
                        here = end;
                        continue;
                    }
                    if self.text[here] == b'_' || self.text[here].is_ascii_alphanumeric() {
                        here = name_or_number_end(self.text, here);
                        continue;
                    }
                }
            }
            here += 1;
        }
        if depth > 0 {
            return Err(Problem::new(self.span(open, open + 1), "this `{` has no matching `}`"));
        }
        self.at = here;
        let close = here - 1;
        match comma {
            None => Ok((self.count(open + 1, close, None)?, None)),
            Some(comma) => {
                let least = self.count(open + 1, comma, Some(Count::Number(0)))?;
                let most = self.count(comma + 1, close, Some(Count::Open))?;
                if let (Count::Number(least), Count::Number(most)) = (&least, &most)
                    && least > most
                {
                    return Err(Problem::new(
                        self.span(open, here),
                        format!("a repetition of at least {least} and at most {most} rounds cannot be"),
                    ));
                }
                Ok((least, Some(most)))
            }
        }
    }

    fn count(&self, start: usize, end: usize, empty: Option<Count>) -> Result<Count, Problem> {
        let raw = &self.source[start..end];
        let inside = raw.trim();
        if inside.is_empty() {
            return empty.ok_or_else(|| {
                Problem::new(self.span(start - 1, end + 1), "a repetition `{}` needs a count")
            });
        }
        if let Ok(number) = inside.parse() {
            return Ok(Count::Number(number));
        }
        let from = start + (raw.len() - raw.trim_start().len());
        Ok(Count::Computed(mask(self.source, self.span(from, from + inside.len()))?))
    }

    fn symbol(&mut self) -> Result<Term, Problem> {
        let start = self.at;
        if let Some(end) = nonterminal_end(self.text, start) {
            self.at = end;
            let name = self.source[start..end].to_owned();
            if name.contains(':') {
                return Err(party(self.span(start, end)));
            }
            return Ok(Term::Symbol(name, self.span(start, end)));
        }
        if let Some(end) = string_end(self.text, start) {
            self.at = end;
            return self.literal(start, end);
        }
        if self.eat(b"[[") {
            let mut items = Vec::new();
            loop {
                self.blank();
                if self.eat(b"]]") {
                    return Ok(Term::Permutation(items));
                }
                if self.at >= self.end {
                    return Err(Problem::new(self.span(start, start + 2), "this `[[` has no matching `]]`"));
                }
                items.push(self.repeated()?);
            }
        }
        if self.eat(b"(") {
            let inner = self.alternative()?;
            self.blank();
            if !self.eat(b")") {
                return Err(Problem::new(self.span(start, start + 1), "this `(` has no matching `)`"));
            }
            return Ok(inner);
        }
        if self.peek().is_ascii_digit() {
            let end = name_or_number_end(self.text, start);
            self.at = end;
            return match &self.text[start..end] {
                b"0" => Ok(Term::Bit(false)),
                b"1" => Ok(Term::Bit(true)),
                _ => Err(Problem::new(
                    self.span(start, end),
                    "a number in a rule is a bit, 0 or 1; write a text in quotes",
                )),
            };
        }
        let end = name_end(self.text, start).max(start + 1).min(self.end);
        let problem =
            Problem::new(self.span(start, end), "a rule is made of symbols, literals, bits and operators");
        Err(if end > start + 1 {
            problem.help("to compute a text, write `:= expression` at the end of the rule")
        } else {
            problem
        })
    }

    fn literal(&self, start: usize, end: usize) -> Result<Term, Problem> {
        let written = &self.source[start..end];
        let span = self.span(start, end);
        let quote = written.find(['\'', '"']).unwrap_or(0);
        let raw = written[..quote].contains(['r', 'R']);
        let parsed = ruff_python_parser::parse_expression(written)
            .map_err(|error| Problem::new(span, format!("this literal cannot be read: {}", error.error)))?;
        match parsed.into_expr() {
            Expr::StringLiteral(literal) if raw => {
                Ok(Term::Regex { pattern: literal.value.to_str().to_owned(), is_bytes: false, span })
            }
            Expr::StringLiteral(literal) => {
                Ok(Term::Literal { bytes: literal.value.to_str().as_bytes().to_vec(), is_bytes: false })
            }
            Expr::BytesLiteral(literal) => {
                let bytes: Vec<u8> = literal.value.bytes().collect();
                if raw {
                    Ok(Term::Regex {
                        pattern: bytes.iter().map(|byte| char::from(*byte)).collect(),
                        is_bytes: true,
                        span,
                    })
                } else {
                    Ok(Term::Literal { bytes, is_bytes: true })
                }
            }
            _ => Err(Problem::new(span, "a literal of a rule is a text, bytes or a regular expression")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(source: &str) -> Result<Rule, Problem> {
        read(source, Span::new(0, 0..source.len()))
    }

    #[test]
    fn operators_bind_as_in_the_language() {
        let rule = rule("<a> ::= 'x' <b>{3}? | (r'[0-9]' | 0 1)* | [[ <c> <d> ]] := f(<e>, 1)").unwrap();
        let Term::Alternative(branches) = &rule.body else { panic!("{:?}", rule.body) };
        assert_eq!(branches.len(), 3);
        assert!(matches!(&branches[1], Term::Repeat { max: Some(Count::Open), .. }));
        assert!(matches!(&branches[2], Term::Permutation(items) if items.len() == 2));
        assert_eq!(rule.generator.unwrap().selectors.len(), 1);
    }

    #[test]
    fn counts_may_be_computed() {
        let rule = rule("<a> ::= <b>{N, int(<c>) + f(1, 2)}").unwrap();
        assert!(matches!(
            rule.body,
            Term::Repeat { min: Count::Computed(_), max: Some(Count::Computed(_)), .. }
        ));
    }

    #[test]
    fn what_is_no_rule_is_refused_in_a_sentence() {
        for (source, part) in [
            ("<a> ::= ", "empty word"),
            ("<a> ::= 'x' | ", "empty word"),
            ("<a> ::= ('x'", "matching"),
            ("<a> ::= 7", "bit"),
            ("<a> ::= <P:b>", "parties"),
            ("<a> ::= 'x'{3", "matching"),
            ("<a> ::= 'x'{3,2}", "cannot be"),
            ("<a> ::= f(x)", "made of"),
        ] {
            let message = rule(source).unwrap_err().message;
            assert!(message.contains(part), "{source}: {message}");
        }
    }
}
