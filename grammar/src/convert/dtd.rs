//! DTDs as `.fan` text: elements with their content models and attributes.
use std::fmt::Write as _;

/// A DTD as a spec. The first element is the document's.
pub fn dtd(text: &str) -> Result<String, String> {
    let declarations = declarations(text)?;
    let mut out = String::from("# Converted from a DTD.\n");
    let mut first = None;
    for (kind, name, rest) in &declarations {
        if kind != "ELEMENT" {
            continue;
        }
        if first.is_none() {
            first = Some(name.clone());
            _ = writeln!(out, "<start> ::= <{}>", symbol(name));
        }
        let content = content(rest).map_err(|error| format!("element `{name}`: {error}"))?;
        let tag = symbol(name);
        _ = writeln!(out, "<{tag}> ::= '<{name}' <{tag}_attributes> '>' {content} '</{name}>'");
        let mut attributes = Vec::new();
        for (kind, of, rest) in &declarations {
            if kind == "ATTLIST" && of == name {
                attributes.extend(attributes_of(rest));
            }
        }
        let attributes = if attributes.is_empty() { "''".to_owned() } else { attributes.join(" ") };
        _ = writeln!(out, "<{tag}_attributes> ::= {attributes}");
    }
    if first.is_none() {
        return Err("this file declares no elements".into());
    }
    out.push_str("<pcdata> ::= r'[0-9A-Za-z .,;:_-]*'\n<cdata> ::= r'[0-9A-Za-z .,;:_-]*'\n<nmtoken> ::= r'[A-Za-z_][0-9A-Za-z_.-]*'\n");
    Ok(out)
}

fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// `<!KIND name rest>`, with parameter entities put in.
fn declarations(text: &str) -> Result<Vec<(String, String, String)>, String> {
    let (mut out, mut entities) = (Vec::new(), Vec::<(String, String)>::new());
    let mut rest = text;
    while let Some(start) = rest.find("<!") {
        rest = &rest[start + 2..];
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let mut end = rest.len();
        let mut quote = None;
        for (at, c) in rest.char_indices() {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if c == open => quote = None,
                (None, '>') => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        if end == rest.len() {
            return Err("a declaration has no end".into());
        }
        let mut body = rest[..end].to_owned();
        rest = &rest[end + 1..];
        if let Some(entity) = body.strip_prefix("ENTITY") {
            let words = entity.trim_start().strip_prefix('%').unwrap_or("").trim_start();
            let (name, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            entities.push((format!("%{name};"), value.trim().trim_matches(['"', '\'']).to_owned()));
            continue;
        }
        // Entities may name others; ten levels are plenty.
        for _ in 0..10 {
            for (name, value) in &entities {
                body = body.replace(name.as_str(), value);
            }
        }
        let mut words = body.splitn(3, char::is_whitespace).map(str::trim);
        let (kind, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        out.push((kind.to_owned(), name.to_owned(), words.next().unwrap_or("").to_owned()));
    }
    Ok(out)
}

/// A content model as the right-hand side of a rule.
fn content(model: &str) -> Result<String, String> {
    match model.trim() {
        "EMPTY" => return Ok("''".into()),
        "ANY" => return Ok("<pcdata>".into()),
        _ => {}
    }
    let mut out = String::new();
    let mut chars = model.trim().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' | ')' | '*' | '+' | '?' => out.push(c),
            '|' => out.push_str(" | "),
            ',' => out.push(' '),
            c if c.is_whitespace() => {}
            c => {
                let mut name = c.to_string();
                while let Some(c) = chars.peek()
                    && (c.is_alphanumeric() || "#:_.-".contains(*c))
                {
                    name.push(*c);
                    chars.next();
                }
                match name.as_str() {
                    "#PCDATA" => out.push_str("<pcdata>"),
                    name if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                        _ = write!(out, "<{}>", symbol(name));
                    }
                    other => return Err(format!("`{other}` is not understood")),
                }
            }
        }
    }
    if out.is_empty() { Err("it has no content model".into()) } else { Ok(out) }
}

/// The attributes of an `ATTLIST`, each as an optional or required part of a rule.
fn attributes_of(list: &str) -> Vec<String> {
    let spaced = list.replace('(', " (").replace(')', ") ");
    let mut words = spaced.split_whitespace().peekable();
    let mut out = Vec::new();
    while let Some(name) = words.next() {
        let mut kind = words.next().unwrap_or("CDATA").to_owned();
        while kind.starts_with('(') && !kind.ends_with(')') {
            match words.next() {
                Some(more) => kind.push_str(more),
                None => break,
            }
        }
        let value = match kind.strip_prefix('(').and_then(|kind| kind.strip_suffix(')')) {
            Some(choices) => {
                let choices: Vec<String> =
                    choices.split('|').map(|choice| format!("'{}'", choice.trim())).collect();
                format!("({})", choices.join(" | "))
            }
            None if kind == "CDATA" => "<cdata>".into(),
            None => "<nmtoken>".to_owned(),
        };
        let mut required = false;
        match words.next() {
            Some("#REQUIRED") => required = true,
            Some("#FIXED") => _ = words.next(),
            _ => {}
        }
        let part = format!("' {name}=\"' {value} '\"'");
        out.push(if required { part } else { format!("({part})?") });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::dtd;

    #[test]
    fn elements_and_attributes_are_converted() {
        let text = "<!-- c --><!ENTITY % more 'b | c'><!ELEMENT a (#PCDATA | %more;)*><!ELEMENT b EMPTY>\
                    <!ATTLIST a id ID #REQUIRED kind (x|y) 'x'>";
        let spec = dtd(text).unwrap();
        assert!(spec.contains("<a> ::= '<a' <a_attributes> '>' (<pcdata> | <b> | <c>)* '</a>'"), "{spec}");
        assert!(
            spec.contains("<a_attributes> ::= ' id=\"' <nmtoken> '\"' (' kind=\"' ('x' | 'y') '\"')?"),
            "{spec}"
        );
    }
}
