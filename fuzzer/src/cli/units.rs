//! Sizes and times as people write them.
use std::time::Duration;

/// Reads `4096`, `64K`, `512M`, `2G` (powers of 1024; `B` and `iB` may follow).
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let shift = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("`{text}` is not a size; write it like 4096, 64K, 512M or 2G")),
    };
    let number: u64 =
        digits.parse().map_err(|_| format!("`{text}` is not a size; write it like 4096, 64K, 512M or 2G"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"))
}

/// Reads a whole number that is not zero.
pub fn count(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{text}` is not a count; write a whole number from 1"))
}

/// Reads a whole number.
pub fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number; write one from 0 to {}", u64::MAX))
}

/// Reads `60s`, `1500ms`, `2h 30m`, or a number of seconds; never zero.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let duration = seconds.or_else(|| humantime::parse_duration(text).ok());
    match duration {
        Some(duration) if !duration.is_zero() => Ok(duration),
        Some(_) => {
            Err("a time limit must be longer than zero; write it like 500ms, 60s, 10m or 2h".to_owned())
        }
        None => Err(format!("`{text}` is not a time; write it like 500ms, 60s, 10m or 2h")),
    }
}

/// Reads a number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("`{text}` is not a part of 1; write a number from 0 to 1, e.g. 0.8"))
}

/// Reads `5%` as 0.05.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number
        .map(|number| number / 100.0)
        .ok_or_else(|| format!("`{text}` is not a share; write one from 0% to 100%, e.g. 5%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_in_percent() {
        assert_eq!(percent("5%"), Ok(0.05));
        assert_eq!(percent("100%"), Ok(1.0));
        for wrong in ["", "5", "101%", "-1%", "x%", "nan%"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64K"), Ok(65536));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("1mb"), Ok(1 << 20));
        for wrong in ["", "G", "-1", "2X", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "0", "-3", "soon", "5 parsecs"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
