//! Finds the counters that stand for the lines of a patch, by the line tables that the plugin wrote.
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
};

use waypoint_runtime::objects::{self, Object};

use super::patch::{Change, ChangedFile, Patch};

/// How far from a changed line without code of its own the rest of its statement is looked for, in lines.
const NEARBY: u32 = 4;

/// The next code behind lines that were taken away is at most so far away, in lines.
const AFTER_GAP: u32 = 16;

/// A counter: the place of its object among all, and its index there.
type CounterId = (usize, usize);

/// Lines of a source file that have code, and their counters.
type Code = BTreeMap<u32, BTreeSet<CounterId>>;

/// Which counters a patch is about.
#[derive(Debug, Default)]
pub struct Mapping {
    counters: BTreeSet<CounterId>,
    /// How many hunks there are, and how many of them have code.
    pub hunks: (usize, usize),
    /// The hunks without code, as `PATH:FIRST-LAST`.
    pub without_code: Vec<String>,
    /// Patched files that were told by their name alone, and what they were taken for.
    told_by_name: Vec<(String, String)>,
    /// Lines of the patch, of those that could be looked up in the source, which that does not have.
    unlike_source: (usize, usize),
}

impl Mapping {
    /// Of the objects that are loaded now.
    pub fn of(patch: &Patch) -> Self {
        let sources = sources_of(&patch.files);
        let mut mapping = Self::default();
        for (file, source) in patch.files.iter().zip(&sources) {
            mapping.doubt_source(file, source);
            let code = &source.code;
            for hunk in &file.hunks {
                let found: BTreeSet<CounterId> =
                    hunk.changes.iter().flat_map(|change| counters_of(change, code)).collect();
                mapping.hunks.0 += 1;
                if found.is_empty() {
                    let (first, last) = hunk.span();
                    let lines = if first == last { format!("{first}") } else { format!("{first}-{last}") };
                    mapping.without_code.push(format!("{}:{lines}", file.path));
                } else {
                    mapping.hunks.1 += 1;
                }
                mapping.counters.extend(found);
            }
        }
        mapping
    }

    /// Takes note of what speaks against this source being the one that the patch is about.
    fn doubt_source(&mut self, file: &ChangedFile, source: &Source) {
        let Some(path) = &source.path else { return };
        let is_whole =
            |path: &[String]| parts(&file.path).ends_with(path) || path.ends_with(&parts(&file.path));
        if !is_whole(&parts(path)) && common(&parts(&file.path), &parts(path)) == 1 {
            self.told_by_name.push((file.path.clone(), path.clone()));
        }
        let Ok(text) = fs::read(path) else { return };
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        for change in file.hunks.iter().flat_map(|hunk| &hunk.changes) {
            let Change::Line(number, wanted) = change else { continue };
            let found = lines.get(*number as usize - 1).copied().unwrap_or_default();
            self.unlike_source.0 += usize::from(found.trim() != wanted.trim());
            self.unlike_source.1 += 1;
        }
    }

    /// What speaks against the counters being the right ones, to be said behind a sentence.
    pub fn doubt(&self) -> Option<String> {
        let (unlike, all) = self.unlike_source;
        if unlike * 2 > all {
            return Some(format!(
                "; but {unlike} of its {all} new lines are not in the source: build the target from the version after the change, and do not give the patch reversed"
            ));
        }
        let (patched, source) = self.told_by_name.first()?;
        Some(format!("; only the name of {patched} fits, so it is taken for {source}"))
    }

    /// How many counters there are.
    pub fn len(&self) -> usize {
        self.counters.len()
    }

    /// The counters of the object with this place.
    pub fn counters(&self, object: usize) -> Vec<usize> {
        self.counters.range((object, 0)..(object + 1, 0)).map(|(_, counter)| *counter).collect()
    }
}

/// A source file of the target that a patch changes.
#[derive(Default)]
struct Source {
    code: Code,
    /// Where it was when it was compiled; nothing if there is none, or several.
    path: Option<String>,
}

/// For each file of the patch, its source in the target.
fn sources_of(files: &[ChangedFile]) -> Vec<Source> {
    let all: Vec<Object> = objects::all().collect();
    let mut known: HashMap<*const i8, usize> = HashMap::new();
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut tables: Vec<Code> = Vec::new();
    let mut by_path: HashMap<Vec<String>, usize> = HashMap::new();
    let names: BTreeSet<&str> =
        files.iter().filter_map(|file| file.path.rsplit('/').find(|part| !part.is_empty())).collect();
    for (n, object) in all.iter().enumerate() {
        for function in object.functions() {
            let first = object.first_counter(function);
            for line in function.lines() {
                let text = line.file();
                // Each path is there once in a unit; most are of no interest.
                let place = *known.entry(text.as_ptr()).or_insert_with(|| {
                    let path = parts(&text.to_string_lossy());
                    if !path.last().is_some_and(|name| names.contains(name.as_str())) {
                        return usize::MAX;
                    }
                    *by_path.entry(path.clone()).or_insert_with(|| {
                        paths.push(path);
                        texts.push(text.to_string_lossy().into_owned());
                        tables.push(Code::new());
                        paths.len() - 1
                    })
                });
                if let Some(code) = tables.get_mut(place) {
                    code.entry(line.line).or_default().insert((n, first + line.counter as usize));
                }
            }
        }
    }
    let wanted: Vec<Vec<String>> = files.iter().map(|file| parts(&file.path)).collect();
    matches(&wanted, &paths)
        .into_iter()
        .map(|places| {
            let mut source = Source::default();
            if let [place] = places[..] {
                source.path = Some(texts[place].clone());
            }
            for place in places {
                for (line, counters) in &tables[place] {
                    source.code.entry(*line).or_default().extend(counters);
                }
            }
            source
        })
        .collect()
}

/// The parts of a path, `.` and `..` resolved.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.to_owned()),
        }
    }
    parts
}

/// How many parts two paths have in common at their ends.
fn common(a: &[String], b: &[String]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// For each path of a patch, which of the paths with code it is: the ones that end in the most of the same parts. A path
/// with code is that of one patched file only. If the whole path does not fit and several fit equally well, it is not
/// known which one is meant, and none is taken.
fn matches(wanted: &[Vec<String>], known: &[Vec<String>]) -> Vec<Vec<usize>> {
    let owner_fit: Vec<usize> =
        known.iter().map(|path| wanted.iter().map(|file| common(file, path)).max().unwrap_or(0)).collect();
    wanted
        .iter()
        .map(|file| {
            let fits: Vec<usize> = known.iter().map(|path| common(file, path)).collect();
            let best = fits.iter().copied().max().unwrap_or(0);
            let found: Vec<usize> = (0..known.len())
                .filter(|place| best > 0 && fits[*place] == best && owner_fit[*place] == best)
                .collect();
            if found.len() > 1 && best < file.len() { Vec::new() } else { found }
        })
        .collect()
}

/// The counters of a change.
fn counters_of(change: &Change, code: &Code) -> BTreeSet<CounterId> {
    let at = |line: Option<u32>| line.and_then(|line| code.get(&line)).cloned().unwrap_or_default();
    let before = |line: u32| code.range(line.saturating_sub(NEARBY)..line).next_back().map(|(line, _)| *line);
    let behind =
        |line: u32, far: u32| code.range(line..=line.saturating_add(far)).next().map(|(line, _)| *line);
    match change {
        Change::Gap(line) => at(behind(*line, AFTER_GAP)),
        Change::Line(line, _) if code.contains_key(line) => at(Some(*line)),
        Change::Line(line, text) => match kind(text) {
            Kind::Nothing => BTreeSet::new(),
            Kind::Opens => at(behind(*line, NEARBY)),
            Kind::Continues => at(before(*line)),
            Kind::Statement => latest(at(before(*line)), code),
        },
    }
}

/// Those of the counters whose code begins last.
fn latest(counters: BTreeSet<CounterId>, code: &Code) -> BTreeSet<CounterId> {
    let begin =
        |counter: &CounterId| code.iter().find(|(_, here)| here.contains(counter)).map(|(line, _)| *line);
    let last = counters.iter().map(begin).max().flatten();
    counters.into_iter().filter(|counter| begin(counter) == last).collect()
}

/// What a line without code of its own may be.
enum Kind {
    /// Nothing that runs: empty, a comment, a brace, a directive of the preprocessor.
    Nothing,
    /// It leads to what follows: a label, `else`.
    Opens,
    /// Part of a statement of several lines: the code is where that begins.
    Continues,
    /// A statement, or the end of one, that the optimiser turned into nothing but the way there, as a `return 1`: what
    /// tells is the block that begins just before it.
    Statement,
}

fn kind(text: &str) -> Kind {
    let text = text.trim();
    let is_comment = text.starts_with("//") || text.starts_with("/*") || text.starts_with('*');
    if is_comment || text.starts_with('#') || !text.contains(|c: char| c.is_alphanumeric()) {
        return Kind::Nothing;
    }
    if text.ends_with([':', '{']) || text.ends_with("else") || text.ends_with("do") {
        return Kind::Opens;
    }
    if text.ends_with(';') { Kind::Statement } else { Kind::Continues }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Vec<usize> = Vec::new();

    fn matched(wanted: &[&str], known: &[&str]) -> Vec<Vec<usize>> {
        let split = |paths: &[&str]| paths.iter().map(|path| parts(path)).collect::<Vec<_>>();
        matches(&split(wanted), &split(known))
    }

    #[test]
    fn paths_fit_by_their_ends() {
        let known = ["/build/lib/util.c", "/build/app/util.c", "/build/lib/../lib/main.c"];
        assert_eq!(matched(&["lib/util.c"], &known), [vec![0]]);
        assert_eq!(matched(&["app/util.c", "lib/main.c"], &known), [vec![1], vec![2]]);
        assert_eq!(matched(&["lib-2.0/main.c"], &known), [vec![2]], "another name of the folder above");
        assert_eq!(matched(&["util.c"], &known), [vec![0, 1]], "no more was said");
        assert_eq!(matched(&["test/util.c"], &known), [NONE], "which one is not known");
        assert_eq!(matched(&["other.c"], &known), [NONE]);
        assert_eq!(
            matched(&["lib/util.c", "doc/util.c"], &["/build/lib/util.c"]),
            [vec![0], NONE],
            "a file with code is that of one patched file"
        );
    }

    #[test]
    fn lines_without_code_are_taken_for_what_they_belong_to() {
        let code: Code =
            [(10, 0), (14, 1), (20, 2)].into_iter().map(|(l, c)| (l, BTreeSet::from([(0, c)]))).collect();
        let counters =
            |change: Change| counters_of(&change, &code).into_iter().map(|(_, c)| c).collect::<Vec<_>>();
        let line = |number: u32, text: &str| Change::Line(number, text.to_owned());
        assert_eq!(counters(line(14, "x = 1;")), [1]);
        assert_eq!(counters(line(12, "    b + 1,")), [0], "of a call that begins before");
        assert_eq!(counters(line(18, "case 7:")), [2]);
        assert_eq!(counters(line(12, "// why")), [] as [usize; 0]);
        assert_eq!(counters(line(12, "#define X 1")), [] as [usize; 0]);
        assert_eq!(counters(line(12, "  }")), [] as [usize; 0]);
        assert_eq!(counters(line(19, "int global;")), [] as [usize; 0], "too far from any code");
        assert_eq!(counters(Change::Gap(15)), [2]);
        assert_eq!(counters(Change::Gap(21)), [] as [usize; 0]);
        // `if (a == b)` in the block of the function's beginning, and the way into its branch.
        let code = Code::from([(4, BTreeSet::from([(0, 0)])), (5, BTreeSet::from([(0, 0), (0, 1)]))]);
        assert_eq!(counters_of(&line(6, "return 5;"), &code), BTreeSet::from([(0, 1)]));
    }
}
