//! Whether sources are annotated for IJON, whose compilers declare the annotations without an include.
//!
//! Not everywhere, as they do: a header forced into every file of a build would be in the way of configure scripts,
//! precompiled headers and strict warnings.
use std::env;
use std::ffi::OsString;
use std::fs;

use crate::help;

const MARKS: [&[u8]; 2] = [b"IJON_", b"ijon_"];

/// Whether some file uses an annotation, or the user says so by AFL++'s variable.
pub fn are_in(sources: &[OsString]) -> bool {
    if sources.is_empty() {
        return false;
    }
    if env::var_os(help::IJON).is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    sources.iter().any(uses_them)
}

/// What cannot be read clang complains about; what can be read only once is clang's to read.
fn uses_them(file: &OsString) -> bool {
    let is_plain = fs::metadata(file).is_ok_and(|about| about.is_file());
    is_plain && fs::read(file).is_ok_and(|text| text.windows(MARKS[0].len()).any(|at| MARKS.contains(&at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sources_that_use_them_get_the_declarations() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            OsString::from(path)
        };
        let plain = file("plain.c", "int x; // IJO");
        let annotated = file("annotated.c", "void f(int x) { IJON_SET(x); }");
        assert!(!are_in(&[plain.clone(), "/nowhere.c".into()]));
        assert!(are_in(&[plain, annotated]));
        assert!(are_in(&[file("functions.c", "void f(int x) { ijon_max(0, x); }")]));
    }
}
