//! The file `structure/trees` of an instance: the packed tree of every kept input, by its number. It may be deleted at any
//! time, and what is of another grammar, of other bytes or damaged is as good as not there.
//!
//! One file to which is appended, since a file for each input would cost more than the runs by which it was found.
use std::{
    collections::HashMap,
    fs::{self, File},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::{Context, Result};
use sha1::{Digest, Sha1};

use super::Language;

const MAGIC: &[u8; 8] = b"waypoint";
/// Magic and hash of the grammar.
const HEAD: usize = 16;
/// Number and hash of the input, length of the packed tree.
const RECORD: usize = 16;

/// The packed trees of one instance by one grammar, and where more of them go.
#[derive(Debug)]
pub struct Sidecars {
    file: File,
    /// By the number of the input: its hash and its tree, which is empty if it has none.
    known: HashMap<u32, (u64, Vec<u8>)>,
}

impl Sidecars {
    /// Reads those of the instance at `dir`; starts anew if they are of another grammar.
    pub fn open(dir: &Path, language: &Language) -> Result<Self> {
        let path = dir.join("structure").join("trees");
        let open = || -> std::io::Result<Self> {
            fs::create_dir_all(dir.join("structure"))?;
            let bytes = fs::read(&path).unwrap_or_default();
            let head = [&MAGIC[..], &language.hash.to_le_bytes()].concat();
            let mut file = File::options().append(true).read(true).create(true).mode(0o600).open(&path)?;
            if bytes.get(..HEAD) != Some(&head) {
                file.set_len(0)?;
                file.write_all(&head)?;
                return Ok(Self { file, known: HashMap::new() });
            }
            let (known, end) = records(&bytes);
            // What a killed worker had not finished writing.
            file.set_len(end as u64)?;
            Ok(Self { file, known })
        };
        open().with_context(|| {
            format!("cannot write {}; make room there, or name a place that you may write to", path.display())
        })
    }

    /// The packed tree of the input with this number: empty if it is known to have none, nothing if it must be parsed.
    pub fn read(&self, number: u32, input: &[u8]) -> Option<&[u8]> {
        let (hash, packed) = self.known.get(&number)?;
        (*hash == hash_of(input)).then_some(packed)
    }

    /// Keeps the packed tree of an input, or that it has none.
    pub fn write(&mut self, number: u32, input: &[u8], packed: &[u8]) -> Result<()> {
        let number = number.to_le_bytes();
        let len = (packed.len() as u32).to_le_bytes();
        let record = [&number[..], &hash_of(input).to_le_bytes(), &len, packed].concat();
        self.file.write_all(&record).context("cannot write structure/trees; make room there")
    }
}

fn hash_of(input: &[u8]) -> u64 {
    Sha1::digest(input).first_chunk().copied().map_or(0, u64::from_le_bytes)
}

/// The whole records of a file, the last of each number, and where they end.
fn records(bytes: &[u8]) -> (HashMap<u32, (u64, Vec<u8>)>, usize) {
    let mut known = HashMap::new();
    let mut at = HEAD;
    while let Some(head) = bytes.get(at..).and_then(<[u8]>::first_chunk::<RECORD>) {
        let [number, low, high, len] =
            std::array::from_fn(|n| head[4 * n..].first_chunk().copied().map_or(0, u32::from_le_bytes));
        let start = at + RECORD;
        let Some(packed) = bytes.get(start..start + len as usize) else { break };
        known.insert(number, (u64::from(low) | u64::from(high) << 32, packed.to_vec()));
        at = start + len as usize;
    }
    (known, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_of_this_grammar_and_input_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let of = |name: &str| {
            let language = Language::load(Path::new(name), 0.0).unwrap();
            Sidecars::open(dir.path(), language).unwrap()
        };
        let mut json = of("json");
        json.write(3, b"[]", b"tree").unwrap();
        json.write(4, b"[", b"").unwrap();
        let json = of("json");
        assert_eq!(json.read(3, b"[]"), Some(&b"tree"[..]));
        assert_eq!(json.read(4, b"["), Some(&b""[..]));
        assert_eq!(json.read(3, b"{}"), None);
        assert_eq!(json.read(5, b"[]"), None);
        // A torn record is forgotten, and the next one is read again.
        let path = dir.path().join("structure/trees");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut torn = of("json");
        assert_eq!((torn.read(3, b"[]"), torn.read(4, b"[")), (Some(&b"tree"[..]), None));
        torn.write(4, b"[", b"").unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(of("csv").read(3, b"[]"), None);
        fs::write(&path, b"waypoint").unwrap();
        assert_eq!(of("json").read(3, b"[]"), None);
    }
}
