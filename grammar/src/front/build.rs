//! Builds the compiled grammar from rules: names, shapes, sizes, and the errors a grammar can have.
use rustc_hash::FxHashMap;

use super::facts;
use super::rules::{Count, Rule, Term};
use super::selector::Masked;
use super::source::{Problem, Span};
use crate::ir::{Bound, ExprId, Generator, Grammar, Literal, Node, NodeId, Symbol, SymbolId};
use crate::regex::Regex;
use crate::sizes;

/// What becomes of a repetition's bound or a generator.
pub trait Compute {
    /// A bound that needs no tree as a number, another as an expression.
    fn bound(&mut self, masked: &Masked) -> Result<Bound, Problem>;
    /// A generator and the symbols it takes.
    fn generator(&mut self, masked: &Masked) -> Result<(ExprId, Vec<SymbolId>), Problem>;
}

/// Names and ids of all symbols that are needed: those of the spec, and of the library what they use.
pub fn symbols<'a>(spec: &'a [Rule], library: &'a [Rule]) -> (Vec<&'a Rule>, FxHashMap<String, SymbolId>) {
    let mut rules: Vec<&Rule> = Vec::new();
    let mut ids = FxHashMap::default();
    for rule in spec {
        match ids.get(&rule.name) {
            // A later definition overrides an earlier one.
            Some(SymbolId(id)) => rules[*id as usize] = rule,
            None => {
                ids.insert(rule.name.clone(), SymbolId(rules.len() as u32));
                rules.push(rule);
            }
        }
    }
    let mut at = 0;
    while at < rules.len() {
        let mut wanted = Vec::new();
        mentioned(&rules[at].body, &mut |name, _| wanted.push(name.to_owned()));
        if let Some(generator) = &rules[at].generator {
            wanted.extend(generator.selectors.iter().map(|(_, selector)| selector.base.clone()));
        }
        for name in wanted {
            add(&name, library, &mut rules, &mut ids);
        }
        at += 1;
    }
    (rules, ids)
}

/// Adds the symbol `name` of the library, if it is one.
fn add<'a>(
    name: &str,
    library: &'a [Rule],
    rules: &mut Vec<&'a Rule>,
    ids: &mut FxHashMap<String, SymbolId>,
) {
    if !ids.contains_key(name)
        && let Some(rule) = library.iter().find(|rule| rule.name == name)
    {
        ids.insert(rule.name.clone(), SymbolId(rules.len() as u32));
        rules.push(rule);
    }
}

fn mentioned(term: &Term, f: &mut dyn FnMut(&str, Span)) {
    match term {
        Term::Alternative(items) | Term::Sequence(items) | Term::Permutation(items) => {
            items.iter().for_each(|item| mentioned(item, f));
        }
        Term::Repeat { body, .. } => mentioned(body, f),
        Term::Symbol(name, span) => f(name, *span),
        Term::Literal { .. } | Term::Regex { .. } | Term::Bit(_) => {}
    }
}

/// Builds the grammar of `rules`; all problems at once.
pub fn build(
    rules: &[&Rule],
    ids: &FxHashMap<String, SymbolId>,
    start: &str,
    compute: &mut dyn Compute,
) -> Result<Grammar, Vec<Problem>> {
    let mut builder = Builder {
        grammar: Grammar::default(),
        ids,
        compute,
        problems: Vec::new(),
        literals: FxHashMap::default(),
    };
    for rule in rules {
        let root = builder.node(&rule.body);
        let generator = rule.generator.as_ref().and_then(|masked| match builder.compute.generator(masked) {
            Ok((expr, sources)) => Some(Generator { expr, sources }),
            Err(problem) => {
                builder.problems.push(problem);
                None
            }
        });
        builder.grammar.symbols.push(Symbol {
            name: rule.name.clone(),
            rule: root,
            generator,
            has_bits: false,
            has_bytes: false,
            recursive: false,
        });
    }
    if !builder.problems.is_empty() {
        return Err(builder.problems);
    }
    let mut grammar = builder.grammar;
    let Some(start_id) = ids.get(start) else {
        let span = rules.first().map(|rule| rule.span).unwrap_or_default();
        return Err(vec![
            Problem::new(span, format!("the spec has no rule for `{start}`, where every input starts"))
                .help("add one, or name another symbol with --start"),
        ]);
    };
    grammar.start = *start_id;
    sizes::compute(&mut grammar);
    facts::fill(&mut grammar);
    grammar.reach = crate::reach::Reach::new(&grammar);
    let problems = facts::unproductive(&grammar, rules);
    if problems.is_empty() { Ok(grammar) } else { Err(problems) }
}

struct Builder<'a> {
    grammar: Grammar,
    ids: &'a FxHashMap<String, SymbolId>,
    compute: &'a mut dyn Compute,
    problems: Vec<Problem>,
    literals: FxHashMap<Vec<u8>, std::ops::Range<u32>>,
}

impl Builder<'_> {
    fn push(&mut self, node: Node) -> NodeId {
        self.grammar.nodes.push(node);
        NodeId(self.grammar.nodes.len() as u32 - 1)
    }

    fn list(&mut self, items: &[NodeId]) -> std::ops::Range<u32> {
        let start = self.grammar.children.len() as u32;
        self.grammar.children.extend_from_slice(items);
        start..start + items.len() as u32
    }

    fn bound(&mut self, count: &Count) -> Bound {
        match count {
            Count::Number(number) => Bound::Const(*number),
            Count::Open => Bound::Open,
            Count::Computed(masked) => self.compute.bound(masked).unwrap_or_else(|problem| {
                self.problems.push(problem);
                Bound::Const(0)
            }),
        }
    }

    fn node(&mut self, term: &Term) -> NodeId {
        match term {
            Term::Alternative(branches) => {
                let mut flat = Vec::new();
                flatten(branches, &mut flat, &|term| match term {
                    Term::Alternative(inner) => Some(inner),
                    _ => None,
                });
                let branches: Vec<NodeId> = flat.into_iter().map(|branch| self.node(branch)).collect();
                let range = self.list(&branches);
                self.push(Node::Alternative(range))
            }
            Term::Sequence(items) => {
                let mut flat = Vec::new();
                flatten(items, &mut flat, &|term| match term {
                    Term::Sequence(inner) => Some(inner),
                    _ => None,
                });
                let items: Vec<NodeId> = flat.into_iter().map(|item| self.node(item)).collect();
                let range = self.list(&items);
                self.push(Node::Sequence(range))
            }
            Term::Permutation(items) => {
                let mut nodes = Vec::new();
                for item in items {
                    let mut node = self.node(item);
                    // An item must make exactly one tree node.
                    if let Node::Sequence(_) = self.grammar.node(node) {
                        let range = self.list(&[node]);
                        node = self.push(Node::Alternative(range));
                    }
                    nodes.push(node);
                }
                let range = self.list(&nodes);
                self.push(Node::Permutation(range))
            }
            Term::Repeat { body, min, max } => {
                let body = self.node(body);
                let min = self.bound(min);
                let max = match max {
                    Some(max) => self.bound(max),
                    None => min,
                };
                self.push(Node::Repeat { body, min, max })
            }
            Term::Symbol(name, span) => match self.ids.get(name) {
                Some(id) => self.push(Node::NonTerminal(*id)),
                None => {
                    self.problems.push(undefined(name, *span, self.ids));
                    self.push(Node::Sequence(0..0))
                }
            },
            Term::Literal { bytes, is_bytes } => {
                let range = match self.literals.get(bytes) {
                    Some(range) => range.clone(),
                    None => {
                        let start = self.grammar.text.len() as u32;
                        self.grammar.text.extend_from_slice(bytes);
                        let range = start..start + bytes.len() as u32;
                        self.literals.insert(bytes.clone(), range.clone());
                        range
                    }
                };
                self.push(Node::Literal(Literal { range, is_bytes: *is_bytes }))
            }
            Term::Regex { pattern, is_bytes, span } => {
                let known = self
                    .grammar
                    .regexes
                    .iter()
                    .position(|regex| regex.pattern == *pattern && regex.is_bytes == *is_bytes);
                let index = known.unwrap_or_else(|| {
                    match Regex::new(pattern, *is_bytes) {
                        Ok(regex) => self.grammar.regexes.push(regex),
                        Err(reason) => self.problems.push(Problem::new(
                            *span,
                            format!("this regular expression cannot be used: {reason}"),
                        )),
                    }
                    self.grammar.regexes.len().saturating_sub(1)
                });
                self.push(Node::Regex(index as u32))
            }
            Term::Bit(bit) => self.push(Node::Bit(*bit)),
        }
    }
}

fn flatten<'a>(
    items: &'a [Term],
    out: &mut Vec<&'a Term>,
    inner: &dyn Fn(&'a Term) -> Option<&'a Vec<Term>>,
) {
    for item in items {
        match inner(item) {
            Some(items) => flatten(items, out, inner),
            None => out.push(item),
        }
    }
}

fn undefined(name: &str, span: Span, ids: &FxHashMap<String, SymbolId>) -> Problem {
    let problem = Problem::new(span, format!("the symbol `{name}` is not defined"));
    let lower = name.to_lowercase().replace('-', "_");
    match ids.keys().find(|known| known.to_lowercase() == lower) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help(format!("add a rule `{name} ::= ...`")),
    }
}
