//! Slices of sequences.
use super::*;

impl<'t> Vm<'t> {
    /// `value[start:stop:step]`
    pub fn slice(&mut self, value: &Value, [start, stop, step]: [Option<i64>; 3]) -> Res {
        if step == Some(0) {
            return raise("ValueError", "slice step cannot be zero");
        }
        Ok(match value {
            Value::Str(text) if text.is_ascii() => {
                if step.unwrap_or(1) == 1 {
                    let mut indices = slice_indices(text.len(), start, stop, None);
                    let first = indices.next();
                    let count = indices.count();
                    match first {
                        Some(first) => Value::str(&text[first..=first + count]),
                        None => Value::str(""),
                    }
                } else {
                    let bytes = text.as_bytes();
                    let taken: String = slice_indices(bytes.len(), start, stop, step)
                        .map(|at| char::from(bytes[at]))
                        .collect();
                    Value::str(taken)
                }
            }
            Value::Str(text) => {
                let chars: Vec<char> = text.chars().collect();
                let taken: String =
                    slice_indices(chars.len(), start, stop, step).map(|at| chars[at]).collect();
                Value::str(taken)
            }
            Value::Bytes(_) | Value::ByteArray(_) => {
                let taken: Vec<u8> = match value.buffer() {
                    Some(bytes) => {
                        slice_indices(bytes.len(), start, stop, step).map(|at| bytes[at]).collect()
                    }
                    None => Vec::new(),
                };
                match value {
                    Value::Bytes(_) => Value::bytes(taken),
                    _ => Value::ByteArray(Rc::new(RefCell::new(taken))),
                }
            }
            Value::List(items) => {
                let items = items.borrow();
                Value::list(
                    slice_indices(items.len(), start, stop, step).map(|at| items[at].clone()).collect(),
                )
            }
            Value::Tuple(items) => Value::tuple(
                slice_indices(items.len(), start, stop, step).map(|at| items[at].clone()).collect::<Vec<_>>(),
            ),
            Value::Tree(_) | Value::Trees(_) => {
                let children = self.children(value)?;
                Value::Trees(
                    slice_indices(children.len(), start, stop, step).map(|at| children[at]).collect(),
                )
            }
            Value::Range(..) => {
                let items: Vec<i64> = value.range_items().collect();
                Value::list(
                    slice_indices(items.len(), start, stop, step).map(|at| Value::Int(items[at])).collect(),
                )
            }
            other => return raise("TypeError", format!("'{}' cannot be sliced", other.type_name())),
        })
    }
}
