//! What follows from a grammar as a whole: which symbols have bits and bytes, which are recursive, which never end.
use rustc_hash::FxHashSet;

use super::rules::Rule;
use super::source::Problem;
use crate::ir::{Grammar, Node, SymbolId, UNPRODUCTIVE};

/// Fills in which symbols have bits and bytes, and which are recursive.
pub fn fill(grammar: &mut Grammar) {
    let mut below = Vec::new();
    for id in grammar.symbol_ids() {
        let bits = grammar.rule_nodes(id).any(|node| matches!(node, Node::Bit(_)));
        let bytes = grammar.rule_nodes(id).any(|node| match node {
            Node::Literal(literal) => literal.is_bytes,
            Node::Regex(regex) => grammar.regexes.get(*regex as usize).is_some_and(|regex| regex.is_bytes),
            _ => false,
        });
        below.push(all_below(grammar, id));
        let symbol = &mut grammar.symbols[id.0 as usize];
        (symbol.has_bits, symbol.has_bytes) = (bits, bytes || bits);
    }
    for (id, below) in grammar.symbol_ids().zip(below) {
        let of = |what: fn(&crate::ir::Symbol) -> bool| below.iter().any(|used| what(grammar.symbol(*used)));
        let (bits, bytes) = (of(|symbol| symbol.has_bits), of(|symbol| symbol.has_bytes));
        let symbol = &mut grammar.symbols[id.0 as usize];
        symbol.recursive = below.contains(&id);
        symbol.has_bits |= bits;
        symbol.has_bytes |= bytes;
    }
    grammar.has_bits = grammar.symbols.iter().any(|symbol| symbol.has_bits);
}

/// The symbols that can stand below `id`.
fn all_below(grammar: &Grammar, id: SymbolId) -> FxHashSet<SymbolId> {
    let mut seen = FxHashSet::default();
    let mut todo: Vec<SymbolId> = grammar.named_in(id).collect();
    while let Some(next) = todo.pop() {
        if seen.insert(next) {
            todo.extend(grammar.named_in(next));
        }
    }
    seen
}

/// Symbols that can be reached from the start but derive no finite word.
pub fn unproductive(grammar: &Grammar, rules: &[&Rule]) -> Vec<Problem> {
    let mut seen = FxHashSet::default();
    let mut todo = vec![grammar.start];
    let mut problems = Vec::new();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let symbol = grammar.symbol(id);
        if grammar.least(symbol.rule).nodes != UNPRODUCTIVE.nodes || symbol.generator.is_some() {
            todo.extend(grammar.named_in(id));
            continue;
        }
        let (name, span) = (&symbol.name, rules[id.0 as usize].span);
        let because = if symbol.recursive {
            format!("every alternative needs `{name}` again")
        } else {
            "it needs something that has none".to_owned()
        };
        problems.push(
            Problem::new(span, format!("`{name}` derives no finite word: {because}"))
                .help("add an alternative that ends, such as `| \"\"`"),
        );
    }
    problems
}
