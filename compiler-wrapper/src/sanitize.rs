//! Takes the fuzzer's words out of `-fsanitize=` lists, because they mean our engine and not clang's libFuzzer.
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What becomes of one argument.
#[derive(Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The argument for clang, if anything is left of it.
    pub arg: Option<OsString>,
    /// Whether it switched the engine on or off.
    pub engine: Option<bool>,
}

/// Rewrites `-fsanitize=` and `-fno-sanitize=`; `None` for any other argument.
#[must_use]
pub fn rewrite(arg: &OsStr) -> Option<Rewritten> {
    // Coverage is ours: clang's own would need callbacks that nothing here defines.
    if starts_with(arg, "-fsanitize-coverage=") || starts_with(arg, "-fno-sanitize-coverage=") {
        return Some(Rewritten { arg: None, engine: None });
    }
    let on = starts_with(arg, "-fsanitize=");
    let prefix = if on { "-fsanitize=" } else { "-fno-sanitize=" };
    let list = arg.as_bytes().strip_prefix(prefix.as_bytes())?;
    let (ours, rest): (Vec<&[u8]>, Vec<&[u8]>) =
        list.split(|byte| *byte == b',').partition(|word| matches!(*word, b"fuzzer" | b"fuzzer-no-link"));
    let names_engine = ours.contains(&b"fuzzer".as_slice()) || (!on && rest.contains(&b"all".as_slice()));
    let arg = match (ours.is_empty(), rest.is_empty()) {
        (true, _) => Some(arg.to_owned()),
        (false, true) => None,
        (false, false) => Some(OsString::from_vec([prefix.as_bytes(), &rest.join(&b',')].concat())),
    };
    Some(Rewritten { arg, engine: names_engine.then_some(on) })
}

fn starts_with(arg: &OsStr, prefix: &str) -> bool {
    arg.as_bytes().starts_with(prefix.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fuzzers_words_go() {
        for (arg, left, engine) in [
            ("-fsanitize=fuzzer", None, Some(true)),
            ("-fsanitize=fuzzer-no-link", None, None),
            ("-fsanitize=address", Some("-fsanitize=address"), None),
            ("-fsanitize=fuzzer,address", Some("-fsanitize=address"), Some(true)),
            ("-fsanitize=address,fuzzer-no-link,undefined", Some("-fsanitize=address,undefined"), None),
            ("-fno-sanitize=fuzzer", None, Some(false)),
            ("-fno-sanitize=all", Some("-fno-sanitize=all"), Some(false)),
            ("-fno-sanitize=vptr", Some("-fno-sanitize=vptr"), None),
            ("-fsanitize-coverage=trace-cmp", None, None),
        ] {
            let expected = Rewritten { arg: left.map(OsString::from), engine };
            assert_eq!(rewrite(arg.as_ref()), Some(expected), "{arg}");
        }
        for arg in ["-fsanitize-recover=all", "-fsanitize-coverage-allowlist=x", "-O2", "fuzzer"] {
            assert_eq!(rewrite(arg.as_ref()), None, "{arg}");
        }
    }
}
