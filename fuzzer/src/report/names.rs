//! What functions are called in the source.

/// What a symbol is called in the source. Names of C stay as they are: `f` is no `float`.
pub fn demangle(symbol: &str) -> String {
    let is_mangled = ["_Z", "__Z", "_R", "__R"].iter().any(|prefix| symbol.starts_with(prefix));
    if is_mangled { addr2line::demangle_auto(symbol.into(), None).into_owned() } else { symbol.to_owned() }
}

/// A function's name without the types that C++ adds: parameters, what templates are given and return.
pub fn short(full: &str) -> String {
    let full = full.replace("(anonymous namespace)", "anonymous");
    // An operator may be spelt with the brackets that types stand in.
    let (types, operator) = full.split_once("operator").map_or((full.as_str(), None), |(before, name)| {
        let end = name.strip_prefix("()").map_or_else(|| name.find('('), |_| Some(2));
        (before, Some(&name[..end.unwrap_or(name.len())]))
    });
    let mut depth = 0u32;
    let plain: String = types
        .chars()
        .filter(|c| match c {
            '<' | '(' => {
                depth += 1;
                false
            }
            '>' | ')' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect();
    // The type that a template returns stands before its name, and qualifiers behind it.
    let mut words = plain.split(' ').filter(|word| !["", "const", "volatile", "&", "&&"].contains(word));
    match (words.next_back(), operator) {
        (word, Some(operator)) => format!("{}operator{operator}", word.unwrap_or_default()),
        (Some(word), None) => word.to_owned(),
        (None, None) => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_c_are_left_alone() {
        assert_eq!(["f", "Pc", "_Zx", "_ZN1a1bEi"].map(demangle), ["f", "Pc", "_Zx", "a::b(int)"]);
    }
}
