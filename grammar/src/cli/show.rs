//! Trees as text.
use std::fmt::Write as _;

use crate::ir::{Grammar, Node};
use crate::python::value::{bytes_repr, str_repr};
use crate::tree::{Index, Kind, Tree};

/// How a tree is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Indented, one node a line
    Tree,
    /// As rules that derive just this input
    Grammar,
    /// As bits
    Bits,
    /// As a graph for Graphviz
    Dot,
}

/// `tree` as text.
pub fn show(grammar: &Grammar, tree: &Tree, format: Format) -> String {
    let mut out = String::new();
    match format {
        Format::Tree => lines(grammar, tree, 0, 0, &mut out),
        Format::Grammar => rules(grammar, tree, 0, 0, &mut out),
        Format::Bits => {
            for at in 0..tree.len() {
                if let Kind::Terminal(node) = tree.node(at).kind() {
                    let is_bit = matches!(grammar.node(node), Node::Bit(_));
                    for byte in tree.text_of(at) {
                        _ = if is_bit { write!(out, "{byte}") } else { write!(out, "{byte:08b}") };
                    }
                }
            }
            out.push('\n');
        }
        Format::Dot => {
            out.push_str("digraph tree {\n  node [shape=box];\n");
            for at in 0..tree.len() {
                if tree.node(at).is_control() {
                    continue;
                }
                let label = name(grammar, tree, at).replace('\\', "\\\\").replace('"', "\\\"");
                _ = writeln!(out, "  n{at} [label=\"{label}\"];");
                for child in tree.children(at) {
                    _ = writeln!(out, "  n{at} -> n{child};");
                }
            }
            out.push_str("}\n");
        }
    }
    out
}

fn name(grammar: &Grammar, tree: &Tree, at: Index) -> String {
    match tree.node(at).kind() {
        Kind::Symbol(symbol) => grammar.symbol(symbol).name.clone(),
        Kind::Terminal(node) | Kind::Control(node) => {
            let text = tree.text_of(at);
            let is_bytes = match grammar.node(node) {
                Node::Bit(bit) => return u8::from(*bit).to_string(),
                Node::Literal(literal) => literal.is_bytes,
                Node::Regex(regex) => grammar.regexes[*regex as usize].is_bytes,
                _ => false,
            };
            match std::str::from_utf8(text) {
                Ok(text) if !is_bytes => str_repr(text),
                _ => bytes_repr(text),
            }
        }
    }
}

fn lines(grammar: &Grammar, tree: &Tree, at: Index, depth: usize, out: &mut String) {
    // By hand rather than by recursion: a tree may be deeper than the stack.
    let mut todo = vec![(at, depth)];
    while let Some((at, depth)) = todo.pop() {
        _ = writeln!(out, "{}{}", "  ".repeat(depth), name(grammar, tree, at));
        let children: Vec<Index> = tree.children(at).collect();
        todo.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
}

fn rules(grammar: &Grammar, tree: &Tree, at: Index, depth: usize, out: &mut String) {
    let mut todo = vec![(at, depth)];
    while let Some((at, depth)) = todo.pop() {
        if tree.node(at).is_terminal() {
            continue;
        }
        let children: Vec<Index> = tree.children(at).collect();
        let parts: Vec<String> = children.iter().map(|child| name(grammar, tree, *child)).collect();
        let text = String::from_utf8_lossy(tree.text_of(at)).into_owned();
        let right = if parts.is_empty() { "''".to_owned() } else { parts.join(" ") };
        _ = writeln!(
            out,
            "{}{} ::= {right}  # {}",
            "  ".repeat(depth),
            name(grammar, tree, at),
            str_repr(&text)
        );
        todo.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
}
