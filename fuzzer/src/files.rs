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
    let destination = dir.join(name);
    let written = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&scratch)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&scratch, &destination));
    if written.is_err() {
        // Best effort: the error below is what matters.
        let _ = fs::remove_file(&scratch);
    }
    written.with_context(|| format!("cannot write {}", destination.display()))
}
