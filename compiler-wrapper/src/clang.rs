//! Chooses the clang to run: the one of `WAYPOINT_CLANG`, or else the newest supported one.
//!
//! configure scripts start the wrapper thousands of times, so no process is started to find out, unless the
//! version cannot be told from the path.
use anyhow::{Context, Result, anyhow, bail};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::help::CLANG;
use crate::versions::{self, NEWEST, OLDEST};

/// A clang of a supported version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clang {
    /// The program to run: `clang`, or `clang++` for C++.
    pub path: PathBuf,
    /// Its major version, which decides the plugin.
    pub major: u32,
}

impl Clang {
    /// The clang to use in this environment.
    ///
    /// # Errors
    /// `WAYPOINT_CLANG` is of no use, or no supported clang is installed.
    pub fn find(cxx: bool) -> Result<Self> {
        match env::var_os(CLANG).filter(|name| !name.is_empty()) {
            Some(name) => chosen(&name, cxx),
            None => newest(cxx),
        }
    }
}

fn chosen(name: &OsStr, cxx: bool) -> Result<Clang> {
    let path = versions::on_path(name).ok_or_else(|| {
        anyhow!("{CLANG} is `{}`, which is not there; set it to a clang, or unset it", name.display())
    })?;
    if is_this_program(&path) {
        bail!("{CLANG} is `{}`, which is the wrapper itself; set it to a clang, or unset it", name.display());
    }
    let major = major(&path)
        .with_context(|| format!("{CLANG} is `{}`, which is not a clang; set it to one", name.display()))?;
    if !versions::is_supported(major) {
        bail!(
            "{CLANG} is `{}`, which is clang {major}; versions {OLDEST} to {NEWEST} are supported",
            name.display()
        );
    }
    let path = for_language(&path, cxx);
    if !path.is_file() {
        bail!("`{}` is missing beside the clang of {CLANG}; install it, or unset {CLANG}", path.display());
    }
    Ok(Clang { path, major })
}

fn newest(cxx: bool) -> Result<Clang> {
    let name = if cxx { "clang++" } else { "clang" };
    for major in versions::newest_first() {
        let packaged = PathBuf::from(format!("/usr/lib/llvm-{major}/bin/{name}"));
        if packaged.is_file() {
            return Ok(Clang { path: packaged, major });
        }
        if let Some(path) = versions::on_path(format!("{name}-{major}").as_ref()) {
            return Ok(Clang { path, major });
        }
    }
    if let Some(path) = versions::on_path(name.as_ref())
        && !is_this_program(&path)
        && let Ok(major) = major(&path)
        && versions::is_supported(major)
    {
        return Ok(Clang { path, major });
    }
    bail!(
        "no clang {OLDEST} to {NEWEST} found; install one (apt install clang-{OLDEST}, or newer), or set {CLANG} to one"
    )
}

fn is_this_program(path: &Path) -> bool {
    let file = |path: &Path| fs::canonicalize(path).ok();
    env::current_exe().ok().and_then(|this| file(&this)).is_some_and(|this| {
        file(path).is_some_and(|other| other == this || name_starts_with(&other, "waypoint-c"))
    })
}

fn name_starts_with(path: &Path, prefix: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
}

/// `clang-22` and `clang++-22` name each other's place.
fn for_language(path: &Path, cxx: bool) -> PathBuf {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return path.to_owned() };
    let plain = name.replacen("clang++", "clang", 1);
    let wanted = if cxx { plain.replacen("clang", "clang++", 1) } else { plain };
    path.with_file_name(wanted)
}

fn major(clang: &Path) -> Result<u32> {
    let real = fs::canonicalize(clang).unwrap_or_else(|_| clang.to_owned());
    if let Some(major) = major_in_name(clang).or_else(|| major_in_name(&real)) {
        return Ok(major);
    }
    let asked = Command::new(clang).arg("--version").output().context("it cannot be started")?;
    let said = String::from_utf8_lossy(&asked.stdout);
    let version = said.split("clang version ").nth(1).and_then(versions::major_of);
    version.ok_or_else(|| anyhow!("`--version` names no clang version"))
}

/// The version in `clang-22`, `clang++-22` or `/usr/lib/llvm-22/bin/clang`.
fn major_in_name(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let number = name.strip_prefix("clang-").or_else(|| name.strip_prefix("clang++-"));
    if let Some(number) = number {
        return number.parse().ok();
    }
    let bin = path.parent().filter(|_| name == "clang" || name == "clang++")?;
    let llvm: OsString = bin.parent().filter(|_| bin.ends_with("bin"))?.file_name()?.to_owned();
    llvm.to_str()?.strip_prefix("llvm-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_off_the_path() {
        for (path, major) in [
            ("/usr/bin/clang-22", Some(22)),
            ("/opt/clang++-19", Some(19)),
            ("/usr/lib/llvm-20/bin/clang", Some(20)),
            ("/usr/lib/llvm-20/bin/clang++", Some(20)),
            ("/usr/bin/clang", None),
            ("/usr/lib/llvm-20/bin/mycc", None),
            ("/usr/bin/clang-22-debug", None),
        ] {
            assert_eq!(major_in_name(Path::new(path)), major, "{path}");
        }
    }

    #[test]
    fn the_two_compilers_lie_beside_each_other() {
        for (c, cxx) in [("/a/clang-22", "/a/clang++-22"), ("/a/clang", "/a/clang++")] {
            for path in [c, cxx] {
                assert_eq!(for_language(Path::new(path), false), Path::new(c));
                assert_eq!(for_language(Path::new(path), true), Path::new(cxx));
            }
        }
    }
}
