//! Texts with places for values: `str.format` and `%`.
use super::error::{Res, raise};
use super::native::{Args, Method};
use super::value::Value;
use super::vm::Vm;

impl Vm<'_> {
    /// `template.format(..)`
    pub fn format_template(&mut self, template: &str, args: &Args) -> Res<String> {
        let chars: Vec<char> = template.chars().collect();
        let (mut out, mut at, mut auto) = (String::new(), 0, 0);
        while at < chars.len() {
            match chars[at] {
                '{' if chars.get(at + 1) == Some(&'{') => {
                    out.push('{');
                    at += 2;
                }
                '}' => {
                    out.push('}');
                    at += if chars.get(at + 1) == Some(&'}') { 2 } else { 1 };
                }
                '{' => {
                    let (start, mut depth) = (at + 1, 1);
                    at += 1;
                    while at < chars.len() && depth > 0 {
                        match chars[at] {
                            '{' => depth += 1,
                            '}' => depth -= 1,
                            _ => {}
                        }
                        at += 1;
                    }
                    if depth > 0 {
                        return raise("ValueError", "expected '}' before end of string");
                    }
                    let inside: String = chars[start..at - 1].iter().collect();
                    let (field, spec) = inside.split_once(':').unwrap_or((&inside, ""));
                    let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
                    let spec =
                        if spec.contains('{') { self.format_template(spec, args)? } else { spec.to_owned() };
                    let mut value = self.field(field, args, &mut auto)?;
                    if conversion == "r" {
                        value = Value::str(self.repr_of(&value)?);
                    }
                    out.push_str(&self.format_value(&value, &spec)?);
                }
                c => {
                    out.push(c);
                    at += 1;
                }
            }
        }
        Ok(out)
    }

    fn field(&mut self, field: &str, args: &Args, auto: &mut usize) -> Res {
        let end = field.find(['.', '[']).unwrap_or(field.len());
        let (name, mut rest) = field.split_at(end);
        let mut value = if name.is_empty() {
            *auto += 1;
            args.need(*auto - 1, "")?.clone()
        } else if let Ok(index) = name.parse::<usize>() {
            args.need(index, "")?.clone()
        } else {
            match args.named(name) {
                Some(value) => value.clone(),
                None => return raise("KeyError", name.to_owned()),
            }
        };
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                let (key, after) = inner.split_once(']').unwrap_or((inner, ""));
                let key = key.parse().map_or_else(|_| Value::str(key), Value::Int);
                value = self.index(&value, &key)?;
                rest = after;
            } else {
                let inner = &rest[1..];
                let end = inner.find(['.', '[']).unwrap_or(inner.len());
                match Method::named(&inner[..end]) {
                    Some(name) => value = self.attribute(&value, name)?,
                    None => return raise("AttributeError", inner[..end].to_owned()),
                }
                rest = &inner[end..];
            }
        }
        Ok(value)
    }

    /// `template % values`
    pub fn percent(&mut self, template: &str, values: &Value) -> Res {
        let (mut list, dict) = match values {
            Value::Tuple(items) => (items.to_vec(), None),
            Value::Dict(_) => (Vec::new(), Some(values.clone())),
            other => (vec![other.clone()], None),
        };
        list.reverse();
        let chars: Vec<char> = template.chars().collect();
        let (mut out, mut at) = (String::new(), 0);
        while at < chars.len() {
            if chars[at] != '%' {
                out.push(chars[at]);
                at += 1;
                continue;
            }
            at += 1;
            let mut named = None;
            if chars.get(at) == Some(&'(') {
                let close = chars[at..].iter().position(|c| *c == ')').map_or(chars.len(), |end| at + end);
                named = Some(chars[at + 1..close.max(at + 1)].iter().collect::<String>());
                at = close + 1;
            }
            let start = at;
            while at < chars.len() && "#0- +123456789.*".contains(chars[at]) {
                at += 1;
            }
            let Some(kind) = chars.get(at).copied() else {
                return raise("ValueError", "incomplete format");
            };
            let flags: String = chars[start..at].iter().collect();
            at += 1;
            if kind == '%' {
                out.push('%');
                continue;
            }
            let value = match (&named, &dict) {
                (Some(name), Some(dict)) => self.index(dict, &Value::str(name))?,
                _ => match list.pop() {
                    Some(value) => value,
                    None => return raise("TypeError", "not enough arguments for format string"),
                },
            };
            let align = if flags.contains('-') {
                "<"
            } else if matches!(kind, 's' | 'r') {
                ">"
            } else {
                ""
            };
            let flags = flags.replace('-', "");
            let text = match kind {
                's' => Value::str(self.text_of(&value)?),
                'r' => Value::str(self.repr_of(&value)?),
                'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' => match &value {
                    Value::Str(_) if kind == 'c' => value.clone(),
                    _ => self.int_of(&value)?,
                },
                _ => value.clone(),
            };
            let code = match kind {
                's' | 'r' => 's',
                'i' | 'u' => 'd',
                'c' if matches!(text, Value::Str(_)) => 's',
                other => other,
            };
            out.push_str(&self.format_value(&text, &format!("{align}{flags}{code}"))?);
        }
        Ok(Value::str(out))
    }
}
