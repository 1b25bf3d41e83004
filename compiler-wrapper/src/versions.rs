//! The clang versions that are supported, and finding programs; shared with `build.rs`.
use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The oldest clang that the plugin compiles against.
pub const OLDEST: u32 = 19;
/// The newest clang that the plugin compiles against.
pub const NEWEST: u32 = 22;

/// All supported versions, the preferred one first.
pub fn newest_first() -> impl Iterator<Item = u32> {
    (OLDEST..=NEWEST).rev()
}

/// Whether this major version is supported.
pub const fn is_supported(major: u32) -> bool {
    OLDEST <= major && major <= NEWEST
}

/// The major version in something like `22.1.8`.
pub fn major_of(version: &str) -> Option<u32> {
    version.split('.').next()?.trim().parse().ok()
}

/// The file that running `program` would start: itself if it names a folder, else the first on `PATH`.
pub fn on_path(program: &OsStr) -> Option<PathBuf> {
    let as_path = PathBuf::from(program);
    if as_path.components().count() > 1 || as_path.is_absolute() {
        return as_path.is_file().then_some(as_path);
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
