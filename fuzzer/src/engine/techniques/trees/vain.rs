//! What repairs cost that came to nothing: they are paid for like runs, and may not take more than a part of what runs take.
use crate::{origin::Op, shared::Control};

/// A node that the solver looks at takes about as long as so many edges.
const NODE: u64 = 48;
/// Repairs in vain may cost this part of all effort.
const PART: u64 = 8;
/// So much they may cost at first, as long as nothing has been run.
const GRACE: u64 = 1 << 22;

/// The account of one worker.
#[derive(Debug)]
pub struct Vain {
    /// The effort of the campaign when the worker began.
    since: u64,
    spent: u64,
}

impl Vain {
    /// Nothing was spent yet.
    pub fn new(control: &Control) -> Self {
        Self { since: control.effort(), spent: 0 }
    }

    /// Whether there is anything left for another repair.
    pub fn may(&self, control: &Control) -> bool {
        self.spent <= (control.effort() - self.since) / PART + GRACE
    }

    /// A repair after a change by `op` came to nothing, for which the solver did so much work.
    pub fn spend(&mut self, control: &Control, op: Op, work: u64) {
        let effort = work * NODE;
        self.spent += effort;
        control.add_effort(effort);
        control.op(op).spend(0, effort);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_in_vain_take_a_part_of_all_effort_whatever_they_cost() {
        let control = Control::new(16).unwrap();
        control.add_effort(1 << 40);
        let mut vain = Vain::new(control);
        let (mut tried, mut run) = (0u64, 0u64);
        for _ in 0..1_000_000 {
            if vain.may(control) {
                vain.spend(control, Op::Tree(0), 5000);
                tried += 1;
            }
            run += 1;
            control.add_effort(3000);
        }
        let (in_vain, runs) = (tried * 5000 * NODE, run * 3000);
        assert!(in_vain < runs / (PART - 1) + 2 * GRACE && in_vain > runs / PART, "{tried}");
        assert_eq!(control.op(Op::Tree(0)).recent().0, in_vain, "and count against the operator");
    }
}
