//! The seeds: the regular files of a directory, smallest first, or a few tiny inputs when there are none.
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::instance::Earlier;

/// Files beyond this size are no seeds unless the user raises `--max-len`.
pub const SIZE_CAP: u64 = 1 << 20;

/// What fuzzing starts from when the user gives nothing.
const TINY: [&[u8]; 4] = [b"", b"0", b"\0\0\0\0", b"Waypoint"];

/// An input to start from.
#[derive(Debug, Clone)]
pub enum Seed {
    /// The user's file and its size.
    File(PathBuf, u64),
    /// One of ours.
    Tiny(&'static [u8]),
    /// A kept input of an earlier campaign, which stays where it is.
    Earlier(Earlier),
}

/// The seeds, and what should be said about them.
#[derive(Debug)]
pub struct Found {
    /// Smallest first, then by name.
    pub seeds: Vec<Seed>,
    /// One line each.
    pub remarks: Vec<String>,
}

impl Seed {
    /// Its size in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::File(_, len) => *len,
            Self::Earlier(earlier) => earlier.len,
            Self::Tiny(bytes) => bytes.len() as u64,
        }
    }

    /// What it is called in queue names.
    pub fn name(&self) -> String {
        match self {
            Self::File(path, _) => {
                path.file_name().unwrap_or(OsStr::new("seed")).to_string_lossy().into_owned()
            }
            Self::Tiny(_) => "tiny".to_owned(),
            Self::Earlier(earlier) => format!("id_{:06}", earlier.id),
        }
    }

    /// Its bytes: of a file at most as many as it had when it was found.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path, len) | Self::Earlier(Earlier { path, len, .. }) => {
                let mut bytes = Vec::with_capacity(*len as usize);
                open(path)?.take(*len).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Self::Tiny(bytes) => Ok(bytes.to_vec()),
        }
    }
}

/// Opens a regular file without being led astray by a symlink, or blocked by a FIFO, that took its place.
fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

/// The seeds at `path`, none longer than `limit`.
pub fn find(path: Option<&Path>, limit: u64) -> Result<Found> {
    let Some(path) = path else {
        let remark = "no seeds given (-i): starting from an empty and a few tiny inputs".to_owned();
        return Ok(Found { seeds: tiny(limit), remarks: vec![remark] });
    };
    let path = path.canonicalize().with_context(|| format!("cannot find the seeds {}", path.display()))?;
    let mut found = Found { seeds: Vec::new(), remarks: Vec::new() };
    let is_dir = path.is_dir();
    let files = if is_dir { list(&path)? } else { vec![path.clone()] };
    for file in files {
        match examine(&file, limit) {
            Ok(Some(seed)) => found.seeds.push(seed),
            Ok(None) => {}
            Err(reason) => found.remarks.push(format!("skipped the seed {}: {reason}", file.display())),
        }
    }
    if found.seeds.is_empty() {
        if !is_dir {
            bail!("the seed {} cannot be used: {}", path.display(), found.remarks.join("; "));
        }
        let remark = "no seeds in {}: starting from an empty and a few tiny inputs";
        found.remarks.push(remark.replace("{}", &path.display().to_string()));
        found.seeds = tiny(limit);
    }
    found.seeds.sort_by_key(|seed| (seed.len(), seed.name()));
    Ok(found)
}

fn tiny(limit: u64) -> Vec<Seed> {
    TINY.into_iter().filter(|bytes| bytes.len() as u64 <= limit).map(Seed::Tiny).collect()
}

/// The entries of a directory, in no order.
fn list(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot list the seeds in {}", dir.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>();
    paths.with_context(|| format!("cannot list the seeds in {}", dir.display()))
}

/// The seed at `path`; nothing for a directory; the reason if it cannot be one.
fn examine(path: &Path, limit: u64) -> Result<Option<Seed>, String> {
    let metadata = path.symlink_metadata().map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    if metadata.len() > limit {
        return Err(format!("{} bytes are more than --max-len {limit}", metadata.len()));
    }
    open(path).map_err(|error| error.to_string())?;
    Ok(Some(Seed::File(path.to_owned(), metadata.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_first_and_only_regular_files_within_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        for (name, size) in [("b", 2), ("a", 2), ("z", 1), ("long", 100)] {
            fs::write(dir.path().join(name), vec![0; size]).unwrap();
        }
        fs::create_dir(dir.path().join("directory")).unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        let found = find(Some(dir.path()), 50).unwrap();
        let names: Vec<_> = found.seeds.iter().map(Seed::name).collect();
        assert_eq!(names, ["z", "a", "b"]);
        assert_eq!(found.remarks.len(), 2, "{:?}", found.remarks);
    }

    #[test]
    fn tiny_inputs_stand_in_for_missing_seeds() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(find(Some(dir.path()), 3).unwrap().seeds.len(), 2);
        assert_eq!(find(None, 100).unwrap().seeds.len(), TINY.len());
        assert!(find(Some(&dir.path().join("missing")), 100).is_err());
    }
}
