//! What people put beside a fuzzer: `target.dict`, `target.options` and `target_seed_corpus.zip`, used where the
//! command line says nothing else.
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::cli::{
    args::Args,
    libfuzzer::{
        self, Written,
        flags::{Flag, Flags},
    },
};

/// The section of an options file that is for us; the others are for the sanitizers and the machines that set them.
const SECTION: &str = "libfuzzer";
/// The settings of an options file that our own command line knows too.
const ALSO_OURS: [&str; 8] =
    ["runs", "max_total_time", "timeout", "rss_limit_mb", "dict", "seed", "max_len", "detect_leaks"];

/// The files found beside the binary.
#[derive(Debug, Default)]
pub struct Beside {
    dict: Option<PathBuf>,
    seed_corpus: Option<PathBuf>,
    options: Option<PathBuf>,
    settings: Vec<(&'static Flag, OsString)>,
    /// One line each for the user.
    remarks: Vec<String>,
}

impl Beside {
    /// Those beside this program.
    pub fn this_program() -> Result<Self> {
        // Without a path of our own there is nothing beside us.
        std::env::current_exe().map_or_else(|_| Ok(Self::default()), |program| Self::of(&program))
    }

    fn of(program: &Path) -> Result<Self> {
        let file = |suffix: &str| {
            let mut path = program.as_os_str().to_owned();
            path.push(suffix);
            Some(PathBuf::from(path)).filter(|path| path.is_file())
        };
        let mut found = Self {
            dict: file(".dict"),
            seed_corpus: file("_seed_corpus.zip"),
            options: file(".options"),
            ..Self::default()
        };
        if let Some(path) = found.options.clone() {
            let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            found.take_options(&String::from_utf8_lossy(&text), &path)?;
        }
        Ok(found)
    }

    /// Takes in the settings of an options file.
    fn take_options(&mut self, text: &str, path: &Path) -> Result<()> {
        let mut is_for_us = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                is_for_us = section.trim().eq_ignore_ascii_case(SECTION);
                continue;
            }
            if !is_for_us {
                continue;
            }
            let place = format!("{}:{}", path.display(), number + 1);
            let Some((name, value)) = line.split_once(['=', ':']) else {
                bail!("{place}: a line of an options file reads `name = value`, `[section]` or `# comment`");
            };
            let (name, value) = (name.trim().trim_start_matches('-'), value.trim());
            match libfuzzer::find(name) {
                // Such files are written for the directory they lie in.
                Some(flag) if flag.name == "dict" => {
                    self.settings.push((flag, path.with_file_name(value).into_os_string()));
                }
                Some(flag) => self.settings.push((flag, value.into())),
                None => self.remarks.push(format!("{place}: {}", libfuzzer::unknown(name, ""))),
            }
        }
        Ok(())
    }

    /// Completes libFuzzer's flags and says so.
    pub fn complete_libfuzzer(mut self, written: &mut Written, fuzzing: bool) -> Result<Vec<String>> {
        self.settings.retain(|(flag, _)| !written.given.contains(&flag.name));
        self.apply(&mut written.flags)?;
        if fuzzing && written.flags.dict.is_none() {
            written.flags.dict = self.take_dict();
        }
        if fuzzing && written.inputs.len() < 2 && written.flags.merge != Some(true) {
            written.seed_corpus = self.seed_corpus;
        }
        Ok(self.remarks)
    }

    /// Completes our own options and says so.
    pub fn complete_ours(mut self, args: &mut Args, fuzzing: bool) -> Result<Vec<String>> {
        let useless = self.settings.extract_if(.., |(flag, _)| !ALSO_OURS.contains(&flag.name));
        self.remarks.extend(useless.map(|(flag, _)| {
            format!(
                "ignored `{}` in the options file: it has a meaning with libFuzzer's flags only",
                flag.name
            )
        }));
        let is_given = |name: &str| match name {
            "runs" => args.runs.is_some(),
            "max_total_time" => args.max_time.is_some(),
            "timeout" => args.timeout.is_some(),
            "rss_limit_mb" => args.rss_limit.is_some(),
            "dict" => args.dict.is_some(),
            "detect_leaks" => args.no_leaks,
            "seed" => args.seed.is_some(),
            _ => args.max_len.is_some(),
        };
        self.settings.retain(|(flag, _)| !is_given(flag.name));
        let mut flags = Flags::default();
        self.apply(&mut flags)?;
        args.runs = args.runs.or_else(|| flags.max_runs().filter(|runs| *runs > 0));
        args.max_time = args.max_time.or_else(|| flags.max_time());
        args.timeout = args.timeout.or_else(|| flags.run_time());
        args.rss_limit = args.rss_limit.or_else(|| flags.rss_limit());
        args.seed = args.seed.or_else(|| flags.random_seed());
        args.max_len = args.max_len.or_else(|| flags.longest_input());
        args.no_leaks |= flags.detect_leaks == Some(false);
        args.dict = args.dict.take().or(flags.dict);
        if fuzzing && args.dict.is_none() {
            args.dict = self.take_dict();
        }
        if fuzzing && args.input.is_none() {
            args.seed_corpus = self.seed_corpus;
        }
        Ok(self.remarks)
    }

    /// The settings that are left, as flags.
    fn apply(&mut self, flags: &mut Flags) -> Result<()> {
        let Some(path) = self.options.as_ref().filter(|_| !self.settings.is_empty()) else { return Ok(()) };
        let mut said = Vec::new();
        for (flag, value) in &self.settings {
            libfuzzer::set(flag, flags, value).with_context(|| path.display().to_string())?;
            said.push(format!("{}={}", flag.name, value.display()));
        }
        self.remarks.push(format!("using {}: {}", path.display(), said.join(", ")));
        Ok(())
    }

    fn take_dict(&mut self) -> Option<PathBuf> {
        let dict = self.dict.take()?;
        self.remarks.push(format!("using the dictionary {}", dict.display()));
        Some(dict)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    const OPTIONS: &str = "[asan]\nnonsense\n[libfuzzer]\n# comment\nmax_len = 64\ntimeout=5\ndict = my.dict\n\
        close_fd_mask = 3\nignore_crashes = 1\n";

    fn beside(text: &str) -> (tempfile::TempDir, Result<Beside>) {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("fuzz.options"), text).unwrap();
        fs::write(dir.path().join("fuzz.dict"), "").unwrap();
        let beside = Beside::of(&dir.path().join("fuzz"));
        (dir, beside)
    }

    #[test]
    fn what_is_written_goes_before_what_lies_beside() {
        let (dir, found) = beside(OPTIONS);
        let mut written = libfuzzer::parse(&["-max_len=9".into()]).unwrap();
        let remarks = found.unwrap().complete_libfuzzer(&mut written, true).unwrap();
        assert_eq!((written.flags.max_len, written.flags.timeout), (Some(9), Some(5)));
        assert_eq!(written.flags.ignore_crashes, Some(true));
        assert_eq!(written.flags.dict, Some(dir.path().join("my.dict")), "beside the file that names it");
        assert!(
            remarks[0].contains("fuzz.options:8: ignored the unknown flag `close_fd_mask`"),
            "{remarks:?}"
        );
        assert!(remarks[1].contains("timeout=5") && !remarks[1].contains("max_len"), "{remarks:?}");
    }

    #[test]
    fn our_own_options_are_completed_too() {
        let (_dir, found) = beside(OPTIONS);
        let mut args = Args::try_parse_from(["fuzz", "-o", "out", "--timeout", "1s"]).unwrap();
        let remarks = found.unwrap().complete_ours(&mut args, true).unwrap();
        assert_eq!(args.max_len, Some(64));
        assert_eq!(args.timeout, Some(std::time::Duration::from_secs(1)));
        assert!(remarks.iter().any(|remark| remark.contains("ignored `ignore_crashes`")), "{remarks:?}");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let message = beside("[libfuzzer]\nwhat\n").1.unwrap_err().to_string();
        assert!(message.contains("fuzz.options:2: a line of an options file reads"), "{message}");
        let found = beside("[libfuzzer]\nmax_len = lots\n").1.unwrap();
        let message = format!("{:#}", found.complete_libfuzzer(&mut Written::default(), true).unwrap_err());
        assert!(
            message.ends_with("fuzz.options: `-max_len=lots` makes no sense: write a whole number"),
            "{message}"
        );
    }
}
