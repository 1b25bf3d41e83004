//! What names mean where: locals, symbols that quantifiers bind, functions, builtins, modules.
use super::*;

impl Lowerer {
    /// Binds the Python name `name` to a fresh slot, as `for name in *<a>` of a quantifier does.
    pub fn bind_local(&mut self, name: &str) -> u32 {
        let slot = self.slot();
        self.scope().inner.push((name.to_owned(), Name::Local(slot)));
        slot
    }

    /// Ends what [`Lowerer::bind_local`] began.
    pub fn unbind_local(&mut self) {
        self.scope().inner.pop();
    }

    /// Binds the symbol `name` to a fresh slot, as `forall <name> in ..` does.
    pub fn bind_symbol(&mut self, name: &str) -> u32 {
        let slot = self.slot();
        self.bound.push((name.to_owned(), slot));
        slot
    }

    /// Ends what [`Lowerer::bind_symbol`] began.
    pub fn unbind_symbol(&mut self) {
        self.bound.pop();
    }

    /// Refuses an expression that can reach a function this engine cannot run.
    pub(super) fn check_references(&self, span: Span) -> Lowered<()> {
        let mut seen = self.referred.clone();
        let mut todo: Vec<u32> = seen.iter().copied().collect();
        while let Some(function) = todo.pop() {
            if let Err(reason) = &self.program.functions[function as usize] {
                return Err(Problem::new(
                    span,
                    format!("this needs a function that is not supported: {reason}"),
                ));
            }
            for next in &self.references[function as usize] {
                if seen.insert(*next) {
                    todo.push(*next);
                }
            }
        }
        Ok(())
    }

    pub(super) fn lookup(&mut self, name: &str) -> Option<Name> {
        let depth = self.scopes.len();
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            if let Some((_, found)) = scope.inner.iter().rev().find(|(known, _)| known == name) {
                // Comprehension variables of enclosing functions are not captured.
                if level + 1 == depth {
                    return Some(found.clone());
                }
            }
            if level + 1 == depth
                && let Some(found) = scope.names.get(name)
            {
                return Some(found.clone());
            }
        }
        if let Some(module) = self.modules.get(name) {
            return Some(module.clone());
        }
        if let Some(slot) = self.globals.get(name) {
            if let Some((function, _)) = self.direct.get(name) {
                self.referred.insert(*function);
            }
            return Some(Name::Global(*slot));
        }
        if let Some(native) = builtins::lookup(name) {
            return Some(Name::Const(Value::Native(native)));
        }
        builtins::exception(name)
            .map(|kind| Name::Const(Value::Object(Rc::new(Object::Exception(kind.into(), "".into())))))
    }

    pub(super) fn name(&mut self, name: &ast::ExprName) -> Lowered {
        if let Some(written) = self.selectors.get(&u32::from(name.range.start())).cloned() {
            return self.select(&written);
        }
        match self.lookup(name.id.as_str()) {
            Some(Name::Local(slot)) => Ok(Ex::Local(slot)),
            Some(Name::Cell(slot)) => Ok(Ex::Cell(slot)),
            Some(Name::Global(slot)) => Ok(Ex::Global(slot)),
            Some(Name::Const(Value::Missing(reason))) => self.refuse(name, reason.to_string()),
            Some(Name::Const(value)) => Ok(Ex::Const(value)),
            Some(Name::Module(module)) => Ok(Ex::Const(Value::Module(module.name))),
            None if name.id.as_str() == "__name__" => Ok(Ex::Const(Value::str("fandango"))),
            None => self.refuse(name, format!("the name `{}` is not known here", name.id)),
        }
    }
}
