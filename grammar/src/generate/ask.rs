//! Where generation asks the spec's program: computed counts, and symbols whose text is computed.
use super::guide::{Guide, Unguided};
use super::machine::{Job, Run, Task, What};
use super::{Failure, Generator, Host};
use crate::ir::{Bound, ExprId, NodeId, SymbolId};
use crate::parse::{Limits, Parser};
use crate::tree::{Index, Source, Tree};

/// Computed counts may ask for more than the size; this many nodes are the end of it.
const MOST_NODES: u32 = 1 << 26;

/// How deep generators may take arguments that have generators.
const MOST_NESTED: usize = 64;

impl<G: Guide, H: Host> Run<'_, G, H> {
    /// Draws the count of a repetition, and pays for what exceeds the least.
    pub(super) fn count(
        &mut self,
        me: &mut Generator,
        body: NodeId,
        min: Bound,
        max: Bound,
    ) -> Result<u32, Failure> {
        let cost = i64::from(self.grammar.least(body).nodes.max(1));
        let (known, low) = match min {
            Bound::Const(low) => (low, low),
            Bound::Expr(expr) => (0, self.bound(me, expr)?),
            Bound::Open => (0, 0),
        };
        let high = match max {
            Bound::Const(high) => high,
            _ if max == min => low,
            Bound::Expr(expr) => self.bound(me, expr)?,
            Bound::Open => low.saturating_add(self.open_end(me)),
        };
        if high < low {
            return Err(Failure(format!(
                "a repetition is bounded by {low} from below and by {high} from above"
            )));
        }
        let spare = (self.slack - i64::from(low - known) * cost).max(0) / cost;
        let mut width = i64::from(high - low).min(spare) as u32;
        if me.only.as_ref().is_some_and(|only| only[body.0 as usize] == u32::MAX) {
            width = 0;
        }
        let mut more = if width == 0 { 0 } else { self.rng.below(width + 1) };
        if G::FOLLOWS && low + more == 0 && width > 0 && self.guide.wants(self.grammar, body, self.rng) {
            more = 1;
        }
        let count = low + more;
        self.slack -= i64::from(count - known) * cost;
        if u64::from(self.tree.len()) + u64::from(count) * cost as u64 > u64::from(MOST_NODES) {
            return Err(Failure(format!(
                "a repetition asks for {count} rounds, which is more than a tree can hold"
            )));
        }
        Ok(count)
    }

    /// The usual end of a repetition without one, now and then several times that.
    fn open_end(&mut self, me: &Generator) -> u32 {
        match self.rng.below(256) {
            0 => me.open_rounds.saturating_mul(16),
            1..16 => me.open_rounds.saturating_mul(4),
            _ => me.open_rounds,
        }
    }

    fn bound(&mut self, me: &mut Generator, expr: ExprId) -> Result<u32, Failure> {
        let mut within = std::mem::take(&mut me.within);
        within.clear();
        // Regrowing leaves the open nodes above right below this derivation's tasks.
        let start = me.tasks[..self.base].iter().rposition(|task| !matches!(task, Task::Above(_)));
        within.extend(me.tasks[start.map_or(0, |last| last + 1)..].iter().filter_map(|task| match task {
            Task::Close(at) | Task::Above(at) => Some(*at),
            _ => None,
        }));
        let bound = self.host.bound(expr, self.tree, &within, self.rng);
        me.within = within;
        bound
    }

    /// Whether the generator of a symbol would take a symbol that is itself being made from this one: of two symbols
    /// that are computed from each other, the argument is derived.
    pub(super) fn is_converted(&self, me: &Generator, id: SymbolId) -> bool {
        let generator = self.grammar.symbol(id).generator.as_ref();
        generator
            .is_some_and(|generator| generator.sources.iter().any(|source| me.producing.contains(source)))
    }

    /// Lets the spec's program compute the text of a symbol, and parses it.
    #[cold]
    pub(super) fn produce(&mut self, me: &mut Generator, id: SymbolId) -> Result<(), Failure> {
        let symbol = self.grammar.symbol(id);
        let wanted: &[SymbolId] = symbol.generator.as_ref().map_or(&[], |generator| &generator.sources);
        if me.producing.len() >= MOST_NESTED {
            return Err(Failure(format!(
                "the generator of {} needs itself to make its arguments",
                symbol.name
            )));
        }
        let at = self.tree.len();
        // What is derived for its own sake is new.
        if let (Some(again), true, true) = (&me.again, wanted.is_empty(), at > 0)
            && let Some(known) = again.draw(id, self.rng)
        {
            self.tree.append(&known, 0);
            self.pay(id, at);
            return Ok(());
        }
        me.producing.push(id);
        let size = self.slack.clamp(0, i64::from(u32::MAX)) as u32;
        let sources = wanted.iter().map(|source| {
            let mut tree = Tree::default();
            let job = Job { what: What::Symbol(*source), size };
            me.run(self.grammar, job, self.rng, self.host, &mut Unguided, &mut tree).map(|()| tree)
        });
        let sources = sources.collect::<Result<Vec<Tree>, Failure>>();
        me.producing.pop();
        let sources = sources?;
        let mut text = Vec::new();
        let as_bits = self.host.produce(id, &sources, self.rng, &mut text)?;
        let parser = me.parser.get_or_insert_with(|| Box::new(Parser::new(self.grammar)));
        let parsed =
            parser.parse(self.grammar, id, &text, as_bits, Limits::default(), self.rng, self.host, self.tree);
        if let Err(error) = parsed {
            let name = &symbol.name;
            let shown = String::from_utf8_lossy(&text[..text.len().min(64)]).into_owned();
            return Err(Failure(format!(
                "the generator of {name} made {shown:?}, which {name} cannot derive: {error}"
            )));
        }
        self.tree.sources.extend(sources.into_iter().map(|tree| Source { node: at, tree }));
        if let (Some(again), true) = (&mut me.again, wanted.is_empty()) {
            again.keep(id, self.tree, at, self.rng);
        }
        self.pay(id, at);
        Ok(())
    }

    /// Pays for what was computed, which stands at `at`, as far as it exceeds the least.
    fn pay(&mut self, id: SymbolId, at: Index) {
        let cost = i64::from(self.grammar.least(self.grammar.symbol(id).rule).nodes) + 1;
        self.slack -= i64::from(self.tree.len() - at) - cost;
    }
}
