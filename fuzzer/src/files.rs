//! Files that appear whole or not at all.
use std::{
    fs::{self, File},
    io::{self, Write},
    os::{
        fd::AsRawFd,
        unix::fs::{OpenOptionsExt, PermissionsExt},
    },
    path::Path,
};

use anyhow::{Context, Result, ensure};
use nix::{
    errno::Errno,
    fcntl::{AT_FDCWD, AtFlags},
    unistd::linkat,
};

/// What only its owner may read: inputs and findings.
const PRIVATE: u32 = 0o600;
/// What anybody may read whom the user's mask lets.
const PUBLIC: u32 = 0o666;

/// Writes `bytes` to `dir/name`, by way of `tmp`, which must be on the same file system. Readable by its owner only.
pub fn write_whole(tmp: &Path, dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    // One worker and one supervisor share `tmp`; the process keeps their files apart.
    let scratch = tmp.join(format!("{}-{name}", std::process::id()));
    write_by_way_of(&scratch, &dir.join(name), bytes, PRIVATE)
}

/// What failed when a file that the user named cannot be read.
pub fn cannot_read(path: &Path) -> String {
    format!("cannot read {}; name a file that is there and that you may read", path.display())
}

/// Makes sure that there can be a file at a path that the user gave with `-o`.
pub fn ensure_place(path: &Path) -> Result<()> {
    ensure!(!path.is_dir(), "{} is a directory; give -o the name of a file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    ensure!(
        folder.is_none_or(Path::is_dir),
        "the directory of {} is not there; make it first, or give -o another name",
        path.display()
    );
    Ok(())
}

fn write_by_way_of(scratch: &Path, destination: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let written = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(scratch)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(scratch, destination));
    if written.is_err() {
        // Best effort: the error below is what matters.
        let _ = fs::remove_file(scratch);
    }
    written.with_context(|| cannot_write(destination))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}; make room there, or name a place that you may write to", path.display())
}

/// Writes `bytes` to the file that the user named. `-` is standard output, a link stays a link, and what is no regular
/// file, such as a pipe or a device, is written to as it is.
pub fn write_named(path: &Path, bytes: &[u8]) -> Result<()> {
    if path == Path::new("-") {
        return io::stdout().write_all(bytes).context("cannot write to standard output");
    }
    let replace = || -> Result<()> {
        let is_link = path.is_symlink();
        match fs::metadata(path) {
            Ok(about) if about.is_file() => {
                // Whether one may write to it is not asked when another file takes its place.
                File::options().append(true).open(path)?;
                let mode = about.permissions().mode();
                write_with(&fs::canonicalize(path)?, bytes, mode)
            }
            Err(_) if !is_link => write_with(path, bytes, PUBLIC),
            _ => Ok(File::options()
                .write(true)
                .create(is_link)
                .truncate(is_link)
                .open(path)?
                .write_all(bytes)?),
        }
    };
    replace().map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => anyhow::Error::new(error).context(cannot_write(path)),
        Err(error) => error,
    })
}

/// Writes `bytes` to `path`, in a directory that is not ours and where nothing else may ever be seen: the file gets its
/// name when it is complete.
pub fn write_alone(path: &Path, bytes: &[u8]) -> Result<()> {
    write_with(path, bytes, PRIVATE)
}

fn write_with(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if write_nameless(dir, path, &name, bytes, mode).is_ok() {
        return Ok(());
    }
    // Not every file system knows files without a name.
    write_by_way_of(&dir.join(format!("{}-{name}", std::process::id())), path, bytes, mode)
}

fn write_nameless(dir: &Path, path: &Path, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = File::options().write(true).mode(mode).custom_flags(libc::O_TMPFILE).open(dir)?;
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

    #[test]
    fn what_the_user_named_stays_what_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, null] = ["file", "link", "null"].map(|name| dir.path().join(name));
        fs::write(&file, "old and longer").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink("/dev/null", &null).unwrap();
        write_named(&link, b"new").unwrap();
        write_named(&null, b"gone").unwrap();
        assert!(link.is_symlink() && null.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        let message = format!("{:#}", write_named(&dir.path().join("no/file"), b"").unwrap_err());
        assert!(message.contains("cannot write") && message.contains("no/file"), "{message}");
    }
}
