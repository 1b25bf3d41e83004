//! Where kept inputs and findings go, and under which names: AFL's habits or libFuzzer's.
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use sha1::{Digest, Sha1};

use crate::{instance::Instance, report::finding::Kind};

/// What a campaign writes.
#[derive(Debug)]
pub enum Layout {
    /// AFL's folders and names in one directory.
    Afl(Instance),
    /// libFuzzer's: everything named by its content, without folders.
    LibFuzzer {
        /// Where new inputs go, absolute; without it they stay in memory.
        corpus: Option<PathBuf>,
        /// Where findings go.
        artifacts: Artifacts,
    },
    /// Only what adds something to a directory, in libFuzzer's names; findings are told, not saved.
    Merge {
        /// The directory, absolute.
        into: PathBuf,
        /// How many of the seeds, the first ones, lie in it already.
        own_seeds: usize,
    },
}

/// Where libFuzzer's findings go.
#[derive(Debug, Clone)]
pub enum Artifacts {
    /// This, then `crash-` and so on.
    Prefix(OsString),
    /// Just here.
    Exact(PathBuf),
}

impl Layout {
    /// The instance's directory, if the campaign has one.
    pub fn dir(&self) -> Option<&Path> {
        match self {
            Self::Afl(instance) => Some(&instance.dir),
            Self::LibFuzzer { .. } | Self::Merge { .. } => None,
        }
    }

    /// Takes back all that was written, where nothing was before: the campaign could not be.
    pub fn discard(&self) {
        if let Self::Afl(instance) = self {
            instance.discard();
        }
    }

    /// The number of the first input to be kept, behind those of an earlier campaign.
    pub fn next_id(&self) -> u32 {
        match self {
            Self::Afl(instance) => instance.earlier.iter().map(|entry| entry.id + 1).max().unwrap_or(0),
            Self::LibFuzzer { .. } | Self::Merge { .. } => 0,
        }
    }

    /// For the first line of a campaign: where to look.
    pub fn announcement(&self) -> String {
        match self {
            Self::Afl(instance) => format!("output in {}", instance.dir.display()),
            Self::LibFuzzer { corpus: Some(dir), .. } => format!("new inputs go to {}", dir.display()),
            Self::LibFuzzer { corpus: None, .. } => "new inputs stay in memory".to_owned(),
            Self::Merge { into, .. } => format!("merging into {}", into.display()),
        }
    }

    /// Says where a finding is; in libFuzzer's words where its users look for them.
    pub fn saved(&self, path: &Path) -> String {
        match self {
            Self::LibFuzzer { .. } => format!("Test unit written to {}", path.display()),
            Self::Afl(_) | Self::Merge { .. } => format!("saved as {}", path.display()),
        }
    }

    /// For the last line of a campaign that found this many new inputs.
    pub fn farewell(&self, found: u64) -> Option<String> {
        match self {
            Self::Afl(instance) => Some(format!("corpus and statistics: {}", instance.dir.display())),
            Self::LibFuzzer { corpus, .. } => corpus.as_ref().map(|dir| format!("corpus: {}", dir.display())),
            Self::Merge { into, .. } => {
                let s = if found == 1 { "" } else { "s" };
                Some(format!("merge: added {found} input{s} to {}", into.display()))
            }
        }
    }
}

impl Artifacts {
    /// The path of a finding.
    pub fn path(&self, kind: Kind, input: &[u8]) -> PathBuf {
        match self {
            Self::Prefix(prefix) => {
                let mut path = prefix.clone();
                path.push(word(kind));
                path.push("-");
                path.push(content_name(input));
                path.into()
            }
            Self::Exact(path) => path.clone(),
        }
    }
}

/// What libFuzzer's names of a finding begin with.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash(_) | Kind::Exit(_) | Kind::OverwritesInput => "crash",
        Kind::Leak => "leak",
        Kind::Hang => "timeout",
        Kind::OutOfMemory | Kind::Refused => "oom",
        Kind::Goal => "goal",
    }
}

/// The name of an input after its content, as libFuzzer has it: its SHA-1.
pub fn content_name(input: &[u8]) -> String {
    Sha1::digest(input).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_libfuzzers() {
        assert_eq!(content_name(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let prefix = Artifacts::Prefix("out/x-".into());
        let name = |kind| prefix.path(kind, b"abc").display().to_string();
        assert_eq!(name(Kind::Crash(6)), "out/x-crash-a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(name(Kind::Hang).starts_with("out/x-timeout-"));
        assert!(name(Kind::Leak).starts_with("out/x-leak-"));
        assert!(name(Kind::OutOfMemory).starts_with("out/x-oom-"));
        assert!(name(Kind::Exit(3)).starts_with("out/x-crash-"));
        assert_eq!(Artifacts::Exact("here".into()).path(Kind::Hang, b"abc"), Path::new("here"));
    }
}
