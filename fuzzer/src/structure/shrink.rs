//! The search for a smaller input among trees: parts are left out, replaced by inner ones or by least ones, the largest
//! first. It runs nothing itself, and the same answers lead to the same input.
use waypoint_grammar::{
    mutate::Mutator,
    rng::Rng,
    solve::solver::Solver,
    tree::{Index, Tree},
};

use super::{Language, language::Fit};

/// How often all parts are gone through.
const PASSES: u32 = 3;

/// The smallest input so far and what to try next.
pub struct TreeSearch {
    language: &'static Language,
    solver: Solver<'static>,
    mutator: Mutator,
    tree: Tree,
    bytes: Vec<u8>,
    /// The part whose turn it is, and the way in which it is made smaller.
    at: Index,
    way: u32,
    pass: u32,
    /// Whether this pass made it smaller.
    smaller: bool,
    /// What to try next, and its bytes.
    next: Option<(Tree, Vec<u8>)>,
    calls: u64,
}

impl std::fmt::Debug for TreeSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TreeSearch").field("at", &self.at).field("pass", &self.pass).finish_non_exhaustive()
    }
}

impl TreeSearch {
    /// Starts from an input; nothing if it does not fit the grammar.
    pub fn new(language: &'static Language, input: &[u8]) -> Option<Self> {
        let mut solver = Solver::new(&language.spec, 0);
        if language.parse(&mut solver, input) != Fit::Tree {
            return None;
        }
        let mut search = Self {
            language,
            tree: solver.tree.clone(),
            solver,
            mutator: Mutator::new(&language.spec.grammar),
            bytes: input.to_vec(),
            at: 0,
            way: 0,
            pass: 0,
            smaller: false,
            next: None,
            calls: 0,
        };
        search.settle();
        Some(search)
    }

    /// The smallest input so far.
    pub fn best(&self) -> &[u8] {
        &self.bytes
    }

    /// How many candidates have been answered.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// What to try next; nothing when the search is over.
    pub fn candidate(&self) -> Option<&[u8]> {
        self.next.as_ref().map(|(_, bytes)| bytes.as_slice())
    }

    /// Whether the candidate is still what the original was.
    pub fn answer(&mut self, keeps: bool) {
        self.calls += 1;
        match self.next.take().filter(|_| keeps) {
            Some((tree, bytes)) => {
                (self.tree, self.bytes) = (tree, bytes);
                (self.way, self.smaller) = (0, true);
            }
            None => self.way += 1,
        }
        self.settle();
    }

    /// Goes on to the next candidate that is smaller.
    fn settle(&mut self) {
        let grammar = &self.language.spec.grammar;
        loop {
            if self.at >= self.tree.len() {
                self.pass += 1;
                if !std::mem::take(&mut self.smaller) || self.pass >= PASSES {
                    return;
                }
                (self.at, self.way) = (0, 0);
            }
            // By number, so that who only hears the answers comes to the same.
            self.solver.rng = Rng::new(self.calls << 32 | u64::from(self.at));
            let Solver { rng, program, tree, .. } = &mut self.solver;
            let made = self.mutator.reduce(grammar, &self.tree, self.at, self.way, rng, program, tree);
            match made {
                None => (self.at, self.way) = (self.at + 1, 0),
                Some(made) => {
                    if made && tree.text().len() < self.tree.text().len() && self.solver.satisfy() {
                        let mut bytes = Vec::new();
                        self.solver.tree.serialise(grammar, 0, &mut bytes);
                        if bytes.len() < self.bytes.len() {
                            self.next = Some((self.solver.tree.clone(), bytes));
                            return;
                        }
                    }
                    self.way += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn shrink(name: &str, input: &[u8], keeps: impl Fn(&[u8]) -> bool) -> (Vec<u8>, u64) {
        let language = Language::load(Path::new(name), 0.0).unwrap();
        let mut search = TreeSearch::new(language, input).unwrap();
        while let Some(candidate) = search.candidate() {
            assert!(candidate.len() < search.best().len());
            let keeps = keeps(candidate);
            search.answer(keeps);
        }
        (search.best().to_vec(), search.calls())
    }

    #[test]
    fn parts_go_and_what_is_left_fits() {
        let has = |needle: &'static str| move |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(needle);
        let input =
            br#"{"one": [1, 2, 3], "two": {"deep": [[[true, "needle"]]]}, "three": "long long text"}"#;
        assert_eq!(shrink("json", input, has("needle")).0, b"\"needle\"");
        let (xml, _) = shrink("xml", b"<a b=\"1\"><c>text<needle/></c><d>more</d></a>", has("<needle/>"));
        assert_eq!(xml, b"<needle/>");
        let (best, calls) = shrink("json", input, |_| true);
        assert!(best.len() == 1 && calls < 10, "{:?} after {calls}", String::from_utf8_lossy(&best));
        assert_eq!(shrink("json", input, |_| false).0, input);
        assert!(TreeSearch::new(Language::load(Path::new("json"), 0.0).unwrap(), b"{").is_none());
    }

    #[test]
    fn the_first_of_a_list_goes_like_any_other() {
        let keeps = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.starts_with('[') && text.contains("\"x\"")
        };
        assert_eq!(shrink("json", b"[10, 2, \"x\", 30]", keeps).0, b"[\"x\"]");
        assert_eq!(shrink("json", b"[10, \"x\"]", keeps).0, b"[\"x\"]");
        let keeps = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(":\"x\"}");
        assert_eq!(shrink("json", b"{\"a\":1,\"b\":[],\"c\":\"x\"}", keeps).0, b"{\"\":\"x\"}");
    }

    #[test]
    fn answers_alone_lead_to_the_same_input() {
        let language = Language::load(Path::new("xml"), 0.0).unwrap();
        let input = b"<a b=\"1\"><c>text<needle/></c><d>more</d></a>";
        let mut one = TreeSearch::new(language, input).unwrap();
        let mut other = TreeSearch::new(language, input).unwrap();
        let mut salt = 7u64;
        while let Some(candidate) = one.candidate() {
            assert_eq!(Some(candidate), other.candidate());
            salt = salt.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            one.answer(salt >> 63 != 0);
            other.answer(salt >> 63 != 0);
        }
        assert_eq!((one.best(), other.candidate()), (other.best(), None));
    }
}
