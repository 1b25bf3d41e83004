//! Makes clang's arguments out of the user's: the instrumentation, the engine, and nothing else.
use anyhow::{Result, anyhow, bail};
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::annotations;
use crate::files::Files;
use crate::invocation::{Invocation, Link};
use waypoint_domains::{Event, EventSet};

/// What a Rust static library needs of the system, besides libgcc.
const SYSTEM_LIBRARIES: &[&str] = &["-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// Edge coverage in the words of clang's own front end: the driver's would link a sanitizer runtime as well. With the
/// plugin it makes clang mark what is `no_sanitize("coverage")`, without it places the calls.
const COVERAGE: &[&str] =
    &["-Xclang", "-fsanitize-coverage-type=3", "-Xclang", "-fsanitize-coverage-trace-pc-guard"];

/// Keeps branches that an optimiser would merge; with the plugin, that sees to it.
const KEEP_BRANCHES: &[&str] = &["-Xclang", "-fsanitize=fuzzer-no-link"];

/// The arguments for clang.
///
/// What may be overruled (debug information, the build id) comes before the user's arguments, what must not hide the
/// user's (the include folder) after them.
///
/// # Errors
/// Something that must be linked is not there.
pub fn arguments(
    invocation: &Invocation,
    files: &Files,
    plugin: Option<&Path>,
    events: EventSet,
) -> Result<Vec<OsString>> {
    let edges = events.contains(EventSet::of(Event::Edge));
    let mut first: Vec<OsString> = Vec::new();
    // Lines must be known; any later -g, even -g0, is the user's choice and wins. Assembler has lines of its own.
    if invocation.compiles {
        first.push("-gline-tables-only".into());
    }
    if edges {
        first.extend(COVERAGE.iter().map(OsString::from));
        match plugin {
            Some(plugin) => first.push(concat("-fpass-plugin=", plugin)),
            None => first.extend(KEEP_BRANCHES.iter().map(OsString::from)),
        }
    }
    let mut out = quiet(first);
    let links = invocation.link != Link::No;
    if links {
        // Counters are identified by the build id of their object.
        out.push("-Wl,--build-id".into());
    }
    if links && edges && plugin.is_none() {
        let recorders = files.recorders.as_ref();
        out.push(
            recorders.ok_or_else(|| anyhow!("waypoint-recorders.o is missing; build Waypoint again"))?.into(),
        );
    }
    let engine = engine(invocation, files)?;
    if engine.is_some() {
        // Instrumented objects refer to it weakly, which takes nothing out of an archive; and objects that are loaded
        // while the target runs look it up by name.
        out.push("-Wl,-u,__waypoint_register".into());
        out.push("-Wl,--export-dynamic-symbol=__waypoint_register".into());
        // The same for what waypoint.h calls.
        out.push("-Wl,-u,__waypoint_dsf".into());
        out.push("-Wl,--export-dynamic-symbol=__waypoint_dsf".into());
    }
    out.extend(invocation.args.iter().cloned());
    if let Some(include) = &files.include {
        let mut found = vec!["-D__WAYPOINT__=1".into(), "-isystem".into(), include.into()];
        if annotations::are_in(&invocation.sources) {
            found.extend(["-include".into(), include.join("ijon.h").into()]);
        }
        out.extend(quiet(found));
    }
    if let Some(engine) = engine {
        // Behind the inputs, so that a harness's own `main` comes before the engine's. Then the user's archives again,
        // for a harness that nothing but the engine's `main` asks for, and the engine for what that one calls. All as
        // the linker's own arguments, because an -x of the user would have them compiled.
        let archives = invocation.args.iter().map(OsString::as_os_str).filter(|arg| is_archive(arg));
        for archive in [engine.as_os_str()].into_iter().chain(archives).chain([engine.as_os_str()]) {
            out.extend([OsStr::new("-Xlinker"), archive].map(OsString::from));
        }
        out.push(if invocation.static_libgcc { "-lgcc_eh" } else { "-lgcc_s" }.into());
        out.extend(SYSTEM_LIBRARIES.iter().map(OsString::from));
    }
    Ok(out)
}

fn is_archive(arg: &OsStr) -> bool {
    !arg.as_encoded_bytes().starts_with(b"-")
        && Path::new(arg).extension().is_some_and(|extension| extension == "a")
}

fn engine<'a>(invocation: &Invocation, files: &'a Files) -> Result<Option<&'a Path>> {
    match (invocation.links_engine(), &files.engine) {
        (false, _) => Ok(None),
        (true, Some(engine)) => Ok(Some(engine)),
        (true, None) => bail!(
            "-fsanitize=fuzzer needs libwaypoint_engine.a, which is not beside the wrapper; run `cargo build --release`"
        ),
    }
}

/// clang complains about arguments that a certain kind of work does not need, but not about these.
fn quiet(args: Vec<OsString>) -> Vec<OsString> {
    if args.is_empty() {
        return args;
    }
    let mut out = vec!["--start-no-unused-arguments".into()];
    out.extend(args);
    out.push("--end-no-unused-arguments".into());
    out
}

fn concat(prefix: &str, path: &Path) -> OsString {
    let mut joined = OsString::from(prefix);
    joined.push(path);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every command line has, around the user's words in `<>`.
    const ALWAYS: &str = "--start-no-unused-arguments -Xclang -fsanitize-coverage-type=3 -Xclang \
         -fsanitize-coverage-trace-pc-guard -fpass-plugin=/p.so --end-no-unused-arguments <> \
         --start-no-unused-arguments -D__WAYPOINT__=1 -isystem /i --end-no-unused-arguments";

    fn command(line: &str, files: &Files) -> Result<Vec<OsString>> {
        let invocation = Invocation::read(line.split_whitespace().map(OsString::from).collect());
        arguments(&invocation, files, files.plugin.as_deref(), EventSet::all())
    }

    fn all_files() -> Files {
        Files {
            plugin: Some("/p.so".into()),
            recorders: Some("/r.o".into()),
            include: Some("/i".into()),
            engine: Some("/e.a".into()),
        }
    }

    fn check(line: &str, expected: &str) {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(command(line, &all_files()).unwrap(), expected, "{line}");
    }

    #[test]
    fn a_compile_gets_the_plugin_around_the_users_arguments() {
        let with_lines = ALWAYS.replacen("-arguments", "-arguments -gline-tables-only", 1);
        check("-O2 -c a.c", &with_lines.replace("<>", "-O2 -c a.c"));
        check("-g0 -c a.c -Werror", &with_lines.replace("<>", "-g0 -c a.c -Werror"));
    }

    #[test]
    fn assembler_and_queries_get_nothing_that_matters_to_them() {
        for line in ["-c a.s", "-x assembler -c -", "--version", "-v", "-dumpmachine", "-print-prog-name=ld"]
        {
            check(line, &ALWAYS.replace("<>", line));
        }
    }

    #[test]
    fn a_link_gets_a_build_id_that_the_user_can_overrule() {
        for line in ["a.o", "-shared a.o -Wl,--build-id=none"] {
            check(line, &ALWAYS.replace("<>", &format!("-Wl,--build-id {line}")));
        }
    }

    #[test]
    fn a_fuzzer_gets_the_engine_behind_the_inputs() {
        let before = "-Wl,--build-id -Wl,-u,__waypoint_register \
                      -Wl,--export-dynamic-symbol=__waypoint_register -Wl,-u,__waypoint_dsf \
                      -Wl,--export-dynamic-symbol=__waypoint_dsf -fsanitize=address a.o l.a";
        let after = "-Xlinker /e.a -Xlinker l.a -Xlinker /e.a -lgcc_s -lutil -lrt -lpthread -lm -ldl";
        check("-fsanitize=fuzzer,address a.o l.a", &format!("{} {after}", ALWAYS.replace("<>", before)));
        let linked = command("-static -fsanitize=fuzzer a.o", &all_files()).unwrap();
        assert!(linked.contains(&"-lgcc_eh".into()) && !linked.contains(&"-lgcc_s".into()));
    }

    #[test]
    fn without_a_plugin_recorders_are_called() {
        let files = Files { plugin: None, ..all_files() };
        let compile = command("-c a.c", &files).unwrap();
        assert!(COVERAGE.iter().chain(KEEP_BRANCHES).all(|flag| compile.contains(&flag.into())));
        assert!(!compile.contains(&"/r.o".into()));
        for (line, linked) in [("a.o", true), ("-shared a.o", true), ("-r a.o", false), ("-v", false)] {
            assert_eq!(command(line, &files).unwrap().contains(&"/r.o".into()), linked, "{line}");
        }
    }

    #[test]
    fn what_is_missing_is_said_only_when_needed() {
        let bare = Files::default();
        assert!(command("-fsanitize=fuzzer -c a.c", &bare).is_ok());
        let error = command("-fsanitize=fuzzer a.c", &Files { engine: None, ..all_files() }).unwrap_err();
        assert!(error.to_string().contains("libwaypoint_engine.a"));
        let error = command("a.o", &bare).unwrap_err();
        assert!(error.to_string().contains("waypoint-recorders.o"));
    }
}
