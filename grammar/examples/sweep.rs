//! Loads specs, generates from each, and parses what was generated: what fails, and how fast both are.
use std::path::Path;
use std::time::Instant;

use waypoint_grammar::generate::Generator;
use waypoint_grammar::parse::{Limits, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::solve::host::Program;
use waypoint_grammar::spec::{Options, Spec};
use waypoint_grammar::tree::Tree;

fn main() {
    for file in std::env::args().skip(1) {
        let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
        let start = Instant::now();
        let spec = match Spec::load(Path::new(&file), &Options::default()) {
            Ok(spec) => spec,
            Err(_) => {
                println!("{name:<40} does not load");
                continue;
            }
        };
        let grammar = &spec.grammar;
        let mut program = Program::new(&spec);
        let mut generator = Generator::new(grammar);
        let mut parser = Parser::new(grammar);
        let loaded = start.elapsed();
        let mut rng = Rng::new(1);
        let (mut made, mut nodes, mut generating, mut parsing) = (0u32, 0, 0.0, 0.0);
        let mut problem = String::new();
        while made < 300 && generating + parsing < 2.0 {
            let mut tree = Tree::default();
            let start = Instant::now();
            if let Err(error) =
                generator.symbol(grammar, grammar.start, 100, &mut rng, &mut program, &mut tree)
            {
                problem = error.0;
                break;
            }
            generating += start.elapsed().as_secs_f64();
            made += 1;
            nodes += tree.len();
            if let Err(flaw) = tree.validate(grammar, grammar.start) {
                problem = format!("{flaw:?}");
            }
            let mut bytes = Vec::new();
            tree.serialise(grammar, 0, &mut bytes);
            let mut parsed = Tree::default();
            let start = Instant::now();
            let result = parser.parse(
                grammar,
                grammar.start,
                &bytes,
                false,
                Limits::default(),
                &mut rng,
                &mut program,
                &mut parsed,
            );
            parsing += start.elapsed().as_secs_f64();
            match result {
                Err(error) => problem = format!("{error} in {}", bytes.escape_ascii()),
                Ok(_) => {
                    let mut again = Vec::new();
                    parsed.serialise(grammar, 0, &mut again);
                    if again != bytes || parsed.validate(grammar, grammar.start).is_err() {
                        problem = "other bytes".into();
                    }
                }
            }
        }
        problem.truncate(300);
        println!(
            "{name:<32} load {:>6.1}ms {made:>5} trees {:>7.1} nodes, gen {:>9.0}/s, parse {:>9.0}/s  {problem}",
            loaded.as_secs_f64() * 1e3,
            f64::from(nodes) / f64::from(made.max(1)),
            f64::from(made) / generating,
            f64::from(made) / parsing
        );
    }
}
