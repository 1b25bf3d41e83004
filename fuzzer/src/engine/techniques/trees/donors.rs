//! Trees of other entries, from which parts are taken.
use waypoint_grammar::{rng::Rng, tree::Tree};

/// So many trees.
const MOST: usize = 48;
/// Larger ones take too long to search.
const MOST_NODES: u32 = 20_000;

/// Some of the trees that were mutated or made lately.
#[derive(Debug, Default)]
pub struct Donors(Vec<Tree>);

impl Donors {
    /// Takes a tree in, for another one if there are enough.
    pub fn offer(&mut self, tree: &Tree, rng: &mut Rng) {
        if tree.len() > MOST_NODES {
            return;
        }
        if self.0.len() < MOST {
            self.0.push(tree.clone());
            return;
        }
        let place = rng.below(MOST as u32) as usize;
        self.0[place].clone_from(tree);
    }

    /// All of them.
    pub fn trees(&self) -> &[Tree] {
        &self.0
    }
}
