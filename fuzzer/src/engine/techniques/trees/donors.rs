//! Trees of other entries, from which parts are taken.
use std::rc::Rc;

use waypoint_grammar::{mutate::Subject, rng::Rng};

/// So many trees.
const MOST: usize = 48;
/// Larger ones take too much memory.
const MOST_NODES: u32 = 20_000;

/// Some of the trees that were mutated or made lately.
#[derive(Debug, Default)]
pub struct Donors(Vec<Rc<Subject>>);

impl Donors {
    /// Takes a tree in, for another one if there are enough.
    pub fn offer(&mut self, subject: &Rc<Subject>, rng: &mut Rng) {
        if subject.tree.len() > MOST_NODES {
            return;
        }
        if self.0.len() < MOST {
            self.0.push(Rc::clone(subject));
            return;
        }
        let place = rng.below(MOST as u32) as usize;
        self.0[place] = Rc::clone(subject);
    }

    /// All of them.
    pub fn trees(&self) -> &[Rc<Subject>] {
        &self.0
    }
}
