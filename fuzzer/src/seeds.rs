//! The seeds: the regular files of a directory, smallest first, or a few tiny inputs when there are none.
mod archive;

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{cli::args::DEFAULT_NAME, instance::Earlier};

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
    /// An entry of an archive, and its bytes.
    Memory(String, Vec<u8>),
}

/// What becomes of a seed that is longer than the longest input to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Longer {
    /// It is left out, with a remark.
    Skipped,
    /// Its beginning is used, as libFuzzer does.
    Cut,
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
            Self::Memory(_, bytes) => bytes.len() as u64,
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
            Self::Memory(name, _) => name.clone(),
        }
    }

    /// Where it is, or else what it is called.
    pub fn shown(&self) -> String {
        match self {
            Self::File(path, _) | Self::Earlier(Earlier { path, .. }) => path.display().to_string(),
            Self::Tiny(_) | Self::Memory(..) => self.name(),
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
            Self::Memory(_, bytes) => Ok(bytes.clone()),
        }
    }
}

impl Found {
    /// Adds the seeds of a zip archive.
    pub fn add_archive(&mut self, path: &Path, limit: u64, longer: Longer) {
        let more = archive::load(path, limit, longer);
        self.seeds.extend(more.seeds);
        self.remarks.extend(more.remarks);
        self.sort();
    }

    /// Without any seed, a few tiny inputs are, and `missing` says what there is none of.
    pub fn stand_in_for_missing(&mut self, missing: &str, limit: u64) {
        if self.seeds.is_empty() {
            self.remarks.push(format!("{missing}: starting from an empty and a few tiny inputs"));
            self.seeds = tiny(limit);
        }
    }

    fn sort(&mut self) {
        self.seeds.sort_by_key(|seed| (seed.len(), seed.name()));
    }
}

/// Opens a regular file without being led astray by a symlink, or blocked by a FIFO, that took its place.
fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

/// The seeds at `path`, none longer than `limit`.
pub fn find(path: Option<&Path>, limit: u64) -> Result<Found> {
    let mut found = Found { seeds: Vec::new(), remarks: Vec::new() };
    let Some(path) = path else {
        found.stand_in_for_missing("no seeds given (-i)", limit);
        return Ok(found);
    };
    let path = path.canonicalize().with_context(|| {
        format!("cannot find the inputs {}; name a directory or a file that is there", path.display())
    })?;
    let is_dir = path.is_dir();
    refuse_campaign(&path, &path)?;
    let files = if is_dir { list(&path)? } else { vec![path.clone()] };
    let mut dirs = 0;
    for file in files {
        match examine(&file, limit, Longer::Skipped) {
            Ok(Some(seed)) => found.seeds.push(seed),
            Ok(None) => dirs += 1,
            Err(reason) if !is_dir => bail!("the seed {} cannot be used: {reason}", path.display()),
            Err(reason) => found.remarks.push(format!("skipped the seed {}: {reason}", file.display())),
        }
    }
    if dirs > 0 {
        let which = if dirs == 1 { "a directory".to_owned() } else { format!("{dirs} directories") };
        found.remarks.push(format!("skipped {which} in {}: seeds are files right in it", path.display()));
    }
    if found.seeds.is_empty() {
        refuse_campaign(&path, &path.join(DEFAULT_NAME))?;
        found.stand_in_for_missing(&format!("no seeds in {}", path.display()), limit);
    }
    found.sort();
    Ok(found)
}

/// Refuses `given` as a directory of seeds where `campaign` is what a campaign wrote, whose inputs are further down.
fn refuse_campaign(given: &Path, campaign: &Path) -> Result<()> {
    let queue = campaign.join("queue");
    if campaign.join("fuzzer_setup").is_file() && queue.is_dir() {
        bail!(
            "{} is what a campaign wrote; to start from its inputs, write `-i {}`",
            given.display(),
            queue.display()
        );
    }
    Ok(())
}

/// What an earlier campaign kept, as far as it can be read.
pub fn kept(earlier: &[Earlier]) -> Found {
    let mut found = Found { seeds: Vec::new(), remarks: Vec::new() };
    for entry in earlier {
        match examine(&entry.path, u64::MAX, Longer::Skipped) {
            Ok(_) => found.seeds.push(Seed::Earlier(entry.clone())),
            Err(reason) => {
                found.remarks.push(format!("skipped the kept input {}: {reason}", entry.path.display()));
            }
        }
    }
    found
}

/// The seeds in an archive, none longer than `limit`.
pub fn find_in_archive(path: &Path, limit: u64) -> Found {
    let mut found = archive::load(path, limit, Longer::Skipped);
    found.stand_in_for_missing("no seeds in the archive", limit);
    found.sort();
    found
}

/// The seeds in these directories and in those below them, as libFuzzer looks for them.
pub fn below(dirs: &[PathBuf], limit: u64, longer: Longer) -> Result<Found> {
    let mut found = Found { seeds: Vec::new(), remarks: Vec::new() };
    let mut dirs = dirs.to_vec();
    while let Some(dir) = dirs.pop() {
        for path in list(&dir)? {
            match examine(&path, limit, longer) {
                Ok(Some(seed)) => found.seeds.push(seed),
                // A directory itself: links to directories are not regular files, so this ends.
                Ok(None) => dirs.push(path),
                Err(reason) => found.remarks.push(format!("skipped the seed {}: {reason}", path.display())),
            }
        }
    }
    found.sort();
    found.remarks.sort();
    Ok(found)
}

fn tiny(limit: u64) -> Vec<Seed> {
    TINY.into_iter().filter(|bytes| bytes.len() as u64 <= limit).map(Seed::Tiny).collect()
}

/// The entries of a directory, in no order.
fn list(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot list the seeds in {}", dir.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut paths = paths.with_context(|| format!("cannot list the seeds in {}", dir.display()))?;
    // A fuzzer's own explanation of its findings is none of them.
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if paths.iter().any(|path| name(path).starts_with("id:")) {
        paths.retain(|path| name(path) != "README.txt");
    }
    Ok(paths)
}

/// The seed at `path`; nothing for a directory; the reason if it cannot be one.
fn examine(path: &Path, limit: u64, longer: Longer) -> Result<Option<Seed>, String> {
    let metadata = path.symlink_metadata().map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    if metadata.len() > limit && longer == Longer::Skipped {
        return Err(format!("{} bytes are more than --max-len {limit}", metadata.len()));
    }
    open(path).map_err(|error| error.to_string())?;
    Ok(Some(Seed::File(path.to_owned(), metadata.len().min(limit))))
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
        assert_eq!(found.remarks.len(), 3, "{:?}", found.remarks);
        assert!(found.remarks.iter().any(|remark| remark.contains("skipped a directory")));
    }

    #[test]
    fn libfuzzers_directories_are_searched_below_and_long_seeds_cut() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("deep")).unwrap();
        fs::write(dir.path().join("deep/long"), [7; 100]).unwrap();
        fs::write(dir.path().join("short"), [7; 3]).unwrap();
        std::os::unix::fs::symlink("..", dir.path().join("deep/link")).unwrap();
        let found = below(&[dir.path().to_owned()], 50, Longer::Cut).unwrap();
        let read: Vec<_> = found.seeds.iter().map(|seed| seed.read().unwrap().len()).collect();
        assert_eq!(read, [3, 50]);
        assert_eq!(found.remarks.len(), 1, "{:?}", found.remarks);
    }

    #[test]
    fn what_was_kept_and_cannot_be_read_is_named_by_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let entry = |id, name: &str| Earlier { id, path: dir.path().join(name), len: 1 };
        fs::write(dir.path().join("id:000002,orig:a"), "a").unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("id:000005,orig:b")).unwrap();
        let earlier = ["id:000002,orig:a", "id:000005,orig:b", "id:000007,orig:c"];
        let found = kept(&[entry(2, earlier[0]), entry(5, earlier[1]), entry(7, earlier[2])]);
        assert_eq!(found.seeds.iter().map(Seed::name).collect::<Vec<_>>(), ["id_000002"]);
        let skipped = |name| format!("skipped the kept input {}: ", dir.path().join(name).display());
        assert!(found.remarks[0].starts_with(&skipped(earlier[1])), "{:?}", found.remarks);
        assert!(found.remarks[1].starts_with(&skipped(earlier[2])), "{:?}", found.remarks);
    }

    #[test]
    fn tiny_inputs_stand_in_for_missing_seeds() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(find(Some(dir.path()), 3).unwrap().seeds.len(), 2);
        assert_eq!(find(None, 100).unwrap().seeds.len(), TINY.len());
        assert!(find(Some(&dir.path().join("missing")), 100).is_err());
    }
}
