//! The loop that makes derivations, with a stack of its own so that deep trees are as safe as flat ones.
//!
//! Size is kept by slack: the tree nodes that may still be spent above what everything to do costs at least. A choice
//! pays what it costs above the cheapest; without slack everything takes its cheapest form, so every derivation ends.
use crate::generate::choices::{Branch, Form};
use crate::generate::guide::Guide;
use crate::generate::{Failure, Generator, Host};
use crate::ir::{Grammar, Node, NodeId, SymbolId};
use crate::rng::Rng;
use crate::tree::{Index, Kind, Tree};

/// Something to derive.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// What.
    pub what: What,
    /// In about how many tree nodes at most.
    pub size: u32,
}

/// What to derive.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// A symbol.
    Symbol(SymbolId),
    /// A rule node, with a given count if it is a repetition.
    Node { node: NodeId, count: Option<u32> },
    /// A tree node of an alternative of which the branch is given.
    Branch { kind: Kind, number: u32, branch: NodeId },
}

/// Something still to do.
#[derive(Debug, Clone, Copy)]
pub enum Task {
    /// Items of a sequence, as places in the grammar's lists.
    Items { at: u32, end: u32 },
    /// More rounds of a repetition.
    Rounds { body: NodeId, left: u32 },
    /// The end of a tree node.
    Close(Index),
    /// The end of a symbol for the guide.
    Leave(u32),
    /// Slack that was held back for what comes now.
    Release(u32),
    /// Items of a permutation that are still to come; their rule nodes stand in the buffer of orders.
    Ordered { at: u32, end: u32 },
    /// Not to do, but an open node above: it belongs to a tree that is being regrown.
    Above(Index),
}

impl Generator {
    /// Derives `job.what` at the end of `tree`.
    pub(super) fn run<G: Guide, H: Host>(
        &mut self,
        grammar: &Grammar,
        job: Job,
        rng: &mut Rng,
        host: &mut H,
        guide: &mut G,
        tree: &mut Tree,
    ) -> Result<(), Failure> {
        let base = self.tasks.len();
        let from = (tree.len(), tree.text().len() as u32);
        let mut run =
            Run { base, slack: 0, failure: None, orders: Vec::new(), grammar, rng, host, guide, tree };
        let done = run.derive(self, job);
        if done.is_err() {
            self.tasks.truncate(base);
            tree.rewind(from.0, from.1);
        }
        done
    }
}

/// A derivation under way.
pub struct Run<'a, G, H> {
    /// Where this derivation's tasks start.
    pub(super) base: usize,
    pub(super) slack: i64,
    /// Why the derivation cannot go on; kept here, so that the steps return little.
    pub(super) failure: Option<Failure>,
    /// Items of permutations in the order drawn.
    orders: Vec<NodeId>,
    pub(super) grammar: &'a Grammar,
    pub(super) rng: &'a mut Rng,
    pub(super) host: &'a mut H,
    pub(super) guide: &'a mut G,
    pub(super) tree: &'a mut Tree,
}

/// Slack below which branches are drawn evenly.
const EAGER_ABOVE: i64 = 6;

impl<G: Guide, H: Host> Run<'_, G, H> {
    fn derive(&mut self, me: &mut Generator, job: Job) -> Result<(), Failure> {
        let grammar = self.grammar;
        let least = match job.what {
            What::Symbol(symbol) => grammar.least(grammar.symbol(symbol).rule).nodes.saturating_add(1),
            What::Node { node, .. } => grammar.least(node).nodes,
            What::Branch { branch, .. } => grammar.least(branch).nodes.saturating_add(1),
        };
        // Where even the least is large, there is still something to choose with.
        let (size, least_size) = (i64::from(job.size), i64::from(least));
        self.slack = (size - least_size).max(if size > 0 { (size / 2).max(least_size / 4) } else { 0 });
        let mut next = match job.what {
            What::Symbol(symbol) => {
                if least == u32::MAX {
                    return Err(Failure(format!("{} derives no finite word", grammar.symbol(symbol).name)));
                }
                self.symbol(me, symbol)
            }
            What::Node { node, count: Some(count) } => match grammar.node(node) {
                Node::Repeat { body, .. } => self.rounds(me, node, *body, count),
                _ => Some(node),
            },
            What::Node { node, count: None } => Some(node),
            What::Branch { kind, number, branch } => {
                if least == u32::MAX {
                    return Err(Failure("this branch derives no finite word".into()));
                }
                let at = self.tree.open(kind, number);
                me.tasks.push(Task::Close(at));
                Some(branch)
            }
        };
        loop {
            let node = match next.take() {
                Some(node) => node,
                None => {
                    if let Some(failure) = self.failure.take() {
                        return Err(failure);
                    }
                    if me.tasks.len() == self.base {
                        return Ok(());
                    }
                    match self.resume(me) {
                        Some(node) => node,
                        None => continue,
                    }
                }
            };
            next = self.expand(me, node);
        }
    }

    /// Takes the innermost task; yields the node to expand next, if it has one.
    #[inline]
    fn resume(&mut self, me: &mut Generator) -> Option<NodeId> {
        match me.tasks.pop()? {
            Task::Close(at) => self.tree.close(at),
            Task::Items { at, end } => return Some(self.next_item(me, at, end)),
            Task::Rounds { body, left } => return Some(self.next_round(me, body, left)),
            Task::Ordered { at, end } => {
                let item = self.orders[at as usize];
                if at + 1 < end {
                    me.tasks.push(Task::Ordered { at: at + 1, end });
                } else if end as usize == self.orders.len() {
                    // Inner permutations end before outer ones, so this shrinks to nothing in the end.
                    self.orders.truncate(at as usize);
                }
                return Some(item);
            }
            Task::Release(slack) => self.slack += i64::from(slack),
            Task::Leave(state) => self.guide.leave(state),
            Task::Above(_) => {}
        }
        None
    }

    /// The item at `at`; those after it are left to do.
    #[inline]
    fn next_item(&mut self, me: &mut Generator, at: u32, end: u32) -> NodeId {
        let item = me.choices.item(at);
        if at + 1 < end {
            me.tasks.push(Task::Items { at: at + 1, end });
            // The rest may want to grow as well: half of the slack waits for it.
            if item.holds && self.slack > 1 {
                self.hold(me, self.slack / 2);
            }
        }
        item.node
    }

    /// One of `left` rounds; the others are left to do.
    #[inline]
    fn next_round(&mut self, me: &mut Generator, body: NodeId, left: u32) -> NodeId {
        if left > 1 {
            me.tasks.push(Task::Rounds { body, left: left - 1 });
            if self.slack > 1 && me.choices.grows(body) {
                self.hold(me, self.slack - self.slack / i64::from(left));
            }
        }
        body
    }

    #[inline]
    fn hold(&mut self, me: &mut Generator, slack: i64) {
        self.slack -= slack;
        me.tasks.push(Task::Release(slack as u32));
    }

    /// Makes what `node` makes directly; yields the node below it that is next, if any.
    #[inline]
    fn expand(&mut self, me: &mut Generator, node: NodeId) -> Option<NodeId> {
        let grammar = self.grammar;
        match grammar.node(node) {
            Node::Literal(literal) => {
                self.tree.terminal(node, grammar.literal(literal));
                None
            }
            Node::NonTerminal(symbol) => self.symbol(me, *symbol),
            Node::Sequence(list) => {
                if list.is_empty() {
                    return None;
                }
                Some(self.next_item(me, list.start, list.end))
            }
            Node::Alternative(_) => {
                let branch = self.choose(me, node, me.choices.alternative(node));
                let at = self.tree.open(Kind::Control(node), branch.number);
                me.tasks.push(Task::Close(at));
                Some(branch.node)
            }
            Node::Repeat { body, min, max } => match self.count(me, *body, *min, *max) {
                Ok(count) => self.rounds(me, node, *body, count),
                Err(failure) => {
                    self.failure = Some(failure);
                    None
                }
            },
            Node::Bit(bit) => {
                self.tree.terminal(node, &[u8::from(*bit)]);
                None
            }
            Node::Regex(regex) => {
                self.tree.open(Kind::Terminal(node), 0);
                let size = self.slack.clamp(0, 256) as u32;
                grammar.regexes[*regex as usize].generate(self.rng, size, self.tree.text_mut());
                None
            }
            Node::Permutation(list) => {
                let at = self.tree.open(Kind::Control(node), 0);
                me.tasks.push(Task::Close(at));
                let (start, items) = (self.orders.len(), grammar.list(list));
                self.orders.extend_from_slice(items);
                for left in (1..items.len()).rev() {
                    self.orders.swap(start + left, start + self.rng.below(left as u32 + 1) as usize);
                }
                if !items.is_empty() {
                    me.tasks.push(Task::Ordered { at: start as u32, end: self.orders.len() as u32 });
                }
                None
            }
        }
    }

    #[inline]
    fn symbol(&mut self, me: &mut Generator, id: SymbolId) -> Option<NodeId> {
        let symbol = me.choices.symbol(id);
        let branch = match symbol.form {
            // The most frequent case is spared all detours.
            Form::Leaf(start, count) if !G::FOLLOWS => {
                let number = self.rng.below(count);
                let (node, byte) = me.choices.leaf(start, number);
                self.tree.leaf(id, number, node, byte);
                return None;
            }
            Form::Choice(alternative) => {
                self.enter(me, id);
                let branch = self.choose(me, symbol.rule, alternative);
                (branch.number, branch.node)
            }
            Form::Leaf(..) => {
                self.enter(me, id);
                let branch = self.choose(me, symbol.rule, me.choices.alternative(symbol.rule));
                (branch.number, branch.node)
            }
            Form::Plain => {
                self.enter(me, id);
                (0, symbol.rule)
            }
            Form::Computed if self.is_converted(me, id) => {
                self.enter(me, id);
                match self.grammar.node(symbol.rule) {
                    Node::Alternative(_) => {
                        let branch = self.choose(me, symbol.rule, me.choices.alternative(symbol.rule));
                        (branch.number, branch.node)
                    }
                    _ => (0, symbol.rule),
                }
            }
            Form::Computed => {
                self.failure = self.produce(me, id).err();
                return None;
            }
        };
        let at = self.tree.open(Kind::Symbol(id), branch.0);
        me.tasks.push(Task::Close(at));
        Some(branch.1)
    }

    #[inline]
    fn enter(&mut self, me: &mut Generator, id: SymbolId) {
        if G::FOLLOWS {
            me.tasks.push(Task::Leave(self.guide.enter(id)));
        }
    }

    #[inline]
    fn choose(&mut self, me: &Generator, node: NodeId, alternative: u32) -> Branch {
        if let Some(only) = &me.only {
            return self.choose_only(only, node);
        }
        let random = self.rng.next();
        let mut branches = me.choices.affordable(alternative, self.slack);
        // With room left, mostly a branch that uses it.
        if self.slack > EAGER_ABOVE && (random as u32 & 0xff) < me.eager {
            let growing = me.choices.growing(alternative, self.slack);
            if !growing.is_empty() {
                branches = growing;
            }
        }
        let guided = match self.grammar.node(node) {
            Node::Alternative(list) if G::FOLLOWS => {
                self.guide.branch(self.grammar, self.grammar.list(list), branches, self.rng)
            }
            _ => None,
        };
        // The upper half of the random bits is independent of the lower.
        let drawn = || branches[(((random >> 32) * branches.len() as u64) >> 32) as usize];
        let branch = guided.unwrap_or_else(drawn);
        self.slack -= i64::from(branch.extra);
        branch
    }

    /// Draws a branch of those that avoid what is to be avoided.
    #[cold]
    fn choose_only(&mut self, only: &[u32], node: NodeId) -> Branch {
        let Node::Alternative(range) = self.grammar.node(node) else {
            return Branch { number: 0, extra: 0, node };
        };
        let branches = self.grammar.list(range);
        let cost = |branch: &NodeId| only[branch.0 as usize];
        let least = branches.iter().map(cost).min().unwrap_or(0);
        let affordable = |branch: &NodeId| {
            cost(branch) != u32::MAX && i64::from(cost(branch) - least) <= self.slack.max(0)
        };
        let count = branches.iter().filter(|branch| affordable(branch)).count() as u32;
        let pick = self.rng.below(count) as usize;
        let found = branches.iter().enumerate().filter(|(_, branch)| affordable(branch)).nth(pick);
        // Where nothing avoids it, the first will do: the caller looks at what came out.
        let number = found.map_or(0, |(number, _)| number as u32);
        let node = branches[number as usize];
        let extra = cost(&node).saturating_sub(least);
        self.slack -= i64::from(extra);
        Branch { number, extra, node }
    }

    #[inline]
    fn rounds(&mut self, me: &mut Generator, node: NodeId, body: NodeId, count: u32) -> Option<NodeId> {
        let at = self.tree.open(Kind::Control(node), count);
        me.tasks.push(Task::Close(at));
        if count > 0 { Some(self.next_round(me, body, count)) } else { None }
    }
}
