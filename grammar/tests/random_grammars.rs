//! The same promises over grammars drawn at random: ambiguous, left-recursive, nullable, with bits, regexes, permutations.
use proptest::prelude::*;
use waypoint_grammar::generate::{Generator, NoHost};
use waypoint_grammar::ir::{Grammar, SymbolId, UNPRODUCTIVE};
use waypoint_grammar::mutate::{Material, Mutator};
use waypoint_grammar::parse::{Limits, ParseError, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::Tree;

const TEXT: &[&str] = &["'a'", "'b'", "'ab'", "''", "r'[ab]*'", "r'a+b?'", "r'b|aa'", "'c'", "rb'[a-c]{2}'"];
const BITS: &[&str] = &["0", "1", "b'a'", "0 1", "1 1 0 0 0 0 1 0", "rb'[a-c]?'"];

/// Words up to this length, in bits for a grammar of bits, are parsed within the default budget, however ambiguous it is.
const SURELY_PARSED: usize = 200;

/// Rules of a few symbols.
fn rules(rng: &mut Rng) -> String {
    let (symbols, terminals) = (1 + rng.below(4), if rng.one_in(3) { BITS } else { TEXT });
    let mut rules = String::new();
    for symbol in 0..symbols {
        rules += &format!("<s{symbol}> ::= {}\n", expression(rng, symbols, terminals, 3));
    }
    rules
}

fn expression(rng: &mut Rng, symbols: u32, terminals: &[&str], depth: u32) -> String {
    let inner = |rng: &mut Rng| expression(rng, symbols, terminals, depth - 1);
    match if depth == 0 { 3 + rng.below(3) } else { rng.below(8) } {
        0 => format!("({} | {})", inner(rng), inner(rng)),
        1 => {
            let bounds = ["*", "+", "?", "{2}", "{1,3}", "{0,0}"][rng.below(6) as usize];
            format!("({}){bounds}", inner(rng))
        }
        // An item of a permutation makes one tree node.
        2 => format!("[[ <s{}> ({} | 'c') <s{}> ]]", rng.below(symbols), inner(rng), rng.below(symbols)),
        3 | 4 => terminals[rng.below(terminals.len() as u32) as usize].to_owned(),
        5 => format!("<s{}>", rng.below(symbols)),
        _ => format!("{} {}", inner(rng), inner(rng)),
    }
}

/// A grammar of which every symbol has a word.
fn grammar(seed: u64) -> (String, Grammar) {
    let mut rng = Rng::new(seed);
    loop {
        let rules = rules(&mut rng);
        let grammar = testing::grammar(&rules);
        if grammar.symbols.iter().all(|symbol| grammar.least(symbol.rule) != UNPRODUCTIVE) {
            return (rules, grammar);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn generate_mutate_parse(seed: u64) {
        let (rules, grammar) = grammar(seed);
        let (mut generator, mut rng) = (Generator::new(&grammar), Rng::new(seed));
        let (mut parser, mut mutator) = (Parser::new(&grammar), Mutator::new(&grammar));
        for _ in 0..5 {
            let (mut tree, mut mutated) = (Tree::default(), Tree::default());
            generator.symbol(&grammar, SymbolId(0), 30, &mut rng, &mut NoHost, &mut tree).unwrap();
            prop_assert_eq!(tree.validate(&grammar, SymbolId(0)), Ok(()), "{}", rules);
            let material = Material { grammar: &grammar, donors: &[], size: 20, dear: 1 };
            if mutator.mutate(material, &tree, &mut rng, &mut NoHost, &mut mutated).unwrap().is_some() {
                prop_assert_eq!(mutated.validate(&grammar, SymbolId(0)), Ok(()), "{}", rules);
            }
            if mutated.len() < 500 && !mutated.is_empty() {
                std::mem::swap(&mut tree, &mut mutated);
            }
            let mut bytes = Vec::new();
            tree.serialise(&grammar, 0, &mut bytes);
            for prefix in [false, true] {
                let mut parsed = Tree::default();
                let limits = Limits { prefix, ..Limits::default() };
                let result =
                    parser.parse(&grammar, SymbolId(0), &bytes, false, limits, &mut rng, &mut NoHost, &mut parsed);
                let shown = bytes.escape_ascii();
                match result {
                    // Bits that fill no byte have zeros behind them, which are not part of the prefix.
                    Ok(end) => prop_assert!(prefix || end == bytes.len(), "{shown} {rules}"),
                    // A long word of a grammar that has cubically many ways may cost more than the budget.
                    Err(ParseError::Budget { .. }) => {
                        let length = if grammar.has_bits { 8 * bytes.len() } else { bytes.len() };
                        prop_assert!(length > SURELY_PARSED, "{shown}\n{rules}");
                    }
                    Err(error) => prop_assert!(prefix && grammar.has_bits, "{error}: {shown}\n{rules}"),
                }
                if !parsed.is_empty() {
                    prop_assert_eq!(parsed.validate(&grammar, SymbolId(0)), Ok(()), "{}\n{}", shown, rules);
                    let mut again = Vec::new();
                    parsed.serialise(&grammar, 0, &mut again);
                    let whole = again.len().saturating_sub(usize::from(prefix));
                    prop_assert!(bytes.starts_with(&again[..whole]) && (prefix || again == bytes));
                }
            }
        }
    }

    #[test]
    fn garbage_is_refused_or_parsed_in_time(seed: u64, input in "[abc]{0,40}") {
        let (rules, grammar) = grammar(seed);
        let mut tree = Tree::default();
        let limits = Limits { steps: 200_000, prefix: false };
        let result = Parser::new(&grammar)
            .parse(&grammar, SymbolId(0), input.as_bytes(), false, limits, &mut Rng::new(0), &mut NoHost, &mut tree);
        match result {
            Ok(end) => {
                prop_assert_eq!(end, input.len());
                prop_assert_eq!(tree.validate(&grammar, SymbolId(0)), Ok(()), "{}", rules);
            }
            Err(ParseError::Mismatch { .. } | ParseError::Budget { .. }) => prop_assert!(tree.is_empty()),
        }
    }
}
