//! With the feature `python`: what the engine's own Python lacks runs in CPython.
//!
//! Not part of the default suite, as it needs CPython's development files:
//! `cargo test --release -p waypoint-grammar --features python --test cpython`
#![cfg(feature = "python")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use std::path::Path;

use waypoint_grammar::solve::stream::{Limits, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};

fn load(text: &str) -> Result<Spec, String> {
    Spec::from_text(Path::new("test.fan"), text, &Options::default()).map_err(|error| error.0)
}

const CLASSES: &str = "import textwrap\n\
    class Box:\n    def __init__(self, text):\n        self.text = text\n    def sum(self):\n        \
    return format(sum(self.text.encode()) % 256, '02x')\n\
    <start> ::= <word> ':' <sum> ':' <digit>+\n<word> ::= r'[a-z]{1,8}'\n<sum> ::= <hexdigit>{2}\n\
    where str(<sum>) == Box(str(<word>)).sum()\n\
    where any(textwrap.dedent(str(d)) == '7' for d in *<digit>)\n";

fn inputs(seed: u64) -> Vec<String> {
    let spec = load(CLASSES).unwrap();
    assert_eq!(spec.program.foreign.exprs.len(), 2);
    let mut stream = Stream::new(&spec, seed, Limits::default());
    (0..20)
        .map(|_| match stream.next(None) {
            Next::Input(input) => String::from_utf8(input.to_vec()).unwrap(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn classes_and_modules_of_cpython_hold_in_every_input() {
    for text in inputs(1) {
        let parts: Vec<&str> = text.split(':').collect();
        let sum: u32 = parts[0].bytes().map(u32::from).sum();
        assert_eq!(parts[1], format!("{:02x}", sum % 256));
        assert!(parts[2].contains('7'), "{text}");
    }
}

#[test]
fn one_seed_gives_one_output() {
    assert_eq!(inputs(5), inputs(5));
}

#[test]
fn a_tree_is_what_it_stands_for() {
    let spec = load(
        "import textwrap\ndef pairs(tree):\n    with open('/dev/null') as f:\n        f.read()\n    \
         return len(tree.children) == 2 and tree.children[0].symbol == '<key>' and str(tree[1]) > '4'\n\
         <start> ::= <pair>\n<pair> ::= <key> <value>\n<key> ::= 'k'\n<value> ::= <digit>\nwhere pairs(<pair>)\n",
    )
    .unwrap();
    let mut stream = Stream::new(&spec, 1, Limits::default());
    let mut count = 0;
    while let Next::Input(input) = stream.next(None) {
        assert!(input[0] == b'k' && input[1] > b'4');
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn what_cpython_lacks_too_is_refused_at_load() {
    let missing =
        load("import no_such_module\n<start> ::= <digit>\nwhere no_such_module.f(<digit>)\n").unwrap_err();
    assert!(missing.contains("No module named"), "{missing}");
    let unknown = load("<start> ::= <digit>\nwhere nobody(<digit>)\n").unwrap_err();
    assert!(unknown.contains("the name `nobody` is not known"), "{unknown}");
}
