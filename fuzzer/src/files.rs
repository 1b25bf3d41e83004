//! Files that appear whole or not at all.
use std::{
    fs::{self, File},
    io::{self, Write},
    os::{fd::AsRawFd, unix::fs::OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, Result};
use nix::{
    errno::Errno,
    fcntl::{AT_FDCWD, AtFlags},
    unistd::linkat,
};

/// Writes `bytes` to `dir/name`, by way of `tmp`, which must be on the same file system. Readable by its owner only.
pub fn write_whole(tmp: &Path, dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    // One worker and one supervisor share `tmp`; the process keeps their files apart.
    let scratch = tmp.join(format!("{}-{name}", std::process::id()));
    write_by_way_of(&scratch, &dir.join(name), bytes)
}

/// What failed when a file that the user named cannot be read.
pub fn cannot_read(path: &Path) -> String {
    format!("cannot read {}; name a file that is there and that you may read", path.display())
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
    written.with_context(|| {
        let place = destination.display();
        format!("cannot write {place}; make room there, or name a place that you may write to")
    })
}

/// Writes `bytes` to `path`, in a directory that is not ours and where nothing else may ever be seen: the file gets its
/// name when it is complete.
pub fn write_alone(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if write_nameless(dir, path, &name, bytes).is_ok() {
        return Ok(());
    }
    // Not every file system knows files without a name.
    write_whole(dir, dir, &name, bytes)
}

fn write_nameless(dir: &Path, path: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).mode(0o600).custom_flags(libc::O_TMPFILE).open(dir)?;
    file.write_all(bytes)?;
    let source = format!("/proc/self/fd/{}", file.as_raw_fd());
    let give = |name: &Path| linkat(AT_FDCWD, source.as_str(), AT_FDCWD, name, AtFlags::AT_SYMLINK_FOLLOW);
    match give(path) {
        Err(Errno::EEXIST) => {
            let scratch = dir.join(format!(".{}-{name}", std::process::id()));
            give(&scratch)?;
            fs::rename(&scratch, path)
        }
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_alone_is_alone_and_replaces() {
        let dir = tempfile::tempdir().unwrap();
        for content in ["one", "another"] {
            write_alone(&dir.path().join("file"), content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(dir.path().join("file")).unwrap(), content);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
        let message = format!("{:#}", write_alone(&dir.path().join("no/file"), b"").unwrap_err());
        assert!(message.contains("cannot write") && message.contains("no/file"), "{message}");
    }
}
