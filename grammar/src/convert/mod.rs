//! Grammars of other tools as `.fan` text.

/// An ANTLR 4 grammar as a spec.
pub fn antlr(_text: &str) -> Result<String, String> {
    Err("converting ANTLR grammars is not implemented yet".into())
}

/// A DTD as a spec.
pub fn dtd(_text: &str) -> Result<String, String> {
    Err("converting DTDs is not implemented yet".into())
}
