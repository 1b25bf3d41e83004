//! Lowers calls and attributes: what a module offers is found at load.
use super::*;

impl Lowerer {
    pub(super) fn arguments(&mut self, arguments: &ast::Arguments) -> Lowered<Arguments> {
        let args = self.items(&arguments.args)?;
        let mut named = Vec::new();
        for keyword in &arguments.keywords {
            named.push((keyword.arg.as_ref().map(|name| name.as_str().into()), self.expr(&keyword.value)?));
        }
        Ok(Arguments { args, named })
    }

    pub(super) fn call(&mut self, call: &ast::ExprCall) -> Lowered {
        let plain = call.arguments.keywords.is_empty()
            && !call.arguments.args.iter().any(|argument| matches!(argument, Expr::Starred(_)));
        if let Expr::Name(name) = &*call.func
            && !self.selectors.contains_key(&u32::from(name.range.start()))
        {
            let found = self.lookup(name.id.as_str());
            if let (Some(Name::Global(_)), Some((function, count)), true) =
                (&found, self.direct.get(name.id.as_str()).copied(), plain)
                && count == call.arguments.args.len()
            {
                let args =
                    call.arguments.args.iter().map(|arg| self.expr(arg)).collect::<Lowered<Vec<_>>>()?;
                return Ok(Ex::Direct(function, args));
            }
            if let (Some(Name::Const(Value::Native(native))), [argument], true) =
                (&found, &call.arguments.args[..], plain)
            {
                let special: Option<fn(Box<Ex>) -> Ex> = match native.name {
                    "str" => Some(Ex::Str),
                    "bytes" => Some(Ex::Bytes),
                    "int" => Some(Ex::Int),
                    "len" => Some(Ex::Len),
                    _ => None,
                };
                if let Some(special) = special {
                    return Ok(special(Box::new(self.expr(argument)?)));
                }
            }
        }
        if let Expr::Attribute(attribute) = &*call.func
            && self.static_member(attribute)?.is_none()
        {
            let receiver = self.expr(&attribute.value)?;
            let method = self.method_name(attribute)?;
            return Ok(Ex::Method(Box::new(receiver), method, Box::new(self.arguments(&call.arguments)?)));
        }
        let callee = self.expr(&call.func)?;
        let arguments = Box::new(self.arguments(&call.arguments)?);
        Ok(match callee {
            Ex::Const(Value::Native(native)) => Ex::Native(native, arguments),
            other => Ex::Call(Box::new(other), arguments),
        })
    }

    pub(super) fn method_name(&self, attribute: &ast::ExprAttribute) -> Lowered<Method> {
        match Method::named(attribute.attr.as_str()) {
            Some(method) => Ok(method),
            None => self.refuse(attribute, format!("no value here has an attribute `{}`", attribute.attr)),
        }
    }

    /// The module that `expr` names.
    pub(super) fn static_module(&mut self, expr: &Expr) -> Lowered<Option<&'static Module>> {
        match expr {
            Expr::Name(name) if !self.selectors.contains_key(&u32::from(name.range.start())) => {
                match self.lookup(name.id.as_str()) {
                    Some(Name::Module(module)) => Ok(Some(module)),
                    Some(Name::Const(Value::Missing(reason))) => self.refuse(expr, reason.to_string()),
                    _ => Ok(None),
                }
            }
            Expr::Attribute(attribute) => Ok(self
                .static_module(&attribute.value)?
                .and_then(|module| modules::module(&format!("{}.{}", module.name, attribute.attr)))),
            _ => Ok(None),
        }
    }

    /// The value of `module.name`, known at load.
    pub(super) fn static_member(&mut self, attribute: &ast::ExprAttribute) -> Lowered<Option<Value>> {
        let Some(module) = self.static_module(&attribute.value)? else { return Ok(None) };
        // A module in a module is found when one of its members is.
        if modules::module(&format!("{}.{}", module.name, attribute.attr)).is_some() {
            return Ok(Some(Value::Module(module.name)));
        }
        match modules::member(module, attribute.attr.as_str()) {
            Some(value) => Ok(Some(value)),
            None => self
                .refuse(attribute, format!("the module `{}` has no `{}` here", module.name, attribute.attr)),
        }
    }

    pub(super) fn attribute(&mut self, attribute: &ast::ExprAttribute) -> Lowered {
        if let Some(value) = self.static_member(attribute)? {
            return Ok(Ex::Const(value));
        }
        let value = self.expr(&attribute.value)?;
        let name = self.method_name(attribute)?;
        Ok(Ex::Attribute(Box::new(value), name))
    }
}
