//! `re`, on the engine of the `regex` crate: linear time, without look-around and back-references.
use std::rc::Rc;

use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::super::error::{REFUSED, Res, raise};
use super::super::native::{Args, Method as M, Native, native};
use super::super::trees::latin1;
use super::super::value::{Dict, Key, Value};
use super::super::vm::{Vm, char_count};
use super::Object;

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    /// As written.
    pub text: String,
    regex: Regex,
}

/// A match: what was searched, and where the groups are.
#[derive(Debug, Clone)]
pub struct Match {
    /// What was searched.
    pub subject: Value,
    text: Rc<str>,
    spans: Vec<Option<(usize, usize)>>,
    names: Vec<(Rc<str>, usize)>,
}

pub(super) fn constant(name: &str) -> Option<Value> {
    Some(Value::Int(match name {
        "IGNORECASE" | "I" => 2,
        "MULTILINE" | "M" => 8,
        "DOTALL" | "S" => 16,
        "VERBOSE" | "X" => 64,
        "ASCII" | "A" => 256,
        "UNICODE" | "U" => 32,
        _ => return None,
    }))
}

pub(super) static FUNCTIONS: [Native; 9] = [
    native("compile", |vm, args| {
        let pattern = compile(vm, args.need(0, "pattern")?, args.get(1, "flags"))?;
        Ok(Value::Object(Rc::new(Object::Pattern(pattern))))
    }),
    native("match", |vm, args| direct(vm, &args, M::r#match)),
    native("fullmatch", |vm, args| direct(vm, &args, M::fullmatch)),
    native("search", |vm, args| direct(vm, &args, M::search)),
    native("findall", |vm, args| direct(vm, &args, M::findall)),
    native("finditer", |vm, args| direct(vm, &args, M::finditer)),
    native("split", |vm, args| direct(vm, &args, M::split)),
    native("sub", |vm, args| direct(vm, &args, M::sub)),
    native("escape", |vm, args| {
        let text = vm.want_text(args.need(0, "pattern")?)?;
        Ok(Value::str(regex_syntax::escape(&text)))
    }),
];

fn compile(vm: &Vm<'_>, pattern: &Value, flags: Option<&Value>) -> Res<Rc<Pattern>> {
    if let Value::Object(object) = pattern
        && let Object::Pattern(pattern) = &**object
    {
        return Ok(pattern.clone());
    }
    let text = match pattern.buffer() {
        Some(bytes) => latin1(&bytes),
        None => vm.want_text(pattern)?.to_string(),
    };
    let flags = flags.map_or(Ok(0), |value| vm.want_int(value))?;
    let syntax = syntax::Config::new()
        .case_insensitive(flags & 2 != 0)
        .multi_line(flags & 8 != 0)
        .dot_matches_new_line(flags & 16 != 0)
        .ignore_whitespace(flags & 64 != 0);
    match Regex::builder().syntax(syntax).build(&text.replace("\\Z", "\\z")) {
        Ok(regex) => Ok(Rc::new(Pattern { text, regex })),
        Err(error) => raise(REFUSED, format!("the pattern {text:?} is not supported: {error}")),
    }
}

fn direct(vm: &mut Vm<'_>, args: &Args, name: M) -> Res {
    // `re.sub(pattern, replacement, text)`, `re.match(pattern, text, flags)`
    let flags = if name == M::sub { args.named("flags") } else { args.get(2, "flags") };
    let pattern = compile(vm, args.need(0, "pattern")?, flags)?;
    let count = if name == M::sub { args.pos.len() } else { args.pos.len().min(2) };
    pattern_method(vm, &pattern, name, &Args { pos: args.pos[1..count].into(), named: args.named.clone() })
}

fn find(pattern: &Pattern, subject: &Value, text: &Rc<str>, start: usize, name: M) -> Option<Match> {
    let mut captures: Captures = pattern.regex.create_captures();
    let anchored = if matches!(name, M::search | M::findall) { Anchored::No } else { Anchored::Yes };
    let input = Input::new(&**text).range(start..).anchored(anchored);
    if name == M::fullmatch {
        // The leftmost match may be shorter than a whole one, so the pattern is compiled again with ends.
        let whole = Regex::new(&format!("^(?:{})$", pattern.text)).ok()?;
        let mut ends = whole.create_captures();
        whole.captures(Input::new(&**text), &mut ends);
        captures = ends;
        if captures.get_group(0).is_none_or(|span| span.range() != (0..text.len())) {
            return None;
        }
    } else {
        pattern.regex.captures(input, &mut captures);
    }
    captures.is_match().then(|| {
        let info = captures.group_info();
        let names = info
            .pattern_names(regex_automata::PatternID::ZERO)
            .enumerate()
            .filter_map(|(at, name)| name.map(|name| (name.into(), at)))
            .collect();
        let spans = (0..captures.group_len())
            .map(|at| captures.get_group(at).map(|span| (span.start, span.end)))
            .collect();
        Match { subject: subject.clone(), text: text.clone(), spans, names }
    })
}

pub(super) fn pattern_method(vm: &mut Vm<'_>, pattern: &Rc<Pattern>, name: M, args: &Args) -> Res {
    let subject = if name == M::sub { args.need(1, "string")? } else { args.need(0, "string")? };
    let text: Rc<str> = match subject.buffer() {
        Some(bytes) => latin1(&bytes).into(),
        None => vm.want_text(subject)?,
    };
    let subject = &if matches!(subject, Value::Tree(_)) { Value::Str(text.clone()) } else { subject.clone() };
    let wrap = |found: Match| Value::Object(Rc::new(Object::Match(found)));
    let all = |limit: usize| {
        let (mut out, mut start) = (Vec::new(), 0);
        while start <= text.len() && out.len() < limit {
            let Some(found) = find(pattern, subject, &text, start, M::search) else { break };
            let (from, to) = found.spans[0].unwrap_or((start, start));
            start = if to > from { to } else { to + text[to..].chars().next().map_or(1, char::len_utf8) };
            out.push(found);
        }
        out
    };
    Ok(match name {
        M::r#match | M::fullmatch | M::search => {
            find(pattern, subject, &text, 0, name).map_or(Value::None, wrap)
        }
        M::findall => {
            let mut out = Vec::new();
            for found in all(usize::MAX) {
                out.push(match found.spans.len() {
                    1 => found.at(0, true),
                    2 => found.at(1, true),
                    count => Value::tuple((1..count).map(|at| found.at(at, true)).collect::<Vec<_>>()),
                });
            }
            Value::list(out)
        }
        M::finditer => Value::iter(all(usize::MAX).into_iter().map(wrap).collect()),
        M::split => {
            let (mut out, mut last) = (Vec::new(), 0);
            for found in all(usize::MAX) {
                let (from, to) = found.spans[0].unwrap_or((0, 0));
                if from == to && (from == 0 || from == text.len()) {
                    continue;
                }
                out.push(Value::str(&text[last..from]));
                out.extend((1..found.spans.len()).map(|at| found.at(at, false)));
                last = to;
            }
            out.push(Value::str(&text[last..]));
            Value::list(out)
        }
        M::sub => {
            let replacement = args.need(0, "repl")?.clone();
            let limit = match args.get(2, "count") {
                Some(value) => vm.want_int(value)?,
                None => 0,
            };
            let (mut out, mut last) = (String::new(), 0);
            for found in all(if limit > 0 { limit as usize } else { usize::MAX }) {
                let (from, to) = found.spans[0].unwrap_or((0, 0));
                out.push_str(&text[last..from]);
                match &replacement {
                    Value::Str(template) => out.push_str(&found.expand(template)),
                    function => {
                        let made = vm.call(function, Args::one(wrap(found)))?;
                        out.push_str(&vm.text_of(&made)?);
                    }
                }
                last = to;
            }
            out.push_str(&text[last..]);
            Value::str(out)
        }
        _ => return raise("AttributeError", format!("patterns have no `{}`", name.name())),
    })
}

impl Match {
    fn at(&self, group: usize, empty: bool) -> Value {
        match self.spans.get(group) {
            Some(Some((from, to))) => {
                let text = &self.text[*from..*to];
                if self.subject.buffer().is_some() {
                    Value::bytes(text.chars().map(|c| c as u32 as u8).collect::<Vec<u8>>())
                } else {
                    Value::str(text)
                }
            }
            _ if empty => Value::str(""),
            _ => Value::None,
        }
    }

    fn number(&self, group: &Value) -> Res<usize> {
        let number = match group {
            Value::Str(name) => self.names.iter().find(|(known, _)| known == name).map(|(_, at)| *at),
            other => other.as_int().and_then(|at| usize::try_from(at).ok()),
        };
        match number {
            Some(at) if at < self.spans.len() => Ok(at),
            _ => raise("IndexError", "no such group"),
        }
    }

    /// `match[group]`
    pub fn group(&self, group: &Value) -> Res {
        Ok(self.at(self.number(group)?, false))
    }

    fn expand(&self, template: &str) -> String {
        let mut out = String::new();
        let mut chars = template.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek().copied()) {
                ('\\', Some(digit)) if digit.is_ascii_digit() => {
                    chars.next();
                    if let Value::Str(text) = self.at(digit as usize - '0' as usize, true) {
                        out.push_str(&text);
                    }
                }
                ('\\', Some('n')) => {
                    chars.next();
                    out.push('\n');
                }
                ('\\', Some('\\')) => {
                    chars.next();
                    out.push('\\');
                }
                (c, _) => out.push(c),
            }
        }
        out
    }
}

pub(super) fn match_method(_vm: &mut Vm<'_>, found: &Match, name: M, args: &Args) -> Res {
    let zero = Value::Int(0);
    let span = |value: Option<&Value>| -> Res<(i64, i64)> {
        let at = found.number(value.unwrap_or(&zero))?;
        Ok(found.spans[at]
            .map_or((-1, -1), |(from, to)| (char_count(&found.text[..from]), char_count(&found.text[..to]))))
    };
    Ok(match name {
        M::group => match args.pos.len() {
            0 => found.at(0, false),
            1 => found.group(&args.pos[0])?,
            _ => Value::tuple(args.pos.iter().map(|group| found.group(group)).collect::<Res<Vec<_>>>()?),
        },
        M::groups => Value::tuple((1..found.spans.len()).map(|at| found.at(at, false)).collect::<Vec<_>>()),
        M::groupdict => {
            let mut dict = Dict::default();
            for (name, at) in &found.names {
                dict.insert(Key(Value::Str(name.clone())), found.at(*at, false));
            }
            Value::dict(dict)
        }
        M::start => Value::Int(span(args.pos.first())?.0),
        M::end => Value::Int(span(args.pos.first())?.1),
        M::span => {
            let (from, to) = span(args.pos.first())?;
            Value::tuple(vec![Value::Int(from), Value::Int(to)])
        }
        _ => return raise("AttributeError", format!("matches have no `{}`", name.name())),
    })
}
