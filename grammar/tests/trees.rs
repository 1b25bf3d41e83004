//! What holds for every tree of every grammar: it is a derivation, its bytes parse back, and parsing always ends.
use proptest::prelude::*;
use waypoint_grammar::coverage::KPaths;
use waypoint_grammar::generate::{Generator, NoHost};
use waypoint_grammar::ir::Grammar;
use waypoint_grammar::parse::{Limits, ParseError, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::Tree;

fn generate(grammar: &Grammar, seed: u64, size: u32) -> Tree {
    let mut tree = Tree::default();
    let mut rng = Rng::new(seed);
    Generator::new(grammar)
        .symbol(grammar, grammar.start, size, &mut rng, &mut NoHost, &mut tree)
        .expect("samples have no computed parts");
    tree
}

fn bytes(grammar: &Grammar, tree: &Tree) -> Vec<u8> {
    let mut out = Vec::new();
    tree.serialise(grammar, 0, &mut out);
    out
}

fn parse(grammar: &Grammar, input: &[u8], limits: Limits) -> Result<(Tree, usize), ParseError> {
    let mut tree = Tree::default();
    let mut rng = Rng::new(0);
    let end = Parser::new(grammar).parse(
        grammar,
        grammar.start,
        input,
        false,
        limits,
        &mut rng,
        &mut NoHost,
        &mut tree,
    )?;
    Ok((tree, end))
}

fn samples() -> impl Strategy<Value = (&'static str, Grammar)> {
    (0..testing::SAMPLES.len()).prop_map(|index| {
        let (name, rules) = testing::SAMPLES[index];
        (name, testing::grammar(rules))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn generated_trees_are_derivations_and_parse_back((name, grammar) in samples(), seed: u64, size in 0u32..300) {
        let tree = generate(&grammar, seed, size);
        prop_assert_eq!(tree.validate(&grammar, grammar.start), Ok(()), "{}", name);
        let input = bytes(&grammar, &tree);
        let (parsed, end) = parse(&grammar, &input, Limits::default())
            .map_err(|error| TestCaseError::fail(format!("{name}: {error} in {:?}", input.escape_ascii().to_string())))?;
        prop_assert_eq!(end, input.len());
        prop_assert_eq!(parsed.validate(&grammar, grammar.start), Ok(()), "{} {:?}", name, input.escape_ascii().to_string());
        prop_assert_eq!(bytes(&grammar, &parsed), input.clone());
        // The form with a byte for every bit parses as well.
        let mut again = Tree::default();
        let spread = tree.text().to_vec();
        let end = Parser::new(&grammar)
            .parse(&grammar, grammar.start, &spread, true, Limits::default(), &mut Rng::new(0), &mut NoHost, &mut again)
            .map_err(|error| TestCaseError::fail(format!("{name}: {error}")))?;
        prop_assert_eq!(end, spread.len());
        prop_assert_eq!(again.text(), &spread[..]);
    }

    #[test]
    fn one_seed_gives_one_tree((_, grammar) in samples(), seed: u64) {
        prop_assert_eq!(generate(&grammar, seed, 100), generate(&grammar, seed, 100));
    }

    #[test]
    fn size_is_kept((name, grammar) in samples(), seed: u64, size in 0u32..2000) {
        let tree = generate(&grammar, seed, size);
        let least = grammar.least(grammar.symbol(grammar.start).rule).nodes + 1;
        prop_assert!(tree.len() <= size.max(least + (size / 2).max(least / 4)), "{}: {} nodes for {}", name, tree.len(), size);
    }

    #[test]
    fn parsing_garbage_ends((_, grammar) in samples(), seed: u64, cut in any::<prop::sample::Index>(), junk: Vec<u8>) {
        let mut input = bytes(&grammar, &generate(&grammar, seed, 200));
        let at = cut.index(input.len() + 1);
        input.splice(at..(at + junk.len() / 2).min(input.len()), junk);
        let limits = Limits { steps: 300_000, prefix: false };
        if let Ok((tree, end)) = parse(&grammar, &input, limits) {
            prop_assert_eq!(end, input.len());
            prop_assert_eq!(tree.validate(&grammar, grammar.start), Ok(()));
            prop_assert_eq!(bytes(&grammar, &tree), input);
        }
    }

    #[test]
    fn a_prefix_is_found((name, grammar) in samples(), seed: u64, tail: Vec<u8>) {
        let mut input = bytes(&grammar, &generate(&grammar, seed, 100));
        let least = input.len();
        input.extend(tail);
        let (tree, end) = parse(&grammar, &input, Limits { prefix: true, ..Limits::default() })
            .map_err(|error| TestCaseError::fail(format!("{name}: {error}")))?;
        prop_assert!(end >= least, "{}", name);
        prop_assert_eq!(tree.validate(&grammar, grammar.start), Ok(()));
        prop_assert_eq!(&bytes(&grammar, &tree)[..], &input[..end]);
    }

    #[test]
    fn a_replaced_subtree_is_its_bytes_in_place((_, grammar) in samples(), seeds: (u64, u64), places: (prop::sample::Index, prop::sample::Index)) {
        let (tree, donor) = (generate(&grammar, seeds.0, 150), generate(&grammar, seeds.1, 150));
        let at = places.0.index(tree.len() as usize) as u32;
        let same: Vec<u32> = (0..donor.len()).filter(|from| donor.node(*from).kind() == tree.node(at).kind()).collect();
        prop_assume!(!same.is_empty());
        let from = same[places.1.index(same.len())];
        let mut replaced = tree.clone();
        replaced.replace(at, &donor, from);
        prop_assert_eq!(replaced.validate(&grammar, grammar.start), Ok(()));
        let range = tree.text_range(at);
        let text = [&tree.text()[..range.start], donor.text_of(from), &tree.text()[range.end..]].concat();
        prop_assert_eq!(replaced.text(), &text[..]);
        prop_assert!(replaced.same(at, &donor, from));
        let mut rebuilt = Tree::default();
        let done: Result<(), ()> = tree.rebuild(at, &mut rebuilt, &mut Vec::new(), |out, _| {
            out.append(&donor, from);
            Ok(())
        });
        prop_assert_eq!(done, Ok(()));
        prop_assert_eq!(rebuilt, replaced);
    }

    #[test]
    fn regrowing_changes_one_place((_, grammar) in samples(), seed: u64, place: prop::sample::Index) {
        let tree = generate(&grammar, seed, 150);
        let at = place.index(tree.len() as usize) as u32;
        let mut out = Tree::default();
        let mut rng = Rng::new(seed);
        Generator::new(&grammar).regrow(&grammar, &tree, at, None, 50, &mut rng, &mut NoHost, &mut out).unwrap();
        prop_assert_eq!(out.validate(&grammar, grammar.start), Ok(()));
        let range = tree.text_range(at);
        prop_assert_eq!(&out.text()[..range.start], &tree.text()[..range.start]);
        prop_assert!(out.text().ends_with(&tree.text()[range.end..]));
    }
}

#[test]
fn every_sample_shows_all_its_paths_when_steered() {
    for (name, rules) in testing::SAMPLES {
        let grammar = testing::grammar(rules);
        let mut paths = KPaths::new(&grammar, 4);
        let (mut generator, mut rng, mut tree) = (Generator::new(&grammar), Rng::new(1), Tree::default());
        for _ in 0..3000 {
            tree.clear();
            generator.steered(&grammar, 600, &mut rng, &mut NoHost, &mut paths, &mut tree).unwrap();
            tree.validate(&grammar, grammar.start).unwrap();
            paths.add(&tree);
        }
        let unseen = paths.unseen(&grammar, 5);
        assert_eq!((paths.seen(), &unseen), (paths.total(), &Vec::new()), "{name}");
    }
}

#[test]
fn nested_ambiguity_does_not_hang() {
    let grammar = testing::grammar("<start> ::= <start> <start> <start> | <start> <start> | 'a' | ''");
    let (tree, _) = parse(&grammar, &[b'a'; 60], Limits::default()).unwrap();
    assert_eq!(tree.text(), [b'a'; 60]);
    let error = parse(&grammar, &[b'a'; 3000], Limits { steps: 100_000, prefix: false }).unwrap_err();
    assert!(matches!(error, ParseError::Budget { .. }), "{error}");
}

#[test]
fn a_regex_that_looks_far_at_every_position_does_not_hang() {
    let grammar = testing::grammar("<start> ::= (r'[^x]*x' | 'a')*");
    let error = parse(&grammar, &[b'a'; 300_000], Limits { steps: 5_000_000, prefix: false }).unwrap_err();
    assert!(matches!(error, ParseError::Budget { .. }), "{error}");
    let input = [&[b'a'; 3000][..], b"x"].concat();
    assert_eq!(parse(&grammar, &input, Limits::default()).unwrap().1, input.len());
}

#[test]
fn bits_that_fill_no_byte_parse_with_zeros_behind_them() {
    let grammar = testing::grammar("<start> ::= 'x' <bit>{1,20}\n<bit> ::= 0 | 1");
    for seed in 0..200 {
        let tree = generate(&grammar, seed, 50);
        let input = bytes(&grammar, &tree);
        let (parsed, end) = parse(&grammar, &input, Limits::default()).unwrap();
        assert_eq!((bytes(&grammar, &parsed), end), (input.clone(), input.len()));
    }
    assert!(parse(&grammar, b"x\0\0\0\0", Limits::default()).is_err());
}

#[test]
fn deep_recursion_does_not_overflow_the_stack() {
    let grammar = testing::grammar("<start> ::= '(' <start> ')' | <list>\n<list> ::= 'x' <list> | ''");
    for input in [[b"(".repeat(200_000), b")".repeat(200_000)].concat(), b"x".repeat(400_000)] {
        let (tree, _) = parse(&grammar, &input, Limits::default()).unwrap();
        assert_eq!(bytes(&grammar, &tree), input);
        tree.validate(&grammar, grammar.start).unwrap();
    }
}

#[test]
fn a_mismatch_says_where_and_what_was_expected() {
    let grammar = testing::grammar("<start> ::= <key> '=' ('yes' | 'no') ';'\n<key> ::= r'[a-z]+'");
    let error = parse(&grammar, b"ab=maybe;", Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "at byte 3, expected 'yes' or 'no'");
    let error = parse(&grammar, b"ab=no;x", Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "at byte 6, expected the end");
    let error = parse(&grammar, b"=no", Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "at byte 0, expected <key>");
}
