//! Runs statements.
use super::*;

impl<'t> Vm<'t> {
    /// Assigns to a variable, element or tuple of them.
    pub fn assign(&mut self, target: &Target, value: Value) -> Res<()> {
        match target {
            Target::Local(slot) => self.set_slot(*slot, value),
            Target::Global(slot) => self.state.globals[*slot as usize] = value,
            Target::Cell(slot) => {
                if let Value::Cell(cell) = self.slot(*slot) {
                    *cell.borrow_mut() = value;
                } else {
                    self.set_slot(*slot, Value::Cell(Rc::new(RefCell::new(value))));
                }
            }
            Target::Index(pair) => {
                let container = self.eval(&pair.0)?;
                let index = self.eval(&pair.1)?;
                self.set_index(&container, &index, value)?;
            }
            Target::Tuple(targets, star) => {
                let items = self.items(&value)?;
                let fits = match star {
                    None => items.len() == targets.len(),
                    Some(_) => items.len() + 1 >= targets.len(),
                };
                if !fits {
                    return raise(
                        "ValueError",
                        format!("cannot unpack {} values into {} variables", items.len(), targets.len()),
                    );
                }
                let extra = items.len() + 1 - targets.len();
                let mut items = items.into_iter();
                for (index, target) in targets.iter().enumerate() {
                    let value = if *star == Some(index) {
                        Value::list(items.by_ref().take(extra).collect())
                    } else {
                        items.next().unwrap_or_default()
                    };
                    self.assign(target, value)?;
                }
            }
        }
        Ok(())
    }

    /// Runs the statements of a module.
    pub fn run(&mut self, statements: &[St]) -> Res<()> {
        self.block(statements).map(|_| ())
    }

    pub(super) fn block(&mut self, statements: &[St]) -> Res<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn statement(&mut self, statement: &St) -> Res<Flow> {
        match statement {
            St::Expr(ex) => {
                self.eval(ex)?;
            }
            St::Assign(targets, ex) => {
                let value = self.eval(ex)?;
                for target in targets {
                    self.assign(target, value.clone())?;
                }
            }
            St::Update(target, current, op, ex) => self.update(target, current, *op, ex)?,
            St::If(condition, then, otherwise) => {
                let branch = if self.test(condition)? { then } else { otherwise };
                return self.block(branch);
            }
            St::While(condition, body, otherwise) => loop {
                self.step()?;
                if !self.test(condition)? {
                    return self.block(otherwise);
                }
                match self.block(body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::Next | Flow::Continue => {}
                }
            },
            St::For(target, iterable, body, otherwise) => {
                let iterable = self.eval(iterable)?;
                let mut ended = Flow::Next;
                self.each(&iterable, &mut |vm, item| {
                    vm.assign(target, item)?;
                    match vm.block(body)? {
                        Flow::Next | Flow::Continue => Ok(true),
                        other => {
                            ended = other;
                            Ok(false)
                        }
                    }
                })?;
                match ended {
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::Break => {}
                    _ => return self.block(otherwise),
                }
            }
            St::Return(ex) => {
                let value = match ex {
                    Some(ex) => self.eval(ex)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            St::Break => return Ok(Flow::Break),
            St::Continue => return Ok(Flow::Continue),
            St::Raise(Some(ex)) => {
                let value = self.eval(ex)?;
                return self.throw(&value);
            }
            St::Raise(None) => {
                return match self.handled.take() {
                    Some(raised) => Err(raised),
                    None => raise("RuntimeError", "no active exception to raise again"),
                };
            }
            St::Assert(condition, message) => {
                if !self.test(condition)? {
                    let message = match message {
                        Some(ex) => {
                            let value = self.eval(ex)?;
                            self.text_of(&value)?.into_owned()
                        }
                        None => String::new(),
                    };
                    return raise("AssertionError", message);
                }
            }
            St::Try(body, handlers, otherwise, finally) => {
                return self.attempt(body, handlers, otherwise, finally);
            }
            St::Delete(container, index) => {
                let container = self.eval(container)?;
                let index = self.eval(index)?;
                self.delete(&container, &index)?;
            }
            St::Pass => {}
        }
        Ok(Flow::Next)
    }

    pub(super) fn update(
        &mut self,
        target: &Target,
        current: &Ex,
        op: crate::python::code::Op,
        ex: &Ex,
    ) -> Res<()> {
        use crate::python::code::Op;
        // `text += more` on a variable nobody else holds appends in place.
        if let (Target::Local(slot), Op::Add) = (target, op) {
            let more = self.eval(ex)?;
            let place = self.base + *slot as usize;
            let held = std::mem::take(&mut self.state.stack[place]);
            let result = match (&held, &more) {
                (Value::List(list), _) if !matches!(more, Value::Tree(_)) => {
                    let items = self.items(&more);
                    items.map(|items| list.borrow_mut().extend(items)).map(|()| held.clone())
                }
                (Value::ByteArray(bytes), _) => {
                    let more = self.bytes_of(&more).map(std::borrow::Cow::into_owned);
                    more.map(|more| bytes.borrow_mut().extend_from_slice(&more)).map(|()| held.clone())
                }
                _ => self.binary(op, &held, &more),
            };
            self.state.stack[place] = match &result {
                Ok(value) => value.clone(),
                Err(_) => held,
            };
            return result.map(|_| ());
        }
        let held = self.eval(current)?;
        let more = self.eval(ex)?;
        let value = match (&held, op) {
            (Value::List(list), Op::Add) => {
                let items = self.items(&more)?;
                list.borrow_mut().extend(items);
                held
            }
            (Value::ByteArray(bytes), Op::Add) => {
                let more = self.bytes_of(&more)?.into_owned();
                bytes.borrow_mut().extend_from_slice(&more);
                held
            }
            _ => self.binary(op, &held, &more)?,
        };
        self.assign(target, value)
    }

    pub(super) fn attempt(
        &mut self,
        body: &[St],
        handlers: &[Handler],
        otherwise: &[St],
        finally: &[St],
    ) -> Res<Flow> {
        let (frame, base, depth) = (self.state.stack.len(), self.base, self.depth);
        let mut result = self.block(body);
        if let Err(raised) = &result {
            let raised = raised.clone();
            self.state.stack.truncate(frame);
            (self.base, self.depth) = (base, depth);
            let caught = handlers.iter().find(|handler| {
                &*raised.kind != REFUSED
                    && (handler.types.is_empty()
                        || handler.types.iter().any(|name| catches(name, &raised.kind)))
            });
            if let Some(handler) = caught {
                if let Some(target) = &handler.target {
                    let value = crate::python::modules::Object::exception(&raised);
                    self.assign(target, value)?;
                }
                let before = self.handled.replace(raised);
                result = self.block(&handler.body);
                self.handled = before;
            }
        } else if matches!(result, Ok(Flow::Next)) {
            result = self.block(otherwise);
        }
        match self.block(finally)? {
            Flow::Next => result,
            other => Ok(other),
        }
    }
}
