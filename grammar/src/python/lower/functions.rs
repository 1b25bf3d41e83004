//! Lowers `def` and `lambda`, with what they capture.
use super::*;

impl Lowerer {
    pub(super) fn lambda(&mut self, lambda: &ast::ExprLambda) -> Lowered {
        let span = self.span(lambda.range());
        let parameters = lambda.parameters.as_deref();
        let empty = FxHashSet::default();
        let names = crate::python::names::used_expr(&lambda.body);
        self.closure("lambda", parameters, &empty, &names, span, None, &mut |lowerer, out| {
            let value = lowerer.expr(&lambda.body)?;
            out.push(St::Return(Some(value)));
            Ok(())
        })
    }

    /// Lowers a `def` and returns the expression that makes it.
    pub(super) fn function(&mut self, def: &ast::StmtFunctionDef, index: Option<u32>) -> Lowered {
        let span = self.span(def.range());
        if let Some(decorator) = def.decorator_list.first()
            && let Some(index) = index
        {
            let reason = Problem::new(self.span(decorator.range()), "decorators are not supported");
            self.program.functions[index as usize] = Err(reason.message.into());
        }
        let locals: FxHashSet<String> = assigned(&def.body).into_iter().collect();
        let names = used(&def.body);
        self.closure(
            def.name.as_str(),
            Some(&def.parameters),
            &locals,
            &names,
            span,
            index,
            &mut |lowerer, out| {
                for statement in &def.body {
                    lowerer.statement(statement, out)?;
                }
                Ok(())
            },
        )
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a function, whichever way it is written")]
    pub(super) fn closure(
        &mut self,
        name: &str,
        parameters: Option<&ast::Parameters>,
        locals: &FxHashSet<String>,
        names: &crate::python::names::Used,
        span: Span,
        index: Option<u32>,
        body: &mut dyn FnMut(&mut Self, &mut Vec<St>) -> Lowered<()>,
    ) -> Lowered {
        let mut params: Vec<Rc<str>> = Vec::new();
        let mut defaults = Vec::new();
        let (mut rest, mut named_rest) = (None, None);
        if let Some(parameters) = parameters {
            for parameter in
                parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs)
            {
                params.push(parameter.name().as_str().into());
                match &parameter.default {
                    Some(default) => defaults.push(self.expr(default)?),
                    None if !defaults.is_empty() => defaults.push(Ex::Const(Value::None)),
                    None => {}
                }
            }
            rest = parameters.vararg.as_ref().map(|parameter| parameter.name.to_string());
            named_rest = parameters.kwarg.as_ref().map(|parameter| parameter.name.to_string());
        }
        let index = index.unwrap_or_else(|| {
            self.program.functions.push(Err("a function is used before it is defined".into()));
            self.references.push(FxHashSet::default());
            self.program.functions.len() as u32 - 1
        });
        let mut scope = Scope { is_function: true, ..Scope::default() };
        let cell = |name: &str| names.in_functions.contains(name);
        let (mut cell_params, mut cells) = (Vec::new(), Vec::new());
        let mut add = |scope: &mut Scope, name: &str, parameter: bool| {
            let slot = scope.frame;
            scope.frame += 1;
            let kind = if cell(name) { Name::Cell(slot) } else { Name::Local(slot) };
            if cell(name) {
                if parameter { cell_params.push(slot) } else { cells.push(slot) }
            }
            scope.names.insert(name.to_owned(), kind);
            slot
        };
        for param in &params {
            add(&mut scope, param, true);
        }
        let rest = rest.map(|name| add(&mut scope, &name, true));
        let named_rest = named_rest.map(|name| add(&mut scope, &name, true));
        let mut own: Vec<&String> = locals
            .iter()
            .filter(|name| !names.globals.contains(*name) && !names.nonlocals.contains(*name))
            .collect();
        own.sort();
        for name in own {
            if !scope.names.contains_key(name) {
                add(&mut scope, name, false);
            }
        }
        // What it uses of the function around it is captured.
        let captured = scope.frame;
        let mut outer = Vec::new();
        let mut wanted: Vec<&String> = names.all.iter().collect();
        wanted.sort();
        for name in wanted {
            if scope.names.contains_key(name) || names.globals.contains(name) {
                continue;
            }
            let found = self.scopes.last().and_then(|around| {
                let inner =
                    around.inner.iter().rev().find(|(known, _)| known == name).map(|(_, found)| found);
                inner.or_else(|| around.names.get(name)).cloned()
            });
            match found {
                Some(Name::Cell(slot)) => {
                    outer.push(slot);
                    scope.names.insert(name.clone(), Name::Cell(scope.frame));
                    scope.frame += 1;
                }
                // A comprehension's variable: its present value is copied.
                Some(Name::Local(slot)) => {
                    outer.push(slot);
                    scope.names.insert(name.clone(), Name::Local(scope.frame));
                    scope.frame += 1;
                }
                Some(other) => {
                    scope.names.insert(name.clone(), other);
                }
                None => {}
            }
        }
        self.scopes.push(scope);
        let before = std::mem::take(&mut self.referred);
        let mut code = Vec::new();
        let result = body(self, &mut code);
        let refers = std::mem::replace(&mut self.referred, before);
        let frame = self.scopes.pop().map_or(0, |scope| scope.frame);
        self.references[index as usize] = refers;
        self.referred.insert(index);
        self.program.functions[index as usize] = match result {
            Ok(()) => Ok(Function {
                name: name.into(),
                defaults: defaults.len(),
                params,
                rest,
                named_rest,
                cell_params,
                cells,
                captured,
                frame,
                body: code.into(),
                span,
            }),
            Err(problem) => Err(format!("`{name}`: {}", problem.message).into()),
        };
        Ok(Ex::Closure(index, outer, defaults))
    }
}
