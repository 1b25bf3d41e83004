//! What the end-to-end tests share: a scratch directory in which the real `waypoint-cc` builds real fuzzers.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// The root of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A program of ours, as `cargo build --release` left it.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    // Test programs lie in target/release/deps.
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join(name);
    assert!(path.exists(), "{} is missing; run scripts/test, which builds it first", path.display());
    path
}

/// A directory that goes away, and what is built and run in it.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    /// A path in it.
    #[must_use]
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file and says where.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Compiles with `waypoint-cc`, or `waypoint-c++` for a `.cc`, and returns the path of the output.
    pub fn build<S: AsRef<OsStr>>(
        &self,
        output: &str,
        source: &Path,
        flags: impl IntoIterator<Item = S>,
    ) -> PathBuf {
        let is_cpp = source.extension().is_some_and(|extension| extension == "cc");
        let compiler = program(if is_cpp { "waypoint-c++" } else { "waypoint-cc" });
        let binary = self.path(output);
        let mut command = Command::new(compiler);
        command.arg(source).arg("-o").arg(&binary).args(flags).current_dir(self.dir.path());
        let result = command.output().unwrap();
        assert!(result.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&result.stderr));
        binary
    }

    /// Builds a fuzzer from C source text.
    pub fn fuzzer(&self, source: &str) -> PathBuf {
        let source = self.write("target.c", source);
        self.build("target", &source, ["-g", "-O2", "-fsanitize=fuzzer"])
    }

    /// Runs a program in this directory.
    pub fn run<S: AsRef<OsStr>>(&self, program: &Path, arguments: impl IntoIterator<Item = S>) -> Run {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.dir.path());
        Run::of(&mut command)
    }

    /// The files of a directory here, sorted by name, but for AFL's `README.txt`.
    #[must_use]
    pub fn files(&self, dir: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path(dir)).unwrap_or_else(|error| panic!("{dir}: {error}"));
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| !file.ends_with("README.txt"));
        files.sort();
        files
    }

    /// `fuzzer_stats` of the instance `default` in `out`.
    #[must_use]
    pub fn stats(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(self.path("out/default/fuzzer_stats")).unwrap();
        let pairs = text.lines().map(|line| line.split_once(':').unwrap());
        pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect()
    }

    /// A number of `fuzzer_stats`.
    #[must_use]
    pub fn stat(&self, key: &str) -> u64 {
        let stats = self.stats();
        stats.get(key).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{key} in {stats:?}"))
    }
}

/// What a program did.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Run {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Fails the test unless the exit code is this one.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}
