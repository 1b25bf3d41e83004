//! Calls of functions.
use super::*;

impl<'t> Vm<'t> {
    pub(super) fn arguments(&mut self, arguments: &Arguments) -> Res<Args> {
        let mut args = Args::default();
        for (ex, starred) in &arguments.args {
            let value = self.eval(ex)?;
            if *starred {
                args.pos.extend(self.items(&value)?);
            } else {
                args.pos.push(value);
            }
        }
        for (name, ex) in &arguments.named {
            let value = self.eval(ex)?;
            match (name, value) {
                (Some(name), value) => args.named.push((name.clone(), value)),
                (None, Value::Dict(dict)) => {
                    for (key, value) in dict.borrow().iter() {
                        args.named.push((self.text_of(&key.0)?.as_ref().into(), value.clone()));
                    }
                }
                _ => return raise("TypeError", "`**` needs a dictionary"),
            }
        }
        Ok(args)
    }

    /// Calls whatever can be called.
    pub fn call(&mut self, callee: &Value, args: Args) -> Res {
        match callee {
            Value::Function(closure) => {
                self.call_function(closure.function, &closure.captured, args, &closure.defaults)
            }
            Value::Native(native) => (native.call)(self, args),
            Value::Bound(bound) => self.method(&bound.0, bound.1, args),
            Value::Object(_) => self.call_object(callee, &args),
            Value::Missing(reason) => raise(REFUSED, reason.to_string()),
            other => raise("TypeError", format!("'{}' cannot be called", other.type_name())),
        }
    }

    pub(super) fn call_function(
        &mut self,
        index: u32,
        captured: &[Value],
        mut args: Args,
        defaults: &[Value],
    ) -> Res {
        let program = self.program;
        let function = match &program.functions[index as usize] {
            Ok(function) => function,
            Err(reason) => return raise(REFUSED, reason.to_string()),
        };
        self.step()?;
        if self.depth >= DEPTH {
            return raise(
                "RecursionError",
                format!("`{}` calls itself more than {DEPTH} times", function.name),
            );
        }
        let (frame, old) = (self.state.stack.len(), self.base);
        // Most calls give every parameter its argument by position.
        let is_plain = args.pos.len() == function.params.len()
            && args.named.is_empty()
            && function.rest.is_none()
            && function.named_rest.is_none();
        if is_plain {
            self.state.stack.extend(args.pos.drain(..));
        }
        self.state.stack.resize_with(frame + function.frame as usize, || Value::None);
        let bound = if is_plain { Ok(()) } else { self.bind(function, args, defaults, frame) };
        let result = match bound {
            Ok(()) => {
                for (offset, cell) in captured.iter().enumerate() {
                    self.state.stack[frame + function.captured as usize + offset] = cell.clone();
                }
                for slot in function.cell_params.iter().chain(&function.cells) {
                    let slot = frame + *slot as usize;
                    let value = std::mem::take(&mut self.state.stack[slot]);
                    self.state.stack[slot] = Value::Cell(Rc::new(RefCell::new(value)));
                }
                self.base = frame;
                self.depth += 1;
                let result = self.block(&function.body);
                self.depth -= 1;
                self.base = old;
                result
            }
            Err(error) => Err(error),
        };
        self.state.stack.truncate(frame);
        match result? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::None),
        }
    }

    pub(super) fn bind(
        &mut self,
        function: &Function,
        args: Args,
        defaults: &[Value],
        frame: usize,
    ) -> Res<()> {
        let count = function.params.len();
        let mut given = SmallVec::<[bool; 8]>::from_elem(false, count);
        let mut rest = Vec::new();
        for (index, value) in args.pos.into_iter().enumerate() {
            if index < count {
                self.state.stack[frame + index] = value;
                given[index] = true;
            } else if function.rest.is_some() {
                rest.push(value);
            } else {
                return raise("TypeError", format!("`{}` takes {count} arguments, got more", function.name));
            }
        }
        let mut named = Dict::default();
        for (name, value) in args.named {
            match function.params.iter().position(|param| *param == name) {
                Some(index) => {
                    self.state.stack[frame + index] = value;
                    given[index] = true;
                }
                None if function.named_rest.is_some() => {
                    named.insert(crate::python::value::Key(Value::Str(name)), value);
                }
                None => {
                    return raise("TypeError", format!("`{}` has no parameter `{name}`", function.name));
                }
            }
        }
        let first_default = count - function.defaults.min(count);
        for index in 0..count {
            if !given[index] {
                match index.checked_sub(first_default).and_then(|at| defaults.get(at)) {
                    Some(value) => self.state.stack[frame + index] = value.clone(),
                    None => {
                        return raise(
                            "TypeError",
                            format!("`{}` misses its argument `{}`", function.name, function.params[index]),
                        );
                    }
                }
            }
        }
        if let Some(slot) = function.rest {
            self.state.stack[frame + slot as usize] = Value::tuple(rest);
        }
        if let Some(slot) = function.named_rest {
            self.state.stack[frame + slot as usize] = Value::dict(named);
        }
        Ok(())
    }
}
