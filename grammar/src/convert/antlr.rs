//! ANTLR 4 grammars as `.fan` text: parser and lexer rules become rules, sets and ranges become regular expressions.
use std::fmt::Write as _;

/// An ANTLR 4 grammar as a spec. Actions, predicates, labels and lexer commands are left out.
pub fn antlr(text: &str) -> Result<String, String> {
    let tokens = tokens(text)?;
    let mut out = String::from("# Converted from an ANTLR grammar.\n");
    let (mut at, mut rules) = (0, 0);
    while at < tokens.len() {
        let end = tokens[at..].iter().position(|token| token == ";").map_or(tokens.len(), |end| at + end);
        let statement = &tokens[at..end];
        at = end + 1;
        let Some(colon) = statement.iter().position(|token| token == ":") else { continue };
        let name = statement[..colon].iter().rfind(|token| is_name(token) && *token != "fragment");
        let Some(name) = name else { continue };
        if rules == 0 && name != "start" {
            _ = writeln!(out, "<start> ::= <{name}>");
        }
        rules += 1;
        let mut reader = Reader { tokens: &statement[colon + 1..], at: 0 };
        let body = reader.alternatives().map_err(|error| format!("rule `{name}`: {error}"))?;
        _ = writeln!(out, "<{name}> ::= {body}");
    }
    if rules == 0 { Err("this file has no rules".into()) } else { Ok(out) }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, quoted literals, sets in brackets and marks; comments and actions are dropped.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let rest = |mark: &str| chars[at..].iter().take(mark.len()).collect::<String>() == mark;
        let start = at;
        match chars[at] {
            c if c.is_whitespace() => at += 1,
            '/' if rest("//") => {
                at += chars[at..].iter().position(|c| *c == '\n').unwrap_or(chars.len() - at);
            }
            '/' if rest("/*") => {
                at += 2;
                while at < chars.len() && !(chars[at - 1] == '*' && chars[at] == '/') {
                    at += 1;
                }
                at += 1;
            }
            quote @ ('\'' | '[') => {
                let close = if quote == '[' { ']' } else { '\'' };
                at += 1;
                while at < chars.len() && chars[at] != close {
                    at += if chars[at] == '\\' { 2 } else { 1 };
                }
                if at >= chars.len() {
                    return Err("a literal or set has no end".into());
                }
                at += 1;
                out.push(chars[start..at].iter().collect());
            }
            '{' => {
                let mut depth = 0;
                while at < chars.len() {
                    depth += i32::from(chars[at] == '{') - i32::from(chars[at] == '}');
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                // `options {..}` and its like end without a semicolon.
                if matches!(out.last().map(String::as_str), Some("options" | "tokens" | "channels")) {
                    out.pop();
                }
            }
            c if c.is_alphanumeric() || c == '_' => {
                while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                    at += 1;
                }
                out.push(chars[start..at].iter().collect());
            }
            _ if rest("->") || rest("..") || rest("+=") => {
                out.push(chars[at..at + 2].iter().collect());
                at += 2;
            }
            c => {
                out.push(c.to_string());
                at += 1;
            }
        }
    }
    Ok(out)
}

struct Reader<'a> {
    tokens: &'a [String],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn alternatives(&mut self) -> Result<String, String> {
        let mut branches = vec![self.sequence()?];
        while self.peek() == "|" {
            self.at += 1;
            branches.push(self.sequence()?);
        }
        Ok(branches.join(" | "))
    }

    fn sequence(&mut self) -> Result<String, String> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                "" | "|" | ")" => break,
                "->" => {
                    // A lexer command, up to the end of the alternative.
                    while !matches!(self.peek(), "" | "|" | ")") {
                        let open = self.peek() == "(";
                        self.at += 1;
                        while open
                            && !matches!(self.tokens.get(self.at - 1).map(String::as_str), None | Some(")"))
                        {
                            self.at += 1;
                        }
                    }
                }
                // `# label`, `<assoc=right>`
                "#" => self.at += 2,
                "<" => {
                    while !matches!(self.peek(), "" | ">") {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                _ => items.push(self.repeated()?),
            }
        }
        Ok(if items.is_empty() { "''".into() } else { items.join(" ") })
    }

    fn repeated(&mut self) -> Result<String, String> {
        if is_name(self.peek())
            && matches!(self.tokens.get(self.at + 1).map(String::as_str), Some("=" | "+="))
        {
            self.at += 2;
        }
        let mut item = self.item()?;
        while let mark @ ("*" | "+" | "?") = self.peek() {
            item.push_str(mark);
            self.at += 1;
            // A second `?` only says that it is not greedy.
            if self.peek() == "?" {
                self.at += 1;
            }
        }
        Ok(item)
    }

    fn item(&mut self) -> Result<String, String> {
        let token = self.peek().to_owned();
        self.at += 1;
        Ok(match token.as_str() {
            "(" => {
                let inner = self.alternatives()?;
                if self.peek() != ")" {
                    return Err("a `(` has no `)`".into());
                }
                self.at += 1;
                format!("({inner})")
            }
            "~" => {
                let set = self.item()?;
                match set.strip_prefix("r'[") {
                    Some(rest) => format!("r'[^{rest}"),
                    None => format!("r'[^{}]'", in_set(set.trim_matches('\''))),
                }
            }
            "." => "r'(?s).'".into(),
            "EOF" => "''".into(),
            text if text.starts_with('\'') && self.peek() == ".." => {
                self.at += 1;
                let to = self.peek().to_owned();
                self.at += 1;
                format!("r'[{}-{}]'", in_set(text.trim_matches('\'')), in_set(to.trim_matches('\'')))
            }
            text if text.starts_with('\'') => text.to_owned(),
            text if text.starts_with('[') => {
                format!("r'[{}]'", text[1..text.len() - 1].replace('[', "\\[").replace('\'', "\\x27"))
            }
            text if is_name(text) => format!("<{text}>"),
            other => return Err(format!("`{other}` is not understood")),
        })
    }
}

/// A character as it stands in a set.
fn in_set(text: &str) -> String {
    match text {
        "]" | "[" | "^" | "-" => format!("\\{text}"),
        "'" | "\\'" => "\\x27".into(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::antlr;

    #[test]
    fn rules_sets_and_commands_are_converted() {
        let text = "grammar X; // c\noptions {a=b;}\nexpr : l=expr op=('*'|'/') expr # mul | INT | '(' expr ')' ;\n\
                    INT : [0-9]+ ;\nfragment Q : ~['\\\\] | 'a'..'z' ;\nWS : [ \\t]+ -> channel(HIDDEN) ;";
        let spec = antlr(text).unwrap();
        assert!(spec.contains("<start> ::= <expr>\n"), "{spec}");
        assert!(spec.contains("<expr> ::= <expr> ('*' | '/') <expr> | <INT> | '(' <expr> ')'\n"), "{spec}");
        assert!(spec.contains("<Q> ::= r'[^\\x27\\\\]' | r'[a-z]'\n"), "{spec}");
        assert!(spec.contains("<WS> ::= r'[ \\t]'+\n"), "{spec}");
    }
}
