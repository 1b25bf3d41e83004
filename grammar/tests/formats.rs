//! The specs of `grammar/specs`: what they make is accepted by a real parser of each format, which refuses what is not.
use std::path::{Path, PathBuf};
use std::process::Command;

use waypoint_grammar::parse::{Limits as ParseLimits, Parser};
use waypoint_grammar::solve::plan::Plan;
use waypoint_grammar::solve::solver::Solver;
use waypoint_grammar::solve::stream::{Limits, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};

/// Inputs of each spec that are judged.
const INPUTS: usize = 200;

/// A spec, the judge of it in `scripts/format_judges.py`, and something near the format that the judge must refuse.
const FORMATS: &[(&str, &str, &[u8])] = &[
    ("arithmetic", "arithmetic", b"1 + (2 * 3"),
    ("c", "c", b"int main(void) { int a = 1; a = b; return 0; }"),
    ("csv", "csv_table", b"a,b\r\nc\r\n"),
    ("dns", "dns", b"\0\x01\x01\0\0\x02\0\0\0\0\0\0\x01a\0\0\x01\0\x01"),
    ("es5", "es5", b"var a = ; a"),
    ("gif", "gif", b"GIF89a\x0a\0\x0a\0\0\0\0\x2c\0\0\0\0\x0a\0\x0c\0\0\x07\x01\x81\0\x3b"),
    ("ini", "ini", b"[a]\nb=1\n[a]\n"),
    ("javascript", "javascript", b"\"use strict\"; let a = b;"),
    ("json", "json", b"{\"a\": 1,}"),
    ("png", "png", b"\x89PNG\r\n\x1a\n\0\0\0\0IEND\xaeB`\x82"),
    ("regex", "regex", b"(?:\\1)(a)"),
    ("sql", "sql", b"CREATE TABLE t (a INTEGER); SELECT b FROM t;"),
    ("tar", "tar", b"no archive, and not empty"),
    ("tinyc", "tinyc", b"{ a = 1; while (a < 9 a = a + 1; }"),
    ("url", "url", b"http://a.example:70000/"),
    ("xml", "xml", b"<a b='1' b='2'></a>"),
    ("zip", "zip", b"PK\x05\x06"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn load(name: &str) -> Spec {
    let file = root().join("grammar/specs").join(name).with_extension("fan");
    Spec::load(&file, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn inputs(spec: &Spec, count: usize) -> Vec<Vec<u8>> {
    let mut stream = Stream::new(spec, 1, Limits::default());
    let mut out = Vec::new();
    while out.len() < count {
        match stream.next(None) {
            Next::Input(input) => out.push(input.to_vec()),
            other => panic!("after {} inputs: {other:?}", out.len()),
        }
    }
    out
}

/// The inputs that the judge refuses; `None` if it is not installed.
fn refused(judge: &str, inputs: &[Vec<u8>]) -> Option<Vec<String>> {
    let directory = tempfile::tempdir().expect("there is room for files");
    for (index, input) in inputs.iter().enumerate() {
        std::fs::write(directory.path().join(index.to_string()), input).expect("there is room for files");
    }
    let script = root().join("scripts/format_judges.py");
    let done = match Command::new("python3").arg(script).arg(judge).arg(directory.path()).output() {
        Ok(done) => done,
        Err(error) => {
            eprintln!("skipped: python3 cannot be run: {error}");
            return None;
        }
    };
    let said = String::from_utf8_lossy(&done.stderr);
    if done.status.code() == Some(77) {
        eprintln!("skipped: {}", said.trim());
        return None;
    }
    assert!(done.status.success(), "the judge of {judge} failed: {said}");
    let names = String::from_utf8_lossy(&done.stdout);
    let names = names.trim().trim_matches(['[', ']']).split(", ").filter(|name| !name.is_empty());
    Some(names.map(|name| name.trim_matches('"').to_owned()).collect())
}

#[test]
fn judges_accept_what_the_specs_make() {
    for (name, judge, _) in FORMATS {
        let inputs = inputs(&load(name), INPUTS);
        let bad = refused(judge, &inputs).unwrap_or_default();
        let first = bad.first().map(|index| inputs[index.parse::<usize>().unwrap()].escape_ascii());
        assert!(first.is_none(), "{name}: {} of {INPUTS} are refused, such as {}", bad.len(), first.unwrap());
    }
}

#[test]
fn judges_refuse_what_is_not_of_the_format() {
    for (name, judge, other) in FORMATS {
        if let Some(bad) = refused(judge, &[other.to_vec()]) {
            assert_eq!(bad, ["0"], "the judge of {name} accepts {}", other.escape_ascii());
        }
    }
}

#[test]
fn inputs_are_distinct_and_parse_back_with_all_constraints() {
    for (name, _, other) in FORMATS {
        let spec = load(name);
        let (mut parser, mut solver) = (Parser::new(&spec.grammar), Solver::new(&spec, 1));
        let mut check = |input: &[u8]| {
            solver.tree.clear();
            let (rng, program, tree) = (&mut solver.rng, &mut solver.program, &mut solver.tree);
            let limits = ParseLimits::default();
            parser.parse(&spec.grammar, spec.grammar.start, input, false, limits, rng, program, tree)?;
            Ok::<_, waypoint_grammar::parse::ParseError>(
                (0..spec.constraints.len()).filter(|index| !solver.holds(*index)).collect::<Vec<_>>(),
            )
        };
        let inputs = inputs(&spec, INPUTS);
        for input in &inputs {
            let violated =
                check(input).unwrap_or_else(|error| panic!("{name}: {error}: {}", input.escape_ascii()));
            assert!(violated.is_empty(), "{name}: {violated:?} on {}", input.escape_ascii());
        }
        let distinct: std::collections::HashSet<_> = inputs.iter().collect();
        assert_eq!(distinct.len(), inputs.len(), "{name}");
        assert!(
            check(other).map_or(true, |violated| !violated.is_empty()),
            "{name}: the spec allows what the judge refuses"
        );
    }
}

#[test]
fn no_field_counts_as_computed_from_itself() {
    for (name, _, _) in FORMATS {
        let spec = load(name);
        assert_eq!(Plan::new(&spec).cyclic, Vec::<usize>::new(), "{name}");
    }
}

#[test]
fn every_spec_has_a_judge() {
    let files = std::fs::read_dir(root().join("grammar/specs")).expect("the specs are there");
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    assert_eq!(names, FORMATS.iter().map(|(name, _, _)| *name).collect::<Vec<_>>());
}
