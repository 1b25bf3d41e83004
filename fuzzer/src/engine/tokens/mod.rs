//! Learns the tokens of the language that a target reads, and inputs made of them, from nothing but runs of it.
//!
//! A *phrase* is a beginning of an input: tokens with spaces between. Its *future* is what each of a few tests adds to
//! the run when it stands behind the phrase: two phrases with one future leave the parser in one state. So states are
//! told apart without knowing the parser, and a token is what leads to another state than any name, number or junk in
//! its place. Every phrase is read with junk behind it, so that no program is ever complete: what a target does with
//! what it has read does not count, only how it reads. Which words to try comes from traced comparisons that are made
//! before the bytes behind the word are looked at: a tokeniser's, not those of the program behind it.
mod asked;
mod blind;
mod cases;
mod classes;
mod constants;
mod cuts;
mod ended;
mod future;
mod growing;
pub mod held;
mod joined;
mod judged;
mod junk;
mod led;
mod lexers;
mod looked_up;
mod operators;
mod packed;
mod phrase;
mod probe;
mod prober;
mod quotes;
mod siblings;
mod spelling;
mod states;
mod tables;
mod tight;
mod tried;
mod units;
mod votes;
mod wanted;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    rc::Rc,
};

use self::{
    blind::Blind,
    classes::Classes,
    cuts::Cuts,
    ended::Ended,
    future::Future,
    growing::Growing,
    judged::Judged,
    junk::Junk,
    phrase::Phrase,
    tables::Tables,
    tight::Tight,
    votes::{Site, Word},
};
use super::answers::log::Sides;
pub use junk::{end, without_end};
pub use prober::{Counts, Halt, Prober};

/// So many states are looked at in each round; a round starts with what the last one learnt.
const STATES: [usize; 4] = [40, 60, 200, 2000];
/// A lexer knows its tokens anywhere: where only that shows, so many rounds will do.
const LEXER_ROUNDS: usize = 2;

/// Every so many runs one is made again, to see what in it is noise.
const REPEATED: usize = 32;

/// What is known so far.
#[derive(Debug)]
struct Learner<'a, P> {
    prober: &'a mut P,
    /// How many runs were made behind phrases.
    runs: usize,
    /// Letters for words that no language has, in the order in which probes take them.
    letters: Vec<u8>,
    junk: Junk,
    blind: Blind,
    tables: Tables,
    /// Counters that every run has in which the parser is reached, if that is all that is looked at.
    parsed: HashSet<u32>,
    /// What only the lexer has to do with, if only the parser is looked at.
    lexers: HashSet<Vec<u8>>,
    /// Phrases to start from.
    starts: Vec<Phrase>,
    /// Texts of the program that may be words.
    texts: Vec<Vec<u8>>,
    /// Pieces of long ones, in which words may be packed.
    pieces: Vec<Vec<u8>>,
    /// Such words were found.
    is_packed: bool,
    /// Further texts, which it holds in memory.
    held: Vec<Vec<u8>>,
    /// In how many states those were tried.
    tried_texts: usize,
    tests: Vec<Vec<u8>>,
    /// The number of the round.
    round: usize,
    /// The tests were chosen: the first ones tell most.
    is_chosen: bool,
    /// Whatever comes is read where anything is.
    reads_any: bool,
    futures: HashMap<Vec<u8>, Future>,
    /// The signs that lead out of the comment or the like that a phrase leads into.
    ends: HashMap<Vec<u8>, Rc<Vec<u8>>>,
    /// What the tests of this round said behind every phrase, as far as they were made.
    answers: HashMap<Vec<u8>, Vec<u64>>,
    /// The runs of phrases without a test behind them, while one state is looked at.
    bases: HashMap<Vec<u8>, Counts>,
    /// The counters that any input reached.
    reached: HashSet<u32>,
    /// In how many states something led to another state than names, numbers and junk.
    strong: BTreeMap<Vec<u8>, u32>,
    words: BTreeMap<Vec<u8>, Word>,
    operators: BTreeSet<Vec<u8>>,
    /// By signs that stand right behind what opens a text: what they stand behind.
    kinds: HashMap<u8, BTreeSet<u8>>,
    /// Empty texts in quotes.
    quotes: BTreeSet<Vec<u8>>,
    /// In how many states words were looked for that begin with a sign.
    led_states: usize,
    /// Signs that take any sign right behind them.
    prefixes: HashSet<Vec<u8>>,
    /// In how many states signs that only the parser shows were no operators.
    refused: HashMap<Vec<u8>, u32>,
    /// Which words each place in the program compared with.
    words_of_site: HashMap<Site, BTreeSet<Vec<u8>>>,
    cuts: Cuts,
    growing: Growing,
    classes: Classes,
    tight: Tight,
    /// Words that were seen to end where they do.
    uncut: HashSet<Vec<u8>>,
    /// Words whose end was asked for first.
    ended: Ended,
    /// Probes that were mended letter by letter, and where.
    spelt: HashSet<(Site, Vec<u8>)>,
    /// Beginnings of words that were compared letter by letter.
    beginnings: BTreeSet<Vec<u8>>,
    /// The letters that each place in the program asked for.
    spellers: HashMap<Site, BTreeSet<u8>>,
    judged: Judged,
}

/// Learns until there is nothing new, or the prober says stop. The prober hears of the tokens whenever they change.
/// `letters` decides in which order probes are made, `starts` are inputs to go on from.
pub fn learn<P: Prober>(
    prober: &mut P,
    letters: Vec<u8>,
    starts: Vec<Vec<u8>>,
) -> Result<(), Halt<P::Error>> {
    let mut learner = Learner::new(prober, letters, starts);
    match learner.passes() {
        Err(Halt::Spent) => Ok(()),
        other => other,
    }
}

/// Letters that begin few words, in an order that follows from a seed.
pub fn letters(seed: u64) -> Vec<u8> {
    let mut letters = b"xqzjvkwyug".to_vec();
    let mut mixed = seed;
    for n in (1..letters.len()).rev() {
        mixed = future::mix(mixed, n as u64);
        letters.swap(n, (mixed >> 33) as usize % (n + 1));
    }
    letters
}

impl<'a, P: Prober> Learner<'a, P> {
    fn new(prober: &'a mut P, letters: Vec<u8>, starts: Vec<Vec<u8>>) -> Self {
        Self {
            prober,
            runs: 0,
            letters,
            junk: "",
            blind: Blind::default(),
            tables: Tables::default(),
            parsed: HashSet::new(),
            lexers: HashSet::new(),
            starts: starts.into_iter().map(|start| vec![start]).collect(),
            texts: Vec::new(),
            pieces: Vec::new(),
            is_packed: false,
            held: Vec::new(),
            tried_texts: 0,
            tests: Vec::new(),
            round: 0,
            is_chosen: false,
            reads_any: false,
            futures: HashMap::new(),
            ends: HashMap::new(),
            answers: HashMap::new(),
            bases: HashMap::new(),
            reached: HashSet::new(),
            strong: BTreeMap::new(),
            words: BTreeMap::new(),
            operators: BTreeSet::new(),
            kinds: HashMap::new(),
            quotes: BTreeSet::new(),
            led_states: 0,
            prefixes: HashSet::new(),
            refused: HashMap::new(),
            words_of_site: HashMap::new(),
            cuts: Cuts::default(),
            growing: Growing::default(),
            classes: Classes::default(),
            tight: Tight::default(),
            uncut: HashSet::new(),
            ended: Ended::default(),
            spelt: HashSet::new(),
            beginnings: BTreeSet::new(),
            spellers: HashMap::new(),
            judged: Judged::default(),
        }
    }

    fn passes(&mut self) -> Result<(), Halt<P::Error>> {
        self.find_texts()?;
        self.choose_junk()?;
        let lexed = self.lexed_junk()?;
        self.find_blind()?;
        self.find_tables()?;
        self.learn_tight()?;
        if let Some(junk) = lexed {
            self.rounds(&STATES[..LEXER_ROUNDS])?;
            self.look_at_parser(junk)?;
            return self.rounds(&STATES[LEXER_ROUNDS..]);
        }
        self.rounds(&STATES)
    }

    fn rounds(&mut self, states: &[usize]) -> Result<(), Halt<P::Error>> {
        for (round, limit) in states.iter().copied().enumerate() {
            let before = self.known();
            let mut tests = phrase::tests();
            let tokens = if round > 0 { self.tokens() } else { Vec::new() };
            let others = phrase::punctuation().chain(self.quotes.iter().cloned()).chain(tokens);
            let is_none = |token: &Vec<u8>| phrase::tests().contains(token) || self.ended.contains(token);
            tests.extend(others.filter(|token| !is_none(token)));
            self.round = round;
            self.is_chosen = round > 0;
            self.reads_any = round > 0 && self.finds_any_read();
            self.tests = if self.is_chosen { self.telling_tests(tests) } else { tests };
            self.tables.begin_round(round);
            self.judged.begin_round();
            self.futures.clear();
            self.ends.clear();
            self.answers.clear();
            let mut elements = phrase::elements();
            elements.extend(self.operators.iter().cloned());
            elements.extend(self.quotes.iter().cloned());
            elements.extend(self.words.keys().cloned());
            // What is only told by what it reaches leads nowhere.
            elements.retain(|element| !self.lexers.contains(element) && !self.ended.contains(element));
            self.explore(&elements, limit)?;
            if round > 0 && before == self.known() {
                break;
            }
        }
        Ok(())
    }

    /// How much is known.
    fn known(&self) -> [usize; 4] {
        [self.strong.len(), self.operators.len(), self.words.len(), self.quotes.len()]
    }

    /// Runs a phrase that cannot be accepted, so that only its reading counts.
    fn read(&mut self, bytes: &[u8]) -> Result<Counts, Halt<P::Error>> {
        self.runs += 1;
        let input = [bytes, &end(self.junk)].concat();
        let mut run = self.prober.read(&input)?;
        if self.runs.is_multiple_of(REPEATED) {
            self.ignore_noise(&input, &run)?;
        }
        run.retain(|(key, _)| !self.blind.counters.contains(key));
        Ok(run)
    }

    /// Runs an input for its comparisons.
    fn trace(&mut self, bytes: &[u8]) -> Result<Vec<(Site, Sides)>, Halt<P::Error>> {
        self.runs += 1;
        let mut log = self.prober.trace(bytes)?;
        log.retain(|(site, sides)| self.blind.is_of_input(*site, sides));
        Ok(log)
    }
}
