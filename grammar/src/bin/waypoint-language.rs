//! The commands of the language engine without the rest of `waypoint`, to build it quickly.
use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use waypoint_grammar::solve::solver::Solver;
use waypoint_grammar::spec::{Options, Spec};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let spec = match Spec::load(Path::new(&args[1]), &Options::default()) {
        Ok(spec) => spec,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let count: u32 = args.get(2).map_or(0, |n| n.parse().unwrap_or(0));
    let mut solver = Solver::new(&spec, 1);
    let start = Instant::now();
    let (mut good, mut tried, mut nodes, mut bytes) = (0, 0, 0u64, 0usize);
    let mut unique = HashSet::new();
    while good < count && start.elapsed().as_secs() < 5 {
        tried += 1;
        match solver.attempt() {
            Ok(true) => {
                good += 1;
                nodes += solver.tree.nodes().iter().filter(|node| !node.is_control()).count() as u64;
                let mut out = Vec::new();
                solver.tree.serialise(&spec.grammar, 0, &mut out);
                bytes += out.len();
                if count < 20 {
                    println!("{}", String::from_utf8_lossy(&out));
                }
                unique.insert(out);
            }
            Ok(false) => {}
            Err(error) => {
                eprintln!("{}", error.0);
                break;
            }
        }
    }
    let secs = start.elapsed().as_secs_f64();
    println!(
        "{good} of {tried} tried, unique {} in {secs:.3}s = {:.0}/s, nodes {:.0} bytes {:.0} refused {:?} raised {:?} {:?}",
        unique.len(), unique.len() as f64 / secs, nodes as f64 / f64::from(good), bytes as f64 / f64::from(good),
        solver.program.state.refused, solver.program.state.raised, solver.given_up
    );
}
