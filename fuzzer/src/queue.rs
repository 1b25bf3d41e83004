//! The queue on disk: every kept input as plain bytes, under the names AFL's tools know.
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use anyhow::Result;

use crate::{
    files,
    origin::{Op, Origin},
    seeds::Seed,
};

/// An input that is to be kept.
#[derive(Debug)]
pub struct Kept<'a> {
    /// Its number.
    pub id: u32,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Where it comes from.
    pub origin: Origin,
    /// How many runs there had been.
    pub runs: u64,
}

/// Names for inputs, and the directory of those that are kept.
#[derive(Debug, Clone)]
pub struct Queue {
    dir: Arc<Path>,
    seed_names: Arc<[String]>,
    /// For each seed, its number if an earlier campaign kept it.
    earlier_ids: Arc<[Option<u32>]>,
    start: Instant,
}

impl Queue {
    /// The queue of an instance whose campaign started at `start`.
    pub fn new(dir: PathBuf, seeds: &[Seed], start: Instant) -> Self {
        let seed_names = seeds.iter().map(|seed| plain(&seed.name())).collect();
        let earlier_id = |seed: &Seed| match seed {
            Seed::Earlier(earlier) => Some(earlier.id),
            _ => None,
        };
        let earlier_ids = seeds.iter().map(earlier_id).collect();
        Self { dir: dir.into(), seed_names, earlier_ids, start }
    }

    /// Milliseconds since the campaign's start.
    pub fn elapsed_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// The number of an input that is in the queue already, from an earlier campaign.
    pub fn earlier_id(&self, origin: Origin) -> Option<u32> {
        if origin.op != Op::Earlier {
            return None;
        }
        self.earlier_ids.get(origin.parent as usize).copied().flatten()
    }

    /// Writes a kept input.
    pub fn add(&self, kept: &Kept<'_>) -> Result<()> {
        let mut name = format!("id:{:06}{}", kept.id, self.provenance(kept.origin, kept.runs));
        if kept.origin.op != Op::Seed {
            name.push_str(",+cov");
        }
        files::write_whole(&self.dir.join(".tmp"), &self.dir.join("queue"), &name, kept.bytes)
    }

    /// The part of a name that says where an input comes from, with the comma before it.
    pub fn provenance(&self, origin: Origin, runs: u64) -> String {
        let time = self.elapsed_ms();
        let Origin { parent, op, rep } = origin;
        match op {
            Op::Seed | Op::Earlier => {
                let name = self.seed_names.get(parent as usize).map_or("", String::as_str);
                format!(",time:{time},execs:{runs},orig:{name}")
            }
            _ => format!(",src:{parent:06},time:{time},execs:{runs},op:{},rep:{rep}", op.name()),
        }
    }
}

/// A user's file name made safe for one of ours: no separators, no control characters, no great length.
fn plain(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-+=".contains(c) { c } else { '_' };
    name.chars().take(100).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_afls() {
        let seeds = [Seed::File("dir/odd na,me\n".into(), 0)];
        let queue = Queue::new(PathBuf::from("out"), &seeds, Instant::now());
        let name = queue.provenance(Origin { parent: 0, op: Op::Seed, rep: 0 }, 1);
        assert!(name.starts_with(",time:") && name.ends_with(",execs:1,orig:odd_na_me_"), "{name}");
        let name = queue.provenance(Origin { parent: 7, op: Op::Havoc, rep: 4 }, 9);
        assert!(name.starts_with(",src:000007,time:") && name.ends_with(",execs:9,op:havoc,rep:4"), "{name}");
    }
}
