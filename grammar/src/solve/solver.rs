//! Makes trees that satisfy every constraint: generate, compute what can be computed, search for the rest.
use super::check::holds;
use super::distance::distance;
use smallvec::SmallVec;

use super::failing::Failing;
use super::host::Program;
use super::plan::Plan;
use super::touch::{self, Touching};
use crate::coverage::KPaths;
use crate::generate::{Failure, Generator};
use crate::ir::{Bound, Node};
use crate::mutate::Subject;
use crate::parse::Parser;
use crate::python::vm::Vm;
use crate::rng::Rng;
use crate::spec::Spec;
use crate::tree::{Index, Patch, Tree};

/// Parts that need more tree nodes are made only if the size allows.
const LARGE_PART: u32 = 2000;
/// Up to this size, even draws use the room.
const USUAL_SIZE: u32 = 512;
/// Besides its nodes, looking through a tree costs about as much as so many.
const LOOK: u64 = 32;

/// Makes valid trees of one spec.
pub struct Solver<'s> {
    /// The spec.
    pub spec: &'s Spec,
    /// The order of its constraints.
    pub plan: Plan,
    /// Its program.
    pub program: Program<'s>,
    /// Chance.
    pub rng: Rng,
    /// The tree being made.
    pub tree: Tree,
    /// About how many nodes a tree has at most.
    pub size: u32,
    /// K-paths to steer to, if any.
    pub paths: Option<KPaths>,
    pub(super) generator: Generator,
    pub(super) parser: Parser,
    pub(super) spare: Tree,
    pub(super) donors: Tree,
    pub(super) text: Vec<u8>,
    pub(super) avoidable: super::avoid::Avoidable,
    /// Per constraint: how often climbing was tried, and how often it helped.
    pub(super) climbs: Vec<(u64, u64)>,
    /// Per constraint: how often it was computed for this tree.
    pub(super) computed: Vec<u8>,
    pub(super) touching: Touching,
    /// Only these constraints count.
    pub(super) within: touch::Set,
    /// The constraints that may not hold as the tree is now.
    pub(super) doubtful: touch::Set,
    /// Where the tree was changed since all held.
    pub(super) changed: Vec<std::ops::Range<Index>>,
    /// The nodes above these places.
    pub(super) above: Vec<Index>,
    /// Nodes of a symbol there.
    pub(super) there: Vec<Index>,
    pub(super) memory: Vec<Failing<'s>>,
    pub(super) computed_bounds: bool,
    /// A size with which no part is out of reach.
    roomy: u32,
    /// How often repairs were made: equations, removals, climbs; and rounds.
    pub repairs: [u64; 4],
    /// What repairs have cost so far: nodes of the trees that were looked through, and something for each look.
    pub work: u64,
    /// Per constraint: how often a tree was given up because of it, and the least distance seen then.
    pub given_up: Vec<(u64, f64)>,
}

impl<'s> Solver<'s> {
    /// A solver for `spec` whose every tree follows from `seed`.
    pub fn new(spec: &'s Spec, seed: u64) -> Self {
        let computed_bounds = spec.grammar.nodes.iter().any(|node| {
            matches!(node, Node::Repeat { min, max, .. }
                if matches!(min, Bound::Expr(_)) || matches!(max, Bound::Expr(_)))
        });
        let generator = Generator::new(&spec.grammar);
        let roomy = generator.roomy(&spec.grammar).min(LARGE_PART);
        Self {
            spec,
            plan: Plan::new(spec),
            program: Program::new(spec),
            rng: Rng::new(seed),
            tree: Tree::default(),
            size: 100,
            paths: None,
            generator,
            roomy,
            parser: Parser::new(&spec.grammar),
            spare: Tree::default(),
            donors: Tree::default(),
            text: Vec::new(),
            avoidable: super::avoid::Avoidable::default(),
            climbs: vec![(0, 0); spec.constraints.len()],
            computed: Vec::new(),
            touching: Touching::new(&spec.grammar, &spec.constraints),
            within: touch::ALL,
            doubtful: touch::ALL,
            changed: Vec::new(),
            above: Vec::new(),
            there: Vec::new(),
            memory: Vec::new(),
            computed_bounds,
            repairs: [0; 4],
            work: 0,
            given_up: vec![(0, f64::INFINITY); spec.constraints.len()],
        }
    }

    /// From now on, what the spec's program computes without arguments comes mostly from what it computed before.
    pub fn compute_seldom(&mut self) {
        self.generator.compute_seldom();
    }

    /// Makes a new tree; whether it satisfies every constraint.
    pub fn attempt(&mut self) -> Result<bool, Failure> {
        self.random_tree()?;
        Ok(self.satisfy())
    }

    /// Makes a new tree, whatever the constraints.
    pub fn random_tree(&mut self) -> Result<(), Failure> {
        self.tree.clear();
        let grammar = &self.spec.grammar;
        // Sizes are spread up to the given one; a few trees are allowed more, so that costly parts turn up too: any part
        // at all, unless it is very large.
        let size = match self.rng.below(16) {
            0 => self.size.saturating_mul(4).max(self.roomy),
            _ => self.size / 8 + self.rng.below(self.size - self.size / 8 + 1),
        };
        // Room that is large is seldom used by chance: the larger it is, the more some trees want it.
        let most = 255 - 31 * USUAL_SIZE.min(self.size) / self.size.max(1);
        self.generator.eager = self.rng.below(most);
        // Large trees may have long repetitions, too.
        self.generator.open_rounds = 5 + self.rng.below(1 + size / 40);
        match &mut self.paths {
            Some(paths) => self.generator.steered(
                grammar,
                size,
                &mut self.rng,
                &mut self.program,
                paths,
                &mut self.tree,
            )?,
            None => self.generator.symbol(
                grammar,
                grammar.start,
                size,
                &mut self.rng,
                &mut self.program,
                &mut self.tree,
            )?,
        }
        Ok(())
    }

    /// Changes the tree until it satisfies every constraint; false if that did not succeed.
    pub fn satisfy(&mut self) -> bool {
        self.changed_anywhere();
        self.settle(touch::ALL, false)
    }

    /// Finds where in a subject that satisfies all constraints a change can break one.
    pub fn look(&self, subject: &mut Subject) {
        if !self.spec.constraints.is_empty() {
            subject.look(&self.touching.chains);
        }
    }

    /// The constraints that may not hold any more when the subject, which satisfied all, is changed; none if it is sure
    /// that all do.
    pub fn touched(&self, subject: &Subject, patch: &Patch) -> Option<touch::Set> {
        let seen = match self.spec.constraints.is_empty() || self.touching.clearly_misses(subject, patch) {
            true => 0,
            false => self.touching.by_patch(subject, patch),
        };
        (seen != 0 || self.computed_bounds).then_some(seen)
    }

    /// Makes the tree the changed subject, and changes it until it satisfies the constraints that were touched, and all
    /// others still; false if that did not succeed.
    pub fn satisfy_again(&mut self, subject: &Subject, patch: &Patch, touched: touch::Set) -> bool {
        self.above.clear();
        let above = |at, path: &mut SmallVec<[Index; 32]>| path.extend(subject.above(at));
        patch.apply_with(&subject.tree, &mut self.tree, above, &mut self.above);
        self.changed.clear();
        self.changed.extend(patch.new_places());
        self.settle(touched, true)
    }

    /// Whether there is anything in the spec that a tree can violate.
    pub fn can_be_violated(&self) -> bool {
        self.computed_bounds || !self.spec.constraints.is_empty()
    }

    /// Whether the tree violates one of these constraints, or has a repetition without its computed count.
    pub fn violates(&mut self, constraints: touch::Set) -> bool {
        let mut some = (0..self.spec.constraints.len()).filter(|index| constraints & touch::bit(*index) != 0);
        some.any(|index| !self.holds(index)) || self.computed_bounds && self.has_wrong_count()
    }

    /// Counts another look through the tree.
    #[inline]
    pub(super) fn count_work(&mut self) {
        self.work += LOOK + u64::from(self.tree.len());
    }

    /// Whether the tree satisfies one constraint.
    pub fn holds(&mut self, index: usize) -> bool {
        holds_in(self.spec, &mut self.program, &mut self.rng, &self.tree, index)
    }

    /// How far the tree is from satisfying one constraint.
    pub fn distance(&mut self, index: usize) -> f64 {
        let spec = self.spec;
        distance_in(spec, &mut self.program, &mut self.rng, &self.tree, index)
    }

    /// Makes the spare tree one with the subtree at `at` derived anew; false if that cannot be.
    pub(super) fn regrow(&mut self, at: Index, size: u32) -> bool {
        let (rng, program) = (&mut self.rng, &mut self.program);
        let grammar = &self.spec.grammar;
        self.generator.regrow(grammar, &self.tree, at, None, size, rng, program, &mut self.spare).is_ok()
    }
}

/// Whether `tree` satisfies the constraint `index`.
pub(super) fn holds_in(
    spec: &Spec,
    program: &mut Program<'_>,
    rng: &mut Rng,
    tree: &Tree,
    index: usize,
) -> bool {
    let constraint = &spec.constraints[index];
    let mut vm = Vm::new(&spec.grammar, &spec.program, &[tree], &mut program.state, rng);
    vm.reserve(constraint.frame);
    let result = holds(&mut vm, &constraint.formula);
    drop(vm);
    program.state.stack.clear();
    result
}

/// How far `tree` is from satisfying the constraint `index`.
pub(super) fn distance_in(
    spec: &Spec,
    program: &mut Program<'_>,
    rng: &mut Rng,
    tree: &Tree,
    index: usize,
) -> f64 {
    let constraint = &spec.constraints[index];
    let mut vm = Vm::new(&spec.grammar, &spec.program, &[tree], &mut program.state, rng);
    vm.reserve(constraint.frame);
    let result = distance(&mut vm, &constraint.formula);
    drop(vm);
    program.state.stack.clear();
    result
}
