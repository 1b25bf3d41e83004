//! Format specifications: `format()`, f-strings, `str.format` and `%`.
use num_bigint::BigInt;
use num_traits::Signed;

use super::error::{Res, raise};
use super::value::{Value, float_repr};
use super::vm::Vm;

#[derive(Debug, Default)]
struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    alternate: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: char,
}

fn read(text: &str) -> Res<Spec> {
    let chars: Vec<char> = text.chars().collect();
    let mut spec = Spec { fill: ' ', sign: '-', ..Spec::default() };
    let mut at = 0;
    if chars.len() >= 2 && "<>=^".contains(chars[1]) {
        (spec.fill, spec.align, at) = (chars[0], Some(chars[1]), 2);
    } else if let Some(c) = chars.first()
        && "<>=^".contains(*c)
    {
        (spec.align, at) = (Some(*c), 1);
    }
    if let Some(c) = chars.get(at)
        && "+- ".contains(*c)
    {
        spec.sign = *c;
        at += 1;
    }
    if chars.get(at) == Some(&'#') {
        spec.alternate = true;
        at += 1;
    }
    if chars.get(at) == Some(&'0') {
        if spec.align.is_none() {
            (spec.fill, spec.align) = ('0', Some('='));
        }
        at += 1;
    }
    let number = |at: &mut usize| {
        let start = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        chars[start..*at].iter().collect::<String>().parse::<usize>().ok()
    };
    spec.width = number(&mut at).unwrap_or(0);
    if let Some(c) = chars.get(at)
        && ",_".contains(*c)
    {
        spec.grouping = Some(*c);
        at += 1;
    }
    if chars.get(at) == Some(&'.') {
        at += 1;
        spec.precision = number(&mut at);
    }
    spec.kind = chars.get(at).copied().unwrap_or('\0');
    if at + 1 < chars.len() || spec.width > 1 << 20 || spec.precision.is_some_and(|digits| digits > 1 << 12) {
        return raise("ValueError", format!("invalid format specifier '{text}'"));
    }
    Ok(spec)
}

fn pad(spec: &Spec, sign: &str, body: &str, default: char) -> String {
    let len = sign.chars().count() + body.chars().count();
    let missing = spec.width.saturating_sub(len);
    let fill = |count: usize| spec.fill.to_string().repeat(count);
    match spec.align.unwrap_or(default) {
        '<' => format!("{sign}{body}{}", fill(missing)),
        '^' => format!("{}{sign}{body}{}", fill(missing / 2), fill(missing - missing / 2)),
        '=' => format!("{sign}{}{body}", fill(missing)),
        _ => format!("{}{sign}{body}", fill(missing)),
    }
}

fn group(digits: &str, mark: char, every: usize) -> String {
    let count = digits.len();
    let mut out = String::new();
    for (index, c) in digits.chars().enumerate() {
        if index > 0 && (count - index).is_multiple_of(every) {
            out.push(mark);
        }
        out.push(c);
    }
    out
}

fn sign_of(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.sign) {
        (true, _) => "-",
        (false, '+') => "+",
        (false, ' ') => " ",
        _ => "",
    }
}

fn integer(spec: &Spec, value: &BigInt) -> Res<String> {
    let magnitude = value.abs();
    let (prefix, mut digits, every) = match spec.kind {
        'b' => ("0b", magnitude.to_str_radix(2), 4),
        'o' => ("0o", magnitude.to_str_radix(8), 4),
        'x' => ("0x", magnitude.to_str_radix(16), 4),
        'X' => ("0X", magnitude.to_str_radix(16).to_uppercase(), 4),
        'd' | 'n' | '\0' => ("", magnitude.to_string(), 3),
        'c' => {
            let c = u32::try_from(value).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
            return Ok(pad(spec, "", &c.to_string(), '<'));
        }
        kind => return raise("ValueError", format!("unknown format code '{kind}' for an int")),
    };
    if let Some(mark) = spec.grouping {
        digits = group(&digits, mark, every);
    }
    let sign = format!("{}{}", sign_of(spec, value.is_negative()), if spec.alternate { prefix } else { "" });
    Ok(pad(spec, &sign, &digits, '>'))
}

fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    if value == 0.0 {
        return "0".into();
    }
    let rounded = scientific(value, precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let trim = |text: &str| {
        if alternate || !text.contains('.') {
            text.to_owned()
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
        format!("{}e{exponent}", trim(digits))
    } else {
        trim(&format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize))
    }
}

fn float(spec: &Spec, value: f64) -> Res<String> {
    let magnitude = value.abs();
    let mut body = match spec.kind {
        _ if !value.is_finite() => float_repr(magnitude),
        'f' | 'F' => format!("{magnitude:.*}", spec.precision.unwrap_or(6)),
        'e' => scientific(magnitude, spec.precision.unwrap_or(6)),
        'E' => scientific(magnitude, spec.precision.unwrap_or(6)).to_uppercase(),
        'g' | 'G' | 'n' => general(magnitude, spec.precision.unwrap_or(6), spec.alternate),
        '%' => format!("{:.*}%", spec.precision.unwrap_or(6), magnitude * 100.0),
        '\0' => match spec.precision {
            Some(precision) => general(magnitude, precision, false),
            None => float_repr(magnitude),
        },
        kind => return raise("ValueError", format!("unknown format code '{kind}' for a float")),
    };
    if let Some(mark) = spec.grouping {
        let (whole, rest) = body.split_at(body.find(['.', 'e', '%']).unwrap_or(body.len()));
        body = format!("{}{rest}", group(whole, mark, 3));
    }
    Ok(pad(spec, sign_of(spec, value.is_sign_negative()), &body, '>'))
}

impl Vm<'_> {
    /// `format(value, spec)`
    pub fn format_value(&mut self, value: &Value, spec: &str) -> Res<String> {
        if spec.is_empty() {
            return Ok(self.text_of(value)?.into_owned());
        }
        if let Value::Object(object) = value {
            return object.format(spec);
        }
        let value = self.natural(value)?;
        let spec = read(spec)?;
        match &value {
            Value::Str(text) => {
                if !matches!(spec.kind, 's' | '\0') {
                    return raise("ValueError", format!("unknown format code '{}' for a str", spec.kind));
                }
                let text: String = match spec.precision {
                    Some(count) => text.chars().take(count).collect(),
                    None => text.to_string(),
                };
                Ok(pad(&spec, "", &text, '<'))
            }
            Value::Float(value) => float(&spec, *value),
            Value::Bool(_) if matches!(spec.kind, 's' | '\0') => Ok(pad(&spec, "", &value.repr(), '<')),
            _ => match value.as_big() {
                Some(_) if "eEfFgG%".contains(spec.kind) => {
                    float(&spec, value.as_float().unwrap_or(f64::NAN))
                }
                Some(big) => integer(&spec, &big),
                None => Ok(pad(&spec, "", &self.text_of(&value)?, '<')),
            },
        }
    }
}
