//! Every mutation of every tree yields a tree of the grammar, and the words of a grammar can be reached from each other.
use proptest::prelude::*;
use waypoint_grammar::generate::{Generator, NoHost};
use waypoint_grammar::ir::Grammar;
use waypoint_grammar::mutate::{Material, Mutator, OPERATORS};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::{Kind, Tree};

fn trees(grammar: &Grammar, seed: u64, count: usize) -> Vec<Tree> {
    let (mut generator, mut rng) = (Generator::new(grammar), Rng::new(seed));
    let one = |_| {
        let mut tree = Tree::default();
        generator
            .symbol(grammar, grammar.start, 120, &mut rng, &mut NoHost, &mut tree)
            .expect("no computed parts");
        tree
    };
    (0..count).map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_mutation_yields_a_tree_of_the_grammar(sample in 0..testing::SAMPLES.len(), seed: u64) {
        let (name, rules) = testing::SAMPLES[sample];
        let grammar = testing::grammar(rules);
        let donors = trees(&grammar, seed, 4);
        let material = Material { grammar: &grammar, donors: &donors, size: 40 };
        let (mut mutator, mut rng, mut out) = (Mutator::new(&grammar), Rng::new(seed), Tree::default());
        let mut tree = donors[0].clone();
        for _ in 0..3 {
            for mutation in OPERATORS {
                if mutator.apply(mutation, material, &tree, &mut rng, &mut NoHost, &mut out).unwrap() {
                    prop_assert_eq!(out.validate(&grammar, grammar.start), Ok(()), "{}: {:?}", name, mutation);
                }
            }
            // Go on from a mutated tree, so that unusual ones turn up too.
            if mutator.mutate(material, &tree, &mut rng, &mut NoHost, &mut out).unwrap().is_some() && out.len() < 2000 {
                prop_assert_eq!(out.validate(&grammar, grammar.start), Ok(()), "{}", name);
                std::mem::swap(&mut tree, &mut out);
            }
        }
    }

    #[test]
    fn a_tree_is_restored_from_what_was_stored(sample in 0..testing::SAMPLES.len(), seed: u64, cut: usize) {
        let (name, rules) = testing::SAMPLES[sample];
        let grammar = testing::grammar(rules);
        let tree = &trees(&grammar, seed, 1)[0];
        let mut stored = Vec::new();
        tree.store(&grammar, &mut stored);
        let restored = Tree::restore(&grammar, grammar.start, &stored);
        prop_assert_eq!(restored, Some((tree.clone(), stored.len())), "{}", name);
        // Damage gives another tree of the grammar, or none.
        if !stored.is_empty() {
            let at = cut % stored.len();
            stored[at] ^= 1 << (cut % 7);
            if let Some((other, _)) = Tree::restore(&grammar, grammar.start, &stored) {
                prop_assert_eq!(other.validate(&grammar, grammar.start), Ok(()), "{}", name);
            }
        }
    }

    #[test]
    fn a_repetition_gets_the_count_asked_for(seed: u64, count in 0u32..40) {
        let grammar = testing::grammar("<start> ::= 'x' (<a> ',')* 'y'\n<a> ::= 'a' | 'b' <a>");
        let tree = &trees(&grammar, seed, 1)[0];
        let at = (0..tree.len()).find(|at| matches!(tree.node(*at).kind(), Kind::Control(_))).unwrap();
        let (mut out, mut rng) = (Tree::default(), Rng::new(seed));
        Generator::new(&grammar).recount(&grammar, tree, at, count, 10, &mut rng, &mut NoHost, &mut out).unwrap();
        prop_assert_eq!(out.validate(&grammar, grammar.start), Ok(()));
        prop_assert_eq!(out.text().iter().filter(|byte| **byte == b',').count(), count as usize);
        let kept = tree.text().len().min(out.text().len()) - 1;
        prop_assert_eq!(&out.text()[..kept], &tree.text()[..kept]);
    }
}

#[test]
fn each_mutation_applies_somewhere() {
    let grammar = testing::grammar(
        "<start> ::= <a>* [[ <b> <c> ]] <d>\n<a> ::= <b> | '(' <a> ')'\n<b> ::= 'x' | 'y'\n<c> ::= 'z'+\n\
         <d> ::= r'[0-9]{1,6}'",
    );
    let donors = trees(&grammar, 3, 20);
    let material = Material { grammar: &grammar, donors: &donors, size: 40 };
    let (mut mutator, mut rng, mut out) = (Mutator::new(&grammar), Rng::new(1), Tree::default());
    for mutation in OPERATORS {
        let mut changed = false;
        for tree in &donors {
            let done = mutator.apply(mutation, material, tree, &mut rng, &mut NoHost, &mut out).unwrap();
            changed |= done && out.text() != tree.text();
        }
        assert!(changed, "{mutation:?}");
    }
}

#[test]
fn a_grammar_of_one_word_has_no_mutation() {
    let grammar = testing::grammar("<start> ::= 'a' <b>{3}\n<b> ::= 'b'");
    let donors = trees(&grammar, 0, 2);
    let material = Material { grammar: &grammar, donors: &donors, size: 10 };
    let mut out = Tree::default();
    let mutation =
        Mutator::new(&grammar).mutate(material, &donors[0], &mut Rng::new(0), &mut NoHost, &mut out);
    // Rounds of equal words may change places; nothing else can.
    assert!(
        matches!(mutation, Ok(None))
            || mutation.is_ok_and(|done| done.is_some_and(|operator| operator.name == "reorder"))
    );
}
