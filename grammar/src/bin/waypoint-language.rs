//! The commands of the language engine without the rest of `waypoint`, to build it quickly.
use std::path::Path;

use waypoint_grammar::generate::Generator;
use waypoint_grammar::python::vm::Vm;
use waypoint_grammar::rng::Rng;
use waypoint_grammar::solve::{check, host::Program};
use waypoint_grammar::spec::{Options, Spec};
use waypoint_grammar::tree::Tree;

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
    let mut rng = Rng::new(1);
    let mut generator = Generator::new(&spec.grammar);
    let mut program = Program::new(&spec);
    let mut tree = Tree::default();
    let mut good = 0;
    for _ in 0..count {
        tree.clear();
        if let Err(error) = generator.symbol(&spec.grammar, spec.grammar.start, 100, &mut rng, &mut program, &mut tree) {
            eprintln!("{}", error.0);
            break;
        }
        let mut ok = true;
        for constraint in &spec.constraints {
            let mut vm = Vm::new(&spec.grammar, &spec.program, &[&tree], &mut program.state, &mut rng);
            vm.reserve(constraint.frame);
            ok &= check::holds(&mut vm, &constraint.formula);
        }
        good += u32::from(ok);
        if count < 20 {
            let mut out = Vec::new();
            tree.serialise(&spec.grammar, 0, &mut out);
            println!("{ok} {}", String::from_utf8_lossy(&out));
        }
    }
    println!("{good}/{count} refused {:?} raised {:?}", program.state.refused, program.state.raised);
}
