//! Which names a piece of Python assigns and uses.
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::FxHashSet;

/// The names a function's body uses.
#[derive(Debug, Default)]
pub struct Used {
    /// All of them, those of nested functions included.
    pub all: FxHashSet<String>,
    /// Those that nested functions use.
    pub in_functions: FxHashSet<String>,
    /// Those declared `global`.
    pub globals: FxHashSet<String>,
    /// Those declared `nonlocal`.
    pub nonlocals: FxHashSet<String>,
    depth: u32,
}

impl<'a> Visitor<'a> for Used {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(def) => {
                for default in def.parameters.iter_non_variadic_params().filter_map(|param| param.default()) {
                    self.visit_expr(default);
                }
                self.depth += 1;
                for inner in &def.body {
                    self.visit_stmt(inner);
                }
                self.depth -= 1;
            }
            Stmt::Global(node) if self.depth == 0 => {
                self.globals.extend(node.names.iter().map(ToString::to_string));
            }
            Stmt::Nonlocal(node) if self.depth == 0 => {
                self.nonlocals.extend(node.names.iter().map(ToString::to_string));
            }
            other => visitor::walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.all.insert(name.id.to_string());
                if self.depth > 0 {
                    self.in_functions.insert(name.id.to_string());
                }
            }
            Expr::Lambda(lambda) => {
                self.depth += 1;
                self.visit_expr(&lambda.body);
                self.depth -= 1;
            }
            other => visitor::walk_expr(self, other),
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}
}

/// The names that `body` uses.
pub fn used(body: &[Stmt]) -> Used {
    let mut names = Used::default();
    for statement in body {
        names.visit_stmt(statement);
    }
    names
}

/// The names that an expression uses.
pub fn used_expr(expr: &Expr) -> Used {
    let mut names = Used::default();
    names.visit_expr(expr);
    names
}

#[derive(Default)]
struct Assigned {
    names: Vec<String>,
}

impl<'a> Visitor<'a> for Assigned {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(def) => self.names.push(def.name.to_string()),
            Stmt::ClassDef(class) => self.names.push(class.name.to_string()),
            other => visitor::walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ast::ExprContext::Store => self.names.push(name.id.to_string()),
            // Comprehensions have variables of their own.
            Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_)
            | Expr::Lambda(_) => {}
            other => visitor::walk_expr(self, other),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ast::ExceptHandler) {
        let ast::ExceptHandler::ExceptHandler(inner) = handler;
        self.names.extend(inner.name.iter().map(ToString::to_string));
        visitor::walk_except_handler(self, handler);
    }
}

/// The names that `body` assigns, in order and with repetitions; imports are not among them.
pub fn assigned(body: &[Stmt]) -> Vec<String> {
    let mut found = Assigned::default();
    for statement in body {
        found.visit_stmt(statement);
    }
    found.names
}
