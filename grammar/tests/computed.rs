//! Computed repetitions and generators: generation and parsing ask the host with the tree so far.
use proptest::prelude::*;
use waypoint_grammar::generate::{Failure, Generator, Host};
use waypoint_grammar::ir::{self, Bound, ExprId, Grammar, Node, SymbolId};
use waypoint_grammar::parse::{Limits, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::{Index, Tree};

/// Bounds are the number in the last `<n>` of the innermost list; generators make their source in capitals.
struct Program {
    n: SymbolId,
    list: SymbolId,
}

impl Host for Program {
    fn bound(&mut self, _: ExprId, tree: &Tree, within: &[Index], _: &mut Rng) -> Result<u32, Failure> {
        let list = within.iter().rev().find(|at| tree.node(**at).is_symbol(self.list));
        let list = list.ok_or_else(|| Failure("not within a list".into()))?;
        for at in within {
            assert_eq!(tree.node(*at).len, 1, "an open node");
        }
        let n = (*list..tree.len()).find(|at| tree.node(*at).is_symbol(self.n));
        let text = tree.text_of(n.ok_or_else(|| Failure("no number yet".into()))?);
        std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| Failure("no number".into()))
    }

    fn produce(
        &mut self,
        _: SymbolId,
        sources: &[Tree],
        _: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        out.extend(sources.iter().flat_map(|source| source.text().to_ascii_uppercase()));
        Ok(false)
    }
}

fn lists(rules: &str) -> (Grammar, Program) {
    let mut grammar = testing::grammar(rules);
    for node in &mut grammar.nodes {
        if let Node::Repeat { min, max: max @ Bound::Const(99), .. } = node {
            (*min, *max) = (Bound::Expr(ExprId(0)), Bound::Expr(ExprId(0)));
        }
    }
    let find = |name| grammar.find(name).expect("the rules have it");
    let program = Program { n: find("<n>"), list: find("<list>") };
    (grammar, program)
}

const PLAIN: &str = "<start> ::= <list> '.'
    <list> ::= <n> ':' <item>{0,99}
    <n> ::= '0' | '1' | '2' | '3' | '12'
    <item> ::= 'a' | '(' <list> ')' | <n>";

/// The same with left recursion, which only the chart can parse.
const LEFT: &str = "<start> ::= <list> <dots>
    <dots> ::= <dots> '.' | '.'
    <list> ::= <n> ':' <item>{0,99}
    <n> ::= '0' | '1' | '2' | '3' | '12'
    <item> ::= 'a' | '(' <list> ')' | '[' <n> ']'";

fn counts_hold(grammar: &Grammar, program: &Program, tree: &Tree) -> bool {
    tree.descendants(0, program.list).all(|list| {
        let children: Vec<Index> = tree.children(list).collect();
        std::str::from_utf8(tree.text_of(children[0])) == Ok(&(children.len() - 2).to_string())
    }) && tree.validate(grammar, grammar.start).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn computed_counts_hold_when_generated_regrown_and_parsed(seed: u64, left: bool, place: prop::sample::Index) {
        let (grammar, mut program) = lists(if left { LEFT } else { PLAIN });
        let (mut generator, mut rng) = (Generator::new(&grammar), Rng::new(seed));
        let (mut tree, mut out, mut parsed) = (Tree::default(), Tree::default(), Tree::default());
        generator.symbol(&grammar, grammar.start, 60, &mut rng, &mut program, &mut tree).unwrap();
        prop_assert!(counts_hold(&grammar, &program, &tree));
        // A list's number and its items change together when the list is regrown.
        let spots: Vec<Index> = tree.descendants(0, program.list).collect();
        let at = spots[place.index(spots.len())];
        generator.regrow(&grammar, &tree, at, None, 30, &mut rng, &mut program, &mut out).unwrap();
        prop_assert!(counts_hold(&grammar, &program, &out));
        let start = grammar.start;
        let end = Parser::new(&grammar)
            .parse(&grammar, start, tree.text(), false, Limits::default(), &mut rng, &mut program, &mut parsed)
            .map_err(|error| TestCaseError::fail(format!("{error} in {:?}", String::from_utf8_lossy(tree.text()))))?;
        prop_assert_eq!(end, tree.text().len());
        prop_assert!(counts_hold(&grammar, &program, &parsed));
    }
}

#[test]
fn a_wrong_count_does_not_parse() {
    for rules in [PLAIN, LEFT] {
        let (grammar, mut program) = lists(rules);
        let mut parser = Parser::new(&grammar);
        for (input, fits) in
            [("2:aa.", true), ("2:a(1:a).", true), ("1:aa.", false), ("3:aa.", false), ("1:(2:a).", false)]
        {
            let mut tree = Tree::default();
            let result = parser.parse(
                &grammar,
                grammar.start,
                input.as_bytes(),
                false,
                Limits::default(),
                &mut Rng::new(0),
                &mut program,
                &mut tree,
            );
            assert_eq!(result.is_ok(), fits, "{input}: {result:?}");
            assert_eq!(tree.is_empty(), !fits);
        }
    }
}

#[test]
fn a_generator_s_text_is_parsed_and_its_source_kept() {
    let rules = "<start> ::= <n> <list> <shout>{2}\n<shout> ::= 'A' | 'B' <shout>\n<list> ::= 'a' | 'b' <list>\n<n> ::= 'n'";
    let (mut grammar, mut program) = lists(rules);
    let (shout, list) = (grammar.find("<shout>").unwrap(), program.list);
    grammar.symbols[shout.0 as usize].generator =
        Some(ir::Generator { expr: ExprId(1), sources: vec![list] });
    let (mut generator, mut tree) = (Generator::new(&grammar), Tree::default());
    let mut rng = Rng::new(5);
    for _ in 0..100 {
        tree.clear();
        generator.symbol(&grammar, grammar.start, 50, &mut rng, &mut program, &mut tree).unwrap();
        tree.validate(&grammar, grammar.start).unwrap();
        assert_eq!(tree.sources.len(), 2);
        for source in &tree.sources {
            assert!(tree.node(source.node).is_symbol(shout));
            assert_eq!(tree.text_of(source.node), source.tree.text().to_ascii_uppercase());
        }
        // Sources move with their nodes.
        let mut out = Tree::default();
        generator
            .regrow(
                &grammar,
                &tree,
                tree.descendants(0, list).next().unwrap(),
                None,
                50,
                &mut rng,
                &mut program,
                &mut out,
            )
            .unwrap();
        assert_eq!(out.sources.len(), 2);
        assert!(out.sources.iter().all(|source| out.node(source.node).is_symbol(shout)));
    }
    grammar.symbols[shout.0 as usize].generator =
        Some(ir::Generator { expr: ExprId(1), sources: vec![program.n] });
    let failure = generator.symbol(&grammar, grammar.start, 50, &mut rng, &mut program, &mut Tree::default());
    let message = failure.unwrap_err().0;
    assert_eq!(
        message,
        "the generator of <shout> made \"N\", which <shout> cannot derive: at byte 0, expected 'A' or 'B'"
    );
}
