//! Finding the name a user probably meant.

/// The known name that is closest to `wanted`, if any is close enough to be worth suggesting.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| {
            let [wanted, folded] = [wanted, name].map(str::to_lowercase);
            (strsim::damerau_levenshtein(&wanted, &folded), name)
        })
        .filter(|(distance, name)| *distance <= 1.max(name.len() / 3) && *distance < name.len())
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_only_what_is_close() {
        let known = ["cov", "perf", "slow"];
        assert_eq!(nearest("pref", known.into_iter()), Some("perf"));
        assert_eq!(nearest("coverage", known.into_iter()), None);
        assert_eq!(nearest("xyz", known.into_iter()), None);
        assert_eq!(nearest("foo", known.into_iter()), None);
        assert_eq!(nearest("CVO", known.into_iter()), Some("cov"));
        assert_eq!(nearest("PERF", known.into_iter()), Some("perf"));
        assert_eq!(nearest("minimse", ["minimize"].into_iter()), Some("minimize"));
    }
}
