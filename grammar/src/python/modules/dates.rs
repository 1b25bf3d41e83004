//! Parts of `datetime` and `time`, in UTC.
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::super::code::Op;
use super::super::error::{REFUSED, Res, raise};
use super::super::native::{Args, Method as M, Native, native, native_type};
use super::super::value::Value;
use super::super::vm::Vm;
use super::Object;

/// A point in time or a span of it, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Date {
    /// `datetime`, since 1970.
    Moment(i64),
    /// `date`, at midnight.
    Day(i64),
    /// `timedelta`
    Span(i64),
}

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Year, month and day of a day counted from 1970, by Howard Hinnant's algorithm.
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, doy - (153 * mp + 2) / 5 + 1)
}

fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let yoe = year.rem_euclid(400);
    let doy = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

fn moment(parts: [i64; 7]) -> Res<i64> {
    let [year, month, day, hour, minute, second, micros] = parts;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let fits = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=length).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..60).contains(&second)
        && (0..SECOND).contains(&micros);
    if !fits {
        return raise("ValueError", "a part of the date is out of range");
    }
    Ok(days(year, month, day) * DAY + ((hour * 60 + minute) * 60 + second) * SECOND + micros)
}

fn object(date: Date) -> Value {
    Value::Object(Rc::new(Object::Date(date)))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as i64)
}

impl Date {
    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Moment(_) => "datetime",
            Self::Day(_) => "date",
            Self::Span(_) => "timedelta",
        }
    }

    fn micros(self) -> i64 {
        let (Self::Moment(at) | Self::Day(at) | Self::Span(at)) = self;
        at
    }

    /// `date.name` for its numbers.
    pub fn field(self, name: M) -> Option<i64> {
        let at = self.micros();
        if let Self::Span(_) = self {
            return match name {
                M::days => Some(at.div_euclid(DAY)),
                M::seconds => Some(at.rem_euclid(DAY) / SECOND),
                _ => None,
            };
        }
        let (year, month, day) = civil(at.div_euclid(DAY));
        let rest = at.rem_euclid(DAY);
        Some(match name {
            M::year | M::tm_year => year,
            M::month | M::tm_mon => month,
            M::day | M::tm_mday => day,
            M::hour | M::tm_hour => rest / SECOND / 3600,
            M::minute | M::tm_min => rest / SECOND / 60 % 60,
            M::second | M::tm_sec => rest / SECOND % 60,
            M::microsecond => rest % SECOND,
            _ => return None,
        })
    }

    /// `str(date)`
    pub fn text(self) -> String {
        match self {
            Self::Moment(at) if at % SECOND == 0 => self.strftime("%Y-%m-%d %H:%M:%S").unwrap_or_default(),
            Self::Moment(_) => self.strftime("%Y-%m-%d %H:%M:%S.%f").unwrap_or_default(),
            Self::Day(_) => self.strftime("%Y-%m-%d").unwrap_or_default(),
            Self::Span(at) => format!("{} seconds", at / SECOND),
        }
    }

    /// `date.strftime(format)`
    pub fn strftime(self, format: &str) -> Res<String> {
        const WEEKDAYS: [&str; 7] =
            ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let get = |name| self.field(name).unwrap_or(0);
        let day = self.micros().div_euclid(DAY);
        let weekday = WEEKDAYS[day.rem_euclid(7) as usize];
        let month = MONTHS[(get(M::month) - 1).clamp(0, 11) as usize];
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            out.push_str(&match chars.next() {
                Some('Y') => format!("{:04}", get(M::year)),
                Some('y') => format!("{:02}", get(M::year) % 100),
                Some('m') => format!("{:02}", get(M::month)),
                Some('d') => format!("{:02}", get(M::day)),
                Some('H') => format!("{:02}", get(M::hour)),
                Some('I') => format!("{:02}", (get(M::hour) + 11) % 12 + 1),
                Some('M') => format!("{:02}", get(M::minute)),
                Some('S') => format!("{:02}", get(M::second)),
                Some('f') => format!("{:06}", get(M::microsecond)),
                Some('j') => format!("{:03}", day - days(get(M::year), 1, 1) + 1),
                Some('p') => (if get(M::hour) < 12 { "AM" } else { "PM" }).into(),
                Some('A') => weekday.into(),
                Some('a') => weekday[..3].into(),
                Some('B') => month.into(),
                Some('b') => month[..3].into(),
                Some('Z') => "UTC".into(),
                Some('z') => "+0000".into(),
                Some('%') => "%".into(),
                other => {
                    return raise(REFUSED, format!("strftime %{} is not supported", other.unwrap_or(' ')));
                }
            });
        }
        Ok(out)
    }
}

fn strptime(text: &str, format: &str) -> Res<i64> {
    let mismatch = || raise("ValueError", format!("time data {text:?} does not match format {format:?}"));
    let mut parts = [1900, 1, 1, 0, 0, 0, 0];
    let mut rest = text;
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            match rest.strip_prefix(c) {
                Some(after) => rest = after,
                None => return mismatch(),
            }
            continue;
        }
        let (slot, width) = match chars.next() {
            Some('Y') => (0, 4),
            Some('m') => (1, 2),
            Some('d') => (2, 2),
            Some('H') => (3, 2),
            Some('M') => (4, 2),
            Some('S') => (5, 2),
            Some('f') => (6, 6),
            Some('y') => (7, 2),
            other => return raise(REFUSED, format!("strptime %{} is not supported", other.unwrap_or(' '))),
        };
        let len = rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
        let Ok(number) = rest[..len].parse::<i64>() else { return mismatch() };
        match slot {
            6 => parts[6] = number * 10i64.pow(6 - len as u32),
            7 => parts[0] = if number < 69 { 2000 + number } else { 1900 + number },
            slot => parts[slot] = number,
        }
        rest = &rest[len..];
    }
    if rest.is_empty() { moment(parts) } else { mismatch() }
}

fn iso(text: &str) -> Res<i64> {
    let formats =
        ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M"];
    match formats.iter().find_map(|format| strptime(text.trim_end_matches('Z'), format).ok()) {
        Some(at) => Ok(at),
        None => raise("ValueError", format!("Invalid isoformat string: {text:?}")),
    }
}

/// `datetime.now()` and its like.
pub fn class_method(vm: &mut Vm<'_>, class: &str, name: M, args: &Args) -> Res {
    let wrap =
        |at: i64| object(if class == "date" { Date::Day(at - at.rem_euclid(DAY)) } else { Date::Moment(at) });
    match (name, DATETIME.iter().find(|native| native.name == name.name())) {
        (M::now | M::utcnow | M::today, _) => Ok(wrap(now())),
        (M::strptime | M::fromisoformat | M::fromtimestamp, Some(native)) => {
            let made = (native.call)(vm, Args::of(args.pos.iter().cloned()))?;
            match &made {
                Value::Object(object) => match **object {
                    Object::Date(date) => Ok(wrap(date.micros())),
                    _ => Ok(made),
                },
                _ => Ok(made),
            }
        }
        _ => raise(REFUSED, format!("`{class}.{}` is not supported", name.name())),
    }
}

fn numbers(vm: &Vm<'_>, args: &Args, names: &[&str], default: i64) -> Res<Vec<i64>> {
    let mut out = Vec::new();
    for (at, name) in names.iter().enumerate() {
        out.push(args.get(at, name).map_or(Ok(default), |value| vm.want_int(value))?);
    }
    Ok(out)
}

pub(super) static DATETIME: [Native; 8] = [
    native_type("datetime", |vm, args| {
        let names = ["year", "month", "day", "hour", "minute", "second", "microsecond"];
        let parts = numbers(vm, &args, &names, 0)?;
        Ok(object(Date::Moment(moment(parts.try_into().unwrap_or_default())?)))
    }),
    native_type("date", |vm, args| {
        let parts = numbers(vm, &args, &["year", "month", "day"], 0)?;
        Ok(object(Date::Day(moment([parts[0], parts[1], parts[2], 0, 0, 0, 0])?)))
    }),
    native_type("timedelta", |vm, args| {
        let units = ["days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"];
        let sizes = [DAY, SECOND, 1, 1000, 60 * SECOND, 3600 * SECOND, 7 * DAY];
        let mut sum = 0.0;
        for (at, (name, size)) in units.iter().zip(sizes).enumerate() {
            if let Some(value) = args.get(at, name) {
                sum += vm.want_float(value)? * size as f64;
            }
        }
        Ok(object(Date::Span(sum as i64)))
    }),
    native("now", |_, _| Ok(object(Date::Moment(now())))),
    native("today", |_, _| Ok(object(Date::Day(now().div_euclid(DAY) * DAY)))),
    native("strptime", |vm, args| {
        let (text, format) = (vm.want_text(args.need(0, "text")?)?, vm.want_text(args.need(1, "format")?)?);
        Ok(object(Date::Moment(strptime(&text, &format)?)))
    }),
    native("fromisoformat", |vm, args| {
        let text = vm.want_text(args.need(0, "text")?)?;
        Ok(object(Date::Moment(iso(&text)?)))
    }),
    native("fromtimestamp", |vm, args| {
        let at = vm.want_float(args.need(0, "timestamp")?)?;
        Ok(object(Date::Moment((at * SECOND as f64) as i64)))
    }),
];

pub(super) static PARSER: [Native; 1] = [native("isoparse", |vm, args| {
    let text = vm.want_text(args.need(0, "text")?)?;
    Ok(object(Date::Moment(iso(&text)?)))
})];

pub(super) static TIME: [Native; 5] = [
    native("time", |_, _| Ok(Value::Float(now() as f64 / SECOND as f64))),
    native("time_ns", |_, _| Ok(Value::Int(now() * 1000))),
    native("perf_counter", |_, _| Ok(Value::Float(now() as f64 / SECOND as f64))),
    native("sleep", |_, _| Ok(Value::None)),
    native("strftime", |vm, args| {
        let format = vm.want_text(args.need(0, "format")?)?;
        Date::Moment(now()).strftime(&format).map(Value::str)
    }),
];

pub(super) fn operator(op: Op, a: &Date, b: &Date) -> Option<Res> {
    Some(Ok(object(match (op, a, b) {
        (Op::Sub, Date::Moment(a), Date::Moment(b)) | (Op::Sub, Date::Day(a), Date::Day(b)) => {
            Date::Span(a - b)
        }
        (Op::Add, Date::Moment(a), Date::Span(b)) => Date::Moment(a + b),
        (Op::Sub, Date::Moment(a), Date::Span(b)) => Date::Moment(a - b),
        (Op::Add, Date::Day(a), Date::Span(b)) => Date::Day((a + b).div_euclid(DAY) * DAY),
        (Op::Sub, Date::Day(a), Date::Span(b)) => Date::Day((a - b).div_euclid(DAY) * DAY),
        (Op::Add, Date::Span(a), Date::Span(b)) => Date::Span(a + b),
        (Op::Sub, Date::Span(a), Date::Span(b)) => Date::Span(a - b),
        _ => return None,
    })))
}

pub(super) fn method(vm: &mut Vm<'_>, date: &Date, name: M, args: &Args) -> Res {
    match name {
        M::strftime => {
            let format = vm.want_text(args.need(0, "format")?)?;
            date.strftime(&format).map(Value::str)
        }
        M::isoformat => Ok(Value::str(date.text().replace(' ', "T"))),
        M::timestamp => Ok(Value::Float(date.micros() as f64 / SECOND as f64)),
        M::total_seconds => Ok(Value::Float(date.micros() as f64 / SECOND as f64)),
        M::date => Ok(object(Date::Day(date.micros().div_euclid(DAY) * DAY))),
        M::weekday => Ok(Value::Int((date.micros().div_euclid(DAY) + 3).rem_euclid(7))),
        M::isoweekday => Ok(Value::Int((date.micros().div_euclid(DAY) + 3).rem_euclid(7) + 1)),
        M::toordinal => Ok(Value::Int(date.micros().div_euclid(DAY) + 719_163)),
        _ => raise(REFUSED, format!("`{}.{}` is not supported", date.type_name(), name.name())),
    }
}
