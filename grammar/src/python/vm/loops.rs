//! What goes over many values: displays, comprehensions, loops and f-strings.
use super::*;

impl Vm<'_> {
    pub(super) fn collect(&mut self, items: &[(Ex, bool)]) -> Res<Vec<Value>> {
        let mut out = Vec::with_capacity(items.len());
        for (ex, starred) in items {
            let value = self.eval(ex)?;
            if *starred {
                out.extend(self.items(&value)?);
            } else {
                out.push(value);
            }
        }
        Ok(out)
    }

    pub(super) fn comprehend(
        &mut self,
        loops: &[Loop],
        element: &(Ex, Option<Ex>),
        out: &mut Vec<(Value, Value)>,
    ) -> Res<()> {
        let Some((first, rest)) = loops.split_first() else {
            let item = self.eval(&element.0)?;
            let value = match &element.1 {
                Some(value) => self.eval(value)?,
                None => Value::None,
            };
            out.push((item, value));
            return Ok(());
        };
        let iterable = self.eval(&first.iter)?;
        self.each(&iterable, &mut |vm, item| {
            vm.assign(&first.target, item)?;
            for condition in &first.ifs {
                if !vm.test(condition)? {
                    return Ok(true);
                }
            }
            vm.comprehend(rest, element, out)?;
            Ok(true)
        })
    }

    /// Calls `f` with every item until it says false.
    pub fn each(&mut self, iterable: &Value, f: &mut dyn FnMut(&mut Self, Value) -> Res<bool>) -> Res<()> {
        match iterable {
            Value::Range(..) => {
                for number in iterable.range_items() {
                    self.step()?;
                    if !f(self, Value::Int(number))? {
                        break;
                    }
                }
                Ok(())
            }
            Value::List(list) => {
                let mut at = 0;
                loop {
                    let Some(item) = list.borrow().get(at).cloned() else { return Ok(()) };
                    at += 1;
                    self.step()?;
                    if !f(self, item)? {
                        return Ok(());
                    }
                }
            }
            Value::Iter(iter) => loop {
                let item = {
                    let mut iter = iter.borrow_mut();
                    let at = iter.next;
                    iter.next += 1;
                    iter.items.get(at).cloned()
                };
                let Some(item) = item else { return Ok(()) };
                self.step()?;
                if !f(self, item)? {
                    return Ok(());
                }
            },
            _ => {
                for item in self.items(iterable)? {
                    self.step()?;
                    if !f(self, item)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    pub(super) fn pieces(&mut self, pieces: &[Piece]) -> Res<String> {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(ex, repr, format) => {
                    let mut value = self.eval(ex)?;
                    if *repr {
                        value = Value::str(self.repr_of(&value)?);
                    }
                    if format.is_empty() {
                        out.push_str(&self.text_of(&value)?);
                    } else {
                        let format = self.pieces(format)?;
                        out.push_str(&self.format_value(&value, &format)?);
                    }
                }
            }
        }
        Ok(out)
    }
}
