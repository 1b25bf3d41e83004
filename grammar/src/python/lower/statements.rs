//! Lowers statements and what they assign to.
use super::*;

/// What would help where a module is missing.
const HINT: &str = if cfg!(feature = "python") { "" } else { ", and the feature `python` is off" };

impl Lowerer {
    pub(super) fn target(&mut self, target: &Expr) -> Lowered<Target> {
        Ok(match target {
            Expr::Name(name) => match self.scope().names.get(name.id.as_str()).cloned() {
                Some(Name::Local(slot)) => Target::Local(slot),
                Some(Name::Cell(slot)) => Target::Cell(slot),
                Some(_) if self.scope().is_function => {
                    return self.refuse(name, "a name that is imported cannot be assigned");
                }
                _ => {
                    if self.scope().is_function && !self.globals.contains_key(name.id.as_str()) {
                        // The variable of `:=` in a constraint.
                        return Ok(Target::Local(self.bind_local(name.id.as_str())));
                    }
                    self.modules.remove(name.id.as_str());
                    Target::Global(self.global(name.id.as_str()))
                }
            },
            Expr::Tuple(tuple) => self.targets(&tuple.elts)?,
            Expr::List(list) => self.targets(&list.elts)?,
            Expr::Subscript(subscript) => {
                if let Expr::Slice(slice) = &*subscript.slice {
                    return self.refuse(slice, "assigning to a slice is not supported");
                }
                Target::Index(Box::new((self.expr(&subscript.value)?, self.expr(&subscript.slice)?)))
            }
            other => return self.refuse(other, "assigning to an attribute is not supported"),
        })
    }

    pub(super) fn targets(&mut self, targets: &[Expr]) -> Lowered<Target> {
        let mut star = None;
        let mut out = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            out.push(match target {
                Expr::Starred(starred) => {
                    star = Some(index);
                    self.target(&starred.value)?
                }
                other => self.target(other)?,
            });
        }
        Ok(Target::Tuple(out, star))
    }

    pub(super) fn block(&mut self, statements: &[Stmt]) -> Lowered<Vec<St>> {
        let mut out = Vec::new();
        for statement in statements {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    pub(super) fn bind(&mut self, name: &str, value: Name, out: &mut Vec<St>) -> Lowered<()> {
        if self.scope().is_function {
            self.scope().names.insert(name.to_owned(), value);
            return Ok(());
        }
        let slot = self.global(name);
        let value_of = match &value {
            Name::Module(module) => Value::Module(module.name),
            Name::Const(value) => value.clone(),
            _ => Value::None,
        };
        self.modules.insert(name.to_owned(), value);
        out.push(St::Assign(vec![Target::Global(slot)], Ex::Const(value_of)));
        Ok(())
    }

    pub(super) fn statement(&mut self, statement: &Stmt, out: &mut Vec<St>) -> Lowered<()> {
        match statement {
            Stmt::FunctionDef(def) => {
                let ex = self.function(def, None)?;
                let name = Expr::Name(ast::ExprName {
                    node_index: ast::AtomicNodeIndex::default(),
                    range: def.name.range(),
                    id: def.name.id.clone(),
                    ctx: ast::ExprContext::Store,
                });
                let target = self.target(&name)?;
                out.push(St::Assign(vec![target], ex));
            }
            Stmt::ClassDef(class) => {
                let reason = format!("classes (here `{}`) are not supported", class.name);
                self.bind(class.name.as_str(), Name::Const(Value::Missing(reason.into())), out)?;
            }
            Stmt::Return(node) => {
                let value = node.value.as_ref().map(|value| self.expr(value)).transpose()?;
                out.push(St::Return(value));
            }
            Stmt::Delete(node) => {
                for target in &node.targets {
                    match target {
                        Expr::Subscript(subscript) => {
                            out.push(St::Delete(self.expr(&subscript.value)?, self.expr(&subscript.slice)?));
                        }
                        Expr::Name(_) => {}
                        other => return self.refuse(other, "this cannot be deleted here"),
                    }
                }
            }
            Stmt::Assign(node) => {
                let value = self.expr(&node.value)?;
                let targets =
                    node.targets.iter().map(|target| self.target(target)).collect::<Lowered<Vec<_>>>()?;
                out.push(St::Assign(targets, value));
            }
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    let value = self.expr(value)?;
                    out.push(St::Assign(vec![self.target(&node.target)?], value));
                }
            }
            Stmt::AugAssign(node) => {
                let value = self.expr(&node.value)?;
                let current = self.expr(&node.target)?;
                let op = self.operator(node, node.op)?;
                out.push(St::Update(self.target(&node.target)?, current, op, value));
            }
            Stmt::For(node) => {
                let iter = self.expr(&node.iter)?;
                let target = self.target(&node.target)?;
                out.push(St::For(target, iter, self.block(&node.body)?, self.block(&node.orelse)?));
            }
            Stmt::While(node) => {
                let test = self.expr(&node.test)?;
                out.push(St::While(test, self.block(&node.body)?, self.block(&node.orelse)?));
            }
            Stmt::If(node) => {
                let test = self.expr(&node.test)?;
                let body = self.block(&node.body)?;
                let mut otherwise = Vec::new();
                for clause in node.elif_else_clauses.iter().rev() {
                    let body = self.block(&clause.body)?;
                    otherwise = match &clause.test {
                        Some(test) => vec![St::If(self.expr(test)?, body, otherwise)],
                        None => body,
                    };
                }
                out.push(St::If(test, body, otherwise));
            }
            Stmt::Raise(node) => {
                let value = node.exc.as_ref().map(|value| self.expr(value)).transpose()?;
                out.push(St::Raise(value));
            }
            Stmt::Try(node) => {
                let body = self.block(&node.body)?;
                let mut handlers = Vec::new();
                for ast::ExceptHandler::ExceptHandler(handler) in &node.handlers {
                    let types = match handler.type_.as_deref() {
                        None => Vec::new(),
                        Some(Expr::Tuple(tuple)) => tuple.elts.iter().map(exception_name).collect(),
                        Some(other) => vec![exception_name(other)],
                    };
                    let target = handler.name.as_ref().map(|name| {
                        match self.scope().names.get(name.as_str()).cloned() {
                            Some(Name::Local(slot)) => Target::Local(slot),
                            Some(Name::Cell(slot)) => Target::Cell(slot),
                            _ => Target::Global(self.global(name.as_str())),
                        }
                    });
                    handlers.push(Handler { types, target, body: self.block(&handler.body)? });
                }
                out.push(St::Try(body, handlers, self.block(&node.orelse)?, self.block(&node.finalbody)?));
            }
            Stmt::Assert(node) => {
                let message = node.msg.as_ref().map(|message| self.expr(message)).transpose()?;
                out.push(St::Assert(self.expr(&node.test)?, message));
            }
            Stmt::Import(node) => {
                for alias in &node.names {
                    let full = alias.name.as_str();
                    let first = full.split('.').next().unwrap_or(full);
                    let name = alias.asname.as_ref().map_or(first, |name| name.as_str());
                    let value = match modules::module(full) {
                        Some(module) => Name::Module(module),
                        None => Name::Const(Value::Missing(
                            format!("the module `{full}` is not built in{HINT}").into(),
                        )),
                    };
                    self.bind(name, value, out)?;
                }
            }
            Stmt::ImportFrom(node) => {
                let full = node.module.as_ref().map_or("", |module| module.as_str());
                for alias in &node.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                    let member =
                        modules::module(full).and_then(|module| modules::member(module, alias.name.as_str()));
                    let value = member.or_else(|| builtins::lookup(alias.name.as_str()).map(Value::Native));
                    let value = value.unwrap_or_else(|| {
                        Value::Missing(
                            format!("`{}` of the module `{full}` is not built in{HINT}", alias.name).into(),
                        )
                    });
                    if name != "*" {
                        self.bind(&name, Name::Const(value), out)?;
                    }
                }
            }
            Stmt::Expr(node) => {
                if !matches!(&*node.value, Expr::StringLiteral(_)) {
                    out.push(St::Expr(self.expr(&node.value)?));
                }
            }
            Stmt::Pass(_) | Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::TypeAlias(_) => {}
            Stmt::Break(_) => out.push(St::Break),
            Stmt::Continue(_) => out.push(St::Continue),
            Stmt::With(node) => return self.refuse(node, "`with` is not supported"),
            Stmt::Match(node) => return self.refuse(node, "`match` is not supported"),
            other => return self.refuse(other, "this kind of statement is not supported"),
        }
        Ok(())
    }
}
