//! The folder `structure` of an instance: the packed tree of every kept input, by its number. All of it may be deleted
//! at any time, and what is of another grammar, of other bytes or damaged is as good as not there.
use std::{fs, path::PathBuf};

use anyhow::Result;
use sha1::{Digest, Sha1};

use super::Language;
use crate::files;

const MAGIC: &[u8; 8] = b"waypoint";
/// Magic, hash of the grammar, hash of the input.
const HEAD: usize = 24;

/// The folder of one instance for one grammar.
#[derive(Debug, Clone)]
pub struct Sidecars {
    dir: PathBuf,
    language: u64,
}

impl Sidecars {
    /// Those of the instance at `dir`; the folder is made if it is missing.
    pub fn new(dir: PathBuf, language: &Language) -> Self {
        // Should this fail, writing will, and say so.
        let _ = fs::create_dir_all(dir.join("structure"));
        Self { dir, language: language.hash }
    }

    /// The packed tree of the input with this number: empty if it is known to have none, nothing if it must be parsed.
    pub fn read(&self, number: u32, input: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.dir.join("structure").join(name(number))).ok()?;
        (bytes.get(..HEAD)? == self.head(input)).then(|| bytes.split_off(HEAD))
    }

    /// Keeps the packed tree of an input, or that it has none.
    pub fn write(&self, number: u32, input: &[u8], packed: &[u8]) -> Result<()> {
        let bytes = [&self.head(input), packed].concat();
        files::write_whole(&self.dir.join(".tmp"), &self.dir.join("structure"), &name(number), &bytes)
    }

    fn head(&self, input: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(MAGIC);
        head[8..16].copy_from_slice(&self.language.to_le_bytes());
        head[16..].copy_from_slice(&Sha1::digest(input)[..8]);
        head
    }
}

fn name(number: u32) -> String {
    format!("id:{number:06}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_what_is_of_this_grammar_and_input_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".tmp")).unwrap();
        let of = |name: &str| {
            let language = Language::load(Path::new(name), 0.0).unwrap();
            Sidecars::new(dir.path().to_owned(), language)
        };
        let json = of("json");
        json.write(3, b"[]", b"tree").unwrap();
        json.write(4, b"[", b"").unwrap();
        assert_eq!(json.read(3, b"[]").as_deref(), Some(&b"tree"[..]));
        assert_eq!(json.read(4, b"[").as_deref(), Some(&b""[..]));
        assert_eq!(json.read(3, b"{}"), None);
        assert_eq!(json.read(5, b"[]"), None);
        assert_eq!(of("csv").read(3, b"[]"), None);
        fs::write(dir.path().join("structure/id:000003"), b"waypoint").unwrap();
        assert_eq!(json.read(3, b"[]"), None);
    }
}
