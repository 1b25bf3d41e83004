//! `plot_data`: a line of numbers every few seconds, in AFL's columns, for `afl-plot`.
use std::{
    fs::File,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{history::History, status::Snapshot};

const HEADER: &str = "# relative_time, cycles_done, cur_item, corpus_count, pending_total, pending_favs, map_size, \
    saved_crashes, saved_hangs, max_depth, execs_per_sec, total_execs, edges_found\n";

/// The file, open for good: it only ever grows.
#[derive(Debug)]
pub struct Plot {
    file: File,
    path: PathBuf,
    is_new: bool,
}

impl Plot {
    /// Goes on with the file in this directory, or starts it.
    pub fn open(dir: &Path) -> Result<Self> {
        let path = dir.join("plot_data");
        let file = File::options().append(true).create(true).mode(0o600).open(&path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let mut plot = Self { file, path, is_new: false };
        if plot.len()? == 0 {
            plot.is_new = true;
            plot.append(HEADER)?;
        }
        Ok(plot)
    }

    /// Whether the file had no line before.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Adds a line.
    pub fn write(&self, now: &Snapshot, history: &History) -> Result<()> {
        self.append(&line(now, history))
    }

    fn len(&self) -> Result<u64> {
        let metadata = self.file.metadata();
        Ok(metadata.with_context(|| format!("cannot look at {}", self.path.display()))?.len())
    }

    /// Adds `text` whole or not at all.
    fn append(&self, text: &str) -> Result<()> {
        let before = self.len()?;
        let written = (&self.file).write_all(text.as_bytes());
        if written.is_err() {
            // Best effort: the error below is what matters.
            let _ = self.file.set_len(before);
        }
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn line(now: &Snapshot, history: &History) -> String {
    format!(
        "{}, {}, {}, {}, {}, {}, {:.2}%, {}, {}, {}, {:.2}, {}, {}\n",
        now.elapsed.as_secs(),
        now.cycles,
        now.current,
        now.corpus,
        now.pending,
        now.pending_holders,
        now.coverage(),
        now.crashes,
        now.hangs,
        now.depth,
        history.recent_speed(now),
        now.runs,
        now.edges_found
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_a_header_once_and_as_many_columns_in_every_line() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let plot = Plot::open(dir.path()).unwrap();
            let now = Snapshot { elapsed: std::time::Duration::from_secs(7), ..Snapshot::default() };
            plot.write(&now, &History::default()).unwrap();
        }
        let text = std::fs::read_to_string(dir.path().join("plot_data")).unwrap();
        let columns: Vec<usize> = text.lines().map(|line| line.split(", ").count()).collect();
        assert_eq!(columns, [13, 13, 13], "{text}");
        assert_eq!(text.matches('#').count(), 1, "{text}");
    }
}
