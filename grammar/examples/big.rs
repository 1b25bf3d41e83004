//! Scratch: how long large texts take to parse.
use std::time::Instant;
use waypoint_grammar::generate::NoHost;
use waypoint_grammar::parse::{Limits, Parser};
use waypoint_grammar::rng::Rng;
use waypoint_grammar::testing;
use waypoint_grammar::tree::Tree;
fn main() {
    let e = "/tmp/lang/fandango_fuzzer-1.3.1/evaluation";
    let read = |p: &str| testing::grammar(&std::fs::read_to_string(format!("{e}/{p}")).unwrap());
    let json = testing::grammar("<start> ::= <value>\n<value> ::= <object> | <array> | <string> | <number> | 'true' | 'false' | 'null'\n<object> ::= '{' '}' | '{' <members> '}'\n<members> ::= <pair> | <pair> ',' <members>\n<pair> ::= <string> ':' <value>\n<array> ::= '[' ']' | '[' <elements> ']'\n<elements> ::= <value> | <value> ',' <elements>\n<string> ::= '\"' r'[^\"]*' '\"'\n<number> ::= r'-?[0-9]+(\\.[0-9]+)?'");
    let arith = testing::grammar("<start> ::= <e>\n<e> ::= <t> '+' <e> | <t> '-' <e> | <t>\n<t> ::= <f> '*' <t> | <f> '/' <t> | <f>\n<f> ::= '(' <e> ')' | <n>\n<n> ::= <d> <n> | <d>\n<d> ::= '0' | '1' | '2'");
    let nul = testing::grammar("<start> ::= <a> 'x'\n<a> ::= <b> <a> | ''\n<b> ::= 'a' | 'b' | <a> 'c'");
    let (g_csv, g_scriptsizec, g_rest, g_xml) = (read("csv/csv.fan"), read("scriptsizec/scriptsizec.fan"), read("rest/rest.fan"), read("xml/xml.fan"));
    for n in [100usize, 1000, 10_000, 100_000] {
        let cases: Vec<(&str, &waypoint_grammar::ir::Grammar, Vec<u8>)> = vec![
            ("csv", &g_csv, b"ab; cd ;\"x;y\"\n".repeat(n / 13 + 1)),
            ("script", &g_scriptsizec, [b"{".to_vec(), b"if (a<b+1) c=d; int e=(1-2);".repeat(n / 28 + 1), b"}".to_vec()].concat()),
            ("rest", &g_rest, b"ab cd ef\n".repeat(n / 9 + 1)),
            ("xml", &g_xml, [b"<a b=\"c\">".repeat(n / 14 + 1), b"text".to_vec(), b"</a>".repeat(n / 14 + 1)].concat()),
            ("json", &json, [b"[".to_vec(), b"{\"a\":[1,2,{\"b\":null}]},".repeat(n / 24 + 1), b"1]".to_vec()].concat()),
            ("json-deep", &json, [b"[".repeat(n / 2), b"]".repeat(n / 2)].concat()),
            ("arith", &arith, [b"(".repeat(n / 20 + 1), b"12+1*2".repeat(1), b")*2".repeat(n / 20 + 1), b"+(1+2)*12".repeat(n / 10)].concat()),
            ("right-chart", &nul, [b"abc".repeat(n / 3 + 1), b"x".to_vec()].concat()),
            ("bad csv", &g_csv, b"ab; cd ;\"x;y\"".repeat(n / 13 + 1)),
        ];
        for (name, grammar, input) in cases {
            let mut parser = Parser::new(grammar);
            let mut tree = Tree::default();
            let start = Instant::now();
            let r = parser.parse(grammar, grammar.start, &input, false, Limits::default(), &mut Rng::new(0), &mut NoHost, &mut tree);
            let t = start.elapsed().as_secs_f64() * 1e3;
            println!("{name:<12} {:>7} bytes {t:>9.2} ms  {:>8} nodes {}", input.len(), tree.len(), r.map_or_else(|e| e.to_string(), |_| String::new()).chars().take(80).collect::<String>());
        }
    }
}
