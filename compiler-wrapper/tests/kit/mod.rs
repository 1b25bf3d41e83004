//! What the tests share: a scratch folder, a clang, and reading what the observer prints.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "these are tests")]

pub mod recorded;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The versions that are tested; those between should work.
pub const CLANGS: [u32; 2] = [19, 22];
pub const OPTIMISATIONS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
pub const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/include");

/// A scratch folder in which one clang version is at work.
pub struct Kit {
    pub major: u32,
    folder: tempfile::TempDir,
}

/// Runs a test with every clang.
pub fn with_each_clang(test: impl Fn(&Kit)) {
    for major in CLANGS {
        let clang = llvm_tool(major, "clang");
        assert!(clang.is_file(), "{} is missing; run scripts/test, which installs it", clang.display());
        eprintln!("with clang {major}:");
        test(&Kit { major, folder: tempfile::tempdir().unwrap() });
    }
}

fn llvm_tool(major: u32, name: &str) -> PathBuf {
    PathBuf::from(format!("/usr/lib/llvm-{major}/bin/{name}"))
}

/// The arguments in a line.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

impl Kit {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A command in the scratch folder, in an environment without settings of ours.
    pub fn command(&self, program: impl AsRef<OsStr>, line: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).args(words(line));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("WAYPOINT_") {
                command.env_remove(name);
            }
        }
        command.env("XDG_RUNTIME_DIR", self.folder.path());
        command
    }

    pub fn wrapper(&self, name: &str, line: &str) -> Command {
        let wrapper = Path::new(env!("CARGO_BIN_EXE_waypoint-cc")).with_file_name(name);
        let mut command = self.command(wrapper, line);
        command.env("WAYPOINT_CLANG", llvm_tool(self.major, "clang"));
        command
    }

    /// `waypoint-cc`, which must succeed and say nothing.
    pub fn cc(&self, line: &str) {
        quiet_success(&mut self.wrapper("waypoint-cc", line));
    }

    /// `waypoint-c++`, which must succeed and say nothing.
    pub fn cxx(&self, line: &str) {
        quiet_success(&mut self.wrapper("waypoint-c++", line));
    }

    /// The clang beneath, without us.
    pub fn plain(&self, line: &str) -> Command {
        self.command(llvm_tool(self.major, "clang"), line)
    }

    /// Compiles the observer, uninstrumented, to `observer.o`.
    pub fn observer(&self) {
        quiet_success(&mut self.plain(&format!("-O1 -fPIC -I {INCLUDE} -c {DATA}/observer.c -o observer.o")));
    }

    /// The disassembly of an object or program.
    pub fn disassemble(&self, file: &str) -> String {
        stdout(
            &mut self
                .command(llvm_tool(self.major, "llvm-objdump"), &format!("-dr --no-show-raw-insn {file}")),
        )
    }

    /// The symbols of an object or program.
    pub fn symbols(&self, file: &str) -> String {
        stdout(&mut self.command(llvm_tool(self.major, "llvm-nm"), file))
    }

    /// Runs a program that was linked with the observer.
    pub fn observe(&self, line: &str) -> Observed {
        let mut words = line.split_whitespace();
        let program = self.path(words.next().unwrap());
        Observed::read(&stdout(&mut self.command(program, &words.collect::<Vec<_>>().join(" "))))
    }
}

pub fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

pub fn quiet_success(command: &mut Command) {
    let done = output(command);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.is_empty(), "{command:?}: {}\n{said}", done.status);
}

pub fn stdout(command: &mut Command) -> String {
    let done = output(command);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {}\n{said}", done.status);
    String::from_utf8(done.stdout).unwrap()
}

pub fn stderr(command: &mut Command) -> String {
    String::from_utf8(output(command).stderr).unwrap()
}

/// What the observer printed, and everything else that was printed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Per object: counters and functions.
    pub objects: Vec<(usize, usize)>,
    /// Name, counters, events, index of the first counter.
    pub functions: Vec<(String, u32, u32, usize)>,
    /// Function, counter, line, path.
    pub lines: Vec<(String, u32, u32, String)>,
    /// Function, counter, value at exit.
    pub hits: Vec<(String, u32, u32)>,
    /// The values of all counters at exit, which are known without the plugin too.
    pub counters: Vec<u32>,
    /// What the program itself printed.
    pub said: Vec<String>,
}

impl Observed {
    fn read(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            let word: Vec<&str> = line.splitn(5, ' ').collect();
            match word[..] {
                ["object", version, counters, functions] => {
                    assert_eq!(version, "4");
                    found.objects.push((counters.parse().unwrap(), functions.parse().unwrap()));
                }
                ["function", name, counters, events, first] => found.functions.push((
                    name.into(),
                    counters.parse().unwrap(),
                    events.parse().unwrap(),
                    first.parse().unwrap(),
                )),
                ["line", name, counter, line, path] => found.lines.push((
                    name.into(),
                    counter.parse().unwrap(),
                    line.parse().unwrap(),
                    path.into(),
                )),
                ["hits", name, counter, value] => {
                    found.hits.push((name.into(), counter.parse().unwrap(), value.parse().unwrap()));
                }
                ["counter", _, _, value] => found.counters.push(value.parse().unwrap()),
                _ => found.said.push(line.into()),
            }
        }
        found
    }

    /// How many counters a function has.
    pub fn counters_of(&self, name: &str) -> u32 {
        self.functions.iter().find(|function| function.0 == name).map_or(0, |function| function.1)
    }

    /// The source lines of a function's counters.
    pub fn lines_of(&self, name: &str) -> BTreeSet<u32> {
        self.lines.iter().filter(|line| line.0 == name).map(|line| line.2).collect()
    }

    /// The source lines whose counters were hit.
    pub fn lines_hit(&self, name: &str) -> BTreeSet<u32> {
        let hit = |counter| self.hits.iter().any(|hit| hit.0 == name && hit.1 == counter && hit.2 > 0);
        self.lines.iter().filter(|line| line.0 == name && hit(line.1)).map(|line| line.2).collect()
    }
}
