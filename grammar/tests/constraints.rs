//! Constraints after changes: mutants satisfy them, ambiguous inputs satisfy them if any of their trees does.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use std::path::Path;

use waypoint_grammar::mutate::{Mutator, OPERATORS};
use waypoint_grammar::parse::Limits as ParseLimits;
use waypoint_grammar::solve::solver::Solver;
use waypoint_grammar::solve::stream::{Limits, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};

fn load(text: &str) -> Spec {
    Spec::from_text(Path::new("test.fan"), text, &Options::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_operator_keeps_computed_fields_right() {
    let spec = load(
        "import zlib\n<start> ::= <head> <item>*\n<head> ::= <len> ':' <sum> ':'\n<len> ::= <digit>+\n\
         <sum> ::= <digit>+\n<item> ::= <key> '=' <value> ';'\n<key> ::= r'[a-z]{1,4}'\n\
         <value> ::= <digit>+ | '(' <item>* ')'\n\
         where str(<len>) == str(len(*<item>))\n\
         where int(<sum>) == zlib.crc32(''.join(str(i) for i in *<item>).encode())\n",
    );
    let mut solver = Solver::new(&spec, 1);
    solver.size = 60;
    let mut mutator = Mutator::new(&spec.grammar);
    let mut seeds = Vec::new();
    while seeds.len() < 8 {
        if solver.attempt().unwrap() {
            seeds.push(std::rc::Rc::new(mutator.subject(&spec.grammar, solver.tree.clone())));
        }
    }
    for operator in OPERATORS {
        let mut made = 0;
        for round in 0..40 {
            let from = seeds[round % seeds.len()].clone();
            if solver.variant(&mut mutator, operator, &seeds, &from.tree).unwrap() {
                made += 1;
                assert_eq!(solver.tree.validate(&spec.grammar, spec.grammar.start), Ok(()), "{operator:?}");
                assert!((0..spec.constraints.len()).all(|index| solver.holds(index)), "{operator:?}");
            }
        }
        assert!(made > 0, "{operator:?} made nothing");
    }
}

#[test]
fn an_ambiguous_input_is_valid_if_one_of_its_trees_is() {
    let spec = load(
        "<start> ::= <item>+\n<item> ::= <a> | <b>\n<a> ::= 'x' | 'xx'\n<b> ::= 'x'\n\
         where len(*<b>) == 3\nwhere len(*<a>) == 2\n",
    );
    let mut solver = Solver::new(&spec, 1);
    let mut valid = |input: &str| solver.read(input.as_bytes(), ParseLimits::default()).unwrap().accepted;
    assert!(valid("xxxxx") && valid("xxxxxx") && valid("xxxxxxx"));
    assert!(!valid("xxxx") && !valid("xxxxxxxx"));
}

#[test]
fn fields_of_several_chunks_are_made_to_agree() {
    let spec = load(
        "import zlib\n<start> ::= <chunk>+\n<chunk> ::= <data> '#' <crc> ';'\n<data> ::= r'[a-z]{3,9}'\n\
         <crc> ::= <digit>+\nwhere int(<crc>) == zlib.crc32(str(<data>).encode())\n",
    );
    let mut stream = Stream::new(&spec, 1, Limits::default());
    let mut several = 0;
    for _ in 0..50 {
        match stream.next(None) {
            Next::Input(input) => {
                several += usize::from(input.iter().filter(|byte| **byte == b';').count() > 1);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(several > 10, "{several}");
}

#[test]
fn children_are_counted() {
    let spec = load(
        "<start> ::= <list> ';' <rest>\n<list> ::= <item>*\n<item> ::= <digit> ','\n<rest> ::= <digit>*\n\
         where len(<list>) > 40\nwhere len(*<digit>) == 60\n",
    );
    let mut stream = Stream::new(&spec, 1, Limits::default());
    for _ in 0..20 {
        let Next::Input(input) = stream.next(None) else { panic!("no input") };
        assert!(input.iter().filter(|byte| **byte == b',').count() > 40);
        assert_eq!(input.iter().filter(|byte| byte.is_ascii_digit()).count(), 60);
    }
}

#[test]
fn settings_leave_the_grammar_and_only_those_do() {
    let rules = "<start> ::= <a>+ <b>?\n<a> ::= 'x'\n<b> ::= r'[0-9]'\n";
    let outputs = |setting: &str| {
        let spec = load(&format!("{rules}{setting}"));
        let mut stream = Stream::new(&spec, 1, Limits::default());
        let mut out = Vec::new();
        for _ in 0..40 {
            match stream.next(None) {
                Next::Input(input) => out.push(String::from_utf8_lossy(input).into_owned()),
                _ => break,
            }
        }
        out
    };
    let inside = |text: &String| {
        let rest = text.trim_start_matches('x');
        text.starts_with('x') && (rest.is_empty() || rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    assert!(outputs("").iter().all(inside));
    let none = outputs("setting all_with_type(Plus) plus_should_return_nothing=1.0\n");
    assert!(none.iter().all(|text| !text.contains('x')), "{none:?}");
    let many = outputs("setting all_with_type(Option) option_should_return_multiple=1.0\n");
    assert!(many.iter().all(|text| text.trim_start_matches('x').len() >= 2), "{many:?}");
    let other = outputs("setting all_with_type(TerminalNode) invert_regex = 1.0\n");
    assert!(other.iter().any(|text| !inside(text)), "{other:?}");
    let havoc = outputs("setting <a> havoc_probability=0.5\n");
    assert!(havoc.iter().any(|text| !inside(text)), "{havoc:?}");
}

#[test]
fn a_generator_takes_parts_of_its_source() {
    let spec = load(
        "<start> ::= <sum>\n<sum> ::= <digit>+ := str(100 * int(<pair>.<left>) + len(*<pair>..<digit>))\n\
         <pair> ::= <left> '+' <digit>\n<left> ::= <digit>\n",
    );
    let mut stream = Stream::new(&spec, 1, Limits::default());
    let mut seen = 0;
    while let Next::Input(input) = stream.next(None) {
        let sum: u32 = String::from_utf8_lossy(input).parse().unwrap();
        assert_eq!(sum % 100, 2);
        seen += 1;
    }
    assert_eq!(seen, 10);
}

#[test]
fn a_number_in_a_field_of_fixed_width_is_computed_and_padded() {
    for field in ["r'[0-9]{4}'", "<digit>{4}", "'0' <digit>{3}"] {
        let spec = load(&format!(
            "<start> ::= <rec>+\n<rec> ::= <len> ':' <body> ';'\n<len> ::= {field}\n<body> ::= r'[a-z]{{0,20}}'\n\
             where forall <r> in <rec>: int(<r>.<len>) == len(str(<r>.<body>))\n"
        ));
        let mut solver = Solver::new(&spec, 1);
        for _ in 0..200 {
            assert!(solver.attempt().unwrap(), "{field}");
            let text = String::from_utf8(solver.tree.text().to_vec()).unwrap();
            for rec in text.split_terminator(';') {
                let (len, body) = rec.split_once(':').unwrap();
                assert_eq!(format!("{:04}", body.len()), len, "{field}");
            }
        }
        let [_, removed, climbed, _] = solver.repairs;
        assert_eq!((removed, climbed), (0, 0), "{field}: nothing is searched for");
    }
}

#[test]
fn a_number_too_long_for_its_field_is_searched_for_as_before() {
    let spec = load(
        "<start> ::= <len> ':' <body>\n<len> ::= r'[0-9]{1}'\n<body> ::= r'[a-z]{0,20}'\n\
         where int(<len>) == len(str(<body>))\n",
    );
    let mut solver = Solver::new(&spec, 1);
    let made = (0..200).filter(|_| solver.attempt().unwrap()).count();
    assert!(made > 20, "{made}");
}

#[test]
fn work_tells_what_repairs_in_vain_cost() {
    let spec = load(
        "<start> ::= <word>\n<word> ::= r'[a-z]{0,20}'\nwhere len(str(<word>)) * 2 == 2 * len(str(<word>)) + 1\n",
    );
    let mut solver = Solver::new(&spec, 1);
    solver.random_tree().unwrap();
    assert!(!solver.satisfy() && solver.work > 0 && solver.violates(waypoint_grammar::solve::touch::ALL));
}
