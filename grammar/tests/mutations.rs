//! Every mutation of every tree yields a tree of the grammar, and the words of a grammar can be reached from each other.
use std::rc::Rc;

use proptest::prelude::*;
use waypoint_grammar::generate::{Generator, NoHost};
use waypoint_grammar::ir::Grammar;
use waypoint_grammar::mutate::{Material, Mutator, OPERATORS, Subject};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::{Kind, Patch, Tree};

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

fn ready(mutator: &Mutator, grammar: &Grammar, trees: &[Tree]) -> Vec<Rc<Subject>> {
    trees.iter().map(|tree| Rc::new(mutator.subject(grammar, tree.clone()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_patch_writes_the_bytes_of_the_tree_it_makes(sample in 0..testing::SAMPLES.len(), seed: u64) {
        let (name, rules) = testing::SAMPLES[sample];
        let grammar = testing::grammar(rules);
        let (mut mutator, mut rng, mut out) = (Mutator::new(&grammar), Rng::new(seed), Tree::default());
        let donors = ready(&mutator, &grammar, &trees(&grammar, seed, 4));
        let material = Material { grammar: &grammar, donors: &donors, size: 40, dear: 1 };
        for subject in &donors {
            let mut patch = Patch::default();
            for _ in 0..4 {
                let operator = OPERATORS[rng.below(OPERATORS.len() as u32) as usize];
                mutator.change(operator, material, subject, &mut rng, &mut NoHost, &mut patch).unwrap();
                mutator.change_further(operator, material, &mut rng, &mut NoHost, &mut patch).unwrap();
                patch.apply(&subject.tree, &mut out);
                prop_assert_eq!(out.validate(&grammar, grammar.start), Ok(()), "{}: {:?}", name, operator);
                prop_assert!(!patch.keeps_text(&subject.tree) || out.text() == subject.tree.text(), "{}", name);
                if Patch::is_writable(&grammar) {
                    let (mut written, mut serialised) = (Vec::new(), Vec::new());
                    patch.write(&subject.tree, &mut written);
                    out.serialise(&grammar, 0, &mut serialised);
                    prop_assert_eq!(written, serialised, "{}: {:?}", name, operator);
                }
            }
        }
    }

    #[test]
    fn every_mutation_yields_a_tree_of_the_grammar(sample in 0..testing::SAMPLES.len(), seed: u64) {
        let (name, rules) = testing::SAMPLES[sample];
        let grammar = testing::grammar(rules);
        let (mut mutator, mut rng, mut out) = (Mutator::new(&grammar), Rng::new(seed), Tree::default());
        let donors = ready(&mutator, &grammar, &trees(&grammar, seed, 4));
        let material = Material { grammar: &grammar, donors: &donors, size: 40, dear: 1 };
        let mut tree = Tree::clone(&donors[0].tree);
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
    let (mut mutator, mut rng, mut out) = (Mutator::new(&grammar), Rng::new(1), Tree::default());
    let donors = ready(&mutator, &grammar, &trees(&grammar, 3, 20));
    let material = Material { grammar: &grammar, donors: &donors, size: 40, dear: 1 };
    for mutation in OPERATORS {
        let mut changed = false;
        for tree in donors.iter().map(|donor| &donor.tree) {
            let done = mutator.apply(mutation, material, tree, &mut rng, &mut NoHost, &mut out).unwrap();
            changed |= done && out.text() != tree.text();
        }
        assert!(changed, "{mutation:?}");
    }
}

#[test]
fn a_grammar_of_one_word_has_no_mutation() {
    let grammar = testing::grammar("<start> ::= 'a' <b>{3}\n<b> ::= 'b'");
    let mut mutator = Mutator::new(&grammar);
    let donors = ready(&mutator, &grammar, &trees(&grammar, 0, 2));
    let material = Material { grammar: &grammar, donors: &donors, size: 10, dear: 1 };
    let mut out = Tree::default();
    let mutation = mutator.mutate(material, &donors[0].tree, &mut Rng::new(0), &mut NoHost, &mut out);
    // Rounds of equal words may change places; nothing else can.
    assert!(
        matches!(mutation, Ok(None))
            || mutation.is_ok_and(|done| done.is_some_and(|operator| operator.name == "reorder"))
    );
}
