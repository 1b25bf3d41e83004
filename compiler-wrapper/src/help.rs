//! Our own help: the options and variables that clang does not have, and the files in use.
use std::fmt::Write;
use std::path::Path;

use crate::clang::Clang;
use crate::files::Files;
use waypoint_domains::{ALL_EVENTS, EventSet};

/// The variable that names the clang to use.
pub const CLANG: &str = "WAYPOINT_CLANG";
/// The variable that names the events to compile in.
pub const EVENTS: &str = "WAYPOINT_EVENTS";
/// The variable that switches the plugin off.
pub const NO_PLUGIN: &str = "WAYPOINT_NO_PLUGIN";

/// AFL++'s variable for the same: IJON's annotations are declared in every file, also where only a header has them.
pub const IJON: &str = "AFL_LLVM_IJON";

/// The options that are not clang's, each with its help.
const OPTIONS: &[(&str, &str)] = &[
    ("-fsanitize=fuzzer", "link the fuzzing engine; the program needs LLVMFuzzerTestOneInput and no main"),
    ("-fsanitize=fuzzer-no-link", "instrument only, which is done in any case"),
    ("--events=LIST", "the events to compile in, comma-separated; default all"),
    ("--waypoint-paths", "print the files that the wrapper uses"),
    ("--waypoint-help", "print this help"),
];

/// The variables that the wrapper reads, each with its help.
pub const VARIABLES: &[(&str, &str)] = &[
    (CLANG, "the clang to use, as a path or a name; default the newest supported one"),
    (EVENTS, "as --events, for build systems; the flag wins"),
    (IJON, "if set, declare IJON's annotations in every file, not only in those that use them"),
    (NO_PLUGIN, "if set, record by calls instead of inlined code: slower, and without source lines"),
];

/// The text of `--waypoint-help`.
#[must_use]
pub fn text(program: &str) -> String {
    let mut out = format!(
        "Usage: {program} [clang's options] FILE...\n\n\
         clang plus instrumentation for the Waypoint fuzzer. All of clang's options work; these are ours:\n\n"
    );
    table(&mut out, OPTIONS.iter().copied());
    out.push_str("\nEvents:\n\n");
    table(&mut out, ALL_EVENTS.iter().map(|event| (event.name(), event.help())));
    let _ = writeln!(out, "\nDefault: {}\n\nEnvironment:\n", EventSet::all().names());
    table(&mut out, VARIABLES.iter().copied());
    out
}

fn table<'a>(out: &mut String, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    for (name, help) in rows {
        let _ = writeln!(out, "  {name:<26} {help}");
    }
}

/// The text of `--waypoint-paths`: `key: path`, one a line.
#[must_use]
pub fn paths(clang: &Clang, files: &Files) -> String {
    let shown = |path: &Option<_>| {
        path.as_ref().map_or_else(|| "(missing)".to_owned(), |path: &std::path::PathBuf| real(path))
    };
    format!(
        "clang: {}\nplugin: {}\nengine: {}\ninclude: {}\nrecorders: {}\n",
        clang.path.display(),
        shown(&files.plugin),
        shown(&files.engine),
        shown(&files.include),
        shown(&files.recorders),
    )
}

fn real(path: &Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()
}
