//! Reads unified diffs, as `git diff` and `diff -u` write them: which lines of the new files changed.
use anyhow::{Result, bail, ensure};

/// A patch: what it changes, file by file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The files, in their order.
    pub files: Vec<ChangedFile>,
}

/// What is changed in a file that is still there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its new path, as the patch has it.
    pub path: String,
    /// Its hunks.
    pub hunks: Vec<Hunk>,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Its changes, in their order.
    pub changes: Vec<Change>,
}

/// A change, by line numbers of the new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// This line is new, or another than before.
    Line(u32, String),
    /// Lines were taken away before this one, and none put in their place.
    Gap(u32),
}

impl Change {
    /// The line that is changed, or that comes next.
    pub fn line(&self) -> u32 {
        match self {
            Self::Line(line, _) | Self::Gap(line) => *line,
        }
    }
}

impl Hunk {
    /// The first and the last line.
    pub fn span(&self) -> (u32, u32) {
        let lines = || self.changes.iter().map(Change::line);
        (lines().min().unwrap_or(0), lines().max().unwrap_or(0))
    }
}

/// The part of a hunk's header that says which lines it is about: `-1,2 +3,4`.
struct Ranges {
    old: u32,
    new_start: u32,
    new: u32,
}

/// Reads a patch. What is not part of a diff, such as a mail around it, is passed over.
///
/// # Errors
/// It has no hunk, or one that is cut off.
pub fn parse(text: &[u8]) -> Result<Patch> {
    let text = String::from_utf8_lossy(text);
    // What is behind the last end of a line is no line.
    let whole = text.strip_suffix('\n').unwrap_or(&text);
    let mut lines = whole.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate();
    let mut patch = Patch { files: Vec::new() };
    // The path of the file whose hunks come next; `None` before the first, and when it is deleted.
    let (mut path, mut has_hunks) = (None, false);
    let mut old_path = None;
    while let Some((number, line)) = lines.next() {
        ensure!(
            !line.starts_with("@@@"),
            "line {} begins a hunk of a merge with several parents; make the diff against one of them",
            number + 1
        );
        if let Some(name) = line.strip_prefix("--- ") {
            old_path = path_in(name);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            path = path_in(name).map(|path| without_prefix(path, old_path.as_deref()));
        } else if let Some(ranges) = ranges_in(line) {
            has_hunks = true;
            let changes = changes_in(&ranges, number, &mut lines)?;
            let Some(path) = path.as_ref().filter(|_| !changes.is_empty()) else { continue };
            match patch.files.last_mut().filter(|file| file.path == *path) {
                Some(file) => file.hunks.push(Hunk { changes }),
                None => patch.files.push(ChangedFile { path: path.clone(), hunks: vec![Hunk { changes }] }),
            }
        }
    }
    ensure!(has_hunks, "it has no hunk of a unified diff; make one with `git diff` or `diff -u`");
    Ok(patch)
}

/// The changes of a hunk, of which the header has been read. The header's numbers say where it ends: a line that was
/// deleted may look like the header of a file.
fn changes_in<'a>(
    ranges: &Ranges,
    header: usize,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<Change>> {
    // Of an empty range diff names the line before.
    let mut next = ranges.new_start + u32::from(ranges.new == 0);
    let (mut old, mut new) = (ranges.old, ranges.new);
    let mut changes = Vec::new();
    let (mut deleted, mut added) = (false, false);
    let end_run = |deleted: &mut bool, added: &mut bool, next: u32, changes: &mut Vec<Change>| {
        if *deleted && !*added {
            changes.push(Change::Gap(next));
        }
        (*deleted, *added) = (false, false);
    };
    while old > 0 || new > 0 {
        let Some((number, line)) = lines.next() else {
            bail!("the hunk in line {} is cut off", header + 1);
        };
        match line.as_bytes().first() {
            Some(b'+') if new > 0 => {
                changes.push(Change::Line(next, line[1..].to_owned()));
                (next, new, added) = (next + 1, new - 1, true);
            }
            Some(b'-') if old > 0 => (old, deleted) = (old - 1, true),
            // Some mailers take the blank away that an empty line of context begins with.
            Some(b' ') | None if old > 0 && new > 0 => {
                end_run(&mut deleted, &mut added, next, &mut changes);
                (next, old, new) = (next + 1, old - 1, new - 1);
            }
            Some(b'\\') => {}
            _ => bail!("line {} does not fit into its hunk, which begins in line {}", number + 1, header + 1),
        }
    }
    end_run(&mut deleted, &mut added, next, &mut changes);
    Ok(changes)
}

/// From `@@ -1,2 +3,4 @@ anything`.
fn ranges_in(line: &str) -> Option<Ranges> {
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    let ((_, old), (new_start, new)): ((u32, u32), (u32, u32)) = (range(old)?, range(new)?);
    // Numbers that no file has would overflow further on.
    (new_start.checked_add(new)? < u32::MAX).then_some(Ranges { old, new_start, new })
}

/// The path behind `+++ `; `None` for a file that is no more.
fn path_in(name: &str) -> Option<String> {
    let path = match name.strip_prefix('"') {
        Some(quoted) => unquoted(quoted),
        // `diff -u` puts the time behind a tab.
        None => name.split('\t').next().unwrap_or(name).to_owned(),
    };
    let path = path.trim_end();
    (path != "/dev/null" && !path.is_empty()).then(|| path.to_owned())
}

/// A new path without the `b/` that git puts before it, as it puts `a/` before the old one.
fn without_prefix(path: String, old: Option<&str>) -> String {
    match path.strip_prefix("b/") {
        Some(rest) if old.is_none_or(|old| old.starts_with("a/")) => rest.to_owned(),
        _ => path,
    }
}

/// The text of a path that git put in quotes, as C would write it.
fn unquoted(quoted: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes().peekable();
    while let Some(byte) = rest.next().filter(|byte| *byte != b'"') {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(digit) = rest.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value * 8 + u32::from(digit - b'0');
                    }
                }
                bytes.push(value as u8);
            }
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(other) => bytes.push(other),
            None => break,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::{fs, process::Command};

    use proptest::prelude::*;

    use super::*;

    fn line(number: u32, text: &str) -> Change {
        Change::Line(number, text.to_owned())
    }

    #[test]
    fn reads_what_git_writes() {
        let text = "From: somebody\r\n\r\ndiff --git a/src/a.c b/src/b.c\nsimilarity index 90%\nrename from src/a.c\n\
            rename to src/b.c\n--- a/src/a.c\n+++ b/src/b.c\n@@ -1,3 +1,3 @@ int main()\n one\n-two\n+zwei\n three\n\
            @@ -10,3 +10,2 @@\n a\n-b\n c\ndiff --git a/gone.c b/gone.c\n--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
            diff --git a/new.c b/new.c\n--- /dev/null\n+++ \"b/n\\303\\244w.c\"\n@@ -0,0 +1,2 @@\n+first\n+--- a\n\
            \\ No newline at end of file\n";
        let patch = parse(text.as_bytes()).unwrap();
        assert_eq!(
            patch.files,
            [
                ChangedFile {
                    path: "src/b.c".to_owned(),
                    hunks: vec![
                        Hunk { changes: vec![line(2, "zwei")] },
                        Hunk { changes: vec![Change::Gap(11)] }
                    ]
                },
                ChangedFile {
                    path: "näw.c".to_owned(),
                    hunks: vec![Hunk { changes: vec![line(1, "first"), line(2, "--- a")] }]
                }
            ]
        );
    }

    #[test]
    fn reads_ends_of_lines_of_any_kind_and_a_time_behind_the_name() {
        let text =
            "--- x.c\t2026-01-01\r\n+++ x.c\t2026-01-02 10:00:00\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n\r\n";
        let patch = parse(text.as_bytes()).unwrap();
        assert_eq!(patch.files[0].path, "x.c");
        assert_eq!(patch.files[0].hunks[0].changes, [line(1, "b")]);
    }

    #[test]
    fn what_is_no_patch_is_said_so() {
        let said = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
        assert!(said("").contains("no hunk"));
        assert_eq!(said("+++ a\n@@ -1,2 +1,2 @@\n a\n"), "the hunk in line 2 is cut off");
        assert_eq!(
            said("+++ a\n@@ -1,2 +1,2 @@\n a\nb\n"),
            "line 4 does not fit into its hunk, which begins in line 2"
        );
        assert_eq!(said("+++ a\n@@ -1,2 +1,3 @@\n a"), "the hunk in line 2 is cut off");
        assert!(said("@@@ -1,2 -1,2 +1,2 @@@\n").contains("merge"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// What `diff` finds between two files: every changed line has the text that the new file has there, and with
        /// the changed lines left out of the new file and the gaps closed nothing is in the old file's way.
        #[test]
        fn lines_are_those_of_the_new_file(
            old in proptest::collection::vec("[-+ @\\\\ab]{1,3}", 0..30),
            new in proptest::collection::vec("[-+ @\\\\ab]{1,3}", 0..30),
            context in 0..4u32,
            ends_open in any::<bool>(),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let write = |name: &str, lines: &[String]| {
                let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                if ends_open {
                    text.pop();
                }
                fs::write(dir.path().join(name), text).unwrap();
            };
            write("old.c", &old);
            write("new.c", &new);
            let made = Command::new("diff")
                .args([format!("-U{context}").as_str(), "old.c", "new.c"])
                .current_dir(dir.path())
                .output()
                .unwrap();
            prop_assume!(made.status.code() == Some(1));
            let patch = parse(&made.stdout).unwrap();
            prop_assert_eq!(patch.files.len(), 1);
            let changes: Vec<&Change> = patch.files[0].hunks.iter().flat_map(|hunk| &hunk.changes).collect();
            let mut kept = new.clone();
            for change in changes.iter().rev() {
                match change {
                    Change::Line(line, text) => {
                        prop_assert_eq!(&kept[*line as usize - 1], text);
                        kept.remove(*line as usize - 1);
                    }
                    Change::Gap(line) => prop_assert!(*line as usize <= new.len() + 1),
                }
            }
            // The rest is a subsequence of the old file.
            let mut olds = old.iter();
            prop_assert!(kept.iter().all(|line| olds.any(|old| old == line)), "{:?} of {:?}", kept, old);
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
            let _ = parse(&[b"+++ a\n@@ -1,3 +1,3 @@\n".as_slice(), &bytes].concat());
        }
    }
}
