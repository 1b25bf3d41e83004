//! libFuzzer's command line: told from ours, and parsed into what the user wrote.
pub mod flags;

use std::{
    ffi::{OsStr, OsString},
    fmt::Write as _,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use clap::CommandFactory;

use self::flags::{FLAGS, Flag, Flags};
use super::args::Args;

/// What the user wrote in libFuzzer's way.
#[derive(Debug, Default)]
pub struct Written {
    /// The flags, those of the file beside the binary included.
    pub flags: Flags,
    /// Corpus directories, or files to replay.
    pub inputs: Vec<PathBuf>,
    /// One line each.
    pub warnings: Vec<String>,
    /// Names of the flags on the command line itself, which go before those of a file.
    pub given: Vec<&'static str>,
    /// An archive of further seeds.
    pub seed_corpus: Option<PathBuf>,
}

impl Written {
    /// Whether files are to be replayed: nothing but files is named.
    pub fn replays(&self) -> bool {
        !self.inputs.is_empty() && self.inputs.iter().all(|input| input.is_file())
    }
}

/// Whether these arguments (without the program's name) are libFuzzer's: one reads `-name=value`, or all are
/// directories, which is nothing that our own options have a meaning for.
pub fn is_meant(arguments: &[OsString]) -> bool {
    let has_flag = arguments.iter().any(|argument| split(argument).is_some());
    has_flag || (!arguments.is_empty() && arguments.iter().all(|argument| Path::new(argument).is_dir()))
}

/// `-name=value` taken apart. A name has two letters or more, since those of one are ours.
fn split(argument: &OsStr) -> Option<(&str, &OsStr)> {
    let bytes = argument.as_bytes().strip_prefix(b"-")?;
    let (name, value) = bytes.split_at(bytes.iter().position(|byte| *byte == b'=')?);
    let name = std::str::from_utf8(name).ok()?;
    let is_name = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    is_name.then_some((name, OsStr::from_bytes(&value[1..])))
}

/// Takes the arguments (without the program's name) in.
pub fn parse(arguments: &[OsString]) -> Result<Written> {
    let mut written = Written::default();
    for argument in arguments {
        if let Some((name, value)) = split(argument) {
            match find(name) {
                Some(flag) => {
                    set(flag, &mut written.flags, value)?;
                    written.given.push(flag.name);
                }
                None => written.warnings.push(unknown(name, "-")),
            }
            continue;
        }
        let text = argument.to_string_lossy();
        if !text.starts_with('-') || text == "-" {
            written.inputs.push(argument.into());
        } else if is_ours(&text) {
            bail!("`{text}` does not go with libFuzzer's flags; write either ours (--help) or its (-help=1)");
        } else {
            let name = text.trim_start_matches('-').split('=').next().unwrap_or_default();
            let known = find(name).map(|flag| format!("; write it `-{}={}`", flag.name, flag.value));
            written.warnings.push(format!("ignored `{text}`{}", known.unwrap_or_default()));
        }
    }
    Ok(written)
}

/// The flag of that name.
pub fn find(name: &str) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.name == name)
}

/// Gives a flag its value.
pub fn set(flag: &Flag, flags: &mut Flags, value: &OsStr) -> Result<()> {
    if let Err(expected) = (flag.take)(flags, value) {
        bail!("`-{}={}` makes no sense: write {expected}", flag.name, value.display());
    }
    Ok(())
}

/// What is said about a flag that nobody knows; `dash` is what stands before a name where it was written.
pub fn unknown(name: &str, dash: &str) -> String {
    let near = waypoint_domains::nearest(name, FLAGS.iter().map(|flag| flag.name));
    let hint = near.map(|near| format!("; did you mean `{dash}{near}`?")).unwrap_or_default();
    format!("ignored the unknown flag `{dash}{name}`{hint} (-help=1 lists those there are)")
}

/// Whether this is one of our own options.
fn is_ours(argument: &str) -> bool {
    let command = Args::command();
    let name = argument.split('=').next().unwrap_or_default();
    command.get_arguments().any(|option| {
        let long = option.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long));
        let short = option.get_short().is_some_and(|short| {
            name.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.starts_with(short))
        });
        long || short
    })
}

/// The text of `-help=1`.
pub fn help() -> String {
    let mut text = "A Waypoint fuzzer, driven by libFuzzer's flags; --help shows our own options.\n\n  \
        Fuzz:      ./target [-flag=value...] [CORPUS_DIR [SEED_DIR...]]\n  \
        Replay:    ./target [-flag=value...] FILE...\n  \
        Merge:     ./target -merge=1 CORPUS_DIR SEED_DIR...\n\n\
        New inputs go to the first directory; without one they stay in memory.\n\
        Exit codes: 0 clean end, 77 crash, 70 timeout, 71 out of memory, 72 interrupted, 1 usage or set-up error.\n\n\
        Flags:\n"
        .to_owned();
    for flag in FLAGS {
        let form = format!("-{}={}", flag.name, flag.value);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {form:<28} {}", flag.help);
    }
    super::parse::with_program(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn tells_libfuzzers_ways_from_ours() {
        for theirs in [&["-runs=5"][..], &["file", "-runs=5"], &["/"], &["/", "/tmp"], &["-close_fd_mask=3"]]
        {
            assert!(is_meant(&arguments(theirs)), "{theirs:?}");
        }
        let ours =
            [&[][..], &["file"], &["/", "file"], &["-i", "/"], &["-i=/"], &["--runs=5"], &["-o", "a=b"]];
        for ours in ours {
            assert!(!is_meant(&arguments(ours)), "{ours:?}");
        }
    }

    #[test]
    fn the_last_of_two_counts_and_unknown_ones_are_named() {
        let written = parse(&arguments(&[
            "-runs=5",
            "dir",
            "-runs=-1",
            "-max_len=7",
            "-max_lne=3",
            "--seed_inputs=a",
            "--dict_",
        ]))
        .unwrap();
        assert_eq!(written.flags.runs, Some(-1));
        assert_eq!(written.flags.max_len, Some(7));
        assert_eq!(written.inputs, [PathBuf::from("dir")]);
        assert_eq!(written.warnings.len(), 3, "{:?}", written.warnings);
        assert!(written.warnings[0].contains("did you mean `-max_len`?"), "{:?}", written.warnings);
    }

    #[test]
    fn ours_do_not_mix_with_theirs() {
        for mixed in ["-o", "-oout", "--stop-on-finding", "--runs=5"] {
            assert!(parse(&arguments(&["-runs=5", mixed])).is_err(), "{mixed}");
        }
    }

    #[test]
    fn every_flag_takes_some_value_and_refuses_nonsense() {
        for flag in FLAGS {
            let mut flags = Flags::default();
            let value = match flag.value {
                "GOAL" => "mem>=1",
                "SHARE" => "5%",
                _ => "1",
            };
            set(flag, &mut flags, OsStr::new(value)).unwrap();
            assert_ne!(flags, Flags::default(), "{} means something", flag.name);
            let is_text = ["FILE", "GRAMMAR", "PREFIX"].contains(&flag.value);
            assert_eq!(set(flag, &mut flags, OsStr::new("1x")).is_ok(), is_text, "{}", flag.name);
            assert!(
                set(flag, &mut flags, OsStr::new("")).is_err() || flag.value == "PREFIX",
                "{}",
                flag.name
            );
        }
    }
}
