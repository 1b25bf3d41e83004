//! Seeds in a zip archive, read into memory: nothing is unpacked, and nothing the archive says is believed.
use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use zip::ZipArchive;

use super::{Found, Longer, Seed};

/// How much is read out of an archive at most, so that a small file cannot fill the memory.
const MAX_TOTAL: u64 = 512 << 20;

/// The seeds of an archive, none longer than `limit`. What cannot be used is told, never fatal.
pub fn load(path: &Path, limit: u64, longer: Longer) -> Found {
    let mut found = Found { seeds: Vec::new(), remarks: Vec::new() };
    let opened = File::open(path).map_err(|error| error.to_string());
    let archive =
        opened.and_then(|file| ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string()));
    let mut archive = match archive {
        Ok(archive) => archive,
        Err(reason) => {
            found.remarks.push(format!("cannot use the seeds in {}: {reason}", path.display()));
            return found;
        }
    };
    let mut left = MAX_TOTAL;
    let mut skipped: Vec<String> = Vec::new();
    for index in 0..archive.len() {
        if left == 0 {
            skipped.push(format!("all behind the first {} MiB", MAX_TOTAL >> 20));
            break;
        }
        match read(&mut archive, index, limit, longer, &mut left) {
            Ok(seed) => found.seeds.extend(seed),
            Err(reason) => skipped.push(reason),
        }
    }
    let n = found.seeds.len();
    found.remarks.push(format!("using {n} seed{} in {}", if n == 1 { "" } else { "s" }, path.display()));
    if let Some(first) = skipped.first() {
        let n = skipped.len();
        found.remarks.push(format!("skipped {n} of its entries; the first: {first}"));
    }
    found
}

/// One entry; nothing for a directory; the reason if it cannot be a seed.
fn read(
    archive: &mut ZipArchive<BufReader<File>>,
    index: usize,
    limit: u64,
    longer: Longer,
    left: &mut u64,
) -> Result<Option<Seed>, String> {
    let entry = archive.by_index(index).map_err(|error| format!("number {index}, {error}"))?;
    if entry.is_dir() {
        return Ok(None);
    }
    let name = entry.name().map_err(|error| format!("number {index}, {error}"))?.into_owned();
    // Only its last part is ours to use, and only in names of our own.
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let shown: String = name.chars().take(100).flat_map(char::escape_default).collect();
    if !entry.is_file() {
        return Err(format!("{shown}, not a regular file"));
    }
    // One byte more than allowed tells a longer entry, whatever size it claims to have.
    let mut bytes = Vec::new();
    let result = entry.take(limit.saturating_add(1).min(*left)).read_to_end(&mut bytes);
    *left -= (bytes.len() as u64).min(*left);
    result.map_err(|error| format!("{shown}, {error}"))?;
    if bytes.len() as u64 > limit {
        match longer {
            Longer::Skipped => return Err(format!("{shown}, longer than {limit} bytes")),
            Longer::Cut => bytes.truncate(limit as usize),
        }
    }
    Ok(Some(Seed::Memory(name, bytes)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut writer = ZipWriter::new(&mut bytes);
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        bytes.into_inner()
    }

    fn loaded(bytes: &[u8], longer: Longer) -> Found {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        load(file.path(), 100, longer)
    }

    #[test]
    fn entries_are_seeds_and_their_paths_lead_nowhere() {
        let zip = archive(&[("../../etc/passwd", b"root"), ("b", b""), ("bomb", &[0; 1 << 20])]);
        let found = loaded(&zip, Longer::Skipped);
        let names: Vec<_> = found.seeds.iter().map(Seed::name).collect();
        assert_eq!(names, ["passwd", "b"]);
        assert_eq!(found.seeds[0].read().unwrap(), b"root");
        assert!(found.remarks[1].contains("bomb, longer than 100 bytes"), "{:?}", found.remarks);
        assert_eq!(loaded(&zip, Longer::Cut).seeds[2].len(), 100);
    }

    #[test]
    fn what_is_no_archive_is_told() {
        let found = loaded(b"PK\x03\x04 but nothing else", Longer::Cut);
        assert!(
            found.seeds.is_empty() && found.remarks[0].starts_with("cannot use the seeds in"),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn damaged_archives_do_no_harm(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
            let mut zip = archive(&[("a", b"some text, some text, some text"), ("dir/b", &[7; 300])]);
            for (at, value) in flips {
                let at = at.index(zip.len());
                zip[at] = value;
            }
            for seed in loaded(&zip, Longer::Cut).seeds {
                prop_assert!(seed.len() <= 100);
            }
        }
    }
}
