//! An instance's directory: made, locked against a second fuzzer, and searched for what an earlier campaign left.
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::ErrorKind,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use nix::{
    errno::Errno,
    fcntl::{FcntlArg, fcntl},
};

use crate::supervisor::setup;

/// `OUT/NAME`, ours for as long as this lives.
#[derive(Debug)]
pub struct Instance {
    /// Its absolute path.
    pub dir: PathBuf,
    /// Kept inputs of an earlier campaign, in the order in which they were kept.
    pub earlier: Vec<Earlier>,
    /// Whether this directory, and the one it is in, were not there before.
    is_new: [bool; 2],
    /// Holds the lock. It belongs to this process alone: a worker does not inherit it.
    _lock: File,
}

/// A kept input of an earlier campaign.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// The number in its name.
    pub id: u32,
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub len: u64,
}

impl Instance {
    /// Opens `output/name`, making what is missing.
    pub fn open(output: &Path, name: &str) -> Result<Self> {
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains('/');
        ensure!(plain, "`{name}` cannot be an instance's name; use letters, digits, `-` and `_`");
        let dir = output.join(name);
        let is_new = [&*dir, output].map(|dir| dir.symlink_metadata().is_err());
        for part in ["queue", "crashes", "hangs", ".tmp"] {
            let part = dir.join(part);
            fs::create_dir_all(&part).with_context(|| {
                format!("cannot make the directory {}; choose an -o that you may write to", part.display())
            })?;
        }
        let dir = dir.canonicalize().with_context(|| format!("cannot find {} again", dir.display()))?;
        let lock = lock(&dir)?;
        // What a killed fuzzer had not finished writing; nobody else can be at it, since we hold the lock.
        for entry in fs::read_dir(dir.join(".tmp")).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
        let earlier = earlier(&dir.join("queue"))?;
        let instance = Self { dir, earlier, is_new, _lock: lock };
        instance.ensure_same_target(&output.join(name))?;
        Ok(instance)
    }

    /// Removes the directory unless it was there before.
    pub fn discard(&self) {
        let [is_new, is_output_new] = self.is_new;
        // Best effort: what remains is only in the way of tidiness.
        if is_new && fs::remove_dir_all(&self.dir).is_ok() && is_output_new {
            let _ = self.dir.parent().map(fs::remove_dir);
        }
    }

    /// What two targets keep and find must not be mixed.
    fn ensure_same_target(&self, shown: &Path) -> Result<()> {
        let is_used =
            !self.earlier.is_empty() || ["crashes", "hangs"].iter().any(|part| self.next_number(part) > 0);
        match setup::other_target(&self.dir).filter(|_| is_used) {
            Some((maker, ours)) => bail!(
                "{} was made by {maker}, and this is {ours}; give another -o, or another --name",
                shown.display()
            ),
            None => Ok(()),
        }
    }

    /// The first number that no finding in this folder has.
    pub fn next_number(&self, folder: &str) -> u64 {
        let names = fs::read_dir(self.dir.join(folder)).into_iter().flatten().flatten();
        let ids = names.filter_map(|entry| id_in(&entry.file_name().to_string_lossy()));
        ids.max().map_or(0, |id| u64::from(id) + 1)
    }
}

/// Takes the lock, or says who has it. It ends with the process, however that ends.
fn lock(dir: &Path) -> Result<File> {
    let path = dir.join(".lock");
    let open = File::options().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = open
        .with_context(|| format!("cannot write to {}; choose an -o that you may write to", dir.display()))?;
    // SAFETY: all zeros is a lock description; the fields that matter are set below.
    let mut whole: libc::flock = unsafe { std::mem::zeroed() };
    whole.l_type = libc::F_WRLCK as libc::c_short;
    match fcntl(&file, FcntlArg::F_SETLK(&whole)) {
        Ok(_) => Ok(file),
        Err(Errno::EACCES | Errno::EAGAIN) => {
            let _ = fcntl(&file, FcntlArg::F_GETLK(&mut whole));
            bail!(
                "another fuzzer (process {}) is using {}; give this one another --name",
                whole.l_pid,
                dir.display()
            )
        }
        Err(error) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}

/// The entries of a queue; a folder with files that are no entries is somebody else's.
fn earlier(queue: &Path) -> Result<Vec<Earlier>> {
    let entries = fs::read_dir(queue).with_context(|| format!("cannot list {}", queue.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot list {}", queue.display()))?;
        let metadata = match entry.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot look at {}", entry.path().display()));
            }
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(id) = id_in(&name).filter(|_| metadata.is_file()) else {
            // AFL keeps folders of its own there.
            if metadata.is_dir() {
                continue;
            }
            bail!(
                "{} holds `{name}`, which is no fuzzer's; choose another -o or --name, or move it away",
                queue.display()
            );
        };
        found.push(Earlier { id, path: entry.path(), len: metadata.len() });
    }
    found.sort_by_key(|entry| entry.id);
    Ok(found)
}

/// The number in a name like `id:000012,src:...`.
fn id_in(name: &str) -> Option<u32> {
    name.strip_prefix("id:")?.split(',').next()?.parse().ok()
}

/// Those of the names in a folder of findings that the fuzzer itself has given. Others are somebody's work on a finding,
/// with more behind its name, as `minimize` writes beside it.
pub fn given_names(names: &[String]) -> HashSet<&str> {
    let mut given: BTreeMap<u32, &str> = BTreeMap::new();
    for name in names {
        // The last part tells how it was made; only that of a seed, its name, may be anything.
        let last = name.rsplit(',').next().unwrap_or_default();
        let is_whole =
            last.strip_prefix("rep:").is_none_or(|rep| rep.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(id) = id_in(name).filter(|_| is_whole) {
            // A number is given once.
            given.entry(id).and_modify(|known| *known = name.as_str().min(known)).or_insert(name);
        }
    }
    given.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_beside_a_finding_is_told_by_its_name() {
        let given = [
            "id:000000,sig:06,time:1,execs:2,orig:a",
            "id:000001,sig:06,time:1,execs:2,orig:a.min",
            "id:000002,sig:06,src:000000,time:1,execs:2,op:havoc,rep:4",
            "id:000003,goal:mem_1K,src:000000,time:1,execs:2,op:havoc,rep:12",
        ];
        let others = [
            "id:000000,sig:06,time:1,execs:2,orig:a.min",
            "id:000002,sig:06,src:000000,time:1,execs:2,op:havoc,rep:4.min",
            "id:000005,sig:06,src:000000,time:1,execs:2,op:havoc,rep:4.min",
            "README.txt",
            "id:4x,rep:1",
            "small",
        ];
        let names: Vec<String> = others.into_iter().chain(given).map(str::to_owned).collect();
        assert_eq!(given_names(&names), HashSet::from(given));
    }

    #[test]
    fn finds_what_an_earlier_campaign_left_and_refuses_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let first = Instance::open(dir.path(), "a").unwrap();
        assert!(first.earlier.is_empty());
        assert_eq!(first.next_number("crashes"), 0);
        fs::write(first.dir.join("queue/id:000010,src:000002"), "x").unwrap();
        fs::write(first.dir.join("queue/id:000002,orig:a"), "yy").unwrap();
        fs::write(first.dir.join("crashes/id:000006,sig:06"), "").unwrap();
        fs::write(first.dir.join(".tmp/half"), "").unwrap();
        drop(first);
        let again = Instance::open(dir.path(), "a").unwrap();
        let found: Vec<_> = again.earlier.iter().map(|entry| (entry.id, entry.len)).collect();
        assert_eq!(found, [(2, 2), (10, 1)]);
        assert_eq!(again.next_number("crashes"), 7);
        assert_eq!(fs::read_dir(again.dir.join(".tmp")).unwrap().count(), 0);
        fs::write(again.dir.join("queue/thesis.doc"), "").unwrap();
        let message = Instance::open(dir.path(), "a").unwrap_err().to_string();
        assert!(message.contains("`thesis.doc`, which is no fuzzer's"), "{message}");
        assert!(Instance::open(dir.path(), "../b").is_err());
    }

    #[test]
    fn only_what_was_not_there_before_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let new = Instance::open(&out, "a").unwrap();
        fs::write(new.dir.join("queue/id:000000,orig:a"), "x").unwrap();
        new.discard();
        assert!(!out.exists() && dir.path().exists());
        drop(Instance::open(&out, "a").unwrap());
        Instance::open(&out, "b").unwrap().discard();
        assert!(!out.join("b").exists());
        Instance::open(&out, "a").unwrap().discard();
        assert!(out.join("a").exists());
    }
}
