//! A reader of plain rules for tests and benchmarks: `<a> ::= 'x' <b>* | r'[0-9]+' (0 | 1){8}`, one rule a line.
//!
//! It panics on what it cannot read; specs are read by the front end.
use crate::ir::{Bound, Grammar, Literal, Node, NodeId, Symbol};
use crate::regex::Regex;

/// The grammar of `rules`; the first symbol, or `<start>`, is where words start.
pub fn grammar(rules: &str) -> Grammar {
    let mut grammar = Grammar::default();
    let lines: Vec<(&str, &str)> = rules.lines().filter_map(|line| line.split_once("::=")).collect();
    // Generators are left out: their symbols are derived.
    let lines: Vec<_> =
        lines.into_iter().map(|(name, rule)| (name, rule.split(" := ").next().unwrap_or(rule))).collect();
    for (name, _) in &lines {
        let (name, rule) = (name.trim().to_owned(), NodeId(0));
        let (has_bits, has_bytes, recursive) = (false, false, false);
        grammar.symbols.push(Symbol { name, rule, generator: None, has_bits, has_bytes, recursive });
    }
    for (index, (_, rule)) in lines.iter().enumerate() {
        let mut reader = Reader { grammar: &mut grammar, rest: rule.trim() };
        let root = reader.alternatives();
        assert!(reader.rest.is_empty(), "cannot read `{}`", reader.rest);
        grammar.symbols[index].rule = root;
    }
    grammar.start = grammar.find("<start>").unwrap_or_default();
    mark(&mut grammar);
    crate::sizes::compute(&mut grammar);
    grammar
}

/// Fills `has_bits`, `has_bytes` and `recursive` of the symbols.
fn mark(grammar: &mut Grammar) {
    let count = grammar.symbols.len();
    for index in 0..count {
        let mut seen = vec![false; count];
        let mut todo = vec![grammar.symbols[index].rule];
        let (mut bits, mut bytes) = (false, false);
        while let Some(node) = todo.pop() {
            match grammar.node(node) {
                Node::Alternative(list) | Node::Sequence(list) | Node::Permutation(list) => {
                    todo.extend_from_slice(grammar.list(list));
                }
                Node::Repeat { body, .. } => todo.push(*body),
                Node::NonTerminal(symbol) => {
                    if !std::mem::replace(&mut seen[symbol.0 as usize], true) {
                        todo.push(grammar.symbol(*symbol).rule);
                    }
                }
                Node::Literal(literal) => bytes |= literal.is_bytes,
                Node::Regex(regex) => bytes |= grammar.regexes[*regex as usize].is_bytes,
                Node::Bit(_) => bits = true,
            }
        }
        let symbol = &mut grammar.symbols[index];
        (symbol.has_bits, symbol.has_bytes, symbol.recursive) = (bits, bits | bytes, seen[index]);
        grammar.has_bits |= bits;
    }
}

struct Reader<'a> {
    grammar: &'a mut Grammar,
    rest: &'a str,
}

impl Reader<'_> {
    fn add(&mut self, node: Node) -> NodeId {
        self.grammar.nodes.push(node);
        NodeId(self.grammar.nodes.len() as u32 - 1)
    }

    fn list(&mut self, nodes: &[NodeId]) -> std::ops::Range<u32> {
        let start = self.grammar.children.len() as u32;
        self.grammar.children.extend_from_slice(nodes);
        start..start + nodes.len() as u32
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn alternatives(&mut self) -> NodeId {
        let mut branches = vec![self.sequence()];
        while self.take("|") {
            branches.push(self.sequence());
        }
        if branches.len() == 1 {
            return branches[0];
        }
        let list = self.list(&branches);
        self.add(Node::Alternative(list))
    }

    fn sequence(&mut self) -> NodeId {
        let mut items = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', ';']);
            if self.rest.is_empty() || self.rest.starts_with(['|', ')', ']']) {
                break;
            }
            let item = self.repeated();
            match self.grammar.node(item).clone() {
                Node::Sequence(list) => items.extend_from_slice(self.grammar.list(&list)),
                _ => items.push(item),
            }
        }
        if items.len() == 1 {
            return items[0];
        }
        let list = self.list(&items);
        self.add(Node::Sequence(list))
    }

    fn repeated(&mut self) -> NodeId {
        self.rest = self.rest.trim_start();
        let body = self.item();
        let (min, max) = match self.rest.chars().next() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let (bounds, _) = self.rest[1..].split_once('}').expect("a closing brace");
                self.rest = &self.rest[bounds.len() + 1..];
                let (min, max) = bounds.split_once(',').unwrap_or((bounds, bounds));
                (min.parse().unwrap_or(0), max.parse().ok())
            }
            _ => return body,
        };
        self.rest = &self.rest[1..];
        let max = max.map_or(Bound::Open, Bound::Const);
        self.add(Node::Repeat { body, min: Bound::Const(min), max })
    }

    fn item(&mut self) -> NodeId {
        if self.take("[[") {
            let mut items = Vec::new();
            while !self.take("]]") {
                items.push(self.repeated());
            }
            let list = self.list(&items);
            return self.add(Node::Permutation(list));
        }
        if self.take("(") {
            let inner = self.alternatives();
            assert!(self.take(")"), "a closing parenthesis before `{}`", self.rest);
            return inner;
        }
        if self.rest.starts_with('<') {
            let (name, rest) = self.rest.split_once('>').expect("a closing angle bracket");
            let name = format!("{name}>");
            self.rest = rest;
            let symbol = self.grammar.find(&name).unwrap_or_else(|| panic!("{name} has no rule"));
            return self.add(Node::NonTerminal(symbol));
        }
        for bit in [false, true] {
            if self.take(if bit { "1" } else { "0" }) {
                return self.add(Node::Bit(bit));
            }
        }
        let (is_regex, is_bytes) = (self.rest.starts_with('r'), self.rest[..2].contains('b'));
        self.rest = self.rest.trim_start_matches(['r', 'b']);
        let text = self.quoted(is_regex);
        if is_regex {
            let regex = Regex::new(std::str::from_utf8(&text).expect("UTF-8"), is_bytes).expect("a regex");
            self.grammar.regexes.push(regex);
            return self.add(Node::Regex(self.grammar.regexes.len() as u32 - 1));
        }
        let start = self.grammar.text.len() as u32;
        self.grammar.text.extend_from_slice(&text);
        let range = start..self.grammar.text.len() as u32;
        self.add(Node::Literal(Literal { range, is_bytes }))
    }

    fn quoted(&mut self, raw: bool) -> Vec<u8> {
        let quote = self.rest.chars().next().filter(|char| "'\"".contains(*char));
        let quote = quote.unwrap_or_else(|| panic!("cannot read `{}`", self.rest));
        let mut text = Vec::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            if char == quote {
                self.rest = &self.rest[at + 1..];
                return text;
            }
            let mut put = |char: char| text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            if char != '\\' || raw {
                put(char);
                continue;
            }
            match chars.next().map(|(_, char)| char) {
                Some('n') => put('\n'),
                Some('t') => put('\t'),
                Some('r') => put('\r'),
                Some('x') => {
                    let mut digit =
                        || chars.next().and_then(|(_, char)| char.to_digit(16)).expect("a hex digit");
                    text.push((digit() * 16 + digit()) as u8);
                }
                Some(other) => put(other),
                None => break,
            }
        }
        panic!("a string has no end");
    }
}

/// Grammars for tests and benchmarks, by name.
pub const SAMPLES: &[(&str, &str)] = &[
    (
        "csv",
        "<start> ::= <header> <records>
         <header> ::= <record>
         <records> ::= <record> <records> | ''
         <record> ::= <fields> '\\n'
         <fields> ::= <field> | <field> ';' <fields>
         <field> ::= <spaces> <plain> <spaces> | '\"' <quoted> '\"'
         <spaces> ::= '' | ' ' <spaces>
         <plain> ::= <letter> <plain> | <letter>
         <quoted> ::= <any> <quoted> | ''
         <any> ::= <letter> | ';' | ' ' | '\\n'
         <letter> ::= 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | '0' | '1' | '2' | '-' | '.'",
    ),
    (
        "xml",
        "<start> ::= <tree>
         <tree> ::= <open> <inner> <close>
         <inner> ::= <tree> | <text>
         <open> ::= '<' <id> ' ' <attributes> '>' | '<' <id> '>'
         <close> ::= '</' <id> '>'
         <attributes> ::= <attribute> | <attribute> ' ' <attributes>
         <attribute> ::= <id> '=\"' <text> '\"'
         <id> ::= <letter> <id_chars> | <letter>
         <id_chars> ::= <id_char> <id_chars> | <id_char>
         <id_char> ::= <letter> | '-' | '.' | '0' | '1'
         <letter> ::= 'a' | 'b' | 'c' | 'd' | 'e' | 'x' | 'y' | 'z' | '_'
         <text> ::= <text_char> <text> | <text_char>
         <text_char> ::= <letter> | '&quot;' | ' ' | '\\t' | '?' | '='",
    ),
    (
        "script",
        "<start> ::= <statement>
         <statement> ::= '{' <statement>* '}' | 'if ' <paren> <statement> (' else ' <statement>)? | <expr> ';' | ';'
         <paren> ::= '(' <expr> ')'
         <expr> ::= <id> '=' <expr> | <test>
         <test> ::= <sum> '<' <sum> | <sum>
         <sum> ::= <sum> '+' <term> | <sum> '-' <term> | <term>
         <term> ::= <paren> | <id> | <int>
         <id> ::= 'a' | 'b' | 'c' | 'd'
         <int> ::= '0' | '1' | '2' <int>",
    ),
    (
        "bits",
        "<start> ::= <header> <body>
         <header> ::= b'\\x89' <flags> <kind>
         <flags> ::= <bit>{3} <bit>{5}
         <kind> ::= 0 0 0 1 0 <bit>{3} | 1 <bit>{7}
         <body> ::= (<byte> b'\\x00' | <byte> <byte>)*
         <byte> ::= <bit>{8}
         <bit> ::= 0 | 1",
    ),
    (
        "regex",
        "<start> ::= <line>+
         <line> ::= <name> '=' <value> '\\n'
         <name> ::= r'[a-z]{1,8}'
         <value> ::= r'[0-9]+' | r'\"[^\"\\n]*\"' | <name>",
    ),
    (
        "permutation",
        "<start> ::= [[ <a> <b>? <c> 'x' ]] ';' <start>?
         <a> ::= 'a' | 'aa'
         <b> ::= 'b'{1,3}
         <c> ::= <a> <b> | 'c'",
    ),
    (
        "ambiguous",
        "<start> ::= <e>
         <e> ::= <e> <e> | <e> '+' <e> | 'a' | '' | '(' <e> ')' | <f>
         <f> ::= <e> | 'a'*",
    ),
    (
        "record",
        "<start> ::= <entry>+ <tail>
         <entry> ::= <name> <mode> <size> <content>
         <name> ::= <letter> <letters> <nul>*
         <letters> ::= <letter> <letters> | ''
         <mode> ::= <octal>{6} ' ' <nul>
         <size> ::= '0000000' ('1' | '0') <octal>{2} ' '
         <content> ::= (<letter> | <nul>){100}
         <tail> ::= <nul>{32} 'end'
         <letter> ::= 'a' | 'b' | 'c' | 'd' | 'e' | '_' | '7'
         <octal> ::= '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7'
         <nul> ::= '\\x00'",
    ),
];
