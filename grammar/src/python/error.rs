//! Python's exceptions.
use std::rc::Rc;

use super::value::Value;

/// An exception under way.
#[derive(Debug, Clone)]
pub struct Raised {
    /// The name of its type.
    pub kind: Rc<str>,
    /// What it says.
    pub message: String,
}

/// A result of evaluation.
pub type Res<T = Value> = Result<T, Box<Raised>>;

/// The kind that no `except` catches: this engine lacks something, or the program ran too long.
pub const REFUSED: &str = "Refused";

/// Raises `kind`.
#[cold]
pub fn raise<T>(kind: &str, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Raised { kind: kind.into(), message: message.into() }))
}

/// Whether `except caught` catches an exception of type `kind`.
pub fn catches(caught: &str, kind: &str) -> bool {
    if kind == REFUSED {
        return false;
    }
    caught == kind
        || match caught {
            "Exception" | "BaseException" => true,
            "ArithmeticError" => matches!(kind, "ZeroDivisionError" | "OverflowError"),
            "LookupError" => matches!(kind, "IndexError" | "KeyError"),
            "ValueError" => {
                matches!(
                    kind,
                    "UnicodeDecodeError" | "UnicodeEncodeError" | "binascii.Error" | "UnicodeError"
                )
            }
            "UnicodeError" => matches!(kind, "UnicodeDecodeError" | "UnicodeEncodeError"),
            _ => false,
        }
}

/// Every exception type a spec may name.
pub const EXCEPTIONS: [&str; 20] = [
    "Exception",
    "BaseException",
    "ValueError",
    "TypeError",
    "KeyError",
    "IndexError",
    "LookupError",
    "ZeroDivisionError",
    "OverflowError",
    "ArithmeticError",
    "RuntimeError",
    "NotImplementedError",
    "AssertionError",
    "AttributeError",
    "StopIteration",
    "UnicodeError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "OSError",
    "NameError",
];
