//! The files that say how a campaign was started and how its findings are run again: `fuzzer_setup`, `cmdline` and
//! `crashes/README.txt`.
use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::stats::banner;
use crate::files;

/// Environment variables that change what a campaign does begin so.
const TELLING: [&str; 6] = ["WAYPOINT_", "ASAN_", "UBSAN_", "LSAN_", "MSAN_", "LD_"];

/// The change that was looked at, for the report.
pub const PATCH: &str = "change.patch";

/// Writes `fuzzer_setup`, `cmdline` and, if there is one, the change into `dir`.
pub fn write(dir: &Path, change: Option<&[u8]>) -> Result<()> {
    let tmp = dir.join(".tmp");
    let mut setup = b"# environment variables:\n".to_vec();
    for (key, value) in env::vars_os() {
        if TELLING.iter().any(|prefix| key.as_bytes().starts_with(prefix.as_bytes())) {
            setup.extend_from_slice(key.as_bytes());
            setup.push(b'=');
            setup.extend_from_slice(&quoted(&value));
            setup.push(b'\n');
        }
    }
    setup.extend_from_slice(b"# command line:\n");
    let arguments: Vec<Vec<u8>> = env::args_os().map(|argument| quoted(&argument)).collect();
    setup.extend_from_slice(&arguments.join(&b' '));
    setup.push(b'\n');
    files::write_whole(&tmp, dir, "fuzzer_setup", &setup)?;
    change.map_or(Ok(()), |change| files::write_whole(&tmp, dir, PATCH, change))?;
    // How AFL's tools run the target on one file: an argument a line, `@@` stands for the file.
    let mut cmdline = program().into_vec();
    cmdline.extend_from_slice(b"\n@@\n");
    files::write_whole(&tmp, dir, "cmdline", &cmdline)
}

/// Writes `crashes/README.txt`.
pub fn write_readme(dir: &Path) -> Result<()> {
    let program = word(&program().to_string_lossy());
    let text = format!(
        "Each file here is an input on which the target crashed, ended the process, leaked or took too much memory; \
         there\nis one file for each cause. To run one again, with the stack of what went wrong:\n\n  \
         {program} FILE\n\nTo make it smaller while it fails in the same place:\n\n  \
         {program} minimize FILE\n\nThe name says how it was found: `sig` is the signal, `src` the entry of ../queue it \
         was made from, `time` the\nmilliseconds and `execs` the runs since the campaign began, `op` and `rep` the \
         mutation.\n"
    );
    files::write_whole(&dir.join(".tmp"), &dir.join("crashes"), "README.txt", text.as_bytes())
}

/// The file name of the program that a campaign in `dir` was started with, and ours, if these are two targets. A target
/// that was built again, also elsewhere, has its name, be it that of the file or the one it is called by.
pub fn other_target(dir: &Path) -> Option<(String, String)> {
    let cmdline = fs::read(dir.join("cmdline")).ok()?;
    let maker = PathBuf::from(OsString::from_vec(cmdline.split(|byte| *byte == b'\n').next()?.to_vec()));
    let maker = maker.file_name()?;
    let (file, called) = (PathBuf::from(program()), env::args_os().next().map(PathBuf::from));
    let ours = [Some(&file), called.as_ref()].map(|path| path.and_then(|path| path.file_name()));
    let shown = |name: &OsStr| name.to_string_lossy().into_owned();
    let stats = fs::read_to_string(dir.join("fuzzer_stats")).unwrap_or_default();
    let mut rows = stats.lines().filter_map(|line| line.split_once(':'));
    let was_called = rows.find(|(key, _)| key.trim() == "afl_banner").map(|(_, name)| name.trim());
    let is_called_so = ours[1].is_some_and(|name| was_called == Some(&*banner(&shown(name))));
    let is_ours = is_called_so || ours.contains(&Some(maker));
    (!is_ours).then(|| (shown(maker), ours[0].map(shown).unwrap_or_default()))
}

/// This program, wherever it was started from.
fn program() -> OsString {
    let first = || env::args_os().next().unwrap_or_else(|| "./target".into());
    let Ok(program) = env::current_exe() else { return first() };
    // What the kernel says of a file in whose place there is another one since.
    let replaced = program.as_os_str().as_bytes().strip_suffix(b" (deleted)").filter(|_| !program.exists());
    replaced.map_or_else(|| program.clone().into(), |name| OsString::from_vec(name.to_vec()))
}

/// A word as one writes it in a shell.
pub fn word(word: &str) -> String {
    String::from_utf8_lossy(&quoted(&word.into())).into_owned()
}

/// A word that a shell reads as this one.
fn quoted(word: &OsString) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+=./:,@%".contains(byte);
    if !word.is_empty() && word.as_bytes().iter().all(plain) {
        return word.as_bytes().to_vec();
    }
    let mut quoted = vec![b'\''];
    for byte in word.as_bytes() {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_told_apart_by_their_file_names() {
        let dir = tempfile::tempdir().unwrap();
        let made_by = |program: &str| {
            fs::write(dir.path().join("cmdline"), format!("{program}\n@@\n")).unwrap();
            other_target(dir.path()).map(|(maker, _)| maker)
        };
        let ours = Path::new(&program()).file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(made_by(&format!("/elsewhere/{ours}")), None);
        assert_eq!(made_by("/elsewhere/parse_fuzzer").as_deref(), Some("parse_fuzzer"));
        assert_eq!(made_by(""), None);
        // Called by a link that leads to another file with every build.
        let called = env::args().next().unwrap();
        fs::write(dir.path().join("fuzzer_stats"), format!("afl_banner : {}\n", banner(&called))).unwrap();
        assert_eq!(made_by("/elsewhere/fuzzer-1234"), None);
        fs::write(dir.path().join("fuzzer_stats"), "afl_banner : parse_fuzzer\n").unwrap();
        assert_eq!(made_by("/elsewhere/fuzzer-1234").as_deref(), Some("fuzzer-1234"));
        assert_eq!(other_target(&dir.path().join("nothing")), None);
    }

    #[test]
    fn words_survive_a_shell() {
        for word in ["plain-1.0", "", "two words", "it's", "$(touch x)", "a\nb", "*"] {
            let script = [b"printf %s ".to_vec(), quoted(&word.into())].concat();
            let shell = std::process::Command::new("sh").arg("-c").arg(OsString::from_vec(script)).output();
            assert_eq!(String::from_utf8(shell.unwrap().stdout).unwrap(), word);
        }
    }
}
