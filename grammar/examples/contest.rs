//! Our side of `scripts/bench language`: makes inputs of a spec, judges files by it, loads specs; answers in JSON.
//!
//! `contest make SPEC SECONDS SIZE SEED DIR KEEP [K]`, `contest judge SPEC SECONDS DIR`, `contest load SPEC...`
use std::path::{Path, PathBuf};

use waypoint_grammar::coverage::KPaths;
use waypoint_grammar::parse::Limits;
use waypoint_grammar::solve::solver::Solver;
use waypoint_grammar::solve::stream::{self, Next, Stream};
use waypoint_grammar::spec::{Options, Spec};
use waypoint_grammar::tree::Tree;

/// Of the inputs made, one in so many has the nodes of its tree counted.
const SAMPLE: u64 = 16;
/// Seconds for which inputs that were parsed are checked by their constraints.
const CHECKING: f64 = 3.0;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    match args.first().map(String::as_str) {
        Some("make") if args.len() >= 7 => {
            let limits = stream::Limits {
                size: number(3) as u32,
                coverage: args.get(7).and_then(|text| text.parse().ok()),
                ..stream::Limits::default()
            };
            let keep = (Path::new(&args[5]), number(6) as u64);
            make(&load(&args[1]), number(2), limits, number(4) as u64, keep);
        }
        Some("judge") if args.len() == 4 => judge(&load(&args[1]), number(2), Path::new(&args[3])),
        Some("load") => {
            for file in &args[1..] {
                let flaw =
                    Spec::load(Path::new(file), &Options::default()).err().map(|error| error.to_string());
                println!("{file}\t{}", flaw.unwrap_or_default().escape_default());
            }
        }
        _ => {
            eprintln!("contest: the arguments are those of its first lines");
            std::process::exit(2);
        }
    }
}

fn load(file: &str) -> Spec {
    Spec::load(Path::new(file), &Options::default()).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1);
    })
}

/// Distinct valid inputs until so many seconds of processor time are used; the first few are kept as files.
fn make(spec: &Spec, seconds: f64, limits: stream::Limits, seed: u64, (dir, keep): (&Path, u64)) {
    let start = cpu();
    let mut stream = Stream::new(spec, seed, limits);
    let (mut made, mut bytes, mut nodes, mut writing) = (0u64, 0, 0, 0.0);
    let mut told = String::new();
    while cpu() - start - writing < seconds && told.is_empty() {
        for _ in 0..64 {
            match stream.next(None) {
                Next::Input(input) => {
                    bytes += input.len();
                    if made < keep {
                        let since = cpu();
                        std::fs::write(dir.join(format!("{made:07}")), input)
                            .expect("the directory is there");
                        writing += cpu() - since;
                    }
                    if made % SAMPLE == 0 {
                        nodes += size(&stream.solver.tree);
                    }
                    made += 1;
                }
                other => {
                    told = format!("{other:?}");
                    break;
                }
            }
        }
    }
    let used = cpu() - start - writing;
    let sampled = made.div_ceil(SAMPLE).max(1);
    println!(
        "{{\"inputs\": {made}, \"cpu_seconds\": {used}, \"bytes\": {}, \"nodes\": {}, \"ended\": \"{}\"}}",
        bytes as f64 / made.max(1) as f64,
        nodes as f64 / sampled as f64,
        told.escape_default()
    );
}

/// Parses every file of a directory once, then all again until the time is used: what they cover, and how fast it is.
fn judge(spec: &Spec, seconds: f64, dir: &Path) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let inputs: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("readable")).collect();
    let mut solver = Solver::new(spec, 1);
    let mut paths = KPaths::new(&spec.grammar, 4);
    let (mut parsed, mut valid, mut nodes, mut violated) =
        (Vec::new(), 0u64, 0, vec![0u64; spec.constraints.len()]);
    let (mut checked, mut spent) = (0u64, 0.0);
    for input in &inputs {
        if solver.read_any(input, Limits::default()).is_err() {
            continue;
        }
        parsed.push(input);
        nodes += size(&solver.tree);
        paths.add(&solver.tree);
        // Looking for the right one among the trees of a large ambiguous input takes long: as many as time allows.
        if spent > CHECKING {
            continue;
        }
        let since = cpu();
        let failing = |solver: &mut Solver<'_>| {
            (0..spec.constraints.len()).filter(|index| !solver.holds(*index)).collect::<Vec<usize>>()
        };
        let mut failed = failing(&mut solver);
        if !failed.is_empty() && solver.read(input, Limits::default()).is_ok_and(|picked| picked.accepted) {
            failed.clear();
        }
        spent += cpu() - since;
        checked += 1;
        valid += u64::from(failed.is_empty());
        for index in failed {
            violated[index] += 1;
        }
    }
    let (mut again, start) = (0u64, cpu());
    while !parsed.is_empty() && cpu() - start < seconds {
        for input in &parsed {
            _ = solver.read_any(input, Limits::default());
            again += 1;
            if again % 16 == 0 && cpu() - start >= seconds {
                break;
            }
        }
    }
    let used = cpu() - start;
    println!(
        "{{\"files\": {}, \"parsed\": {}, \"checked\": {checked}, \"valid\": {valid}, \"violated\": {violated:?}, \"nodes\": {}, \"seen\": {}, \
         \"paths\": {}, \"parses\": {again}, \"cpu_seconds\": {used}}}",
        inputs.len(),
        parsed.len(),
        nodes as f64 / parsed.len().max(1) as f64,
        paths.seen(),
        paths.total()
    );
}

/// Nodes of a tree as FANDANGO counts them: symbols and terminals.
fn size(tree: &Tree) -> u64 {
    tree.nodes().iter().filter(|node| !node.is_control()).count() as u64
}

/// Seconds of processor time this process has had.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
