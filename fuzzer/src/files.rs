//! Files that appear whole or not at all.
use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::{Context, Result};

/// Writes `bytes` to `dir/name`, by way of `tmp`, which must be on the same file system. Readable by its owner only.
pub fn write_whole(tmp: &Path, dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    // One worker and one supervisor share `tmp`; the process keeps their files apart.
    let scratch = tmp.join(format!("{}-{name}", std::process::id()));
    write_by_way_of(&scratch, &dir.join(name), bytes)
}

fn write_by_way_of(scratch: &Path, destination: &Path, bytes: &[u8]) -> Result<()> {
    let written = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(scratch)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(scratch, destination));
    if written.is_err() {
        // Best effort: the error below is what matters.
        let _ = fs::remove_file(scratch);
    }
    written.with_context(|| format!("cannot write {}", destination.display()))
}

/// Writes `bytes` to `path`, by way of a file beside it. Readable by its owner only.
pub fn write_at(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().with_context(|| format!("{} is not the name of a file", path.display()))?;
    let scratch = dir.join(format!(".waypoint-{}.tmp", std::process::id()));
    write_by_way_of(&scratch, &dir.join(name), bytes)
}
