//! What the wrapper says on its own account: once, or only when the engine is linked, so that configure stays quiet.
use std::env;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::clang::Clang;
use crate::files::Files;
use crate::help::{NO_PLUGIN, VARIABLES};
use waypoint_domains::nearest;

/// Says once for each build of Waypoint, user and clang that code is instrumented the slow way.
pub fn no_plugin(program: &str, clang: &Clang, files: &Files) {
    // Best effort: if the marker can be neither made nor found, it is said again.
    let said = marker(clang.major)
        .is_some_and(|marker| marker.exists() || File::create_new(&marker).is_err_and(|_| marker.exists()));
    if said {
        return;
    }
    let major = clang.major;
    let (why, remedy) = if files.plugin.is_some() {
        (format!("{NO_PLUGIN} is set"), format!("unset {NO_PLUGIN}"))
    } else {
        (
            format!("there is no pass plugin for clang {major}"),
            format!("install llvm-{major}-dev and rebuild Waypoint"),
        )
    };
    eprintln!(
        "{program}: events are recorded by calls, which is about twice as slow and knows no source lines, because {why}; {remedy} (said once)"
    );
}

fn marker(major: u32) -> Option<PathBuf> {
    let uid = fs::metadata("/proc/self").ok()?.uid();
    let wrapper = fs::metadata(env::current_exe().ok()?).ok()?;
    let folder = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
    let name = format!("waypoint-said-{uid}-{}-{}-{major}", wrapper.ino(), wrapper.mtime());
    Some(folder.unwrap_or_else(env::temp_dir).join(name))
}

/// Warns of `WAYPOINT_*` variables that nobody reads: most likely misspelt.
pub fn unknown_variables(program: &str) {
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if let Some(warning) = warning_for(&name) {
            eprintln!("{program}: warning: {warning}");
        }
    }
}

fn warning_for(name: &str) -> Option<String> {
    let mut known = VARIABLES.iter().map(|(known, _)| *known);
    if !name.starts_with("WAYPOINT_") || known.any(|known| known == name) {
        return None;
    }
    let known = || VARIABLES.iter().map(|(known, _)| *known);
    Some(match nearest(name, known()) {
        Some(near) => format!("there is no variable `{name}` (did you mean `{near}`?)"),
        None => {
            format!("there is no variable `{name}`; known are: {}", known().collect::<Vec<_>>().join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::warning_for;

    #[test]
    fn only_unknown_variables_of_ours_are_warned_of() {
        assert_eq!(warning_for("HOME"), None);
        assert_eq!(warning_for("WAYPOINT_CLANG"), None);
        let warning = warning_for("WAYPOINT_CLNAG").unwrap();
        assert_eq!(warning, "there is no variable `WAYPOINT_CLNAG` (did you mean `WAYPOINT_CLANG`?)");
    }
}
