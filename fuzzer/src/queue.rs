//! The queue on disk: every kept input as plain bytes, under the names AFL's tools know.
use std::{path::Path, sync::Arc, time::Instant};

use anyhow::Result;

use crate::{
    files,
    guidance::Choice,
    layout::{self, Layout},
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
    /// The domains in which it is a waypoint, a bit each.
    pub domains: u32,
}

/// Where kept inputs are written.
#[derive(Debug, Clone)]
enum Place {
    /// `queue` in this directory, with AFL's names.
    Afl(Arc<Path>),
    /// This directory, by content. Seeds have their place already, but for those from this number on.
    ByContent(Arc<Path>, usize),
    /// Nowhere.
    Memory,
}

/// Names for inputs, and the directory of those that are kept.
#[derive(Debug, Clone)]
pub struct Queue {
    place: Place,
    seed_names: Arc<[String]>,
    /// For each seed, its number if an earlier campaign kept it.
    earlier_ids: Arc<[Option<u32>]>,
    domains: Arc<[String]>,
    start: Instant,
}

impl Queue {
    /// The queue of a campaign with these domains that started at `start`.
    pub fn new(layout: &Layout, seeds: &[Seed], domains: &[Choice], start: Instant) -> Self {
        let place = match layout {
            Layout::Afl(instance) => Place::Afl(instance.dir.as_path().into()),
            Layout::LibFuzzer { corpus: Some(dir), .. } => Place::ByContent(dir.as_path().into(), usize::MAX),
            Layout::LibFuzzer { corpus: None, .. } => Place::Memory,
            Layout::Merge { into, own_seeds } => Place::ByContent(into.as_path().into(), *own_seeds),
        };
        let seed_names = seeds.iter().map(|seed| plain(&seed.name())).collect();
        let earlier_id = |seed: &Seed| match seed {
            Seed::Earlier(earlier) => Some(earlier.id),
            _ => None,
        };
        let earlier_ids = seeds.iter().map(earlier_id).collect();
        let domains = domains.iter().map(|domain| domain.name().to_owned()).collect();
        Self { place, seed_names, earlier_ids, domains, start }
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

    /// What a seed is called.
    pub fn seed_name(&self, number: u32) -> &str {
        self.seed_names.get(number as usize).map_or("", String::as_str)
    }

    /// The name of the file with this number; where files have other names, the number.
    pub fn name_of(&self, id: u32) -> String {
        let prefix = format!("id:{id:06}");
        let Place::Afl(dir) = &self.place else { return format!("#{id}") };
        let names = std::fs::read_dir(dir.join("queue")).into_iter().flatten().flatten();
        let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.find(|name| name.starts_with(&prefix)).unwrap_or(prefix)
    }

    /// Whether the corpus does not have an input of this origin yet.
    pub fn is_new(&self, origin: Origin) -> bool {
        match (origin.op, &self.place) {
            (Op::Seed, Place::ByContent(_, first)) => origin.parent as usize >= *first,
            (Op::Seed | Op::Earlier, _) => false,
            _ => true,
        }
    }

    /// Writes a kept input.
    pub fn add(&self, kept: &Kept<'_>) -> Result<()> {
        let dir = match &self.place {
            Place::Afl(dir) => dir,
            Place::ByContent(dir, _) if self.is_new(kept.origin) => {
                return files::write_alone(&dir.join(layout::content_name(kept.bytes)), kept.bytes);
            }
            Place::ByContent(..) | Place::Memory => return Ok(()),
        };
        let mut name = format!("id:{:06}{}", kept.id, self.provenance(kept.origin, kept.runs));
        for (n, domain) in self.domains.iter().enumerate() {
            if kept.domains >> n & 1 != 0 && kept.origin.op != Op::Seed {
                name.push_str(",+");
                name.push_str(domain);
            }
        }
        files::write_whole(&dir.join(".tmp"), &dir.join("queue"), &name, kept.bytes)
    }

    /// The part of a name that says where an input comes from, with the comma before it.
    pub fn provenance(&self, origin: Origin, runs: u64) -> String {
        let time = self.elapsed_ms();
        let Origin { parent, op, rep } = origin;
        match op {
            Op::Seed | Op::Earlier => {
                let name = self.seed_name(parent);
                format!(",time:{time},execs:{runs},orig:{name}")
            }
            _ => format!(",src:{parent:06},time:{time},execs:{runs},op:{},rep:{rep}", op.name()),
        }
    }
}

/// A user's file name made safe for one of ours: no separators, no control characters, no great length.
pub fn plain(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-+=".contains(c) { c } else { '_' };
    name.chars().take(100).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Artifacts;

    #[test]
    fn names_are_afls() {
        let seeds = [Seed::File("dir/odd na,me\n".into(), 0)];
        let queue = Queue::new(
            &Layout::LibFuzzer { corpus: None, artifacts: Artifacts::Exact("crash".into()) },
            &seeds,
            &[],
            Instant::now(),
        );
        let name = queue.provenance(Origin { parent: 0, op: Op::Seed, rep: 0 }, 1);
        assert!(name.starts_with(",time:") && name.ends_with(",execs:1,orig:odd_na_me_"), "{name}");
        let name = queue.provenance(Origin { parent: 7, op: Op::Havoc, rep: 4 }, 9);
        assert!(name.starts_with(",src:000007,time:") && name.ends_with(",execs:9,op:havoc,rep:4"), "{name}");
    }
}
