//! How fast distinct valid inputs of a spec come, and how large their trees are: `stream SPEC SECONDS [SIZE] [K]`.
use std::path::Path;

use waypoint_grammar::coverage::KPaths;
use waypoint_grammar::solve::stream::{Limits, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};

/// Seconds of CPU this process has had.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |at: usize, default: f64| args.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let spec = match Spec::load(Path::new(&args[1]), &Options::default()) {
        Ok(spec) => spec,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let size = number(3, 300.0) as u32;
    let limits =
        Limits { size, coverage: args.get(4).and_then(|text| text.parse().ok()), ..Limits::default() };
    let mut stream = Stream::new(&spec, 1, limits);
    let mut paths = KPaths::new(&spec.grammar, 4);
    let start = cpu();
    let (mut made, mut nodes, mut bytes) = (0u64, 0u64, 0);
    let mut told = String::new();
    while cpu() - start < number(2, 2.0) {
        for _ in 0..64 {
            match stream.next(None) {
                Next::Input(input) => {
                    made += 1;
                    bytes += input.len();
                }
                other => {
                    told = format!("{other:?}");
                    break;
                }
            }
            if made % 16 == 0 {
                nodes +=
                    16 * stream.solver.tree.nodes().iter().filter(|node| !node.is_control()).count() as u64;
            }
            if made <= 2000 {
                paths.add(&stream.solver.tree);
            }
        }
        if !told.is_empty() {
            break;
        }
    }
    let seconds = cpu() - start;
    println!(
        "{made} inputs, {:.0}/s, {:.1} nodes, {:.1} bytes, 4-paths {}/{} after 2000 {told} given up {:?} repairs {:?}",
        made as f64 / seconds,
        nodes as f64 / made as f64,
        bytes as f64 / made as f64,
        paths.seen(),
        paths.total(),
        stream.solver.given_up.iter().map(|(count, _)| count).collect::<Vec<_>>(),
        stream.solver.repairs
    );
}
