//! Specs from text to inputs: what loads, what is refused and how, and that constraints hold on every input.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use std::path::Path;

use proptest::prelude::*;
use waypoint_grammar::parse::{Limits as ParseLimits, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::solve::host::Program;
use waypoint_grammar::solve::skipped::skipped;
use waypoint_grammar::solve::stream::{Limits, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};
use waypoint_grammar::tree::Tree;

fn load(text: &str) -> Result<Spec, String> {
    Spec::from_text(Path::new("test.fan"), text, &Options::default()).map_err(|error| error.0)
}

fn inputs(text: &str, count: usize, seed: u64) -> Vec<Vec<u8>> {
    let spec = load(text).unwrap_or_else(|error| panic!("{error}"));
    let mut stream = Stream::new(&spec, seed, Limits::default());
    let mut out = Vec::new();
    while out.len() < count {
        match stream.next(None) {
            Next::Input(input) => out.push(input.to_vec()),
            Next::Exhausted => break,
            other => panic!("{other:?}"),
        }
    }
    out
}

fn texts(text: &str, count: usize) -> Vec<String> {
    inputs(text, count, 1).into_iter().map(|input| String::from_utf8(input).unwrap()).collect()
}

#[test]
fn a_narrow_range_is_found_at_once() {
    let found = texts("<start> ::= <digit>+\nwhere 100000 < int(<start>) < 100004\n", 3);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|text| (100001..=100003).contains(&text.parse::<u32>().unwrap())), "{found:?}");
}

#[test]
fn a_narrow_range_takes_few_passes_over_the_constraints() {
    let spec = load("<start> ::= <digit>+\nwhere 100000 < int(<start>) < 100004\n").unwrap();
    for seed in 0..20 {
        let mut stream = Stream::new(&spec, seed, Limits::default());
        assert!(matches!(stream.next(None), Next::Input(_)));
        let [.., passes] = stream.solver.repairs;
        // Guessing would take one in 300,000 even if it always guessed six digits.
        assert!(passes < 500, "{passes} passes with seed {seed}");
    }
}

#[test]
fn fields_are_computed_in_the_order_they_depend_on_each_other() {
    let spec = "import zlib\n<start> ::= <len> ':' <sum> ':' <data>\n<data> ::= r'[a-z]{1,30}'\n<len> ::= <digit>+\n\
                <sum> ::= <digit>+\nwhere int(<sum>) == zlib.crc32(str(<len>).encode() + bytes(<data>))\n\
                where str(<len>) == str(len(str(<data>)))\n";
    for text in texts(spec, 50) {
        let parts: Vec<&str> = text.split(':').collect();
        assert_eq!(parts[0], parts[2].len().to_string());
        assert_eq!(parts[1], crc32fast::hash(format!("{}{}", parts[0], parts[2]).as_bytes()).to_string());
    }
}

#[test]
fn equal_trees_are_copied() {
    let spec = "<start> ::= <pair>+\n<pair> ::= <open> '=' <close> ';'\n<open> ::= <id>\n<close> ::= <id>\n<id> ::= r'[a-z]+'\n\
                where forall <p> in <pair>: <p>.<open>.<id> == <p>.<close>.<id>\n";
    for text in texts(spec, 50) {
        for pair in text.trim_end_matches(';').split(';') {
            let (a, b) = pair.split_once('=').unwrap();
            assert_eq!(a, b);
        }
    }
}

#[test]
fn a_symbol_in_two_definitions_is_that_of_the_last() {
    assert_eq!(texts("<start> ::= 'a'\n<start> ::= 'b'\n", 1), ["b"]);
}

#[test]
fn repetitions_are_computed_from_what_stands_before() {
    let spec = "<start> ::= <n> <x>{int(<n>)}\n<n> ::= r'[0-9]'\n<x> ::= 'x'\n";
    for text in texts(spec, 10) {
        assert_eq!(text[1..].len(), text[..1].parse::<usize>().unwrap());
    }
}

#[test]
fn generators_and_python_run() {
    let spec = "import random\n\ndef make(n, *, mark='-'):\n    out = []\n    for i in range(n):\n        if i % 2:\n            \
                continue\n        out.append(f'{i:02d}')\n    else:\n        out.append('end')\n    return mark.join(out)\n\n\
                <start> ::= r'[0-9a-z-]+' := make(random.randint(3, 3))\n";
    assert_eq!(texts(spec, 1), ["00-02-end"]);
}

#[test]
fn bits_count_as_numbers() {
    let spec = "<start> ::= <flag> <seven>\n<flag> ::= <bit>\n<seven> ::= <bit>{7}\nwhere <seven> == 65\nwhere <flag> == 1\n";
    assert_eq!(inputs(spec, 1, 3), [vec![0xc1]]);
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    for (spec, part) in [
        ("<start> ::= <a>\n", "`<a>` is not defined"),
        ("<start> ::= <start> 'x'\n", "derives no finite word"),
        ("<start> ::= 'x' |\n", "empty word"),
        ("<start> ::= r'['\n", "regular expression"),
        ("<start> ::= 'x'\nwhere <nope> == 1\n", "`<nope>` is not defined"),
        ("<start> ::= 'x'\nwhere str(<start> ==\n", "no Python expression"),
        ("<start> ::= 'x'\nwhere foo(<start>)\n", "`foo` is not known"),
        ("import numpy\n<start> ::= 'x'\nwhere numpy.any(<start>)\n", "numpy"),
        ("<start> ::= <P:x>\n<x> ::= 'x'\n", "parties"),
        ("x = 1 +\n<start> ::= 'x'\n", "neither a rule nor Python"),
        ("x = 1 / 0\n<start> ::= 'x'\n", "ZeroDivisionError"),
        ("<start> ::= 'x'{-1}\n", "rounds"),
        ("<start> ::= 'x'{2,1}\n", "cannot be"),
        ("<start> ::= <a>\n<a> ::= <b> 'x'\n<b> ::= <a> | <a> 'y'\n", "derives no finite word"),
        ("<start> ::= r'[^\\x00-\\U0010ffff]'\n", "no finite word"),
        ("include('nowhere.fan')\n<start> ::= 'x'\n", "cannot include nowhere.fan"),
    ] {
        let error = load(spec).err().unwrap_or_else(|| panic!("{spec} loads"));
        assert!(error.contains(part), "{spec}: {error}");
        assert!(error.contains("test.fan:"), "{error}");
    }
}

#[test]
fn what_cannot_be_satisfied_is_said_with_the_constraint_and_an_example() {
    let spec = load("<start> ::= 'a' | 'b'\nwhere str(<start>) == 'c'\n").unwrap();
    let mut stream = Stream::new(&spec, 1, Limits { generations: 5, ..Limits::default() });
    match stream.next(None) {
        Next::Unsatisfied(reason) => {
            assert!(reason.contains("== 'c'") && reason.contains("test.fan:2"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_computed_from_each_other_in_a_circle_are_named() {
    let rules =
        "<start> ::= <a> ':' <b>\n<a> ::= <digit>+\n<b> ::= <digit>+\nwhere int(<a>) == int(<b>) + 1\n";
    let spec = load(&format!("{rules}where int(<b>) == int(<a>) + 1\n")).unwrap();
    let mut stream = Stream::new(&spec, 1, Limits { generations: 5, ..Limits::default() });
    match stream.next(None) {
        Next::Unsatisfied(reason) => assert!(reason.contains("in a circle"), "{reason}"),
        other => panic!("{other:?}"),
    }
    // A circle that has a solution is no mistake: it is searched for.
    for text in texts(&format!("{rules}where int(<b>) == int(<a>) - 1\n"), 20) {
        let (a, b) = text.split_once(':').unwrap();
        assert_eq!(a.parse::<u128>().unwrap(), b.parse::<u128>().unwrap() + 1);
    }
}

#[test]
fn a_constraint_that_always_raises_is_told() {
    let told = |formula: &str| {
        skipped(&load(&format!("<start> ::= <n>\n<n> ::= r'[0-9]'\nwhere {formula}\n")).unwrap(), 1)
    };
    let said = told("1 // (int(<n>) - int(<n>)) == 2");
    assert!(said[0].contains("test.fan:3") && said[0].contains("ZeroDivisionError"), "{said:?}");
    assert_eq!(told("10 // int(<n>) > 2"), [""; 0], "it raises only for 0");
}

#[test]
fn a_constraint_that_divides_by_zero_skips_or_fails_but_ends() {
    // In a comparison, an exception skips the combination.
    assert_eq!(texts("<start> ::= 'a' | 'b'\nwhere 1 / 0 == len(str(<start>))\n", 2).len(), 2);
}

#[test]
fn exhausted_languages_end() {
    assert_eq!(texts("<start> ::= 'a' | 'b' | 'c'\n", 10).len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn one_seed_gives_one_output(seed in any::<u64>()) {
        let spec = "<start> ::= <a>{2,9} <n>\n<a> ::= 'x' | 'y' <a>\n<n> ::= <digit>+\nwhere int(<n>) > 50\n";
        prop_assert_eq!(inputs(spec, 20, seed), inputs(spec, 20, seed));
    }

    #[test]
    fn every_input_parses_back_and_satisfies_its_constraints(seed in any::<u64>()) {
        let text = "<start> ::= <item>+\n<item> ::= <key> '=' <value> ';'\n<key> ::= r'[a-z]{1,5}'\n<value> ::= <digit>+ | <key>\n\
                    where forall <i> in <item>: len(str(<i>.<key>)) <= len(str(<i>.<value>))\n";
        let spec = load(text).unwrap();
        let mut stream = Stream::new(&spec, seed, Limits::default());
        let mut parser = Parser::new(&spec.grammar);
        for _ in 0..10 {
            let Next::Input(input) = stream.next(None) else { panic!("no input") };
            let input = input.to_vec();
            for item in String::from_utf8(input.clone()).unwrap().trim_end_matches(';').split(';') {
                let (key, value) = item.split_once('=').unwrap();
                prop_assert!(key.len() <= value.len(), "{}", item);
            }
            let mut tree = Tree::default();
            let mut program = Program::new(&spec);
            let parsed = parser.parse(&spec.grammar, spec.grammar.start, &input, false, ParseLimits::default(),
                &mut Rng::new(1), &mut program, &mut tree);
            prop_assert!(parsed.is_ok());
            let mut back = Vec::new();
            tree.serialise(&spec.grammar, 0, &mut back);
            prop_assert_eq!(back, input);
        }
    }

    #[test]
    fn malformed_specs_are_refused_without_a_panic(text in "(<a>|<start>| ::= |'x'|\\n|\\||\\(|\\)|\\{|\\}|where |==|[0-9]|\\[\\[|\\*|:=|f\\(|\"|#|;|def g\\(\\):|  )*") {
        let _ = load(&text);
    }
}
