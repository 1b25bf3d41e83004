//! `setting SELECTOR key = value ...`: how often generation leaves the grammar, and where.
use super::source::{Problem, Span};
use crate::ir::{Bound, Grammar, Node, NodeId};

/// How often, from 0 to 1, each way of leaving the grammar is taken at a rule node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// `terminal_should_repeat`: a terminal is left out or stands several times.
    pub repeat: f64,
    /// `plus_should_return_nothing`: what stands at least once does not.
    pub nothing: f64,
    /// `option_should_return_multiple`: what stands at most once stands several times.
    pub multiple: f64,
    /// `alternatives_should_concatenate`: several branches instead of one.
    pub concatenate: f64,
    /// `invert_regex`: a word that the pattern does not match.
    pub invert: f64,
    /// `max_out_of_regex_tries`: words tried for that.
    pub tries: f64,
    /// `non_terminal_use_other_rule`: a word of another symbol.
    pub other: f64,
    /// `havoc_probability`: the bytes of the part are changed at random.
    pub havoc: f64,
    /// `max_stack_pow`: up to two to the power of this many such changes.
    pub stack: f64,
}

const NEVER: Chances = Chances {
    repeat: 0.0,
    nothing: 0.0,
    multiple: 0.0,
    concatenate: 0.0,
    invert: 0.0,
    tries: 100.0,
    other: 0.0,
    havoc: 0.0,
    stack: 7.0,
};

type Field = fn(&mut Chances) -> &mut f64;

/// Every key, with what it sets and whether it is a chance.
const KEYS: [(&str, Field, bool); 9] = [
    ("terminal_should_repeat", |chances| &mut chances.repeat, true),
    ("plus_should_return_nothing", |chances| &mut chances.nothing, true),
    ("option_should_return_multiple", |chances| &mut chances.multiple, true),
    ("alternatives_should_concatenate", |chances| &mut chances.concatenate, true),
    ("invert_regex", |chances| &mut chances.invert, true),
    ("max_out_of_regex_tries", |chances| &mut chances.tries, false),
    ("non_terminal_use_other_rule", |chances| &mut chances.other, true),
    ("havoc_probability", |chances| &mut chances.havoc, true),
    ("max_stack_pow", |chances| &mut chances.stack, false),
];

/// One `setting` statement as written.
#[derive(Debug, Clone)]
pub struct Setting {
    selector: String,
    pairs: Vec<(String, String)>,
    span: Span,
}

/// The chances of a grammar's rule nodes and symbols.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    nodes: Vec<Chances>,
    symbols: Vec<Chances>,
}

impl Settings {
    /// Whether generation never leaves the grammar.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The chances at a rule node.
    pub fn node(&self, node: NodeId) -> &Chances {
        &self.nodes[node.0 as usize]
    }

    /// The chances at the symbol of this number.
    pub fn symbol(&self, symbol: u32) -> &Chances {
        &self.symbols[symbol as usize]
    }

    /// Resolves the statements of a spec; a later one overrides an earlier one.
    pub fn resolve(written: &[Setting], grammar: &Grammar) -> Result<Self, Problem> {
        let mut this = Self::default();
        if written.is_empty() {
            return Ok(this);
        }
        this.nodes = vec![NEVER; grammar.nodes.len()];
        this.symbols = vec![NEVER; grammar.symbols.len()];
        for setting in written {
            let nodes: Vec<usize> = match kind_named(setting)? {
                Some(kind) => {
                    let nodes = grammar.nodes.iter().enumerate();
                    nodes.filter(|(_, node)| is_kind(node, kind)).map(|(index, _)| index).collect()
                }
                None => Vec::new(),
            };
            let symbols: Vec<usize> = match &*setting.selector {
                "*" | "all_with_type(NonTerminalNode)" => (0..this.symbols.len()).collect(),
                name if name.starts_with('<') => {
                    let Some(symbol) = grammar.find(name) else {
                        return Err(Problem::new(
                            setting.span,
                            format!("there is no symbol {name} to set this for"),
                        ));
                    };
                    vec![symbol.0 as usize]
                }
                _ => Vec::new(),
            };
            for (key, value) in &setting.pairs {
                let (field, value) = read(setting, key, value)?;
                nodes.iter().for_each(|index| *field(&mut this.nodes[*index]) = value);
                symbols.iter().for_each(|index| *field(&mut this.symbols[*index]) = value);
            }
        }
        Ok(this)
    }
}

impl Setting {
    /// Reads what follows the word `setting`.
    pub fn read(text: &str, span: Span) -> Self {
        let text = text.replace('=', " ");
        let mut words = text.trim_end_matches([';', '\n', ' ']).split_whitespace().map(str::to_owned);
        let selector = words.next().unwrap_or_else(|| "*".into());
        let mut pairs = Vec::new();
        while let Some(key) = words.next() {
            pairs.push((key, words.next().unwrap_or_default()));
        }
        Self { selector, pairs, span }
    }
}

fn read(setting: &Setting, key: &str, value: &str) -> Result<(Field, f64), Problem> {
    let Some((_, field, is_chance)) = KEYS.iter().find(|(known, _, _)| *known == key) else {
        let known: Vec<&str> = KEYS.iter().map(|(known, _, _)| *known).collect();
        return Err(Problem::new(setting.span, format!("there is no setting `{key}`"))
            .help(format!("the settings are {}", known.join(", "))));
    };
    let number = match value {
        "True" => Some(1.0),
        "False" => Some(0.0),
        text => text.parse::<f64>().ok(),
    };
    let fits = |number: &f64| *number >= 0.0 && (!is_chance || *number <= 1.0);
    match number.filter(fits) {
        Some(number) => Ok((*field, number)),
        None if *is_chance => {
            Err(Problem::new(setting.span, format!("`{key}` is a number from 0 to 1, not `{value}`")))
        }
        None => Err(Problem::new(setting.span, format!("`{key}` is a number of at least 0, not `{value}`"))),
    }
}

/// Which rule nodes a setting is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Terminal,
    Plus,
    Star,
    Option,
    Repetition,
    Alternative,
    /// Sequences have nothing that could be set, and symbols are found by themselves.
    Nothing,
}

fn kind_named(setting: &Setting) -> Result<Option<Wanted>, Problem> {
    let selector = &*setting.selector;
    if selector == "*" {
        return Ok(Some(Wanted::All));
    }
    if selector.starts_with('<') {
        return Ok(None);
    }
    let name = selector.strip_prefix("all_with_type(").and_then(|rest| rest.strip_suffix(')'));
    match name {
        Some("TerminalNode" | "CharSet") => Ok(Some(Wanted::Terminal)),
        Some("Plus") => Ok(Some(Wanted::Plus)),
        Some("Star") => Ok(Some(Wanted::Star)),
        Some("Option") => Ok(Some(Wanted::Option)),
        Some("Repetition") => Ok(Some(Wanted::Repetition)),
        Some("Alternative") => Ok(Some(Wanted::Alternative)),
        Some("NonTerminalNode" | "Concatenation") => Ok(Some(Wanted::Nothing)),
        _ => Err(Problem::new(setting.span, format!("`{selector}` selects nothing that can be set")).help(
            "write a symbol, `*`, or all_with_type(T) with T one of TerminalNode, NonTerminalNode, Alternative, \
             Concatenation, Repetition, Star, Plus, Option",
        )),
    }
}

fn is_kind(node: &Node, wanted: Wanted) -> bool {
    let kind = match node {
        Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => Wanted::Terminal,
        Node::Alternative(_) => Wanted::Alternative,
        Node::Repeat { min: Bound::Const(1), max: Bound::Open, .. } => Wanted::Plus,
        Node::Repeat { min: Bound::Const(0), max: Bound::Open, .. } => Wanted::Star,
        Node::Repeat { min: Bound::Const(0), max: Bound::Const(1), .. } => Wanted::Option,
        Node::Repeat { .. } => Wanted::Repetition,
        Node::Sequence(_) | Node::Permutation(_) | Node::NonTerminal(_) => Wanted::Nothing,
    };
    wanted == Wanted::All || wanted == kind
}
