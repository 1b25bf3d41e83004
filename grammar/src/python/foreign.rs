//! What the engine's own Python lacks, run in CPython (feature `python`), its results kept per subtree.
use std::cell::RefCell;
use std::ffi::CString;
use std::path::PathBuf;

use num_bigint::BigInt;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyModule, PyString, PyTuple};
use rustc_hash::FxHashMap;

use super::error::{REFUSED, Raised, Res, raise};
use super::trees::{Nature, nature};
use super::value::{TreeRef, Value};
use super::vm::Vm;
use crate::front::source::Span;
use crate::tree::Kind;

/// Results that are kept at most.
const KEPT: usize = 1 << 16;

const TREES: &str = include_str!("foreign/trees.py");

/// An expression that runs in CPython.
#[derive(Debug, Clone)]
pub struct Foreign {
    /// Its text, with a name for each selector.
    pub text: String,
    /// The names it is given.
    pub names: Vec<String>,
    /// Whether one argument always gives one result, so that results can be kept.
    pub steady: bool,
    /// Where it stands.
    pub span: Span,
    /// Why the engine does not run it itself.
    pub reason: String,
}

/// The CPython side of one spec.
#[derive(Debug, Default)]
pub struct Runtime {
    /// The Python of the spec's files, in the order it runs.
    pub modules: Vec<(PathBuf, String)>,
    /// The expressions.
    pub exprs: Vec<Foreign>,
    live: Option<Live>,
    kept: RefCell<FxHashMap<(u32, Vec<u8>), Value>>,
}

/// What CPython holds.
#[derive(Debug)]
struct Live {
    globals: Py<PyDict>,
    trees: Py<PyModule>,
    /// Per expression, a function of its names.
    functions: Vec<Py<PyAny>>,
}

impl Runtime {
    /// Runs the spec's Python and compiles the expressions; the place and reason if that fails.
    pub fn start(&mut self, seed: u64) -> Result<(), (Span, String)> {
        let Some(first) = self.exprs.first() else { return Ok(()) };
        let place = first.span;
        let text = |text: &str| CString::new(text).map_err(|_| (place, "a spec has a zero byte".to_owned()));
        let trees = text(TREES)?;
        let mut failed = None;
        let live = Python::attach(|py| -> PyResult<Live> {
            let trees = PyModule::from_code(py, &trees, c"trees.py", c"waypoint_trees")?;
            py.import("random")?.call_method1("seed", (seed,))?;
            let globals = PyDict::new(py);
            globals.set_item("DerivationTree", trees.getattr("DerivationTree")?)?;
            for (path, source) in &self.modules {
                if let Some(directory) = path.parent() {
                    py.import("sys")?.getattr("path")?.call_method1("insert", (0, directory))?;
                }
                let compile = py.import("builtins")?.getattr("compile")?;
                let code = compile.call1((source, path, "exec"))?;
                py.import("builtins")?.getattr("exec")?.call1((code, &globals))?;
            }
            let mut functions = Vec::new();
            for expr in &self.exprs {
                let lacking: Vec<String> =
                    trees.getattr("lacking")?.call1((&expr.text, &globals, &expr.names))?.extract()?;
                if let Some(name) = lacking.first() {
                    failed =
                        Some((expr.span, format!("the name `{name}` is not known here; {}", expr.reason)));
                }
                let source = format!("lambda {}: ({}\n)", expr.names.join(", "), expr.text);
                functions.push(py.import("builtins")?.getattr("eval")?.call1((source, &globals))?.unbind());
            }
            Ok(Live { globals: globals.unbind(), trees: trees.unbind(), functions })
        });
        match (live, failed) {
            (_, Some(failed)) => Err(failed),
            (Ok(live), None) => {
                self.live = Some(live);
                Ok(())
            }
            (Err(error), None) => {
                Err((place, format!("this needs CPython ({}), which failed: {error}", first.reason)))
            }
        }
    }

    /// The value of the expression `id` for `args`.
    pub fn call(&self, vm: &Vm<'_>, id: u32, args: &[Value]) -> Res {
        let Some(live) = &self.live else { return raise(REFUSED, "CPython was not started") };
        let steady = self.exprs[id as usize].steady;
        let mut key = (id, Vec::new());
        if steady {
            args.iter().for_each(|arg| fingerprint(vm, arg, &mut key.1));
            if let Some(known) = self.kept.borrow().get(&key) {
                return Ok(known.clone());
            }
        }
        let value = Python::attach(|py| {
            let trees = live.trees.bind(py);
            let args: Vec<Bound<'_, PyAny>> =
                args.iter().map(|arg| to_python(vm, py, trees, arg)).collect::<PyResult<_>>()?;
            let result = live.functions[id as usize].bind(py).call1(PyTuple::new(py, args)?)?;
            from_python(&trees.getattr("simple")?.call1((result,))?)
        })
        .map_err(|error| Python::attach(|py| raised(py, &error)))?;
        if steady {
            let mut kept = self.kept.borrow_mut();
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(key, value.clone());
        }
        Ok(value)
    }

    /// How many names the spec's Python defines, for tests.
    pub fn names(&self) -> usize {
        self.live.as_ref().map_or(0, |live| Python::attach(|py| live.globals.bind(py).len()))
    }
}

fn raised(py: Python<'_>, error: &PyErr) -> Box<Raised> {
    let kind = error.get_type(py).name().map_or_else(|_| "Exception".into(), |name| name.to_string());
    Box::new(Raised { kind: kind.as_str().into(), message: error.value(py).to_string() })
}

/// Appends what tells two values apart.
fn fingerprint(vm: &Vm<'_>, value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Tree(at) => {
            let tree = vm.trees[at.tree as usize];
            for node in &tree.nodes()[at.at as usize..tree.end(at.at) as usize] {
                let (kind, number) = match node.kind() {
                    Kind::Symbol(symbol) => (0, symbol.0),
                    Kind::Terminal(node) => (1, node.0),
                    Kind::Control(node) => (2, node.0),
                };
                out.push(kind);
                out.extend_from_slice(&number.to_le_bytes());
                out.extend_from_slice(&node.len.to_le_bytes());
            }
            out.extend_from_slice(tree.text_of(at.at));
        }
        Value::List(items) => items.borrow().iter().for_each(|item| fingerprint(vm, item, out)),
        Value::Tuple(items) => items.iter().for_each(|item| fingerprint(vm, item, out)),
        other => out.extend_from_slice(other.repr().as_bytes()),
    }
    out.push(0xff);
}

fn to_python<'py>(
    vm: &Vm<'_>,
    py: Python<'py>,
    trees: &Bound<'py, PyModule>,
    value: &Value,
) -> PyResult<Bound<'py, PyAny>> {
    let items = |items: &[Value]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        items.iter().map(|item| to_python(vm, py, trees, item)).collect()
    };
    match value {
        Value::None => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Int(value) => value.into_bound_py_any(py),
        Value::Big(value) => (**value).clone().into_bound_py_any(py),
        Value::Float(value) => value.into_bound_py_any(py),
        Value::Str(value) => value.into_bound_py_any(py),
        Value::Bytes(bytes) => Ok(PyBytes::new(py, bytes).into_any()),
        Value::List(list) => Ok(PyList::new(py, items(&list.borrow())?)?.into_any()),
        Value::Trees(list) => {
            let list: Vec<Value> = list.iter().map(|at| Value::Tree(*at)).collect();
            Ok(PyList::new(py, items(&list)?)?.into_any())
        }
        Value::Tuple(list) => Ok(PyTuple::new(py, items(list)?)?.into_any()),
        Value::Tree(at) => tree_to_python(vm, py, trees, *at),
        other => Err(pyo3::exceptions::PyTypeError::new_err(format!(
            "a value of type {} cannot go to CPython",
            other.type_name()
        ))),
    }
}

/// The nodes that selectors see: name or none, how many nodes, where the text starts and ends, what kind of text.
fn tree_to_python<'py>(
    vm: &Vm<'_>,
    py: Python<'py>,
    trees: &Bound<'py, PyModule>,
    at: TreeRef,
) -> PyResult<Bound<'py, PyAny>> {
    let tree = vm.trees[at.tree as usize];
    let range = at.at..tree.end(at.at);
    let base = tree.text_range(at.at).start;
    let mut hidden = vec![0u32; range.len() + 1];
    for here in range.clone() {
        let index = (here - at.at) as usize;
        hidden[index + 1] = hidden[index] + u32::from(tree.node(here).is_control());
    }
    let mut nodes = Vec::new();
    for here in range.filter(|here| !tree.node(*here).is_control()) {
        let (index, end) = ((here - at.at) as usize, (tree.end(here) - at.at) as usize);
        let len = tree.node(here).len - (hidden[end] - hidden[index]);
        let (name, kind) = match tree.node(here).kind() {
            Kind::Symbol(symbol) => (Some(&*vm.grammar.symbol(symbol).name), ""),
            _ => match nature(vm.grammar, tree, here) {
                Nature::Bits => (None, "bit"),
                Nature::Empty => (None, ""),
                Nature::Text => (None, "text"),
                _ => (None, "bytes"),
            },
        };
        let text = tree.text_range(here);
        nodes.push((name, len, text.start - base, text.end - base, kind));
    }
    let text = PyBytes::new(py, tree.text_of(at.at));
    trees.getattr("DerivationTree")?.call1((nodes, text))
}

fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let items = |value: &Bound<'_, PyAny>| -> PyResult<Vec<Value>> {
        value.try_iter()?.map(|item| from_python(&item?)).collect()
    };
    Ok(if value.is_none() {
        Value::None
    } else if value.is_instance_of::<PyBool>() {
        Value::Bool(value.extract()?)
    } else if value.is_instance_of::<PyInt>() {
        Value::big(value.extract::<BigInt>()?)
    } else if value.is_instance_of::<PyFloat>() {
        Value::Float(value.extract()?)
    } else if value.is_instance_of::<PyString>() {
        Value::str(value.extract::<String>()?)
    } else if value.is_instance_of::<PyBytes>() {
        Value::bytes(value.extract::<Vec<u8>>()?)
    } else if value.is_instance_of::<PyTuple>() {
        Value::tuple(items(value)?)
    } else if value.is_instance_of::<PyList>() {
        Value::list(items(value)?)
    } else {
        // Of other things only their truth is known.
        Value::Bool(value.is_truthy()?)
    })
}
