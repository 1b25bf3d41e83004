//! Trees as few bytes, to be kept beside the inputs they are of: the choices made, in the order of the rules.
//!
//! Everything else follows from the grammar: which branch, how many rounds, in which order, and the words of patterns.
use super::{Index, Kind, Source, Tree};
use crate::ir::{Bound, Grammar, Node, NodeId, SymbolId};

/// How deep arguments of generators may nest.
const MOST_NESTED: u32 = 64;

/// Rounds and nodes beyond which a count is damage.
const MOST_ROUNDS: u32 = 1 << 24;
const MOST_NODES: u32 = 1 << 26;

/// Something still to read.
enum Todo {
    Node(NodeId),
    Rounds(NodeId, u32),
    Close(Index),
}

impl Tree {
    /// Appends the tree to `out`, so that [`Tree::restore`] makes the same one.
    pub fn store(&self, grammar: &Grammar, out: &mut Vec<u8>) {
        let mut sources = self.sources.iter().peekable();
        for at in 0..self.len() {
            let node = self.node(at);
            match node.kind() {
                Kind::Symbol(symbol) => {
                    let info = grammar.symbol(symbol);
                    if matches!(grammar.node(info.rule), Node::Alternative(_)) {
                        number(node.alt, out);
                    }
                    if info.generator.is_some() {
                        let of_this = self.sources.iter().filter(|source| source.node == at).count();
                        number(of_this as u32, out);
                        while let Some(source) = sources.next_if(|source| source.node == at) {
                            source.tree.store(grammar, out);
                        }
                    }
                }
                Kind::Control(id) => match grammar.node(id) {
                    Node::Permutation(list) => self.order(grammar, at, grammar.list(list), out),
                    _ => number(node.alt, out),
                },
                Kind::Terminal(id) => {
                    if let Node::Regex(_) = grammar.node(id) {
                        let word = self.text_of(at);
                        number(word.len() as u32, out);
                        out.extend_from_slice(word);
                    }
                }
            }
        }
    }

    /// Appends which item of a permutation each child is.
    fn order(&self, grammar: &Grammar, at: Index, items: &[NodeId], out: &mut Vec<u8>) {
        let mut taken = vec![false; items.len()];
        let mut child = at + 1;
        while child < self.end(at) {
            let kind = self.node(child).kind();
            let is = |item: NodeId| match (grammar.node(item), kind) {
                (Node::NonTerminal(wanted), Kind::Symbol(symbol)) => *wanted == symbol,
                (_, Kind::Terminal(node) | Kind::Control(node)) => node == item,
                _ => false,
            };
            let found = (0..items.len()).find(|number| !taken[*number] && is(items[*number])).unwrap_or(0);
            taken[found] = true;
            number(found as u32, out);
            child = self.end(child);
        }
    }

    /// The tree of `symbol` that `bytes` start with, and how many of them it takes; none if they are of another
    /// grammar, or damaged.
    pub fn restore(grammar: &Grammar, symbol: SymbolId, bytes: &[u8]) -> Option<(Self, usize)> {
        let mut reader = Reader { bytes, at: 0 };
        let tree = reader.tree(grammar, symbol, 0)?;
        Some((tree, reader.at))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in (0..32).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            value |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn tree(&mut self, grammar: &Grammar, symbol: SymbolId, nested: u32) -> Option<Tree> {
        if nested > MOST_NESTED {
            return None;
        }
        let mut tree = Tree::default();
        let mut todo = Vec::new();
        self.symbol(grammar, symbol, nested, &mut tree, &mut todo)?;
        while let Some(next) = todo.pop() {
            // Rounds of literals take no bytes, so that a damaged count could ask for any number of nodes.
            if tree.len() > MOST_NODES {
                return None;
            }
            let node = match next {
                Todo::Close(at) => {
                    tree.close(at);
                    continue;
                }
                Todo::Rounds(body, left) => {
                    if left > 1 {
                        todo.push(Todo::Rounds(body, left - 1));
                    }
                    body
                }
                Todo::Node(node) => node,
            };
            match grammar.node(node) {
                Node::Sequence(list) => {
                    todo.extend(grammar.list(list).iter().rev().map(|item| Todo::Node(*item)));
                }
                Node::NonTerminal(symbol) => self.symbol(grammar, *symbol, nested, &mut tree, &mut todo)?,
                Node::Alternative(list) => {
                    let alt = self.number()?;
                    let branch = *grammar.list(list).get(alt as usize)?;
                    todo.push(Todo::Close(tree.open(Kind::Control(node), alt)));
                    todo.push(Todo::Node(branch));
                }
                Node::Repeat { body, min, max } => {
                    let count = self.number()?;
                    let low = matches!(min, Bound::Const(min) if count < *min);
                    let high = matches!(max, Bound::Const(max) if count > *max);
                    if low || high || count > MOST_ROUNDS {
                        return None;
                    }
                    todo.push(Todo::Close(tree.open(Kind::Control(node), count)));
                    if count > 0 && grammar.width(*body) > 0 {
                        todo.push(Todo::Rounds(*body, count));
                    }
                }
                Node::Permutation(list) => {
                    let items = grammar.list(list);
                    todo.push(Todo::Close(tree.open(Kind::Control(node), 0)));
                    let order = (0..items.len()).map(|_| self.number()).collect::<Option<Vec<u32>>>()?;
                    let mut sorted = order.clone();
                    sorted.sort_unstable();
                    if !sorted.iter().copied().eq(0..items.len() as u32) {
                        return None;
                    }
                    todo.extend(order.iter().rev().map(|item| Todo::Node(items[*item as usize])));
                }
                Node::Literal(literal) => tree.terminal(node, grammar.literal(literal)),
                Node::Bit(bit) => tree.terminal(node, &[u8::from(*bit)]),
                Node::Regex(regex) => {
                    let len = self.number()? as usize;
                    let word = self.bytes.get(self.at..self.at.checked_add(len)?)?;
                    if !grammar.regexes[*regex as usize].matches(word) {
                        return None;
                    }
                    self.at += len;
                    tree.terminal(node, word);
                }
            }
        }
        Some(tree)
    }

    fn symbol(
        &mut self,
        grammar: &Grammar,
        symbol: SymbolId,
        nested: u32,
        tree: &mut Tree,
        todo: &mut Vec<Todo>,
    ) -> Option<()> {
        let info = grammar.symbol(symbol);
        let (mut alt, mut next) = (0, info.rule);
        if let Node::Alternative(list) = grammar.node(info.rule) {
            alt = self.number()?;
            next = *grammar.list(list).get(alt as usize)?;
        }
        let at = tree.open(Kind::Symbol(symbol), alt);
        if let Some(generator) = &info.generator {
            let count = self.number()?;
            if count != 0 && count as usize != generator.sources.len() {
                return None;
            }
            for source in generator.sources.iter().take(count as usize) {
                let source = self.tree(grammar, *source, nested + 1)?;
                tree.sources.push(Source { node: at, tree: source });
            }
        }
        todo.push(Todo::Close(at));
        todo.push(Todo::Node(next));
        Some(())
    }
}

/// Appends a number, seven bits a byte.
fn number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
