//! Methods of text.
use std::rc::Rc;

use super::error::{Res, raise};
use super::methods::missing;
use super::native::{Args, Method as M};
use super::value::{Key, Value};
use super::vm::{Vm, char_count};

/// Characters that `strip` takes away.
fn strips(chars: Option<&str>) -> impl Fn(char) -> bool + '_ {
    move |c| match chars {
        Some(chars) => chars.contains(c),
        None => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
    }
}

/// The byte offset of the character at `index`.
fn offset(text: &str, index: usize) -> usize {
    if text.is_ascii() {
        return index.min(text.len());
    }
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

impl Vm<'_> {
    fn optional_text(&self, value: Option<&Value>) -> Res<Option<Rc<str>>> {
        match value {
            None | Some(Value::None) => Ok(None),
            Some(value) => self.want_text(value).map(Some),
        }
    }

    /// `text[start:end]` as the second and third argument of `find` and its like give it, as byte offsets.
    fn window(&self, text: &str, args: &Args) -> Res<(usize, usize)> {
        let len = char_count(text);
        let bound = |value: Option<&Value>, default: i64| -> Res<i64> {
            match value {
                None | Some(Value::None) => Ok(default),
                Some(value) => {
                    let value = self.want_int(value)?;
                    Ok(if value < 0 { (value + len).max(0) } else { value.min(len) })
                }
            }
        };
        let (start, end) = (bound(args.pos.get(1), 0)?, bound(args.pos.get(2), len)?);
        Ok((offset(text, start as usize), offset(text, end as usize)))
    }

    /// `text.name(args)`
    pub fn str_method(&mut self, text: &Rc<str>, name: M, args: &Args) -> Res {
        let this = Value::Str(text.clone());
        let all = |test: fn(char) -> bool| Value::Bool(!text.is_empty() && text.chars().all(test));
        Ok(match name {
            M::upper => Value::str(text.to_uppercase()),
            M::lower | M::casefold => Value::str(text.to_lowercase()),
            M::swapcase => Value::str(
                text.chars()
                    .map(|c| {
                        if c.is_uppercase() {
                            c.to_lowercase().to_string()
                        } else {
                            c.to_uppercase().to_string()
                        }
                    })
                    .collect::<String>(),
            ),
            M::capitalize => {
                let mut chars = text.chars();
                match chars.next() {
                    Some(first) => {
                        Value::str(first.to_uppercase().to_string() + &chars.as_str().to_lowercase())
                    }
                    None => this,
                }
            }
            M::title => {
                let mut inside = false;
                let mut out = String::new();
                for c in text.chars() {
                    if inside {
                        out.extend(c.to_lowercase());
                    } else {
                        out.extend(c.to_uppercase());
                    }
                    inside = c.is_alphabetic();
                }
                Value::str(out)
            }
            M::isalnum => all(char::is_alphanumeric),
            M::isalpha => all(char::is_alphabetic),
            M::isascii => Value::Bool(text.is_ascii()),
            M::isdigit | M::isdecimal => all(|c| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric())),
            M::isnumeric => all(char::is_numeric),
            M::isspace => all(char::is_whitespace),
            M::isprintable => {
                Value::Bool(text.chars().all(|c| !c.is_control() && (c == ' ' || !c.is_whitespace())))
            }
            M::isupper => {
                Value::Bool(text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase))
            }
            M::islower => {
                Value::Bool(text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase))
            }
            M::istitle => {
                let (mut inside, mut fits, mut any) = (false, true, false);
                for c in text.chars() {
                    if c.is_uppercase() {
                        fits &= !inside;
                        any = true;
                    } else if c.is_lowercase() {
                        fits &= inside;
                    }
                    inside = c.is_alphabetic();
                }
                Value::Bool(fits && any)
            }
            M::isidentifier => {
                let mut chars = text.chars();
                let first = chars.next().is_some_and(|c| c == '_' || c.is_alphabetic());
                Value::Bool(first && chars.all(|c| c == '_' || c.is_alphanumeric()))
            }
            M::strip | M::lstrip | M::rstrip => {
                let chars = self.optional_text(args.get(0, "chars"))?;
                let test = strips(chars.as_deref());
                Value::str(match name {
                    M::strip => text.trim_matches(test),
                    M::lstrip => text.trim_start_matches(test),
                    _ => text.trim_end_matches(test),
                })
            }
            M::removeprefix => {
                let part = self.want_text(args.need(0, "prefix")?)?;
                Value::str(text.strip_prefix(&*part).unwrap_or(text))
            }
            M::removesuffix => {
                let part = self.want_text(args.need(0, "suffix")?)?;
                Value::str(text.strip_suffix(&*part).unwrap_or(text))
            }
            M::startswith | M::endswith => {
                let (start, end) = self.window(text, args)?;
                let window = text.get(start..end).unwrap_or("");
                let parts = match args.need(0, "prefix")? {
                    Value::Tuple(parts) => parts.to_vec(),
                    one => vec![one.clone()],
                };
                let mut found = false;
                for part in &parts {
                    let part = self.want_text(part)?;
                    found |= if name == M::startswith {
                        window.starts_with(&*part)
                    } else {
                        window.ends_with(&*part)
                    };
                }
                Value::Bool(found)
            }
            M::find | M::rfind | M::index | M::rindex => {
                let part = self.want_text(args.need(0, "sub")?)?;
                let (start, end) = self.window(text, args)?;
                let window = text.get(start..end).unwrap_or("");
                let found = if matches!(name, M::find | M::index) {
                    window.find(&*part)
                } else {
                    window.rfind(&*part)
                };
                match found {
                    Some(at) => Value::Int(char_count(&text[..start + at])),
                    None if matches!(name, M::find | M::rfind) => Value::Int(-1),
                    None => return raise("ValueError", "substring not found"),
                }
            }
            M::count => {
                let part = self.want_text(args.need(0, "sub")?)?;
                let (start, end) = self.window(text, args)?;
                let window = text.get(start..end).unwrap_or("");
                let count =
                    if part.is_empty() { window.chars().count() + 1 } else { window.matches(&*part).count() };
                Value::Int(count as i64)
            }
            M::replace => {
                let (from, to) =
                    (self.want_text(args.need(0, "old")?)?, self.want_text(args.need(1, "new")?)?);
                match args.get(2, "count") {
                    Some(count) if self.want_int(count)? >= 0 => {
                        Value::str(text.replacen(&*from, &to, self.want_int(count)? as usize))
                    }
                    _ => Value::str(text.replace(&*from, &to)),
                }
            }
            M::split | M::rsplit => {
                let mark = self.optional_text(args.get(0, "sep"))?;
                let limit = match args.get(1, "maxsplit") {
                    Some(value) => self.want_int(value)?,
                    None => -1,
                };
                Value::list(split(text, mark.as_deref(), limit, name == M::rsplit)?)
            }
            M::splitlines => {
                let keep = match args.get(0, "keepends") {
                    Some(value) => self.truth(value)?,
                    None => false,
                };
                Value::list(lines(text, keep))
            }
            M::partition | M::rpartition => {
                let mark = self.want_text(args.need(0, "sep")?)?;
                let found = if name == M::partition { text.find(&*mark) } else { text.rfind(&*mark) };
                let parts = match found {
                    Some(at) => [&text[..at], &*mark, &text[at + mark.len()..]],
                    None if name == M::partition => [&**text, "", ""],
                    None => ["", "", text],
                };
                Value::tuple(parts.map(Value::str).to_vec())
            }
            M::join => {
                let items = self.items(args.need(0, "iterable")?)?;
                let mut out = String::new();
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(text);
                    }
                    match item {
                        Value::Str(_) | Value::Tree(_) => out.push_str(&self.text_of(item)?),
                        other => {
                            return raise(
                                "TypeError",
                                format!("sequence item {index}: expected str, {} found", other.type_name()),
                            );
                        }
                    }
                }
                Value::str(out)
            }
            M::ljust | M::rjust | M::center => {
                let width = self.want_int(args.need(0, "width")?)?;
                let fill = self.optional_text(args.get(1, "fillchar"))?.unwrap_or_else(|| " ".into());
                let missing = (width - char_count(text)).clamp(0, 1 << 26) as usize;
                Value::str(match name {
                    M::ljust => format!("{text}{}", fill.repeat(missing)),
                    M::rjust => format!("{}{text}", fill.repeat(missing)),
                    _ => {
                        let left = missing / 2 + (missing & width.max(0) as usize & 1);
                        format!("{}{text}{}", fill.repeat(left), fill.repeat(missing - left))
                    }
                })
            }
            M::zfill => {
                let width = self.want_int(args.need(0, "width")?)?;
                let missing = (width - char_count(text)).clamp(0, 1 << 26) as usize;
                let zeros = "0".repeat(missing);
                Value::str(match text.strip_prefix(['+', '-']) {
                    Some(rest) => format!("{}{zeros}{rest}", &text[..1]),
                    None => format!("{zeros}{text}"),
                })
            }
            M::expandtabs => {
                let size = match args.get(0, "tabsize") {
                    Some(value) => self.want_int(value)?.max(0) as usize,
                    None => 8,
                };
                let (mut out, mut column) = (String::new(), 0);
                for c in text.chars() {
                    match c {
                        '\t' if size > 0 => {
                            let add = size - column % size;
                            out.push_str(&" ".repeat(add));
                            column += add;
                        }
                        '\t' => {}
                        c => {
                            out.push(c);
                            column = if c == '\n' || c == '\r' { 0 } else { column + 1 };
                        }
                    }
                }
                Value::str(out)
            }
            M::encode => {
                let encoding = self.optional_text(args.get(0, "encoding"))?;
                super::bytes::encode(text, encoding.as_deref().unwrap_or("utf-8"))?
            }
            M::format => Value::str(self.format_template(text, args)?),
            M::translate => {
                let Value::Dict(table) = args.need(0, "table")? else {
                    return raise("TypeError", "translate needs a table");
                };
                let mut out = String::new();
                for c in text.chars() {
                    match table.borrow().get(&Key(Value::Int(c as i64))) {
                        Some(Value::None) => {}
                        Some(Value::Int(code)) => {
                            out.extend(u32::try_from(*code).ok().and_then(char::from_u32));
                        }
                        Some(other) => out.push_str(&self.text_of(other)?),
                        None => out.push(c),
                    }
                }
                Value::str(out)
            }
            M::__str__ => this,
            // `str(type)` shows as its name, so that `tree.symbol.name()` and `type(x).__name__` work.
            M::name | M::to_string | M::value => this,
            _ => return missing(&this, name),
        })
    }
}

/// `text.split(mark, limit)` from either end.
pub fn split(text: &str, mark: Option<&str>, limit: i64, from_end: bool) -> Res<Vec<Value>> {
    let limit = if limit < 0 { usize::MAX } else { limit as usize };
    let parts: Vec<&str> = match mark {
        Some("") => return raise("ValueError", "empty separator"),
        Some(mark) if from_end => {
            let mut parts: Vec<&str> = text.rsplitn(limit.saturating_add(1), mark).collect();
            parts.reverse();
            parts
        }
        Some(mark) => text.splitn(limit.saturating_add(1), mark).collect(),
        None => {
            let mut parts = Vec::new();
            let mut rest = if from_end { text.trim_end() } else { text.trim_start() };
            while !rest.is_empty() {
                if parts.len() == limit {
                    parts.push(if from_end { rest.trim_end() } else { rest });
                    break;
                }
                if from_end {
                    let at = rest
                        .rfind(char::is_whitespace)
                        .map_or(0, |at| at + rest[at..].chars().next().map_or(0, char::len_utf8));
                    parts.push(&rest[at..]);
                    rest = rest[..at].trim_end();
                } else {
                    let at = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    parts.push(&rest[..at]);
                    rest = rest[at..].trim_start();
                }
            }
            if from_end {
                parts.reverse();
            }
            parts
        }
    };
    Ok(parts.into_iter().map(Value::str).collect())
}

fn lines(text: &str, keep: bool) -> Vec<Value> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mark = |c: char| {
            matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
        };
        let at = rest.find(mark).unwrap_or(rest.len());
        let end = match rest[at..].chars().next() {
            Some('\r') if rest[at + 1..].starts_with('\n') => at + 2,
            Some(c) => at + c.len_utf8(),
            None => at,
        };
        out.push(Value::str(&rest[..if keep { end } else { at }]));
        rest = &rest[end..];
    }
    out
}
