//! A loaded spec: grammar, program, constraints and goals.
use std::path::Path;

use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use crate::front::build;
use crate::front::rules::{self, Rule};
use crate::front::settings::Settings;
use crate::front::source::{Problem, Sources, Span};
use crate::front::split::{self, Kind};
use crate::ir::Grammar;
use crate::python::error::Raised;
use crate::python::lower::{Lone, Lowerer, NOWHERE};
use crate::python::value::Value;
use crate::python::vm::{Program, State, Vm};
use crate::rng::Rng;
use crate::solve::formula::{self, Constraint, Goal};

mod collected;
mod computing;

use collected::Collected;
use computing::Computing;

const LIBRARY: &str = include_str!("front/stdlib.fan");

/// A loaded spec.
#[derive(Debug, Default)]
pub struct Spec {
    /// The files it is made of.
    pub sources: Sources,
    /// Its grammar.
    pub grammar: Grammar,
    /// Its functions.
    pub program: Program,
    /// Its global variables as they are after load.
    pub globals: Vec<Value>,
    /// Generators and computed bounds.
    pub exprs: Vec<Lone>,
    /// What must hold.
    pub constraints: Vec<Constraint>,
    /// What should be great or small.
    pub goals: Vec<Goal>,
    /// How often and where inputs leave the grammar.
    pub settings: Settings,
    /// What its Python printed at load.
    pub printed: String,
}

/// How to load.
#[derive(Debug, Clone)]
pub struct Options {
    /// The symbol of the whole input.
    pub start: String,
    /// Further constraints, as the command line gives them.
    pub constraints: Vec<String>,
    /// Further goals: expression, maximise.
    pub goals: Vec<(String, bool)>,
    /// Seed of what the spec's Python draws at load.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { start: "<start>".into(), constraints: Vec::new(), goals: Vec::new(), seed: 0 }
    }
}

/// Why a spec did not load: a text with one diagnostic per problem.
#[derive(Debug, Clone)]
pub struct LoadError(pub String);

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for LoadError {}

impl Spec {
    /// Loads the spec at `path`.
    pub fn load(path: &Path, options: &Options) -> Result<Self, LoadError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            LoadError(format!(
                "cannot read {}; name a .fan file that is there and that you may read: {error}",
                path.display()
            ))
        })?;
        Self::from_text(path, &text, options)
    }

    /// Loads the spec `text`, which is said to stand at `path`.
    pub fn from_text(path: &Path, text: &str, options: &Options) -> Result<Self, LoadError> {
        let mut all = Collected::default();
        all.file(path, text);
        for (text, kind) in options.constraints.iter().map(|text| (text, Kind::Where)).chain(
            options
                .goals
                .iter()
                .map(|(text, maximize)| (text, if *maximize { Kind::Maximizing } else { Kind::Minimizing })),
        ) {
            let text = text.strip_prefix("where ").unwrap_or(text);
            let file = all.sources.add(Path::new("<command line>"), text.to_owned());
            all.formulas.push((kind, Span::new(file, 0..text.len())));
        }
        let mut spec = Self::default();
        let problems = spec.compile(&mut all, options);
        spec.sources = all.sources;
        if problems.is_empty() { Ok(spec) } else { Err(LoadError(spec.sources.render(&problems))) }
    }

    fn compile(&mut self, all: &mut Collected, options: &Options) -> Vec<Problem> {
        if !all.problems.is_empty() {
            return std::mem::take(&mut all.problems);
        }
        let mut lowerer = Lowerer::default();
        let mut rng = Rng::new(options.seed ^ 0x5eed);
        let mut state = State::default();
        if let Err(problem) = run_modules(&all.modules, &mut lowerer, &mut state, &mut rng) {
            return vec![problem];
        }
        let library = library();
        let (rules, ids) = build::symbols(&all.rules, &library);
        lowerer.symbols.clone_from(&ids);
        for rule in &library {
            lowerer.symbols.entry(rule.name.clone()).or_insert(NOWHERE);
        }
        let mut computing = Computing {
            lowerer: &mut lowerer,
            state: &mut state,
            rng: &mut rng,
            exprs: Vec::new(),
            known: FxHashMap::default(),
        };
        // A spec without `<start>` starts with its first rule.
        let start = match (ids.contains_key(&options.start), rules.first()) {
            (false, Some(first)) if options.start == "<start>" => &first.name,
            _ => &options.start,
        };
        match build::build(&rules, &ids, start, &mut computing) {
            Ok(grammar) => self.grammar = grammar,
            Err(problems) => return problems,
        }
        self.exprs = computing.exprs;
        let mut problems = Vec::new();
        for (kind, span) in &all.formulas {
            let source = all.sources.text(span.file);
            let result = match kind {
                Kind::Where => formula::read(source, *span, &mut lowerer)
                    .map(|constraint| self.constraints.push(constraint)),
                kind => formula::read_goal(source, *span, *kind == Kind::Maximizing, &mut lowerer)
                    .map(|goal| self.goals.push(goal)),
            };
            problems.extend(result.err());
        }
        match Settings::resolve(&all.settings, &self.grammar) {
            Ok(settings) => self.settings = settings,
            Err(problem) => problems.push(problem),
        }
        self.program = lowerer.program;
        #[cfg(feature = "python")]
        if problems.is_empty() {
            let files =
                all.modules.iter().map(|(file, text)| (all.sources.path(*file).to_owned(), text.clone()));
            self.program.foreign.modules = files.collect();
            if let Err((span, message)) = self.program.foreign.start(options.seed) {
                problems.push(Problem::new(span, message));
            }
        }
        self.printed = std::mem::take(&mut state.printed);
        self.globals = state.globals;
        problems
    }

    /// A fresh state to evaluate with.
    pub fn state(&self) -> State {
        let mut state = State::default();
        state.globals.clone_from(&self.globals);
        state
    }
}

/// The rules of the standard library.
fn library() -> Vec<Rule> {
    let statements = split::split(LIBRARY).into_iter();
    statements
        .filter_map(|statement| rules::read(LIBRARY, Span::new(u32::MAX, statement.range)).ok())
        .collect()
}

fn run_modules(
    modules: &[(u32, String)],
    lowerer: &mut Lowerer,
    state: &mut State,
    rng: &mut Rng,
) -> Result<(), Problem> {
    let mut parsed = Vec::new();
    for (file, text) in modules {
        if text.trim().is_empty() {
            continue;
        }
        match ruff_python_parser::parse_module(text) {
            Ok(module) => parsed.push((*file, module.into_suite())),
            Err(error) => {
                let range = usize::from(error.location.start())..usize::from(error.location.end());
                return Err(Problem::new(
                    Span::new(*file, range),
                    format!("this is neither a rule nor Python: {}", error.error),
                ));
            }
        }
    }
    let mut firsts = Vec::new();
    for (_, module) in &parsed {
        firsts.push(lowerer.program.functions.len() as u32);
        lowerer.declare(module);
    }
    let empty = Grammar::default();
    for ((file, module), first) in parsed.iter().zip(firsts) {
        let mut next = first;
        for statement in module {
            let single = std::slice::from_ref(statement);
            let code = match lowerer.module(single, *file, next) {
                Ok(code) => code,
                Err(problem) => lowerer.missing(single, problem)?,
            };
            next += u32::from(matches!(statement, Stmt::FunctionDef(_)));
            state.globals.resize(lowerer.globals.len(), Value::None);
            let frame = lowerer.module_frame();
            let mut vm = Vm::new(&empty, &lowerer.program, &[], state, rng);
            vm.reserve(frame);
            let result = vm.run(&code);
            drop(vm);
            state.stack.clear();
            if let Err(raised) = result {
                let range = statement.range();
                let span = Span::new(*file, usize::from(range.start())..usize::from(range.end()));
                let problem = Problem::new(span, format!("this failed at load: {}", show(&raised)));
                // With CPython at hand it may work there; then whatever needs it runs there.
                if cfg!(not(feature = "python")) {
                    return Err(problem);
                }
                let code = lowerer.missing(single, problem)?;
                state.globals.resize(lowerer.globals.len(), Value::None);
                let mut vm = Vm::new(&empty, &lowerer.program, &[], state, rng);
                // What this assigns are constants.
                _ = vm.run(&code);
            }
        }
    }
    Ok(())
}

/// An exception in a sentence.
pub fn show(raised: &Raised) -> String {
    if &*raised.kind == crate::python::error::REFUSED {
        raised.message.clone()
    } else {
        format!("{}: {}", raised.kind, raised.message)
    }
}
