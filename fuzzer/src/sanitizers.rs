//! The sanitizers' options: aborting, so that a report is a death the supervisor sees; what the user set stays.
use std::{
    env,
    ffi::{CString, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
};

use waypoint_runtime::harness;

/// What we set where the user did not. Symbolising every report of a campaign would take longer than finding it; leaks
/// are looked for after a run, not when the target ends the process.
const FUZZING: [(&str, &str); 4] =
    [("abort_on_error", "1"), ("symbolize", "0"), ("halt_on_error", "1"), ("leak_check_at_exit", "0")];
const REPLAYING: [(&str, &str); 4] =
    [("abort_on_error", "1"), ("halt_on_error", "1"), ("print_stacktrace", "1"), ("leak_check_at_exit", "0")];

/// Where AddressSanitizer and its relatives look for a symbolizer.
const SYMBOLIZER: &str = "ASAN_SYMBOLIZER_PATH";

/// What AddressSanitizer calls a single allocation that is larger than allowed.
pub const TOO_LARGE_AN_ALLOCATION: &str = "allocation-size-too-big";

/// Sanitizers read their options before `main`, so setting one means starting the program again, once. AddressSanitizer
/// can refuse single allocations of more than so many megabytes.
pub fn set_options(replaying: bool, malloc_limit_mb: Option<u64>) {
    if !harness::hooks().has_sanitizer() {
        return;
    }
    let mut wanted: Vec<(&str, &str)> = if replaying { REPLAYING.to_vec() } else { FUZZING.to_vec() };
    let limit = malloc_limit_mb.unwrap_or_default().to_string();
    if malloc_limit_mb.is_some() {
        wanted.extend([("max_allocation_size_mb", limit.as_str()), ("allocator_may_return_null", "0")]);
    }
    let mut changed = false;
    for variable in ["ASAN_OPTIONS", "UBSAN_OPTIONS"] {
        let current = env::var_os(variable).unwrap_or_default();
        let completed = complete(&current, &wanted);
        if completed != current {
            changed = true;
            // SAFETY: no other thread exists yet that could read the environment.
            unsafe { env::set_var(variable, completed) };
        }
    }
    if replaying && let Some(symbolizer) = symbolizer() {
        changed = true;
        // SAFETY: as above.
        unsafe { env::set_var(SYMBOLIZER, symbolizer) };
    }
    if changed {
        restart();
    }
}

/// Whether the user told LeakSanitizer to find nothing.
pub fn leaks_are_switched_off() -> bool {
    ["ASAN_OPTIONS", "LSAN_OPTIONS"].into_iter().filter_map(env::var_os).any(|options| {
        options
            .as_bytes()
            .split(|byte| b": ,".contains(byte))
            .any(|option| [&b"detect_leaks=0"[..], b"detect_leaks=false"].contains(&option))
    })
}

/// A symbolizer for the sanitizers' reports, if the user chose none and there is none where they look for it.
fn symbolizer() -> Option<PathBuf> {
    let on_path = || {
        env::split_paths(&env::var_os("PATH")?)
            .map(|dir| dir.join("llvm-symbolizer"))
            .find(|file| file.is_file())
    };
    if env::var_os(SYMBOLIZER).is_some() || on_path().is_some() {
        return None;
    }
    let mut packaged =
        (14..=30).rev().map(|major| PathBuf::from(format!("/usr/lib/llvm-{major}/bin/llvm-symbolizer")));
    packaged.find(|file| file.is_file())
}

/// The options with those added that are not mentioned.
fn complete(current: &OsString, wanted: &[(&str, &str)]) -> OsString {
    let mut options = current.as_bytes().to_vec();
    for (key, value) in wanted {
        let is_set = current
            .as_bytes()
            .split(|byte| b": ,".contains(byte))
            .any(|option| option.strip_prefix(key.as_bytes()).is_some_and(|rest| rest.starts_with(b"=")));
        if !is_set {
            if !options.is_empty() {
                options.push(b':');
            }
            options.extend_from_slice(format!("{key}={value}").as_bytes());
        }
    }
    OsString::from_vec(options)
}

/// Executes this program again with the same arguments. If that fails, the options stay as they were.
fn restart() {
    let arguments: Option<Vec<CString>> =
        env::args_os().map(|argument| CString::new(argument.into_vec()).ok()).collect();
    if let Some(arguments) = arguments {
        let _ = nix::unistd::execv(c"/proc/self/exe", &arguments);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_what_is_missing_and_keeps_what_is_set() {
        let wanted = [("abort_on_error", "1"), ("symbolize", "0")];
        assert_eq!(complete(&OsString::new(), &wanted), "abort_on_error=1:symbolize=0");
        let set = OsString::from("symbolize=1:x=2");
        assert_eq!(complete(&set, &wanted), "symbolize=1:x=2:abort_on_error=1");
        let complete_already = complete(&set, &wanted);
        assert_eq!(complete(&complete_already, &wanted), complete_already);
    }
}
