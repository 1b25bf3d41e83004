//! A loaded spec: grammar, program, constraints and goals.
use std::path::{Path, PathBuf};

use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use crate::front::build::{self, Compute};
use crate::front::rules::{self, Rule};
use crate::front::selector::Masked;
use crate::front::settings::{Setting, Settings};
use crate::front::source::{Problem, Sources, Span};
use crate::front::split::{self, Kind};
use crate::ir::{Bound, ExprId, Grammar, SymbolId};
use crate::python::error::Raised;
use crate::python::lower::{Lone, Lowerer, Meaning, NOWHERE};
use crate::python::value::Value;
use crate::python::vm::{Program, State, Vm};
use crate::rng::Rng;
use crate::solve::formula::{self, Constraint, Goal};

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

/// Everything in the files of a spec, in order.
#[derive(Default)]
struct Collected {
    sources: Sources,
    rules: Vec<Rule>,
    formulas: Vec<(Kind, Span)>,
    settings: Vec<Setting>,
    /// Python text of each file, other statements blanked, in the order they run.
    modules: Vec<(u32, String)>,
    problems: Vec<Problem>,
    open: Vec<PathBuf>,
}

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

impl Collected {
    fn file(&mut self, path: &Path, text: &str) {
        let file = self.sources.add(path, text.to_owned());
        self.open.push(path.to_owned());
        let mut python: Vec<u8> =
            text.bytes().map(|byte| if byte == b'\n' || byte == b'\r' { byte } else { b' ' }).collect();
        for statement in split::split(text) {
            let span = Span::new(file, statement.range.clone());
            match statement.kind {
                Kind::Rule => match rules::read(text, span) {
                    Ok(rule) => self.rules.push(rule),
                    Err(problem) => self.problems.push(problem),
                },
                Kind::Where | Kind::Minimizing | Kind::Maximizing => {
                    self.formulas.push((statement.kind, span));
                }
                Kind::Include => self.include(path, &text[statement.range.clone()], span),
                Kind::Setting => {
                    self.settings.push(Setting::read(&text[statement.range], span));
                }
                Kind::Python => {
                    python[statement.range.clone()].copy_from_slice(&text.as_bytes()[statement.range]);
                }
            }
        }
        self.open.pop();
        // Only whole statements were copied, so this stays UTF-8.
        self.modules.push((file, String::from_utf8(python).unwrap_or_default()));
    }

    fn include(&mut self, from: &Path, written: &str, span: Span) {
        let name =
            written.trim().trim_start_matches('(').trim_end_matches(';').trim().trim_end_matches(')').trim();
        let name = name.trim_matches(['"', '\'']);
        let path = from.parent().unwrap_or(Path::new("")).join(name);
        if self.open.contains(&path) {
            self.problems.push(Problem::new(span, format!("`{name}` includes itself")));
            return;
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => self.file(&path, &text),
            Err(error) => {
                self.problems.push(Problem::new(span, format!("cannot include {}: {error}", path.display())));
            }
        }
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

struct Computing<'a> {
    lowerer: &'a mut Lowerer,
    state: &'a mut State,
    rng: &'a mut Rng,
    exprs: Vec<Lone>,
    known: FxHashMap<(u32, u32), ExprId>,
}

impl Computing<'_> {
    fn keep(&mut self, lone: Lone) -> ExprId {
        let key = (lone.span.file, lone.span.start);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        self.exprs.push(lone);
        let id = ExprId(self.exprs.len() as u32 - 1);
        self.known.insert(key, id);
        id
    }
}

impl Compute for Computing<'_> {
    fn bound(&mut self, masked: &Masked) -> Result<Bound, Problem> {
        let expr = formula::parse(masked)?;
        self.lowerer.begin(masked, Meaning::Nearest, &[], 0);
        let lone = self.lowerer.lone(&expr)?;
        if !masked.selectors.is_empty() {
            return Ok(Bound::Expr(self.keep(lone)));
        }
        let empty = Grammar::default();
        let mut vm = Vm::new(&empty, &self.lowerer.program, &[], self.state, self.rng);
        vm.reserve(lone.frame);
        let result = vm.eval(&lone.ex);
        drop(vm);
        let random = lone.is_random();
        self.state.stack.clear();
        match result {
            // A bound that draws from chance is drawn anew each time.
            Ok(_) if random => Ok(Bound::Expr(self.keep(lone))),
            Ok(value) => match value.as_int().map(u32::try_from) {
                Some(Ok(count)) => Ok(Bound::Const(count)),
                _ => Err(Problem::new(
                    masked.span,
                    format!("a repetition cannot have {} rounds", value.repr()),
                )),
            },
            Err(raised) => Err(Problem::new(masked.span, format!("this bound failed: {}", show(&raised)))),
        }
    }

    fn generator(&mut self, masked: &Masked) -> Result<(ExprId, Vec<SymbolId>), Problem> {
        let expr = formula::parse(masked)?;
        self.lowerer.begin(masked, Meaning::Source, &[], 0);
        let lone = self.lowerer.lone(&expr)?;
        let sources = lone.sources.clone();
        Ok((self.keep(lone), sources))
    }
}
