//! Inputs per second of processor time, one core: generated, with a map of 4-paths, regrown, mutated, parsed.
//!
//! `cargo run --release -p waypoint-grammar --example speed [RULES...]`, where RULES are files of plain rules.
use std::hint::black_box;

use waypoint_grammar::coverage::KPaths;
use waypoint_grammar::generate::{Generator, NoHost};
use waypoint_grammar::ir::Grammar;
use waypoint_grammar::parse::{Limits, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::Tree;

/// How many trees are the material for parsing and regrowing.
const TREES: usize = 1000;

/// The size that trees may have, in nodes.
const SIZE: u32 = 200;

fn main() {
    println!(
        "{:<14}{:>8}{:>8}{:>11}{:>11}{:>11}{:>11}{:>11}{:>14}",
        "grammar", "nodes", "bytes", "generate", "4-paths", "steered", "regrow", "parse", "paths seen"
    );
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        for (name, rules) in testing::SAMPLES {
            measure(name, &testing::grammar(rules));
        }
    }
    for file in files {
        match std::fs::read_to_string(&file) {
            Ok(rules) => {
                let name = file.rsplit('/').next().unwrap_or(&file);
                measure(name, &testing::grammar(&rules));
            }
            Err(error) => eprintln!("cannot read {file}: {error}"),
        }
    }
}

fn measure(name: &str, grammar: &Grammar) {
    let mut generator = Generator::new(grammar);
    let mut rng = Rng::new(1);
    let mut tree = Tree::default();
    let mut out = Vec::new();

    let (mut nodes, mut bytes, mut made) = (0u64, 0u64, 0u64);
    let generated = per_second(|| {
        one(&mut generator, grammar, &mut rng, &mut tree);
        out.clear();
        tree.serialise(grammar, 0, &mut out);
        nodes += u64::from(tree.len());
        bytes += out.len() as u64;
        made += 1;
        black_box(&out);
    });

    let mut paths = KPaths::new(grammar, 4);
    let with_paths = per_second(|| {
        one(&mut generator, grammar, &mut rng, &mut tree);
        paths.add(&tree);
        out.clear();
        tree.serialise(grammar, 0, &mut out);
        black_box(&out);
    });

    let mut paths = KPaths::new(grammar, 4);
    let steered = per_second(|| {
        tree.clear();
        let done = generator.steered(grammar, SIZE, &mut rng, &mut NoHost, &mut paths, &mut tree);
        assert!(done.is_ok(), "{done:?}");
        paths.add(&tree);
        out.clear();
        tree.serialise(grammar, 0, &mut out);
        black_box(&out);
    });

    let trees: Vec<Tree> = (0..TREES)
        .map(|_| {
            let mut tree = Tree::default();
            one(&mut generator, grammar, &mut rng, &mut tree);
            tree
        })
        .collect();
    let mut next = 0;
    let regrown = per_second(|| {
        let from = &trees[next % TREES];
        next += 1;
        let at = rng.below(from.len());
        let done = generator.regrow(grammar, from, at, None, SIZE / 4, &mut rng, &mut NoHost, &mut tree);
        assert!(done.is_ok(), "{done:?}");
        out.clear();
        tree.serialise(grammar, 0, &mut out);
        black_box(&out);
    });

    let inputs: Vec<Vec<u8>> = trees
        .iter()
        .map(|tree| {
            let mut input = Vec::new();
            tree.serialise(grammar, 0, &mut input);
            input
        })
        .collect();
    let mut parser = Parser::new(grammar);
    let mut next = 0;
    let parsed = per_second(|| {
        tree.clear();
        let input = &inputs[next % TREES];
        next += 1;
        let start = grammar.start;
        let done =
            parser.parse(grammar, start, input, false, Limits::default(), &mut rng, &mut NoHost, &mut tree);
        assert!(done.is_ok(), "{done:?} on {:?}", String::from_utf8_lossy(input));
    });

    println!(
        "{name:<14}{:>8.1}{:>8.1}{generated:>11.0}{with_paths:>11.0}{steered:>11.0}{regrown:>11.0}{parsed:>11.0}{:>14}",
        nodes as f64 / made as f64,
        bytes as f64 / made as f64,
        format!("{}/{}", paths.seen(), paths.total())
    );
    for chain in paths.unseen(grammar, 3) {
        println!("{:14}not seen: {}", "", chain.join(" "));
    }
}

fn one(generator: &mut Generator, grammar: &Grammar, rng: &mut Rng, tree: &mut Tree) {
    tree.clear();
    let done = generator.symbol(grammar, grammar.start, SIZE, rng, &mut NoHost, tree);
    assert!(done.is_ok(), "{done:?}");
}

/// How often `work` runs in a second of processor time, from half a second of it.
fn per_second(mut work: impl FnMut()) -> f64 {
    for _ in 0..100 {
        work();
    }
    let (start, mut runs) = (cpu_seconds(), 0u64);
    loop {
        for _ in 0..100 {
            work();
        }
        runs += 100;
        let spent = cpu_seconds() - start;
        if spent > 0.5 {
            return runs as f64 / spent;
        }
    }
}

/// Processor time of this process, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = stat.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
